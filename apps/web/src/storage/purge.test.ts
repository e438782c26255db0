import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { createConversations } from './conversations.ts'
import { Database } from './db.ts'
import { createDrafts } from './drafts.ts'
import { createGpts, newGpt } from './gpts.ts'
import { createModelConnections } from './model-connections.ts'
import { purge, UNDO_MS, wipe } from './purge.ts'
import { allRows, answer, callOf, grantOf, serverInput } from './sample-rows.ts'
import { createServers } from './servers.ts'
import { createTurnStorage } from './turn-storage.ts'

const count = async (db: Database) =>
  Object.fromEntries(Object.entries(await allRows(db)).map(([name, rows]) => [name, rows.length]))

/** One of everything, hanging on one GPT and its conversation, on one server, on one model connection. */
async function begin() {
  const db = new Database(crypto.randomUUID())
  const server = await createServers(db).add(serverInput())
  const model = await createModelConnections(db).add({
    kind: 'compatible',
    name: 'M',
    baseUrl: 'https://m',
    api: 'chat',
  })
  const tool = { serverId: server.id, toolName: 't' }
  const tools = {
    ...newGpt({}).tools,
    serverIds: [server.id, 'kept'],
    disabledTools: [tool],
    trustedTools: [{ ...tool, fingerprint: 'f', endpoint: 'e' }],
  }
  const gpt = await createGpts(db).create({ tools })
  const conversation = await createConversations(db).start({ gptId: gpt.id, title: 'x', text: 'x' })
  const storage = createTurnStorage(db)
  const message = await storage.append(answer(conversation.id))
  const call = callOf(message, { serverId: 'kept' })
  await storage.addCalls([call])
  await db.mcpTasks.bulkAdd(
    [call.id, 'other'].map((toolCallId, at) => ({
      id: toolCallId,
      serverId: at === 0 ? 'kept' : server.id,
      serverName: 'Server',
      conversationId: conversation.id,
      toolName: 'tool',
      title: '',
      fingerprint: 'f',
      pollMs: 5000,
      toolCallId,
      status: 'working',
      createdAt: 1,
      updatedAt: 1,
    })),
  )
  await storage.addGrant(grantOf({ scope: 'conversation', scopeId: conversation.id, serverId: 'kept' }))
  await storage.addGrant(grantOf({ scope: 'gpt', scopeId: gpt.id, serverId: 'kept' }))
  await storage.addGrant(grantOf({ serverId: server.id }))
  await createDrafts(db).save(conversation.id, 'x')
  await createDrafts(db).save(`new:${gpt.id}`, 'x')
  await db.mcpOAuthTokens.put({ serverId: server.id, secretId: `mcpOAuthTokens:${server.id}:tokens`, updatedAt: 1 })
  for (const id of [
    `mcpServers:${server.id}:token`,
    `mcpOAuthTokens:${server.id}:tokens`,
    `modelConnections:${model.id}:key`,
  ])
    await db.secrets.put({ id, version: 1, iv: new Uint8Array(12), ciphertext: new Uint8Array(9), updatedAt: 1 })
  return { db, server, model, gpt, conversation }
}

const later = () => Date.now() + UNDO_MS

test('what was deleted less than a minute ago stays where it is', async () => {
  const { db, gpt, server, model } = await begin()
  await createGpts(db).remove(gpt.id)
  await createServers(db).remove(server.id)
  await createModelConnections(db).remove(model.id)
  const before = await allRows(db)
  await purge(db, Date.now() + UNDO_MS - 10_000)
  expect(await allRows(db)).toEqual(before)
})

test('with a conversation go its messages, calls, streams, tasks, grants and draft', async () => {
  const { db, conversation } = await begin()
  await createConversations(db).remove(conversation.id)
  await purge(db, later())
  expect(await count(db)).toMatchObject({
    conversations: 0,
    messages: 0,
    streams: 0,
    mcpToolCalls: 0,
    mcpTasks: 1,
    grants: 2,
    drafts: 1,
    gpts: 1,
    secrets: 3,
  })
})

test('with a GPT go its conversations and all that hangs on them', async () => {
  const { db, gpt } = await begin()
  await createGpts(db).remove(gpt.id)
  await purge(db, later())
  expect(await count(db)).toMatchObject({
    gpts: 0,
    conversations: 0,
    messages: 0,
    streams: 0,
    mcpToolCalls: 0,
    grants: 1,
    drafts: 0,
    mcpServers: 1,
  })
})

test('with a server go its secrets, tokens, grants and tasks, and no GPT speaks of it; what its tools said stays', async () => {
  const { db, server, gpt } = await begin()
  await createServers(db).remove(server.id)
  await purge(db, later())
  expect(await count(db)).toMatchObject({
    mcpServers: 0,
    mcpOAuthTokens: 0,
    secrets: 1,
    grants: 2,
    mcpTasks: 1,
    mcpToolCalls: 1,
  })
  expect((await createGpts(db).gpt(gpt.id))?.tools).toMatchObject({
    serverIds: ['kept'],
    disabledTools: [],
    trustedTools: [],
  })
})

test('with a model connection goes its key', async () => {
  const { db, model } = await begin()
  await createModelConnections(db).remove(model.id)
  await purge(db, later())
  expect(await count(db)).toMatchObject({ modelConnections: 0, secrets: 2 })
  expect(await db.secrets.get(`modelConnections:${model.id}:key`)).toBeUndefined()
})

test('what was brought back in time is not taken', async () => {
  const { db, gpt } = await begin()
  const before = await allRows(db)
  await createGpts(db).remove(gpt.id)
  await createGpts(db).restore(gpt.id)
  await purge(db, later())
  expect(await allRows(db)).toEqual(before)
})

test('after a wipe nothing is left', async () => {
  const { db } = await begin()
  await wipe(db)
  expect(Object.values(await count(db)).every((rows) => rows === 0)).toBe(true)
})
