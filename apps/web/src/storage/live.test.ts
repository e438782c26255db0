import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import type { Message } from '#domain/message.ts'
import { createConversations } from './conversations.ts'
import { Database } from './db.ts'
import * as live from './live.ts'
import { createMessages } from './messages.ts'
import { answer, callOf, startedConversation } from './sample-rows.ts'
import { createTurnStorage } from './turn-storage.ts'

/** A conversation of this many messages, and a count of the message rows that are read from now on. */
async function longConversation(length: number) {
  const db = new Database(crypto.randomUUID())
  const conversation = await startedConversation(db)
  const [first] = await db.messages.toArray()
  if (!first) throw new Error('no message')
  const rest = Array.from({ length: length - 1 }, (_, at) => ({ ...first, id: `m${at + 1}`, order: at + 1 }))
  await db.messages.bulkAdd(rest)
  const read = { rows: 0 }
  db.messages.hook('reading', (row: Message) => {
    read.rows += 1
    return row
  })
  return { db, conversation, read }
}

const orders = ({ messages }: live.ShownWindow) => messages.map(({ order }) => order)

test('of 2,000 messages only those that are shown are read, and one more', async () => {
  const { db, conversation, read } = await longConversation(2_000)
  const shown = await live.shownWindow(db, conversation.id, 60)
  expect(orders(shown)).toEqual(Array.from({ length: 60 }, (_, at) => 1_940 + at))
  expect(shown.hasEarlier).toBe(true)
  expect(read.rows).toBe(61)
})

test('a window goes through the branches, and knows when there is nothing earlier', async () => {
  const { db, conversation } = await longConversation(10)
  await createMessages(db).edit(conversation.id, 'm8', 'Edited')
  expect(orders(await live.shownWindow(db, conversation.id, 3))).toEqual([6, 7, 8])
  const [, , edited] = (await live.shownWindow(db, conversation.id, 3)).messages
  expect(edited?.parts).toEqual([{ type: 'text', text: 'Edited' }])
  expect(await live.shownWindow(db, conversation.id, 9)).toMatchObject({ hasEarlier: false })
  expect(await live.shownWindow(db, conversation.id, 8)).toMatchObject({ hasEarlier: true })
  expect(await live.shownWindow(db, 'nobody', 8)).toEqual({ messages: [], hasEarlier: false })
})

test('conversations come last used first, in pages, without those that are deleted', async () => {
  const db = new Database(crypto.randomUUID())
  const { gptId, ...conversation } = await startedConversation(db)
  await db.conversations.clear()
  await db.conversations.bulkAdd([1, 2, 3, 4, 5].map((at) => ({ ...conversation, gptId, id: `c${at}`, updatedAt: at })))
  await createConversations(db).remove('c4')
  const ids = async (page: { limit: number; before?: number }) =>
    (await live.listConversations(db, page)).map(({ id }) => id)
  expect(await ids({ limit: 2 })).toEqual(['c5', 'c3'])
  expect(await ids({ limit: 2, before: 3 })).toEqual(['c2', 'c1'])
  expect(await live.conversation(db, 'c4')).toBeUndefined()
  expect(await live.conversation(db, 'c5')).toMatchObject({ id: 'c5' })
})

test('the calls that wait for the user are those of conversations that are there', async () => {
  const db = new Database(crypto.randomUUID())
  const { id } = await startedConversation(db)
  const deleted = await startedConversation(db)
  const storage = createTurnStorage(db)
  const approval = { state: 'requested' as const, at: 1 }
  const [waiting, gone] = [id, deleted.id].map((conversationId) => callOf({ id: 'm', conversationId }, { approval }))
  const approved = callOf({ id: 'm', conversationId: id }, { approval: { state: 'approved', at: 1 } })
  if (!waiting || !gone) throw new Error('no calls')
  await storage.addCalls([waiting, gone, approved])
  await createConversations(db).remove(deleted.id)
  expect(await live.pendingApprovals(db)).toEqual([waiting])
  expect(await live.calls(db, [approved.id, 'nobody', waiting.id])).toEqual([approved, waiting])
})

test('a call that was made again stands behind the one it repeats', async () => {
  const db = new Database(crypto.randomUUID())
  const message = { id: 'm', conversationId: 'c' }
  const [lost, other] = [callOf(message, { status: 'unknown' }), callOf(message)]
  const again = callOf(message, { repeats: lost.id, status: 'unknown' })
  const last = callOf(message, { repeats: again.id })
  await createTurnStorage(db).addCalls([last, again, other, lost])
  expect(await live.calls(db, [lost.id, other.id])).toEqual([lost, again, last, other])
})

test('a message that streams shows what has arrived', async () => {
  const db = new Database(crypto.randomUUID())
  const { id } = await startedConversation(db)
  const { id: messageId } = await createTurnStorage(db).append(answer(id))
  expect(await live.stream(db, messageId)).toMatchObject({ parts: [] })
  expect(await live.stream(db, 'nobody')).toBeUndefined()
})

test('what is not there is undefined or empty', async () => {
  const db = new Database(crypto.randomUUID())
  expect(await live.gpt(db, 'x')).toBeUndefined()
  expect(await live.server(db, 'x')).toBeUndefined()
  expect(await live.model(db, 'x')).toBeUndefined()
  expect(await live.grants(db)).toEqual([])
})

test('tools that are new or changed and still there are those that nobody has seen, of all servers or of some', async () => {
  const db = new Database(crypto.randomUUID())
  const entry = (serverId: string, toolName: string, state: 'seen' | 'new' | 'changed', isThere = true) => ({
    id: `${serverId} ${toolName}`,
    serverId,
    toolName,
    fingerprint: '',
    endpoint: '',
    definition: '{}',
    state,
    isThere,
    history: [],
  })
  await db.toolLedger.bulkAdd([
    entry('a', 'seen', 'seen'),
    entry('a', 'fresh', 'new'),
    entry('a', 'gone', 'new', false),
    entry('b', 'other', 'changed'),
  ])
  const names = (entries: readonly { toolName: string }[]) => entries.map(({ toolName }) => toolName).sort()
  expect(names(await live.unseenTools(db))).toEqual(['fresh', 'other'])
  expect(names(await live.unseenTools(db, ['a']))).toEqual(['fresh'])
  expect(names(await live.changedTools(db))).toEqual(['other'])
  expect(await live.unseenTool(db, 'a', 'fresh')).toMatchObject({ state: 'new' })
  expect(await live.unseenTool(db, 'a', 'seen')).toBeUndefined()
})
