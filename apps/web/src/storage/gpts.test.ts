import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { createConversations } from './conversations.ts'
import { Database } from './db.ts'
import { createGpts, type GptChange } from './gpts.ts'

async function begin(given: GptChange = {}) {
  const db = new Database(crypto.randomUUID())
  const gpts = createGpts(db)
  return { db, gpts, gpt: await gpts.create(given) }
}

test('a new GPT asks before every tool and talks to the practice model', async () => {
  const { gpt } = await begin()
  expect(gpt).toMatchObject({ name: 'New GPT', model: { connectionId: 'practice' }, tools: { approval: 'always-ask' } })
})

test('a change keeps the rest, and neither the id nor the times can be given', async () => {
  const { gpts, gpt } = await begin({ description: 'Kept' })
  await gpts.update(gpt.id, { name: 'Renamed', id: 'x', createdAt: 1, deletedAt: 1 } as GptChange)
  expect(await gpts.gpt(gpt.id)).toMatchObject({ name: 'Renamed', description: 'Kept', createdAt: gpt.createdAt })
})

test('a GPT comes out of the archive by a change to undefined', async () => {
  const { gpts, gpt } = await begin()
  await gpts.update(gpt.id, { archivedAt: 5 })
  expect(await gpts.gpt(gpt.id)).toMatchObject({ archivedAt: 5 })
  await gpts.update(gpt.id, { archivedAt: undefined })
  expect(await gpts.gpt(gpt.id)).not.toHaveProperty('archivedAt')
})

test('an edit changes what it names, and gives nothing back that was changed elsewhere', async () => {
  const { gpts, gpt } = await begin({ settings: { maxToolCalls: 25, temperature: 1 } })
  await gpts.update(gpt.id, { tools: { approval: 'trusted-only' }, settings: { maxToolCalls: 5 } })
  await gpts.update(gpt.id, { tools: { serverIds: ['s'] }, settings: { temperature: undefined } })
  const found = await gpts.gpt(gpt.id)
  expect(found?.tools).toEqual({ ...gpt.tools, approval: 'trusted-only', serverIds: ['s'] })
  expect(found?.settings).toEqual({ maxToolCalls: 5 })
})

test('a field out of its bounds is named', async () => {
  const { gpts, gpt } = await begin()
  const change = { settings: { ...gpt.settings, temperature: 3 } }
  await expect(gpts.update(gpt.id, change)).rejects.toMatchObject({
    failure: {
      code: 'bad-input',
      message: 'The GPT was not saved: its settings.temperature is too large, the most is 2.',
    },
  })
  const tools = { ...gpt.tools, approval: 'never' as 'auto' }
  await expect(gpts.update(gpt.id, { tools })).rejects.toMatchObject({
    failure: { message: 'The GPT was not saved: its tools.approval is none of auto, always-ask, trusted-only.' },
  })
})

test('a copy is another GPT with the same words', async () => {
  const { gpts, gpt } = await begin({ name: 'x'.repeat(100), instructions: 'Be kind.' })
  await gpts.update(gpt.id, { archivedAt: 5 })
  const copy = await gpts.duplicate(gpt.id)
  expect(copy.id).not.toBe(gpt.id)
  expect(copy).toMatchObject({ name: `${'x'.repeat(95)} copy`, instructions: 'Be kind.' })
  expect(copy).not.toHaveProperty('archivedAt')
})

test('trust goes to one definition of a tool at a time', async () => {
  const { gpts, gpt } = await begin()
  const tool = { serverId: 's', toolName: 't', endpoint: 'e' }
  await gpts.trust(gpt.id, { ...tool, fingerprint: 'old' })
  await gpts.trust(gpt.id, { ...tool, fingerprint: 'new' })
  await gpts.trust(gpt.id, { ...tool, toolName: 'other', fingerprint: 'o' })
  const trusted = async () => (await gpts.gpt(gpt.id))?.tools.trustedTools.map(({ fingerprint }) => fingerprint)
  expect(await trusted()).toEqual(['new', 'o'])
  const before = await gpts.gpt(gpt.id)
  await gpts.distrust(gpt.id, tool)
  expect(await trusted()).toEqual(['o'])
  // A form that was opened before knows nothing of that, and gives nothing back.
  await gpts.update(gpt.id, { name: 'Renamed', ...(before && { tools: { ...before.tools, approval: 'auto' } }) })
  expect(await trusted()).toEqual(['o'])
  expect(await gpts.gpt(gpt.id)).toMatchObject({ name: 'Renamed', tools: { approval: 'auto' } })
})

test('the conversations of a GPT go with it and come back with it, but not those deleted before', async () => {
  const { db, gpts, gpt } = await begin()
  const conversations = createConversations(db)
  const start = () => conversations.start({ gptId: gpt.id, title: 'x', text: 'x' })
  const [kept, before] = [await start(), await start()]
  await db.conversations.update(before.id, { deletedAt: 5 })
  expect(await gpts.remove(gpt.id)).toEqual({ conversations: 1 })
  expect(await gpts.gpt(gpt.id)).toBeUndefined()
  expect(await conversations.conversation(kept.id)).toBeUndefined()
  await expect(gpts.update(gpt.id, { name: 'x' })).rejects.toMatchObject({ failure: { code: 'not-found' } })
  await gpts.restore(gpt.id)
  expect(await gpts.gpt(gpt.id)).toEqual(gpt)
  expect(await conversations.conversation(kept.id)).toMatchObject({ title: 'x' })
  expect(await conversations.conversation(before.id)).toBeUndefined()
})
