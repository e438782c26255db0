import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { Failed } from '#domain/failure.ts'
import { createConversations } from '#storage/conversations.ts'
import { Database } from '#storage/db.ts'
import { seed } from '#storage/seed.ts'
import { createTurnStorage } from '#storage/turn-storage.ts'
import { createModels } from './models.ts'
import { memoryLocks, sampleTool, sampleTools, sampleTurns, textOutcome } from './sample-turn.ts'

const FORECAST = sampleTool('forecast', {
  title: 'Forecast',
  description: 'Invents the weather of the next days.',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string', enum: ['Oslo', 'Lisbon'] } },
    required: ['city'],
  },
})

test('the demo as it is seeded: asked, lost, run again, and told by the practice model, in the real storage', async () => {
  const db = new Database(crypto.randomUUID())
  await seed(db, 'http://localhost:1')
  const [gpt] = await db.gpts.toArray()
  if (!gpt) throw new Error('Nothing was seeded')
  const storage = createTurnStorage(db)
  let times = 0
  const tools = sampleTools([FORECAST], async (_, { onProgress }) => {
    onProgress({ progress: 1, total: 2, message: 'half' })
    times += 1
    if (times === 1) throw new Failed('outcome-unknown', 'It may have run.')
    return textOutcome('{"city":"Oslo","high":3}', { structuredContent: { city: 'Oslo', high: 3 } })
  })
  const models = createModels({
    storage,
    keys: { keyOf: () => Promise.reject(new Failed('vault-locked', 'Locked.')) },
    fetch: () => Promise.reject(new Error('The practice model needs no network')),
    now: Date.now,
    isOnline: () => false,
    wordDelayMs: 0,
  })
  const tab = sampleTurns({ storage, tools, models, locks: memoryLocks(), now: Date.now })
  const { id } = await createConversations(db).start({ gptId: gpt.id, title: 'Weather', text: 'Will it rain in Oslo?' })

  await tab.run(id)
  const [call] = await db.mcpToolCalls.toArray()
  expect(call).toMatchObject({ status: 'pending', approval: { state: 'requested' }, arguments: '{"city":"Oslo"}' })
  const answer = { toolCallId: call?.id ?? '', decision: 'allow', scope: 'gpt', arguments: '{"city":"Oslo"}' } as const
  await tab.answer(id, [answer])
  await tab.run(id)
  expect(await db.mcpToolCalls.get(call?.id ?? '')).toMatchObject({
    status: 'unknown',
    error: { code: 'outcome-unknown' },
  })
  expect(await db.grants.toArray()).toMatchObject([{ scope: 'gpt', scopeId: gpt.id, toolName: 'forecast' }])

  await tab.runAgain(call?.id ?? '')
  await tab.run(id)
  const shown = await storage.shown(id)
  expect(shown.map(({ role, status }) => `${role} ${status}`)).toEqual([
    'user done',
    'assistant done',
    'assistant done',
  ])
  expect(shown.at(-1)).toMatchObject({
    model: { name: 'Practice model' },
    parts: [{ text: expect.stringContaining('- **high**: 3') }],
  })
  expect(tools.executed).toHaveLength(2)
  expect(await db.streams.count()).toBe(0)
  expect(tab.failures).toEqual([])
})
