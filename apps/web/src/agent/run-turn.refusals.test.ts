import { expect, test } from 'vitest'
import { Failed } from '#domain/failure.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { ToolSource } from './needs.ts'
import {
  CONVERSATION,
  type Line,
  memoryStorage,
  sampleGpt,
  sampleModel,
  sampleTool,
  sampleTools,
  sampleTurns,
  textOutcome,
} from './sample-turn.ts'

const ASK: Line = { calls: [{ name: 'server__write', input: '{"a":1}' }] }

async function begin(
  lines: Line[],
  { approval = 'auto', call }: { approval?: string; call?: ToolSource['call'] } = {},
) {
  const gpt = sampleGpt()
  const storage = memoryStorage({ ...gpt, tools: { ...gpt.tools, approval: approval as 'auto' } })
  const tools = sampleTools([sampleTool('write')], call)
  const model = sampleModel(lines)
  const tab = sampleTurns({ storage, tools, models: model })
  /** The same storage after the app was closed and opened. */
  const nextTab = () => sampleTurns({ storage, tools, models: model })
  await storage.say('Hello')
  const only = () => [...storage.calls.values()][0] as ToolCall
  return { storage, tools, tab, nextTab, only, run: () => tab.run(CONVERSATION) }
}

const full = () => {
  throw new Failed('storage', 'The disk is full.')
}

test('[I2] a call that was denied is not made by asking to run it again', async () => {
  const { tools, tab, only, run } = await begin([ASK], { approval: 'always-ask' })
  await run()
  await tab.answer(CONVERSATION, [{ toolCallId: only().id, decision: 'deny' }])
  await run()
  await expect(tab.runAgain(only().id)).rejects.toMatchObject({ failure: { code: 'bad-input' } })
  expect(tools.executed).toEqual([])
})

test('[I2] a question that was cancelled before it was answered is not made by asking to run it again', async () => {
  const { tools, tab, only, run } = await begin([ASK], { approval: 'always-ask' })
  await run()
  await tab.stop(CONVERSATION)
  await expect(tab.runAgain(only().id)).rejects.toMatchObject({ failure: { code: 'bad-input' } })
  expect(tools.executed).toEqual([])
})

test('[I3] a call whose arguments are no longer those that were approved is not run again either', async () => {
  const { storage, tools, tab, only, run } = await begin([ASK], {
    call: () => Promise.reject(new Failed('outcome-unknown', 'It may have run.')),
  })
  await run()
  storage.calls.set(only().id, { ...only(), arguments: '{"a":2}' })
  await expect(tab.runAgain(only().id)).rejects.toMatchObject({ failure: { code: 'bad-input' } })
  expect(tools.executed).toHaveLength(1)
})

test('[I2] what was stopped while its tools were being looked for does not run when the app is opened again', async () => {
  const { tools, tab, nextTab, only, run } = await begin([ASK])
  const { toolsOf } = tools
  let looks = 0
  tools.toolsOf = (gpt, signal) => {
    looks += 1
    if (looks !== 2) return toolsOf(gpt, signal)
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Failed('stopped', 'Looking for the tools was stopped.')))
      void tab.stop(CONVERSATION)
    })
  }
  await run()
  expect(only().status).toBe('cancelled')
  await nextTab().run(CONVERSATION)
  expect(tools.executed).toEqual([])
})

test('[R-33] a tool whose start could not be written down is not run', async () => {
  const { storage, tools, tab, run } = await begin([ASK])
  storage.onWrite = (name) => name === 'changeCall running' && full()
  await run()
  expect(tools.executed).toEqual([])
  expect(tab.failures).toEqual(['The disk is full.'])
})

test('[R-33] a result that cannot be stored leaves no call running, and its card says that it ran', async () => {
  const { storage, tools, only, run } = await begin([ASK], {
    call: async () => textOutcome('5 MB', { structuredContent: { large: true } }),
  })
  storage.onWrite = (name) => name === 'changeCall success' && full()
  await run()
  expect(tools.executed).toHaveLength(1)
  expect(only()).toMatchObject({ status: 'error', error: { code: 'storage' } })
  expect(only().error?.message).toBe('write ran, and its result could not be stored. The disk is full.')
  expect(only().content).toBeUndefined()
})

test('[R-33] an answer that cannot be stored whole leaves its question open', async () => {
  const { storage, tools, tab, only, run } = await begin([ASK], { approval: 'always-ask' })
  await run()
  const answer = { toolCallId: only().id, decision: 'allow', scope: 'always', arguments: only().arguments } as const
  storage.onWrite = (name) => name === 'addGrant' && full()
  await expect(tab.answer(CONVERSATION, [answer])).rejects.toMatchObject({ failure: { code: 'storage' } })
  expect(only().approval?.state).toBe('requested')
  storage.onWrite = () => {}
  await tab.answer(CONVERSATION, [answer])
  await run()
  expect(tools.executed).toHaveLength(1)
})

test('a call that no message speaks of is left alone, and keeps no turn busy', async () => {
  const { storage, tools, only, run } = await begin([ASK])
  await run()
  const [first] = [...storage.messages.values()].filter(({ role }) => role === 'assistant')
  const { approval: _, ...stray } = only()
  storage.messages.delete([...storage.messages.keys()].at(-1) ?? '')
  storage.calls.set('stray', { ...stray, id: 'stray', messageId: first?.id ?? '', status: 'pending' })
  await run()
  expect(storage.calls.get('stray')?.status).toBe('pending')
  expect(tools.executed).toHaveLength(1)
})

test('a conversation that is deleted under its turn ends it without a complaint', async () => {
  const { storage, tab, run } = await begin([ASK])
  storage.onWrite = (name) => {
    if (name === 'append') throw new Failed('not-found', 'This conversation is not there any more.')
  }
  await run()
  expect(tab.failures).toEqual([])
})
