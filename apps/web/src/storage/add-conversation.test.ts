import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { readConversationFile } from '#domain/conversation-file.ts'
import { exportConversation } from '#domain/export-format.ts'
import { addConversation } from './add-conversation.ts'
import { Database } from './db.ts'
import { newGpt } from './gpts.ts'
import { calls as callsById, shownWindow } from './live.ts'
import { answer, callOf } from './sample-rows.ts'
import { createConversations } from './conversations.ts'
import { createTurnStorage } from './turn-storage.ts'

async function begin() {
  const db = new Database(crypto.randomUUID())
  const gpt = newGpt({ name: 'Helper' })
  await db.gpts.add(gpt)
  const conversation = await createConversations(db).start({ gptId: gpt.id, title: 'A talk', text: 'Find it' })
  const storage = createTurnStorage(db)
  const id = crypto.randomUUID()
  const message = await storage.append(answer(conversation.id, { id }))
  const call = callOf(message, {
    status: 'success',
    content: [{ type: 'text', text: 'found' }],
    arguments: '{"q":"it"}',
    startedAt: 5,
    completedAt: 9,
  })
  const again = callOf(message, { status: 'running', repeats: call.id })
  const tool = { type: 'tool', toolCallId: call.id, providerCallId: 'p', modelName: 'tool' } as const
  await storage.complete(id, { status: 'done', parts: [{ type: 'text', text: 'Here:' }, tool] }, [call, again])
  const messages = await storage.shown(conversation.id)
  const { text } = exportConversation(
    { conversation, gpt, messages, calls: await storage.callsOf(messages.map((one) => one.id)) },
    'json',
  )
  return { db, gpt, text }
}

const read = (text: string) => readConversationFile(text, 1_000, () => crypto.randomUUID())

test('a chat that was exported comes back as it was said, and can be gone on with', async () => {
  const { db, gpt, text } = await begin()
  const id = await addConversation(db, gpt.id, read(text))
  const { messages } = await shownWindow(db, id, 10)
  expect(messages.map(({ role, order }) => [role, order])).toEqual([
    ['user', 0],
    ['assistant', 1],
  ])
  expect(messages[0]?.parts).toEqual([{ type: 'text', text: 'Find it' }])
  const part = messages[1]?.parts[1]
  const found = await callsById(db, part?.type === 'tool' ? [part.toolCallId] : [])
  expect(found).toMatchObject([
    { status: 'success', arguments: '{"q":"it"}', content: [{ text: 'found' }], toolName: 'tool' },
    // Whatever was under way when it was written never runs here.
    { status: 'cancelled' },
  ])
  await createTurnStorage(db).append(answer(id, { role: 'user', status: 'done' }))
  expect((await shownWindow(db, id, 10)).messages).toHaveLength(3)
})

test('what comes with a chat is nobody’s server: nothing of it is trusted or can be run again', async () => {
  const { db, gpt, text } = await begin()
  const id = await addConversation(db, gpt.id, read(text))
  const rows = await db.mcpToolCalls.where('conversationId').equals(id).toArray()
  for (const row of rows) expect(row).toMatchObject({ serverId: 'imported', fingerprint: '', endpoint: '' })
  expect(rows.every(({ approval }) => approval === undefined)).toBe(true)
})

test('a file that is no conversation is refused, and leaves nothing', async () => {
  const { db, gpt, text } = await begin()
  const before = await db.messages.count()
  const value = JSON.parse(text) as Record<string, unknown>
  for (const file of ['', '[]', '{"format":"other"}', JSON.stringify({ ...value, messages: [{ role: 'system' }] })])
    expect(() => read(file)).toThrow(/no JSON|no conversation/)
  await expect(addConversation(db, 'nobody', read(text))).rejects.toMatchObject({ failure: { code: 'not-found' } })
  expect(await db.messages.count()).toBe(before)
  await addConversation(db, gpt.id, read(JSON.stringify({ ...value, createdAt: 'yesterday' })))
})
