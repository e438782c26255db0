import 'fake-indexeddb/auto'
import assert from 'node:assert/strict'
import { expect, test, vi } from 'vitest'
import { repeatCall } from '#agent/repeat-call.ts'
import { callDigest } from '#domain/call-digest.ts'
import type { Message } from '#domain/message.ts'
import { secretId, suspendedId } from '#domain/sealed.ts'
import type { Task } from '#domain/task.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { createConversations } from '#storage/conversations.ts'
import { Database } from '#storage/db.ts'
import { createGpts } from '#storage/gpts.ts'
import { unfinished } from '#storage/heal.ts'
import { createModelConnections } from '#storage/model-connections.ts'
import { createQuestions } from '#storage/questions.ts'
import { allRows, answer, callOf, grantOf, serverInput, startedConversation } from '#storage/sample-rows.ts'
import { createSecrets } from '#storage/secrets.ts'
import { seed } from '#storage/seed.ts'
import { createServers } from '#storage/servers.ts'
import { createTasks } from '#storage/tasks.ts'
import { createTurnStorage } from '#storage/turn-storage.ts'
import { lockFile, openLockedFile } from '#vault/locked-file.ts'
import { quickDerivation } from '#vault/quick-derivation.ts'
import { createVault, type Vault } from '#vault/vault.ts'
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

test('damaged rows are left out of a restore and listed; everything else comes back', async () => {
  const { parts, conversationId, gpt } = await filled()
  const { bytes } = await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: false })
  const value = JSON.parse(await openLockedFile(bytes, PASSPHRASE)) as {
    rows: Record<string, Record<string, unknown>[]>
  }
  const demo = value.rows['gpts']?.find(({ id }) => id !== gpt.id)
  if (demo) demo['name'] = 7
  const [message] = value.rows['messages'] ?? []
  // Messages of a chat that is not in the file would never be shown, and never be deleted.
  value.rows['messages']?.push({ ...message, id: 'orphan', conversationId: 'gone' })
  value.rows['grants']?.push(null as never)
  value.rows['customTools'] = 7 as never
  const forged = await lockFile(JSON.stringify(value), PASSPHRASE)
  const skipped = [
    { table: 'gpts', id: demo?.['id'], field: 'name' },
    { table: 'customTools', id: '', field: 'the whole table' },
    { table: 'grants', id: '', field: 'the whole row' },
  ]
  expect(await readBackup({ bytes: forged, passphrase: PASSPHRASE })).toMatchObject({ gpts: 1, skipped })
  const other = await browser()
  await restoreBackup(other.parts, { bytes: forged, passphrase: PASSPHRASE, withTrust: false })
  expect((await other.db.gpts.toArray()).map(({ id }) => id)).toEqual([gpt.id])
  expect(await other.db.messages.where({ conversationId }).count()).toBe(1)
  expect(await other.db.messages.get('orphan')).toBeUndefined()
})

test.each(['{}', 'null', '7', '{"format":"switchboard-backup","version":2}', '{'])('%s is no backup', async (text) => {
  const bytes = await lockFile(text, PASSPHRASE)
  await expect(readBackup({ bytes, passphrase: PASSPHRASE })).rejects.toMatchObject({ failure: { code: 'bad-input' } })
})

test('making a backup lists damaged rows at once, and still keeps them in the file', async () => {
  const { parts, db, gpt, key } = await filled()
  await db.gpts.update(gpt.id, { name: 7 as never })
  await db.drafts.put({ id: 'odd', text: 'x', updatedAt: 1, attachments: 1n as never })
  const sealed = await db.secrets.get(key)
  if (sealed) await db.secrets.put({ ...sealed, ciphertext: new Uint8Array(40) })
  const { bytes, skipped } = await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: true })
  expect(skipped).toEqual([
    { table: 'gpts', id: gpt.id, field: 'name' },
    { table: 'drafts', id: 'odd', field: 'the whole row' },
    { table: 'secrets', id: key, field: 'the whole row' },
  ])
  expect(JSON.parse(await openLockedFile(bytes, PASSPHRASE))).toMatchObject({ damaged: { gpts: [{ id: gpt.id }] } })
  const summary = await readBackup({ bytes, passphrase: PASSPHRASE })
  expect(summary).toMatchObject({ gpts: 1, conversations: 1, skipped: [] })
})

const WAYS: [string, (db: Database, vault: Vault) => unknown][] = [
  ['a row is refused by the database', (db) => db.settings.hook('creating', () => assert.fail('disk full'))],
  ['a secret cannot be stored', (db) => db.secrets.hook('creating', () => assert.fail('disk full'))],
  ['the vault cannot seal', (_, vault) => vi.spyOn(vault, 'replaceAll').mockRejectedValue(new Error('locked'))],
]

test.each(WAYS)('a restore changes nothing where %s', async (_, fail) => {
  const { parts } = await filled()
  const { bytes } = await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: true })
  const other = await filled()
  await other.db.recordings.add({ serverId: other.server.id } as never)
  const before = await allRows(other.db)
  const close = vi.spyOn(other.parts.mcp, 'close')
  fail(other.db, other.vault)
  await expect(restoreBackup(other.parts, { bytes, passphrase: PASSPHRASE, withTrust: true })).rejects.toThrow()
  expect(await allRows(other.db)).toEqual(before)
  expect(await other.vault.open(other.key)).toBe('CANARY-1')
  expect(close).not.toHaveBeenCalled()
})

test('a restore starts over where another tab changes the vault in between', async () => {
  const { parts, key } = await filled()
  const { bytes } = await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: true })
  const other = await filled()
  const { replaceAll } = other.vault
  let tries = 0
  vi.spyOn(other.vault, 'replaceAll').mockImplementation((texts, stays, commit) =>
    replaceAll(texts, stays, async (expected, change) => {
      tries += 1
      if (tries === 1) await createSecrets(other.db).commit(expected, { record: { ...change.record }, remove: [] })
      return commit?.(expected, change) ?? false
    }),
  )
  await restoreBackup(other.parts, { bytes, passphrase: PASSPHRASE, withTrust: true })
  expect(tries).toBe(2)
  expect(await other.vault.open(key)).toBe('CANARY-1')
  expect(await other.vault.open(other.key)).toBeUndefined()
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
  await gpts.update(gpt.id, {
    tools: { serverIds: [server.id], approval: 'auto', disabledTools: [], askOnUntrustedContent: false },
  })
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
  const older = await createGpts(db).create({ name: 'Older version' })
  const { askOnUntrustedContent: _, ...tools } = older.tools
  await db.gpts.put({ ...older, tools })
  const { bytes } = await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: true })
  const { reset, isSealed } = await readBackup({ bytes, passphrase: PASSPHRASE })
  expect(isSealed).toBe(true)
  expect({ ...reset, servers: reset.servers.toSorted() }).toEqual({
    gpts: ['Runner'],
    servers: ['Demo tools', 'Files'],
    grants: ['delete of Files'],
    calls: 1,
    cancelled: 0,
    results: 0,
  })

  const other = await browser()
  await restoreBackup(other.parts, { bytes, passphrase: PASSPHRASE, withTrust: false })
  expect((await other.db.gpts.get(gpt.id))?.tools).toMatchObject({
    approval: 'always-ask',
    trustedTools: [],
    askOnUntrustedContent: true,
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

const WHOSE = { id: 'open', conversationId: '', serverId: 'server', serverName: 'Files' }
const question = { ...WHOSE, kind: 'form', lasts: true, state: 'open', message: 'Sure?', createdAt: 1 } as const
const task: Task = {
  ...WHOSE,
  toolCallId: 'open',
  toolName: 'tool',
  title: 'Tool',
  fingerprint: 'f',
  status: 'working',
  pollMs: 1_000,
  createdAt: 1,
  updatedAt: 2,
}

const NOT_ENDED: [string, Partial<ToolCall>][] = [
  ['that was asked something', { status: 'asking', startedAt: 1 }],
  ['that was running', { status: 'running', startedAt: 1 }],
  ['that had become a task', { status: 'task', startedAt: 1, taskId: 'open' }],
  ['that was about to continue', { status: 'pending', startedAt: 1 }],
  ['that was about to run again', { status: 'pending', repeats: 'other' }],
  ['that somebody made without a chat', { status: 'pending', conversationId: '' }],
]

test.each(NOT_ENDED)('an untrusted restore cancels a call %s', async (_, change) => {
  const { parts, db, vault, server, call } = await trusting()
  const approval = { state: 'approved', by: 'user', digest: await callDigest(call), at: 1 } as const
  const open = { ...call, approval, ...change, id: 'open' }
  const whose = { conversationId: open.conversationId, serverId: server.id }
  await db.mcpToolCalls.put(open)
  await db.questions.put({ ...question, ...whose, toolCallId: 'open' })
  await db.mcpTasks.put({ ...task, ...whose })
  const suspended = suspendedId(open)
  await vault.seal(suspended, '{}')
  const { bytes } = await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: true })
  expect((await readBackup({ bytes, passphrase: PASSPHRASE })).reset).toMatchObject({ calls: 1, cancelled: 1 })

  const other = await browser()
  await restoreBackup(other.parts, { bytes, passphrase: PASSPHRASE, withTrust: false })
  expect(await unfinished(other.db)).toEqual([])
  const answered = await createQuestions(other.db).settleQuestion('open', { state: 'accepted', answeredAt: 3 })
  expect(answered).toBe(false)
  const restored = await other.db.mcpToolCalls.get('open')
  expect(restored).toMatchObject({ status: 'cancelled', error: { code: 'stopped' } })
  expect(restored).not.toHaveProperty('approval')
  expect(await other.db.mcpTasks.get('open')).toMatchObject({ status: 'left', deliveredAt: 2 })
  expect(await other.vault.open(suspended)).toBeUndefined()
  expect(await other.vault.open(secretId('mcpServers', server.id, 'token'))).toBe('CANARY-1')
})

test.each([undefined, 'approved', 'denied'] as const)(
  'a waiting call whose approval is %s asks again after an untrusted restore',
  async (state) => {
    const { parts, db, call } = await trusting()
    const { approval: _, ...rest } = call
    await db.mcpToolCalls.put({ ...rest, ...(state && { approval: { state, by: 'user', at: 1 } }) })
    await db.questions.put({
      ...question,
      id: 'q',
      toolCallId: call.id,
      conversationId: call.conversationId,
      state: 'accepted',
      answer: { sure: true },
    })
    const { bytes } = await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: false })
    const other = await browser()
    await restoreBackup(other.parts, { bytes, passphrase: PASSPHRASE, withTrust: false })
    expect(await unfinished(other.db)).toEqual([])
    expect(await other.db.mcpToolCalls.get(call.id)).toMatchObject({
      status: 'pending',
      approval: { state: 'requested', at: 1 },
    })
    expect(await other.db.questions.count()).toBe(0)
  },
)

test('a call that ended before an untrusted restore cannot run again with the approval of the file', async () => {
  const { parts, db, call } = await trusting()
  const approval = { state: 'approved', by: 'user', digest: await callDigest(call), at: 1 } as const
  await db.mcpToolCalls.put({ ...call, status: 'unknown', approval })
  const { bytes } = await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: false })
  const other = await browser()
  await restoreBackup(other.parts, { bytes, passphrase: PASSPHRASE, withTrust: false })
  const storage = createTurnStorage(other.db)
  const restored = await storage.call(call.id)
  assert(restored)
  await expect(repeatCall({ storage, now: () => 1 }, restored)).rejects.toMatchObject({
    failure: { code: 'bad-input' },
  })
})

test('an untrusted restore starts no turn for a task that had ended, and names the model services', async () => {
  const { parts, db, gpt, call } = await trusting()
  await db.mcpToolCalls.put({ ...call, status: 'success', taskId: 'open' })
  const { conversationId } = call
  await db.mcpTasks.put({ ...task, conversationId, toolCallId: call.id, status: 'completed', completedAt: 5 })
  const models = createModelConnections(db)
  const service = { kind: 'compatible', name: 'Mine', baseUrl: 'http://models.example:8443/v1', api: 'chat' } as const
  const { id } = await models.add(service)
  await db.gpts.update(gpt.id, { model: { connectionId: id, modelId: 'large' } })
  const { bytes } = await makeBackup(parts, { passphrase: PASSPHRASE, withSecrets: false })
  const summary = await readBackup({ bytes, passphrase: PASSPHRASE })
  expect(summary.models).toEqual([{ id, name: 'Mine', host: 'models.example:8443' }])
  expect(summary.reset.results).toBe(1)

  const other = await browser()
  await restoreBackup(other.parts, { bytes, passphrase: PASSPHRASE, withTrust: false })
  expect(await unfinished(other.db)).toEqual([])
  expect(await createTasks(other.db).hasNews(conversationId)).toBe(false)
  expect(await other.db.mcpTasks.get('open')).toMatchObject({ status: 'completed', deliveredAt: 5 })
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
