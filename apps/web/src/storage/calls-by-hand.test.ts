import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import type { ToolCall } from '#domain/tool-call.ts'
import { createCallsByHand, KEPT_BY_HAND } from './calls-by-hand.ts'
import { Database } from './db.ts'
import { heal, unfinished } from './heal.ts'
import { callsByHand } from './live.ts'
import { purge, UNDO_MS } from './purge.ts'
import { callOf, serverInput } from './sample-rows.ts'
import { createServers } from './servers.ts'

const BY_HAND = { id: '', conversationId: '' }
const byHand = (id: string, change: Partial<ToolCall> = {}): ToolCall =>
  callOf(BY_HAND, { id, gptId: '', approval: { state: 'approved', by: 'user', scope: 'once', at: 1 }, ...change })

async function stored(...calls: ToolCall[]) {
  const db = new Database(crypto.randomUUID())
  await db.mcpToolCalls.bulkAdd(calls)
  return { db, calls: createCallsByHand(db), statusOf: async (id: string) => (await db.mcpToolCalls.get(id))?.status }
}

test('a call by hand that a dead engine left running has an unknown outcome', async () => {
  const { calls, statusOf, db } = await stored(byHand('a', { status: 'running' }))
  await calls.healByHand('a')
  expect(await statusOf('a')).toBe('unknown')
  expect((await db.mcpToolCalls.get('a'))?.error?.code).toBe('outcome-unknown')
})

test('a call by hand that was written down and not begun is cancelled, and says that nothing was sent', async () => {
  const { calls, db } = await stored(byHand('a'))
  await calls.healByHand('a')
  const call = await db.mcpToolCalls.get('a')
  expect(call).toMatchObject({ status: 'cancelled', error: { message: expect.stringContaining('Nothing was sent') } })
})

test('a call by hand that has its answer waits to go on, and is not taken for one that never began', async () => {
  const { calls, statusOf, db } = await stored(byHand('a'))
  await db.questions.add({
    id: 'q',
    toolCallId: 'a',
    conversationId: '',
    serverId: 'server',
    serverName: 'Server',
    kind: 'form',
    lasts: true,
    state: 'accepted',
    message: '?',
    createdAt: 1,
  })
  await calls.healByHand('a')
  expect(await statusOf('a')).toBe('pending')
})

test('putting a conversation in order leaves the calls by hand alone, and they are in no conversation', async () => {
  const { db, statusOf, calls } = await stored(byHand('a', { status: 'running' }), byHand('b'))
  expect(await unfinished(db)).toEqual([])
  await heal(db, ['some-chat'])
  expect(await statusOf('a')).toBe('running')
  expect((await calls.unfinishedByHand()).map(({ id }) => id).sort()).toEqual(['a', 'b'])
})

test('of those that run or are about to, only what was made by hand is told', async () => {
  const { calls } = await stored(
    callOf({ id: 'm', conversationId: 'c' }, { status: 'running' }),
    byHand('b', { status: 'success' }),
  )
  expect(await calls.unfinishedByHand()).toEqual([])
})

test('the last calls of a tool come newest first, without those of chats and of other tools', async () => {
  const { db } = await stored(
    byHand('1'),
    byHand('3'),
    byHand('2'),
    byHand('4', { toolName: 'other' }),
    callOf({ id: 'm', conversationId: 'c' }, { id: '5' }),
  )
  const found = await callsByHand(db, { serverId: 'server', toolName: 'tool', limit: 2 })
  expect(found.map(({ id }) => id)).toEqual(['3', '2'])
})

test('one call is deleted, or all of a tool; those of chats, of other tools, and what still runs stay', async () => {
  const chat = callOf({ id: 'm', conversationId: 'c' }, { id: 'chat', status: 'success' })
  const { db, calls } = await stored(
    byHand('1', { status: 'success' }),
    byHand('2', { status: 'error' }),
    byHand('runs', { status: 'running' }),
    byHand('asks', { status: 'asking' }),
    byHand('other', { status: 'success', toolName: 'other' }),
    chat,
  )
  const ids = async () => (await db.mcpToolCalls.toCollection().primaryKeys()).sort()
  for (const id of ['1', 'runs', 'chat']) await calls.removeByHand(id)
  expect(await ids()).toEqual(['2', 'asks', 'chat', 'other', 'runs'])
  await calls.clearByHand('server', 'tool')
  expect(await ids()).toEqual(['asks', 'chat', 'other', 'runs'])
})

test('of each server the last 200 calls by hand are kept, and all of its chats', async () => {
  const id = (at: number) => String(at).padStart(4, '0')
  const many = Array.from({ length: KEPT_BY_HAND + 30 }, (_, at) =>
    byHand(id(at), { status: 'success', toolName: `tool ${at % 7}` }),
  )
  const chats = Array.from({ length: 20 }, (_, at) => callOf({ id: 'm', conversationId: 'c' }, { id: `chat ${at}` }))
  const others = Array.from({ length: 5 }, (_, at) => byHand(`a${at}`, { serverId: 'other', status: 'success' }))
  const { db } = await stored(...many, ...chats, ...others)
  await purge(db, Date.now())
  const left = (await db.mcpToolCalls.toCollection().primaryKeys()).sort()
  expect(left).toEqual([...many.slice(30), ...chats, ...others].map((call) => call.id).sort())
})

test('with a server go its calls by hand; what its tools said in chats stays there', async () => {
  const { db } = await stored()
  const servers = createServers(db)
  const { id: serverId } = await servers.add(serverInput())
  const chat = callOf({ id: 'm', conversationId: 'c' }, { serverId, status: 'success' })
  await db.mcpToolCalls.bulkAdd([
    byHand('1', { serverId }),
    byHand('2', { serverId, toolName: 'x' }),
    byHand('3'),
    chat,
  ])
  await servers.remove(serverId)
  await purge(db, Date.now() + UNDO_MS)
  expect((await db.mcpToolCalls.toCollection().primaryKeys()).sort()).toEqual([chat.id, '3'].sort())
})
