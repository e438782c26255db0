import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { createConversations } from './conversations.ts'
import { Database } from './db.ts'
import { createMessages } from './messages.ts'
import { answer, startedConversation } from './sample-rows.ts'
import { searchConversations } from './search-conversations.ts'

async function begin(...chats: { title: string; text: string }[]) {
  const db = new Database(crypto.randomUUID())
  const { gptId } = await startedConversation(db, 'nothing of interest')
  for (const [at, chat] of chats.entries()) {
    const { id } = await createConversations(db).start({ gptId, ...chat })
    await db.conversations.update(id, { updatedAt: Date.now() + 1_000 + at })
  }
  return {
    db,
    titles: async (text: string, limit = 9) =>
      (await searchConversations(db, text, limit)).map((found) => found.conversation.title),
  }
}

test('titles and messages are searched, the last used first, in any case', async () => {
  const { titles } = await begin(
    { title: 'Bread', text: 'How long does it bake?' },
    { title: 'Other', text: 'I like BREAD a lot' },
    { title: 'Third', text: 'x' },
  )
  expect(await titles('bread')).toEqual(['Other', 'Bread'])
  expect(await titles('bread', 1)).toEqual(['Other'])
  expect(await titles('like bread')).toEqual(['Other'])
  expect(await titles('bread zebra')).toEqual([])
  expect(await titles('  ')).toEqual([])
})

test('a find in a message shows the words around it', async () => {
  const { db } = await begin({ title: 'Long', text: `${'a '.repeat(100)}Needle${' b'.repeat(100)}` })
  const [found] = await searchConversations(db, 'needle', 9)
  expect(found?.snippet).toMatchObject({ match: 'Needle' })
  expect(found?.snippet?.before).toMatch(/^… ?a .{50,}$/)
  expect(found?.snippet?.after).toMatch(/^ b.{50,}…$/)
})

test('of several messages the newest is shown', async () => {
  const { db } = await begin({ title: 'Chat', text: 'first needle' })
  const [{ id } = { id: '' }] = await db.conversations.filter(({ title }) => title === 'Chat').toArray()
  const last = await createMessages(db).append(
    answer(id, { status: 'done', parts: [{ type: 'text', text: 'last needle' }] }),
  )
  await db.messages.update(last.id, { createdAt: Date.now() + 1_000 })
  const [found] = await searchConversations(db, 'needle', 9)
  expect(found?.snippet).toEqual({ messageId: last.id, before: 'last ', match: 'needle', after: '' })
})

test('a conversation that is deleted is not found', async () => {
  const { db, titles } = await begin({ title: 'Gone', text: 'x' })
  const [gone] = await searchConversations(db, 'gone', 1)
  await createConversations(db).remove(gone?.conversation.id ?? '')
  expect(await titles('gone')).toEqual([])
})
