import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { createConversations } from './conversations.ts'
import { attachedId, Database } from './db.ts'
import { createMessages } from './messages.ts'
import { startedConversation } from './sample-rows.ts'

async function begin() {
  const db = new Database(crypto.randomUUID())
  const conversation = await startedConversation(db)
  return { db, conversation, id: conversation.id, conversations: createConversations(db) }
}

test('a conversation begins with its first message, and the draft of it is gone', async () => {
  const { db, conversations, conversation } = await begin()
  const { gptId } = conversation
  await db.drafts.put({ id: `new:${gptId}`, text: 'Hello', updatedAt: 1 })
  const { id } = await conversations.start({ gptId, title: 'Hello', text: 'Hello' })
  expect(await createMessages(db).shown(id)).toMatchObject([{ role: 'user', order: 0, status: 'done' }])
  expect(await db.drafts.count()).toBe(0)
})

test('a conversation that is begun with other words takes the draft along, with what is attached to it', async () => {
  const { db, conversations, conversation } = await begin()
  const { gptId } = conversation
  const file = { type: 'attachment' as const, serverId: '', serverName: '', uri: '', name: 'a.txt' }
  const attachments = [{ ...file, mimeType: 'text/plain', size: 5, text: 'words' }]
  await db.drafts.bulkPut([
    { id: `new:${gptId}`, text: 'Mine', updatedAt: 1 },
    { id: attachedId(`new:${gptId}`), text: '', attachments, updatedAt: 1 },
  ])
  const { id } = await conversations.start({ gptId, title: 'Hello', text: 'Hello', takesDraft: true })
  expect(await db.drafts.toArray()).toEqual(
    [
      { id, text: 'Mine', updatedAt: 1 },
      { id: attachedId(id), text: '', attachments, updatedAt: 1 },
    ].sort((a, b) => (a.id < b.id ? -1 : 1)),
  )
})

test('a GPT that is deleted begins no conversation', async () => {
  const { db, conversations } = await begin()
  await db.gpts.toCollection().modify({ deletedAt: 1 })
  const [gpt] = await db.gpts.toArray()
  const begun = conversations.start({ gptId: gpt?.id ?? '', title: 'x', text: 'x' })
  await expect(begun).rejects.toMatchObject({ failure: { code: 'not-found' } })
  expect(await db.conversations.count()).toBe(1)
})

test('a title of the user stays, whatever the app would call it', async () => {
  const { id, conversations } = await begin()
  await conversations.renameConversation(id, 'By the app', 'app')
  expect(await conversations.conversation(id)).toMatchObject({ title: 'By the app' })
  await conversations.renameConversation(id, '  Mine ', 'user')
  await conversations.renameConversation(id, 'By the app', 'app')
  expect(await conversations.conversation(id)).toMatchObject({ title: 'Mine', titledBy: 'user' })
})

test('a conversation has a title', async () => {
  const { id, conversations } = await begin()
  await expect(conversations.renameConversation(id, '   ', 'user')).rejects.toMatchObject({
    failure: { code: 'bad-input', message: 'The conversation was not saved: its title is empty.' },
  })
})

test('only a version that there is can be shown', async () => {
  const { id, db, conversation, conversations } = await begin()
  const [first] = await createMessages(db).shown(id)
  await createMessages(db).edit(id, first?.id ?? '', 'Again')
  await conversations.switchBranch(id, conversation.branchId)
  expect(await conversations.conversation(id)).toMatchObject({ branchId: conversation.branchId })
  await expect(conversations.switchBranch(id, 'nobody')).rejects.toMatchObject({ failure: { code: 'not-found' } })
})

test('what is deleted is not there, and comes back whole', async () => {
  const { id, conversation, conversations } = await begin()
  const before = await conversations.conversation(id)
  await conversations.remove(id)
  expect(await conversations.conversation(id)).toBeUndefined()
  await expect(conversations.remove(id)).rejects.toMatchObject({ failure: { code: 'not-found' } })
  await conversations.restore(conversation.id)
  expect(await conversations.conversation(id)).toEqual(before)
})

test('what is gone for good does not come back', async () => {
  const { id, db, conversations } = await begin()
  await db.conversations.clear()
  await expect(conversations.restore(id)).rejects.toMatchObject({
    failure: { code: 'not-found', message: 'This conversation cannot be brought back: it is gone for good.' },
  })
})
