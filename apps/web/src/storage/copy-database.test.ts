import 'fake-indexeddb/auto'
import { afterEach, expect, test } from 'vitest'
import { createVault } from '#vault/vault.ts'
import { bringHome, copyDatabase, vaultRevision } from './copy-database.ts'
import { createConversations } from './conversations.ts'
import { Database } from './db.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { createMessages } from './messages.ts'
import { mirror } from './mirror.ts'
import { callOf, startedConversation } from './sample-rows.ts'
import { createSecrets } from './secrets.ts'

const opened: Database[] = []
const channels: BroadcastChannel[] = []
afterEach(() => {
  for (const db of opened.splice(0)) db.close()
  for (const channel of channels.splice(0)) channel.close()
})

const vaultOf = (db: Database) => {
  const channel = new BroadcastChannel(crypto.randomUUID())
  channels.push(channel)
  return createVault({ store: createSecrets(db), channel })
}

/** A database with a chat and a key, and a copy of it in memory. */
async function copied() {
  const stored = new Database(crypto.randomUUID())
  const memory = createMemoryDatabase()
  opened.push(stored, memory)
  const { id } = await startedConversation(stored)
  await (await vaultOf(stored)).seal('models:one:key', 'c4n4ry')
  const touched = mirror(memory, () => {})
  await copyDatabase(stored, memory)
  touched.clear()
  return { stored, memory, touched, id, revision: await vaultRevision(stored) }
}

test('[R-33] a copy in memory has everything, also keys, and leaves what is stored as it is', async () => {
  const { stored, memory, id } = await copied()
  expect(await memory.messages.toArray()).toEqual(await stored.messages.toArray())
  expect(await (await vaultOf(memory)).open('models:one:key')).toBe('c4n4ry')
  await createMessages(memory).send(id, 'More')
  expect(await stored.messages.count()).toBe(1)
})

test('what was approved or running when the copy was made never runs in the copy', async () => {
  const stored = new Database(crypto.randomUUID())
  const memory = createMemoryDatabase()
  opened.push(stored, memory)
  const of = { id: 'message', conversationId: 'chat' }
  const approval = { digest: 'd', at: 1 }
  await stored.mcpToolCalls.bulkAdd([
    callOf(of, { id: 'running', status: 'running' }),
    callOf(of, { id: 'approved', approval: { ...approval, state: 'approved' } }),
    callOf(of, { id: 'asked', approval: { ...approval, state: 'requested' } }),
    callOf(of, { id: 'done', status: 'success' }),
  ])
  await copyDatabase(stored, memory)
  const statuses = (await memory.mcpToolCalls.toArray()).map((call) => [call.id, call.status])
  expect(Object.fromEntries(statuses)).toEqual({
    running: 'unknown',
    approved: 'unknown',
    asked: 'pending',
    done: 'success',
  })
})

test('[R-33] what was done in memory comes home, and what another tab did meanwhile stays', async () => {
  const { stored, memory, touched, id, revision } = await copied()
  const other = await startedConversation(stored)
  await createConversations(stored).renameConversation(other.id, 'Of the other tab', 'user')
  await createMessages(memory).send(id, 'Said in memory')
  await (await vaultOf(memory)).seal('models:two:key', 'n3w')
  await memory.drafts.put({ id: 'draft', text: 'x', updatedAt: 1 })
  await memory.drafts.delete('draft')

  expect(await bringHome(memory, stored, touched, revision)).toBe(true)
  const texts = (await stored.messages.where('conversationId').equals(id).toArray()).map(({ parts }) => parts[0])
  expect(texts).toContainEqual({ type: 'text', text: 'Said in memory' })
  expect((await stored.conversations.get(other.id))?.title).toBe('Of the other tab')
  expect(await stored.drafts.count()).toBe(0)
  const vault = await vaultOf(stored)
  expect(await vault.open('models:one:key')).toBe('c4n4ry')
  expect(await vault.open('models:two:key')).toBe('n3w')
})

test('a vault that was changed meanwhile is not overwritten: the keys of the copy stay behind', async () => {
  const { stored, memory, touched, id, revision } = await copied()
  await (await vaultOf(stored)).seal('models:one:key', 'changed in another tab')
  await createMessages(memory).send(id, 'Said in memory')
  await (await vaultOf(memory)).seal('models:one:key', 'changed in memory')

  expect(await bringHome(memory, stored, touched, revision)).toBe(false)
  expect(await stored.messages.where('conversationId').equals(id).count()).toBe(2)
  expect(await (await vaultOf(stored)).open('models:one:key')).toBe('changed in another tab')
})
