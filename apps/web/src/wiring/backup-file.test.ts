import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import type { Message } from '#domain/message.ts'
import { secretId } from '#domain/sealed.ts'
import { createConversations } from '#storage/conversations.ts'
import { Database } from '#storage/db.ts'
import { createGpts } from '#storage/gpts.ts'
import { allRows, answer, callOf, grantOf, serverInput, startedConversation } from '#storage/sample-rows.ts'
import { createSecrets } from '#storage/secrets.ts'
import { seed } from '#storage/seed.ts'
import { createServers } from '#storage/servers.ts'
import { lockFile, openLockedFile } from '#vault/locked-file.ts'
import { quickDerivation } from '#vault/quick-derivation.ts'
import { createVault } from '#vault/vault.ts'
import { makeBackup, readBackup, restoreBackup } from './backup-file.ts'
import type { EngineParts } from './engine-parts.ts'

quickDerivation()

const PASSPHRASE = 'of this file alone'

/** A browser: storage and a vault of its own, and nothing connected. */
async function browser() {
  const db = new Database(crypto.randomUUID())
  await seed(db, 'http://localhost:1')
  const vault = await createVault({ store: createSecrets(db), channel: new BroadcastChannel(db.name) })
  const parts = { db, vault, mcp: { close() {} } } as unknown as EngineParts
  return { db, vault, parts }
}

async function filled() {
  const one = await browser()
  const gpt = await createGpts(one.db).create({ name: 'Mine' })
  const { id: conversationId } = await createConversations(one.db).start({ gptId: gpt.id, title: 'T', text: 'hello' })
  const server = await createServers(one.db).add(serverInput({ authentication: { type: 'bearer' } }))
  await one.db.grants.add(grantOf({ serverId: server.id }))
  const key = secretId('mcpServers', server.id, 'token')
  await one.vault.seal(key, 'CANARY-1')
  await one.vault.seal(secretId('mcpServers', 'companion', 'token'), 'CANARY-2')
  return { ...one, gpt, conversationId, server, key }
}

/** What is stored, without what belongs to one browser. */
async function content(db: Database) {
  const { secrets: _, settings, ...rows } = await allRows(db)
  return { ...rows, settings: (settings as { key: string }[]).filter(({ key }) => key !== 'vault') }
}

test('everything comes back in another browser, keys too where they were wanted', async () => {
  const { parts, db, key } = await filled()
  const { name, bytes } = await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: true })
  expect(name).toMatch(/^switchboard-\d{4}-\d\d-\d\d\.backup$/)
  const other = await browser()
  expect(await readBackup({ bytes, passphrase: PASSPHRASE })).toMatchObject({
    gpts: 2,
    conversations: 1,
    servers: 2,
    secrets: 1,
  })
  await restoreBackup(other.parts, { bytes, passphrase: PASSPHRASE, withTrust: true })
  expect(await content(other.db)).toEqual(await content(db))
  expect(await other.vault.open(key)).toBe('CANARY-1')
})

test('[A8.8] without keys there is none in the file, and never the token of the companion', async () => {
  const { parts } = await filled()
  const without = await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: false })
  expect(await openLockedFile(without.bytes, PASSPHRASE)).not.toContain('CANARY')
  const withKeys = await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: true })
  expect(await openLockedFile(withKeys.bytes, PASSPHRASE)).not.toContain('CANARY-2')
})

test('what was here before is gone, with its keys', async () => {
  const { parts } = await filled()
  const { bytes } = await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: false })
  const other = await filled()
  await restoreBackup(other.parts, { bytes, passphrase: PASSPHRASE, withTrust: false })
  expect(await other.db.gpts.get(other.gpt.id)).toBeUndefined()
  expect(await other.vault.open(other.key)).toBeUndefined()
})

test('a locked vault neither gives its keys nor takes others, and nothing is changed', async () => {
  const { parts, vault } = await filled()
  const { bytes } = await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: true })
  await vault.setPassphrase('another one')
  await vault.lock()
  const locked = { failure: { code: 'vault-locked' } }
  await expect(makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: true })).rejects.toMatchObject(locked)
  const before = await content(parts.db)
  await expect(restoreBackup(parts, { bytes, passphrase: PASSPHRASE, withTrust: true })).rejects.toMatchObject(locked)
  expect(await content(parts.db)).toEqual(before)
  await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: false })
})

test('a backup with one row that is not what it should be is refused whole, and says which', async () => {
  const { parts, db } = await filled()
  const { bytes } = await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: false })
  const value = JSON.parse(await openLockedFile(bytes, PASSPHRASE)) as { rows: { gpts: { name: unknown }[] } }
  const [first] = value.rows.gpts
  if (first) first.name = 7
  const before = await content(db)
  const forged = await lockFile(JSON.stringify(value), PASSPHRASE)
  await expect(restoreBackup(parts, { bytes: forged, passphrase: PASSPHRASE, withTrust: false })).rejects.toThrow(
    'row 0 of gpts',
  )
  expect(await content(db)).toEqual(before)
  for (const other of ['{}', 'null', '7', '{"format":"switchboard-backup","version":2}', '{'])
    await expect(
      readBackup({ bytes: await lockFile(other, PASSPHRASE), passphrase: PASSPHRASE }),
    ).rejects.toMatchObject({ failure: { code: 'bad-input' } })
})

/** A browser in which a lot is allowed: the same rows as a file, sealed or not. */
async function trusting() {
  const one = await browser()
  const server = await createServers(one.db).add(
    serverInput({ name: 'Files', trusted: true, sampling: true, relay: true, authentication: { type: 'bearer' } }),
  )
  const gpts = createGpts(one.db)
  const gpt = await gpts.create({ name: 'Runner' })
  const tool = { serverId: server.id, toolName: 'delete', fingerprint: 'f', endpoint: server.url }
  await gpts.update(gpt.id, { tools: { serverIds: [server.id], approval: 'auto', disabledTools: [] } })
  await gpts.trust(gpt.id, tool)
  await one.db.grants.add(grantOf({ ...tool, serverName: 'Files' }))
  await one.db.settings.put({ key: 'idleLockMinutes', value: 1440 })
  const conversation = await startedConversation(one.db)
  const message = answer(conversation.id, { status: 'done' })
  await one.db.messages.add({ ...message, branchId: conversation.branchId, order: 1, createdAt: 1 } as Message)
  const call = callOf(message, { serverId: server.id, approval: { state: 'approved', by: 'user', at: 1 } })
  await one.db.mcpToolCalls.add(call)
  await one.vault.seal(secretId('mcpServers', server.id, 'token'), 'CANARY-1')
  return { ...one, server, gpt, call }
}

test('a restored backup brings no trust unless the person asks for it, and says what it reset', async () => {
  const { parts, db, server, gpt, call } = await trusting()
  const { bytes } = await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: true })
  const { reset, isSealed } = await readBackup({ bytes, passphrase: PASSPHRASE })
  expect(isSealed).toBe(true)
  expect({ ...reset, servers: reset.servers.toSorted() }).toEqual({
    gpts: ['Runner'],
    servers: ['Demo tools', 'Files'],
    grants: ['delete of Files'],
    calls: 1,
  })

  const other = await browser()
  await restoreBackup(other.parts, { bytes, passphrase: PASSPHRASE, withTrust: false })
  expect((await other.db.gpts.get(gpt.id))?.tools).toMatchObject({
    approval: 'always-ask',
    trustedTools: [],
    serverIds: [server.id],
  })
  for (const one of await other.db.mcpServers.toArray())
    expect(one).toMatchObject({ trusted: false, enabled: false, relay: false })
  expect(await other.db.mcpServers.get(server.id)).not.toHaveProperty('sampling')
  expect(await other.db.grants.count()).toBe(0)
  expect((await other.db.mcpToolCalls.get(call.id))?.approval?.state).toBe('requested')
  expect(await other.db.settings.get('idleLockMinutes')).toBeUndefined()

  const own = await browser()
  await restoreBackup(own.parts, { bytes, passphrase: PASSPHRASE, withTrust: true })
  expect(await content(own.db)).toEqual(await content(db))
})

test('an unsealed file never brings trust or keys, even if asked to', async () => {
  const { parts, gpt, server } = await trusting()
  const sealed = await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: true })
  const plain = new TextEncoder().encode(await openLockedFile(sealed.bytes, PASSPHRASE))
  expect(await readBackup({ bytes: plain, passphrase: '' })).toMatchObject({ isSealed: false, secrets: 0 })
  const other = await browser()
  await expect(restoreBackup(other.parts, { bytes: plain, passphrase: '', withTrust: true })).rejects.toMatchObject({
    failure: { code: 'bad-input' },
  })
  await restoreBackup(other.parts, { bytes: plain, passphrase: '', withTrust: false })
  expect((await other.db.gpts.get(gpt.id))?.tools.approval).toBe('always-ask')
  expect(await other.db.mcpServers.get(server.id)).toMatchObject({ trusted: false, enabled: false })
  expect(await other.vault.open(secretId('mcpServers', server.id, 'token'))).toBeUndefined()
})
