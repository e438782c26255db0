import { expect, test } from 'vitest'
import { Failed } from '#domain/failure.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { ApprovalAnswer } from './answer-approvals.ts'
import type { ToolSource, TurnLocks } from './needs.ts'
import {
  CONVERSATION,
  type Line,
  memoryLocks,
  memoryStorage,
  sampleGpt,
  sampleModel,
  sampleTool,
  sampleTools,
  sampleTurns,
  textOutcome,
} from './sample-turn.ts'

const ask = (...names: string[]): Line => ({
  calls: names.map((name) => ({ name: `server__${name}`, input: '{"a":1}' })),
})
const policy = (approval: 'auto' | 'always-ask' | 'trusted-only', change = {}) =>
  sampleGpt({ tools: { ...sampleGpt().tools, approval, ...change } })

async function begin(
  lines: Line[],
  {
    gpt = policy('auto'),
    offered = [sampleTool('look'), sampleTool('write')],
    call,
  }: {
    gpt?: ReturnType<typeof sampleGpt>
    offered?: ReturnType<typeof sampleTool>[]
    call?: ToolSource['call']
  } = {},
) {
  const storage = memoryStorage(gpt)
  const tools = sampleTools(offered, call)
  const model = sampleModel(lines)
  const locks = memoryLocks()
  const tab = sampleTurns({ storage, tools, models: model, locks })
  await storage.say('Hello')
  const calls = () => [...storage.calls.values()]
  const only = () => calls()[0] as ToolCall
  const allow = (call: ToolCall, change: object = {}): ApprovalAnswer =>
    ({ toolCallId: call.id, decision: 'allow', scope: 'once', arguments: call.arguments, ...change }) as ApprovalAnswer
  /** Another tab on the same conversation. */
  const otherTab = () => sampleTurns({ storage, tools, models: model, locks })
  const run = (options?: { goOn: boolean }) => tab.run(CONVERSATION, options)
  return { storage, tools, model, locks, tab, calls, only, allow, otherTab, run }
}

/** Resolves as soon as it holds; the promises of a turn go on meanwhile. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

test('a turn goes from the user over the tool to the answer', async () => {
  const { storage, tools, model, tab, run } = await begin([
    { text: 'Let me look.', ...ask('look') },
    { text: 'There it is.' },
  ])
  await run()
  expect(storage.texts()).toEqual([
    'user done: Hello',
    'assistant done: Let me look.<server__look>',
    'assistant done: There it is.',
  ])
  expect(tools.executed).toMatchObject([{ toolName: 'look', arguments: '{"a":1}' }])
  expect(JSON.stringify(model.asked[1]?.prompt)).toContain('result of look')
  expect(tab.states).toEqual(['running', undefined])
  expect(tab.failures).toEqual([])
})

test('who has a turn run is told in the same moment that it is under way', async () => {
  const { tab, run } = await begin([{ text: 'Hi' }])
  const done = run()
  expect(tab.states).toEqual(['running'])
  await done
})

test('of the calls that waited for a sign-in, one that was answered meanwhile keeps none of the others waiting', async () => {
  let isSignedIn = false
  const { storage, tools, model, locks, calls } = await begin([ask('look', 'write'), { text: 'Done.' }], {
    call: async () => {
      if (!isSignedIn) throw new Failed('sign-in-needed', 'It wants you to sign in.')
      return textOutcome('done')
    },
  })
  const tab = sampleTurns({ storage, tools: { ...tools, canSignIn: async () => true }, models: model, locks })
  await tab.run(CONVERSATION)
  expect(calls().map(({ status }) => status)).toEqual(['asking', 'asking'])
  const [first] = calls()
  const open = await storage.openSignIns(first?.serverId ?? '')
  isSignedIn = true
  // The other tab says so first, after this one has looked.
  storage.openSignIns = async () => {
    await tab.answerQuestion({ questionId: open[0]?.id ?? '', action: 'accept' })
    return open
  }
  await tab.resumeSignedIn(first?.serverId ?? '')
  await until(() => calls().every(({ status }) => status === 'success'))
})

test('auto runs at once, and says who decided', async () => {
  const { only, run } = await begin([ask('look')])
  await run()
  expect(only()).toMatchObject({ status: 'success', approval: { state: 'approved', by: 'policy' } })
})

test('always-ask stores its question and ends the turn; the answer runs it on', async () => {
  const { storage, tools, tab, only, allow, run } = await begin([ask('look')], { gpt: policy('always-ask') })
  await run()
  expect(only()).toMatchObject({ status: 'pending', approval: { state: 'requested' } })
  expect(tools.executed).toEqual([])
  await tab.answer(CONVERSATION, [allow(only())])
  await run()
  expect(only()).toMatchObject({ status: 'success', approval: { state: 'approved', by: 'user', scope: 'once' } })
  expect(storage.texts().at(-1)).toBe('assistant done: done')
})

test('trusted-only runs the trusted tool and asks for the other; neither runs before the answer', async () => {
  const trusted = {
    serverId: 'server',
    toolName: 'look',
    fingerprint: 'print-look',
    endpoint: 'https://server.example/mcp',
  }
  const gpt = policy('trusted-only', { trustedTools: [trusted] })
  const { tools, tab, calls, allow, run } = await begin([ask('look', 'write')], { gpt })
  await run()
  expect(calls().map(({ approval }) => approval?.state)).toEqual(['approved', 'requested'])
  expect(tools.executed).toEqual([])
  await tab.answer(
    CONVERSATION,
    calls()
      .filter(({ approval }) => approval?.state === 'requested')
      .map((call) => allow(call)),
  )
  await run()
  expect(tools.executed.map(({ toolName }) => toolName).sort()).toEqual(['look', 'write'])
})

test('trust that was taken back while another question was open counts', async () => {
  const trusted = {
    serverId: 'server',
    toolName: 'look',
    fingerprint: 'print-look',
    endpoint: 'https://server.example/mcp',
  }
  const { storage, tools, tab, calls, allow, run } = await begin([ask('look', 'write')], {
    gpt: policy('trusted-only', { trustedTools: [trusted] }),
  })
  await run()
  storage.gptRow = policy('trusted-only')
  await tab.answer(
    CONVERSATION,
    calls()
      .filter(({ toolName }) => toolName === 'write')
      .map((call) => allow(call)),
  )
  await run()
  expect(tools.executed).toEqual([])
  expect(calls().find(({ toolName }) => toolName === 'look')?.approval?.state).toBe('requested')
})

test('a denial is told to the model with its reason', async () => {
  const { tools, model, tab, only, run } = await begin([ask('look')], { gpt: policy('always-ask') })
  await run()
  await tab.answer(CONVERSATION, [{ toolCallId: only().id, decision: 'deny', reason: 'Not today' }])
  await run()
  expect(only()).toMatchObject({ status: 'cancelled', approval: { state: 'denied', reason: 'Not today' } })
  expect(tools.executed).toEqual([])
  expect(JSON.stringify(model.asked[1]?.prompt)).toContain('The user did not allow this call. Reason: Not today')
})

test('[A3.6] after three denials in one turn a server is not asked about again', async () => {
  const { storage, tab, calls, run } = await begin([ask('look', 'look', 'look'), ask('look')], {
    gpt: policy('always-ask'),
  })
  await run()
  await tab.answer(
    CONVERSATION,
    calls().map(({ id }) => ({ toolCallId: id, decision: 'deny' })),
  )
  await run()
  expect(calls().at(-1)).toMatchObject({ status: 'cancelled', approval: { state: 'denied', by: 'policy' } })
  expect(storage.texts().at(-1)).toBe('assistant done: done')
})

test('"this conversation", "this GPT" and "always" are kept as grants, bound to definition and endpoint', async () => {
  for (const [scope, scopeId] of [
    ['conversation', CONVERSATION],
    ['gpt', 'gpt'],
    ['always', ''],
  ] as const) {
    const { storage, tools, tab, only, allow, run } = await begin([ask('look'), ask('look')], {
      gpt: policy('always-ask'),
    })
    await run()
    await tab.answer(CONVERSATION, [allow(only(), { scope })])
    await run()
    expect(storage.grants).toMatchObject([
      { scope, scopeId, toolName: 'look', fingerprint: 'print-look', endpoint: 'https://server.example/mcp' },
    ])
    // The second call needed no question.
    expect(tools.executed).toHaveLength(2)
  }
})

test('a tool that changed asks again in spite of the grant', async () => {
  const { tools, tab, calls, only, allow, run } = await begin([ask('look'), ask('look')], { gpt: policy('always-ask') })
  await run()
  tools.offered = [sampleTool('look', { fingerprint: 'other' })]
  await tab.answer(CONVERSATION, [allow(only(), { scope: 'always' })])
  await run()
  expect(calls().at(-1)).toMatchObject({ status: 'pending', approval: { state: 'requested' } })
})

test('edited arguments are what runs; the model’s own are kept beside, and it is told', async () => {
  const { tools, model, tab, only, allow, run } = await begin([ask('look')], { gpt: policy('always-ask') })
  await run()
  await tab.answer(CONVERSATION, [allow(only(), { arguments: '{ "a": 2 }' })])
  await run()
  expect(tools.executed).toMatchObject([{ arguments: '{"a":2}' }])
  expect(only()).toMatchObject({ arguments: '{"a":2}', proposedArguments: '{"a":1}' })
  expect(JSON.stringify(model.asked[1]?.prompt)).toContain('The user changed the arguments')
})

test('an edit that is no JSON object is refused, and the question stays open', async () => {
  const { tools, tab, only, allow, run } = await begin([ask('look')], { gpt: policy('always-ask') })
  await run()
  await expect(tab.answer(CONVERSATION, [allow(only(), { arguments: '{oops' })])).rejects.toMatchObject({
    failure: { code: 'bad-arguments' },
  })
  expect(only().approval?.state).toBe('requested')
  expect(tools.executed).toEqual([])
})

test('a question that was answered is not answered twice, nor one of another conversation', async () => {
  const { tab, only, allow, run } = await begin([ask('look')], { gpt: policy('always-ask') })
  await run()
  await expect(tab.answer('another', [allow(only())])).rejects.toBeInstanceOf(Failed)
  await expect(tab.answer(CONVERSATION, [allow({ ...only(), id: 'nobody' })])).rejects.toBeInstanceOf(Failed)
  const answer = allow(only())
  await tab.answer(CONVERSATION, [answer])
  await run()
  await expect(tab.answer(CONVERSATION, [answer])).rejects.toMatchObject({ failure: { code: 'not-found' } })
})

test('[I3] what was approved is what runs: a row that changed after its approval is not sent', async () => {
  for (const change of [
    { arguments: '{"a":666}' },
    { toolName: 'write' },
    { endpoint: 'https://evil.example' },
    { serverId: 'evil' },
  ]) {
    const { storage, tools, tab, only, allow, run } = await begin([ask('look')], { gpt: policy('always-ask') })
    await run()
    storage.onWrite = (name) => {
      if (name === 'changeCall running') storage.calls.set(only().id, { ...only(), ...change })
    }
    await tab.answer(CONVERSATION, [allow(only())])
    await run()
    expect(tools.executed).toEqual([])
    expect(only()).toMatchObject({ status: 'error', error: { code: 'bad-arguments' } })
  }
})

test('[A3.8] in auto, what may do harm asks after text of another server that nobody trusts, and says whose', async () => {
  const offered = [
    sampleTool('look'),
    sampleTool('send', { modelName: 'mail__send', serverId: 'mail', serverName: 'Mail' }),
  ]
  const { tools, calls, run } = await begin([ask('look'), { calls: [{ name: 'mail__send', input: '{}' }] }], {
    offered,
  })
  await run()
  expect(tools.executed.map(({ toolName }) => toolName)).toEqual(['look'])
  expect(calls().at(-1)).toMatchObject({ status: 'pending', approval: { state: 'requested', foreign: ['Server'] } })
})

const TWO_SERVERS = [
  sampleTool('look'),
  sampleTool('send', { modelName: 'mail__send', serverId: 'mail', serverName: 'Mail' }),
]
const LOOK_THEN_SEND = [ask('look'), { calls: [{ name: 'mail__send', input: '{}' }] }]
const trusts = ({ serverId, toolName, fingerprint, endpoint }: ReturnType<typeof sampleTool>) => ({
  serverId,
  toolName,
  fingerprint,
  endpoint,
})

test.each([
  ['auto', true, ['look'], 'untrusted-content'],
  ['auto', false, ['look', 'send'], undefined],
  ['trusted-only', true, ['look'], 'untrusted-content'],
  ['trusted-only', false, ['look', 'send'], undefined],
  ['always-ask', true, [], 'always-ask'],
  ['always-ask', false, [], 'always-ask'],
] as const)('[A3.8] two servers under %s with the switch at %s: runs %j', async (approval, isOn, ran, why) => {
  const gpt = policy(approval, { askOnUntrustedContent: isOn, trustedTools: TWO_SERVERS.map(trusts) })
  const { tools, calls, run } = await begin(LOOK_THEN_SEND, { offered: TWO_SERVERS, gpt })
  await run()
  expect(tools.executed.map(({ toolName }) => toolName)).toEqual(ran)
  expect(calls().at(-1)?.approval?.why).toBe(why)
  if (why === 'untrusted-content')
    expect(calls().at(-1)?.approval).toMatchObject({ foreign: ['Server'], foreignIds: ['server'] })
})

test('[A3.8] content of a server that the user trusts does not make another ask, even if it offers no tool now', async () => {
  const { storage, tools, run } = await begin(LOOK_THEN_SEND, { offered: TWO_SERVERS })
  storage.trusted = ['server']
  await run()
  expect(tools.executed.map(({ toolName }) => toolName)).toEqual(['look', 'send'])
})

test('[A3.11] a model that loops is stopped at the limit, and goes on when the user says so', async () => {
  const gpt = { ...policy('auto'), settings: { maxToolCalls: 3 } }
  const { storage, tools, run } = await begin([ask('look', 'look'), ask('look', 'look'), ask('look'), ask('look')], {
    gpt,
  })
  await run()
  expect(tools.executed).toHaveLength(3)
  const last = [...storage.messages.values()].at(-1)
  expect(last).toMatchObject({ status: 'failed', failure: { code: 'call-limit' } })
  await run()
  expect(tools.executed).toHaveLength(3)
  await run({ goOn: true })
  expect(tools.executed).toHaveLength(5)
  expect(storage.texts().at(-1)).toBe('assistant done: done')
})

test('a tool that there is not, and arguments that are none, are told to the model and nothing runs', async () => {
  const { tools, model, calls, run } = await begin([
    {
      calls: [
        { name: 'server__gone', input: '{}' },
        { name: 'server__look', input: '{"a":' },
        { name: 'server__look', input: '[1]' },
      ],
    },
  ])
  await run()
  expect(tools.executed).toEqual([])
  expect(calls().map(({ status, serverId, error }) => [status, serverId, error?.code])).toEqual([
    ['error', '', 'no-such-tool'],
    ['error', 'server', 'bad-arguments'],
    ['error', 'server', 'bad-arguments'],
  ])
  expect(calls()[1]?.arguments).toBe('{"a":')
  const told = JSON.stringify(model.asked[1]?.prompt)
  expect(told).toContain('There is no tool called')
  expect(told).toContain('not valid JSON')
})

test('[A3.2] a tool that is withheld is called by its name: user and model are told why it is not used', async () => {
  const { tools, model, only, run } = await begin([{ calls: [{ name: 'server__old', input: '{}' }] }])
  const problem = 'It has changed since you last looked.'
  tools.withheld = [{ modelName: 'server__old', serverId: 'server', serverName: 'Server', toolName: 'old', problem }]
  await run()
  expect(tools.executed).toEqual([])
  const message = 'old of Server cannot be used: It has changed since you last looked.'
  expect(only()).toMatchObject({ status: 'error', serverId: 'server', error: { code: 'tool-gone', message } })
  expect(JSON.stringify(model.asked[1]?.prompt)).toContain(message)
})

test('a tool that fails is shown and told to the model', async () => {
  const { model, only, run } = await begin([ask('look')], {
    call: async () => textOutcome('no paper', { isError: true }),
  })
  await run()
  expect(only()).toMatchObject({ status: 'error', isError: true, error: { code: 'tool-failed' } })
  expect(JSON.stringify(model.asked[1]?.prompt)).toContain('no paper')
})

test('a result that is not what the tool promised is kept, and named', async () => {
  const failure = { code: 'bad-result', message: 'The result lacks "city".' } as const
  const { model, only, run } = await begin([ask('look')], { call: async () => textOutcome('half', { failure }) })
  await run()
  expect(only()).toMatchObject({ status: 'error', content: [{ text: 'half' }], error: failure })
  expect(JSON.stringify(model.asked[1]?.prompt)).toContain('lacks')
})

test('a call that could not be made fails with its reason', async () => {
  const { only, model, run } = await begin([ask('look')], {
    call: () => Promise.reject(new Failed('server-unreachable', 'Server does not answer.')),
  })
  await run()
  expect(only()).toMatchObject({ status: 'error', error: { code: 'server-unreachable' } })
  expect(JSON.stringify(model.asked[1]?.prompt)).toContain('Server does not answer.')
})

test('an unknown outcome waits: the user goes on, and the model is told plainly', async () => {
  const { storage, tools, model, only, run } = await begin([ask('look')], {
    call: () => Promise.reject(new Failed('outcome-unknown', 'It may have run.')),
  })
  await run()
  expect(only().status).toBe('unknown')
  expect(model.asked).toHaveLength(1)
  await run()
  expect(tools.executed).toHaveLength(1)
  await run({ goOn: true })
  expect(JSON.stringify(model.asked[1]?.prompt)).toContain('It is not known whether this call took effect')
  expect(storage.texts().at(-1)).toBe('assistant done: done')
  expect(tools.executed).toHaveLength(1)
})

test('an unknown outcome is run again when the user says so, once, and the model gets the new result', async () => {
  let times = 0
  const { storage, tools, tab, model, only, run } = await begin([ask('look')], {
    call: async () => {
      times += 1
      if (times === 1) throw new Failed('outcome-unknown', 'It may have run.')
      return textOutcome('second time')
    },
  })
  await run()
  const [first, second] = await Promise.allSettled([tab.runAgain(only().id), tab.runAgain(only().id)])
  expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected'])
  await run()
  await expect(tab.runAgain(only().id)).rejects.toBeInstanceOf(Failed)
  expect(tools.executed.map(({ arguments: given }) => given)).toEqual(['{"a":1}', '{"a":1}'])
  expect(storage.calls.get(`${only().id}:again`)).toMatchObject({ status: 'success', repeats: only().id })
  expect(JSON.stringify(model.asked[1]?.prompt)).toContain('second time')
  expect(JSON.stringify(model.asked[1]?.prompt)).not.toContain('not known')
})

test('a call of an older message that is run again changes its card, and nothing is asked of the model', async () => {
  let times = 0
  const { storage, tab, model, only, run } = await begin([ask('look')], {
    call: async () => {
      times += 1
      if (times === 1) throw new Failed('timeout', 'Too late.')
      return textOutcome('now it works')
    },
  })
  await run()
  await tab.runAgain(only().id)
  await run()
  expect(storage.calls.get(`${only().id}:again`)?.status).toBe('success')
  expect(model.asked).toHaveLength(2)
})

test('a call that went well, or that no server has, is not run again', async () => {
  const { tab, only, calls, run } = await begin([ask('look', 'nowhere')])
  await run()
  await expect(tab.runAgain(only().id)).rejects.toBeInstanceOf(Failed)
  await expect(tab.runAgain(calls()[1]?.id ?? '')).rejects.toBeInstanceOf(Failed)
  await expect(tab.runAgain('nobody')).rejects.toMatchObject({ failure: { code: 'not-found' } })
})

test('parallel calls run in parallel', async () => {
  let all: (value: unknown) => void = () => {}
  const together = new Promise((resolve) => (all = resolve))
  let running = 0
  const { calls, run } = await begin([ask('look', 'write', 'look')], {
    call: async () => {
      if ((running += 1) === 3) all(undefined)
      await together
      return textOutcome('ok')
    },
  })
  await run()
  expect(calls().map(({ status }) => status)).toEqual(['success', 'success', 'success'])
})

test('one call is cancelled, the other goes on, and the model is told', async () => {
  const { tools, tab, model, calls, run } = await begin([ask('look', 'write')], {
    call: ({ toolName }, { signal }) =>
      toolName === 'write'
        ? Promise.resolve(textOutcome('written'))
        : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  })
  const turn = run()
  await until(() => tools.executed.length === 2)
  await tab.cancelCall(calls().find(({ toolName }) => toolName === 'look')?.id ?? '')
  await turn
  expect(calls().map(({ toolName, status }) => [toolName, status])).toEqual([
    ['look', 'cancelled'],
    ['write', 'success'],
  ])
  expect(JSON.stringify(model.asked[1]?.prompt)).toContain('The user cancelled this call.')
  expect(tools.executed).toHaveLength(2)
})

test('cancelling a question answers it, and the turn goes on', async () => {
  const { storage, tools, tab, only, run } = await begin([ask('look')], { gpt: policy('always-ask') })
  await run()
  await tab.cancelCall(only().id)
  await run()
  expect(only().status).toBe('cancelled')
  expect(tools.executed).toEqual([])
  expect(storage.texts().at(-1)).toBe('assistant done: done')
  await tab.cancelCall(only().id)
  expect(only().status).toBe('cancelled')
})

test('stop ends what runs and what waits, also where a tool takes no notice', async () => {
  const { storage, model, tab, calls, run } = await begin([ask('look', 'write')], { call: () => new Promise(() => {}) })
  const turn = run()
  await until(() => calls().length === 2 && calls().every(({ status }) => status === 'running'))
  await tab.stop(CONVERSATION)
  await turn
  expect(calls().map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  expect(model.asked).toHaveLength(1)
  expect(storage.texts()).toHaveLength(2)
})

test('stop with a question open cancels the question', async () => {
  const { tab, only, model, run } = await begin([ask('look')], { gpt: policy('always-ask') })
  await run()
  await tab.stop(CONVERSATION)
  expect(only().status).toBe('cancelled')
  expect(model.asked).toHaveLength(1)
})

test('whoever goes on talking without answering has answered: the question is cancelled and told', async () => {
  const { storage, model, only, run } = await begin([ask('look')], { gpt: policy('always-ask') })
  await run()
  await storage.say('Never mind')
  await run()
  expect(only().status).toBe('cancelled')
  expect(JSON.stringify(model.asked[1]?.prompt)).toContain('The user cancelled this call.')
})

test('a message sent right after stop is answered', async () => {
  const { storage, tab, calls, run } = await begin([ask('look'), { text: 'Hello again.' }], {
    call: () => new Promise(() => {}),
  })
  void run()
  await until(() => calls().some(({ status }) => status === 'running'))
  const stopped = tab.stop(CONVERSATION)
  await storage.say('Something else')
  await Promise.all([stopped, run()])
  expect(storage.texts().at(-1)).toBe('assistant done: Hello again.')
})

test('[R-29] one turn per conversation: the second tab waits, says so, and looks once the first is done', async () => {
  let finish: (value: unknown) => void = () => {}
  const held = new Promise((resolve) => (finish = resolve))
  const { storage, tools, tab, calls, otherTab, run } = await begin([ask('look')], {
    call: async () => {
      await held
      return textOutcome('late')
    },
  })
  const first = run()
  await until(() => calls().some(({ status }) => status === 'running'))
  const second = otherTab()
  const waiting = second.run(CONVERSATION)
  await until(() => second.states.includes('elsewhere'))
  await expect(second.stop(CONVERSATION)).rejects.toMatchObject({ failure: { code: 'busy-elsewhere' } })
  await expect(second.cancelCall(calls()[0]?.id ?? '')).rejects.toMatchObject({ failure: { code: 'busy-elsewhere' } })
  await expect(otherTab().stop(CONVERSATION)).rejects.toMatchObject({ failure: { code: 'busy-elsewhere' } })
  finish(undefined)
  await Promise.all([first, waiting])
  expect(tools.executed).toHaveLength(1)
  expect(storage.texts().filter((text) => text.startsWith('assistant'))).toHaveLength(2)
  expect(second.states).toEqual(['running', 'elsewhere', 'running', undefined])
  expect(tab.states.at(-1)).toBeUndefined()
})

test('an answer given in another tab runs the turn there', async () => {
  const { storage, tools, only, allow, otherTab, run } = await begin([ask('look')], { gpt: policy('always-ask') })
  await run()
  const second = otherTab()
  await second.answer(CONVERSATION, [allow(only())])
  await second.run(CONVERSATION)
  expect(tools.executed).toHaveLength(1)
  expect(storage.texts().at(-1)).toBe('assistant done: done')
})

test('progress is kept while the call runs, with its words cut to a bearable length', async () => {
  let told: (value: unknown) => void = () => {}
  const seen = new Promise((resolve) => (told = resolve))
  const { storage, only, run } = await begin([ask('look')], {
    call: async (_, { onProgress }) => {
      onProgress({ progress: 1, total: 4, message: 'x'.repeat(9_000) })
      await seen
      return textOutcome('ok')
    },
  })
  storage.onWrite = () => {
    if (only()?.progress) told(undefined)
  }
  const turn = run()
  await until(() => only()?.progress !== undefined)
  told(undefined)
  await turn
  expect(only().progress).toMatchObject({ progress: 1, total: 4 })
  expect(only().progress?.message).toHaveLength(500)
})

test('a conversation that is gone, or whose GPT is, has nothing to run', async () => {
  const { storage, model, tab } = await begin([])
  await tab.run('another')
  storage.gpt = async () => undefined
  await tab.run(CONVERSATION)
  expect(model.asked).toEqual([])
  expect(tab.failures).toEqual([])
})

test('storage that fails is reported, and the turn can be run again', async () => {
  const { storage, tools, tab, run } = await begin([ask('look')])
  storage.onWrite = (name) => {
    if (name === 'append') throw new Failed('storage', 'The disk is full.')
  }
  await run()
  expect(tab.failures).toEqual(['The disk is full.'])
  storage.onWrite = () => {}
  await run()
  expect(tools.executed).toHaveLength(1)
})

test('the locks of a browser are the locks a turn needs', () => {
  const asNeeded = (locks: LockManager): TurnLocks => locks
  expect(asNeeded).toBeTypeOf('function')
})
