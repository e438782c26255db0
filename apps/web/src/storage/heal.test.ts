import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { Database } from './db.ts'
import { heal, unfinished } from './heal.ts'
import { allRows, answer, callOf, startedConversation } from './sample-rows.ts'
import { createTurnStorage } from './turn-storage.ts'

async function begin() {
  const db = new Database(crypto.randomUUID())
  const { id } = await startedConversation(db)
  const storage = createTurnStorage(db)
  const message = await storage.append(answer(id))
  return { db, id, storage, message }
}

test('a message that was streaming has stopped with what had arrived, without calls that were never written down', async () => {
  const { db, id, storage, message } = await begin()
  const call = callOf(message, { status: 'success' })
  await storage.addCalls([call])
  const tool = { type: 'tool', providerCallId: 'p', modelName: 'm' } as const
  await storage.grow({
    messageId: message.id,
    conversationId: id,
    parts: [
      { type: 'text', text: 'So far' },
      { ...tool, toolCallId: call.id },
      { ...tool, toolCallId: 'not there' },
    ],
    arriving: [],
  })
  expect(await unfinished(db)).toEqual([id])
  await storage.heal([id])
  expect(await db.messages.get(message.id)).toMatchObject({
    status: 'stopped',
    parts: [{ text: 'So far' }, { toolCallId: call.id }],
    completedAt: expect.any(Number),
  })
  expect(await db.streams.count()).toBe(0)
  expect(await unfinished(db)).toEqual([])
})

test('a message of which nothing had arrived is found and stopped too', async () => {
  const { db, id, message } = await begin()
  expect(await unfinished(db)).toEqual([id])
  await heal(db, [id])
  expect(await db.messages.get(message.id)).toMatchObject({ status: 'stopped', parts: [] })
})

test('of a call that was running nobody knows the outcome, and others stay as they are', async () => {
  const { db, id, storage, message } = await begin()
  const [running, pending, done] = [
    callOf(message, { status: 'running' }),
    callOf(message),
    callOf(message, { status: 'success' }),
  ]
  await storage.complete(message.id, {}, [running, pending, done])
  expect(await unfinished(db)).toEqual([id])
  await heal(db, [id])
  expect(await storage.call(running.id)).toMatchObject({ status: 'unknown', error: { code: 'outcome-unknown' } })
  expect(await storage.call(pending.id)).toEqual(pending)
  expect(await storage.call(done.id)).toEqual(done)
})

test('a conversation that another tab works on is left alone', async () => {
  const { db, storage, message } = await begin()
  await storage.addCalls([callOf(message, { status: 'running' })])
  const before = await allRows(db)
  await heal(db, ['another'])
  expect(await allRows(db)).toEqual(before)
})

test('a turn that was healed cannot end its message a second time', async () => {
  const { id, storage, message } = await begin()
  await storage.heal([id])
  expect(await storage.complete(message.id, { status: 'done' }, [])).toBe(false)
})
