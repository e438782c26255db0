import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { variantsAt } from '#domain/branches.ts'
import type { Message } from '#domain/message.ts'
import { Database } from './db.ts'
import { createMessages } from './messages.ts'
import { allRows, answer, callOf, startedConversation } from './sample-rows.ts'

const words = (messages: Message[]) =>
  messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : part.type)).join(''))

async function begin(text?: string) {
  const db = new Database(crypto.randomUUID())
  const conversation = await startedConversation(db, text)
  return { db, conversation, id: conversation.id, messages: createMessages(db) }
}

const said = (id: string, text: string) => answer(id, { status: 'done', parts: [{ type: 'text', text }] })

test('a message is added at the end of what is shown', async () => {
  const { id, messages, conversation } = await begin('Hello')
  const added = await messages.append(said(id, 'Hi'))
  expect(added).toMatchObject({ order: 1, branchId: conversation.branchId })
  expect(words(await messages.shown(id))).toEqual(['Hello', 'Hi'])
})

test('two messages added at the same moment get different places', async () => {
  const { id, messages } = await begin()
  const added = await Promise.all([messages.append(said(id, 'a')), messages.append(said(id, 'b'))])
  expect(new Set(added.map(({ order }) => order))).toEqual(new Set([1, 2]))
})

test('a new message makes its conversation the last used', async () => {
  const { id, db, messages, conversation } = await begin()
  await db.conversations.put({ ...conversation, updatedAt: 5 })
  await messages.append(said(id, 'Hi'))
  expect((await db.conversations.get(id))?.updatedAt).toBeGreaterThan(5)
})

test('an edited message stands on a branch of its own, and the old one is kept', async () => {
  const { id, db, messages } = await begin('One')
  await messages.append(said(id, 'First answer'))
  const [first] = await messages.shown(id)
  await messages.edit(id, first?.id ?? '', 'Two')
  expect(words(await messages.shown(id))).toEqual(['Two'])
  await messages.append(said(id, 'Second answer'))
  expect(words(await messages.shown(id))).toEqual(['Two', 'Second answer'])
  const conversation = await db.conversations.get(id)
  if (!conversation) throw new Error('gone')
  const [original = ''] = variantsAt(conversation, 0)
  await db.conversations.put({ ...conversation, branchId: original })
  expect(words(await messages.shown(id))).toEqual(['One', 'First answer'])
})

test('an edit in the middle keeps what came before it', async () => {
  const { id, messages } = await begin('One')
  await messages.append(said(id, 'Answer'))
  const second = await messages.send(id, 'Two')
  const edited = await messages.edit(id, second.id, 'Two, better')
  expect(edited.order).toBe(2)
  expect(words(await messages.shown(id))).toEqual(['One', 'Answer', 'Two, better'])
})

test('a branch before an answer ends there, and the next message takes its place', async () => {
  const { id, messages } = await begin('One')
  const { id: answerId } = await messages.append(said(id, 'Answer'))
  await messages.branchBefore(id, answerId)
  expect(words(await messages.shown(id))).toEqual(['One'])
  expect(await messages.append(said(id, 'Again'))).toMatchObject({ order: 1 })
  expect(words(await messages.shown(id))).toEqual(['One', 'Again'])
})

test('a message that is not shown cannot be edited', async () => {
  const { id, messages } = await begin('One')
  const { id: answerId } = await messages.append(said(id, 'Answer'))
  await messages.branchBefore(id, answerId)
  await expect(messages.edit(id, answerId, 'x')).rejects.toMatchObject({ failure: { code: 'not-found' } })
  await expect(messages.edit(id, 'nobody', 'x')).rejects.toMatchObject({ failure: { code: 'not-found' } })
})

test('sending takes the draft away, and an empty message is refused and keeps it', async () => {
  const { id, db, messages } = await begin()
  await db.drafts.put({ id, text: 'typed', updatedAt: 1 })
  await expect(messages.send(id, '  \n')).rejects.toMatchObject({
    failure: { code: 'bad-input', message: 'The message was not saved: its text is empty.' },
  })
  expect(await db.drafts.count()).toBe(1)
  await messages.send(id, 'typed')
  expect(await db.drafts.count()).toBe(0)
})

test('a message of more than 200,000 characters is refused by its measure', async () => {
  const { id, messages } = await begin()
  await expect(messages.send(id, 'x'.repeat(200_001))).rejects.toMatchObject({
    failure: { message: 'The message was not saved: its text is too long, the most is 200000.' },
  })
})

test('nothing is added to a conversation that is deleted', async () => {
  const { id, db, messages, conversation } = await begin()
  await db.conversations.put({ ...conversation, deletedAt: 1 })
  await expect(messages.append(said(id, 'Hi'))).rejects.toMatchObject({ failure: { code: 'not-found' } })
  expect(await db.messages.count()).toBe(1)
})

test('what arrives is kept beside the message until it is whole, then in it', async () => {
  const { id, db, messages } = await begin()
  const { id: messageId } = await messages.append(answer(id))
  expect(await db.streams.get(messageId)).toMatchObject({ parts: [] })
  const grown = { messageId, conversationId: id, arriving: [], parts: [{ type: 'text' as const, text: 'He' }] }
  await messages.grow(grown)
  expect(await db.messages.get(messageId)).toMatchObject({ status: 'streaming', parts: [] })
  expect(await db.streams.get(messageId)).toMatchObject({ parts: [{ text: 'He' }] })
  const call = callOf({ id: messageId, conversationId: id })
  const parts = [{ type: 'text' as const, text: 'Hey' }]
  expect(await messages.complete(messageId, { parts }, [call])).toBe(true)
  expect(await db.messages.get(messageId)).toMatchObject({ status: 'done', parts })
  expect(await db.mcpToolCalls.toArray()).toEqual([call])
  expect(await db.streams.count()).toBe(0)
  await messages.grow(grown)
  expect(await db.streams.count()).toBe(0)
})

test('a message ends once', async () => {
  const { id, db, messages } = await begin()
  const { id: messageId } = await messages.append(answer(id))
  const ends = await Promise.all([
    messages.complete(messageId, { status: 'stopped' }, []),
    messages.complete(messageId, { status: 'done' }, []),
  ])
  expect(ends).toEqual([true, false])
  expect(await db.messages.get(messageId)).toMatchObject({ status: 'stopped' })
})

test('where one call cannot be stored, nothing of the end is', async () => {
  const { id, db, messages } = await begin()
  const { id: messageId } = await messages.append(answer(id))
  const before = await allRows(db)
  const calls = [
    callOf({ id: messageId, conversationId: id }),
    callOf({ id: messageId, conversationId: id }, { id: '' }),
  ]
  await expect(messages.complete(messageId, {}, calls)).rejects.toMatchObject({
    failure: { code: 'bad-input', message: 'The tool call was not saved: its id is empty.' },
  })
  expect(await allRows(db)).toEqual(before)
})

test('a conversation that is not there shows nothing', async () => {
  const { messages } = await begin()
  expect(await messages.shown('nobody')).toEqual([])
})
