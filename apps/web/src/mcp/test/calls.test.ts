import { FaultServer, type FaultTool } from '@switchboard/testkit/fault-server'
import { describe, expect, test } from 'vitest'
import { failureFrom, scenario, serverRecord } from './scenario.ts'

const ECHO: FaultTool = {
  inputSchema: { type: 'object', properties: { mark: { type: 'string' } }, required: ['mark'] },
}

async function world(
  tools: Record<string, FaultTool> = { echo: ECHO },
  era: 'sessions' | 'stateless' = 'sessions',
  change = {},
) {
  const far = await new FaultServer({ era, tools }).start()
  const app = await scenario([serverRecord('a', far.url, change)])
  const offered = (await app.offers(['a'])).tools
  return {
    far,
    app,
    tool: offered[0]!,
    calls: () => far.ledger.count('tools/call'),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await far.stop()
    },
  }
}

describe.each(['sessions', 'stateless'] as const)('a call (%s)', (era) => {
  test('is made once, and its result comes back with its size', async () => {
    await using w = await world(undefined, era)
    const outcome = await w.app.call(w.tool, { mark: 'é' })
    expect(outcome).toMatchObject({ content: [{ type: 'text', text: 'é' }], isError: false })
    expect(outcome.size).toBeGreaterThan(40)
    expect(w.far.ledger.executionsOf('echo')).toBe(1)
  })

  test('tells its progress, as far as it makes sense', async () => {
    await using w = await world(undefined, era)
    w.far.onRequest = async (exchange) => {
      if (exchange.method !== 'tools/call') return
      const stream = exchange.stream()
      const progressToken = exchange.meta['progressToken']
      const tell = (params: object) =>
        stream.message({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, ...params } })
      await tell({ progress: 1, total: 4, message: 'x'.repeat(2000) })
      await tell({ progress: 2, total: 'many', message: 7 })
      await stream.message(exchange.reply())
      stream.end()
    }
    const heard: unknown[] = []
    await w.app.call(w.tool, { mark: 'x' }, { onProgress: (progress) => heard.push(progress) })
    expect(heard).toEqual([{ progress: 1, total: 4, message: 'x'.repeat(500) }, { progress: 2 }])
  })

  test('that its user stops ends as stopped, and the server knows', async () => {
    await using w = await world(undefined, era)
    w.far.onRequest = (exchange) => {
      if (exchange.method === 'tools/call') exchange.take()
    }
    const stop = new AbortController()
    const call = w.app.call(w.tool, { mark: 'x' }, { signal: stop.signal })
    await w.far.ledger.until(() => w.calls() === 1, 'the call')
    stop.abort()
    expect(await failureFrom(call)).toEqual({ code: 'stopped', message: 'echo of Server a was stopped.' })
    await w.far.ledger.until(() => w.far.ledger.cancels.length > 0 || w.far.ledger.disconnects.length > 0, 'the cancel')
  })

  test('that was stopped before is not made', async () => {
    await using w = await world(undefined, era)
    const call = w.app.call(w.tool, { mark: 'x' }, { signal: AbortSignal.abort() })
    expect(await failureFrom(call)).toMatchObject({ code: 'stopped' })
    expect(w.calls()).toBe(0)
  })

  test('[R-01] whose answer is lost is told as that at once, and is not made again', async () => {
    await using w = await world(undefined, era)
    w.far.onRequest = (exchange) => {
      if (exchange.method !== 'tools/call') return
      exchange.result()
      exchange.stream()
      setImmediate(() => exchange.drop())
    }
    expect(await failureFrom(w.app.call(w.tool, { mark: 'x' }))).toEqual({
      code: 'outcome-unknown',
      message:
        'The connection broke before its answer was there. echo of Server a may have run: check before you run it again.',
    })
    expect(w.far.ledger.executionsOf('echo')).toBe(1)
  })
})

describe('[A3.2] what was approved is what runs', () => {
  test('a definition that changed since is refused, before anything is sent', async () => {
    await using w = await world()
    await w.far.ledger.until(() => w.far.listeners.size > 0, 'a stream for news')
    w.far.tools.set('echo', { ...ECHO, description: 'The tool echo.' })
    w.far.push({ method: 'notifications/tools/list_changed' })
    await w.far.ledger.until(() => w.far.ledger.count('tools/list') >= 2, 'the new list')
    const failure = await failureFrom(w.app.call(w.tool, { mark: 'x' }))
    expect(failure).toMatchObject({
      code: 'tool-gone',
      message: expect.stringContaining('changed since you were asked'),
    })
    expect(w.calls()).toBe(0)
  })

  test('so is one of a server that says nothing of changes', async () => {
    await using w = await world()
    w.far.onRequest = (exchange) => {
      if (exchange.method !== 'initialize') return
      const result = exchange.result() as { capabilities: object }
      const sessionId = crypto.randomUUID()
      w.far.sessions.add(sessionId)
      exchange.json(exchange.reply({ ...result, capabilities: { tools: {} } }), 200, { 'mcp-session-id': sessionId })
    }
    w.app.mcp.connections.close('a')
    const [tool] = (await w.app.offers(['a'])).tools
    expect(await w.app.call(tool!, { mark: 'x' })).toMatchObject({ isError: false })
    w.far.tools.set('echo', { ...ECHO, annotations: { readOnlyHint: true } })
    expect(await failureFrom(w.app.call(tool!, { mark: 'x' }))).toMatchObject({ code: 'tool-gone' })
    expect(w.calls()).toBe(1)
  })

  test('a definition whose keys stand in another order is the same', async () => {
    await using w = await world()
    w.far.tools.set('echo', {
      inputSchema: { required: ['mark'], properties: { mark: { type: 'string' } }, type: 'object' },
    })
    w.app.mcp.connections.close('a')
    expect(await w.app.call(w.tool, { mark: 'x' })).toMatchObject({ isError: false })
  })

  test('the same definition at another address is another tool', async () => {
    await using w = await world()
    w.app.servers.set('a', { ...w.app.servers.get('a')!, url: `${w.far.origin}/other` })
    expect(await failureFrom(w.app.call(w.tool, { mark: 'x' }))).toMatchObject({ code: 'tool-gone' })
    expect(w.calls()).toBe(0)
  })

  test('a tool that is gone, and one that is there twice, are refused', async () => {
    await using w = await world({ echo: ECHO, other: {} })
    const twice = { name: 'echo', description: 'Another', inputSchema: { type: 'object' } }
    let tools: unknown[] = [...w.far.toolDefinitions(), twice]
    w.far.onRequest = (exchange) => {
      if (exchange.method === 'tools/list') exchange.json(exchange.reply({ tools }))
    }
    w.app.mcp.connections.close('a')
    expect(await failureFrom(w.app.call(w.tool, { mark: 'x' }))).toMatchObject({
      code: 'tool-gone',
      message: expect.stringContaining('listed twice'),
    })
    tools = []
    w.app.mcp.connections.close('a')
    expect(await failureFrom(w.app.call(w.tool, { mark: 'x' }))).toEqual({
      code: 'tool-gone',
      message: 'Server a does not have echo any more.',
    })
    expect(w.calls()).toBe(0)
  })
})

describe('checks', () => {
  test.each([
    ['a missing argument', {}, /"mark"/],
    ['a wrong type', { mark: 3 }, /\/mark: /],
    ['no JSON', '{mark:', /no JSON/],
    ['a list', [], /must be a JSON object/],
  ])('%s is told before anything is sent', async (_what, args, reason) => {
    await using w = await world()
    const failure = await failureFrom(w.app.call(w.tool, args))
    expect(failure).toMatchObject({ code: 'bad-arguments', message: expect.stringMatching(reason) })
    expect(w.calls()).toBe(0)
  })

  const SLOW = { type: 'object', properties: { a: { type: 'string', pattern: '^(a|a)*$' } } }
  const SLOW_VALUE = { a: `${'a'.repeat(31)}!` }

  test('[A2.15] an input schema that takes for ever makes no call, and its tool is off', async () => {
    await using w = await world({ slow: { inputSchema: SLOW } })
    const failure = await failureFrom(w.app.call(w.tool, SLOW_VALUE))
    expect(failure).toMatchObject({ code: 'bad-arguments', message: expect.stringContaining('took over 250 ms') })
    expect(w.calls()).toBe(0)
    expect((await w.app.offers(['a'])).tools).toEqual([])
    await w.app.until(() => w.app.servers.get('a')?.found?.tools[0]?.problem !== undefined)
    expect(w.app.servers.get('a')?.found?.tools[0]?.problem).toMatch(/took over 250 ms/)
  })

  test('[A2.15] an output schema that takes for ever costs the tool, not the result', async () => {
    const run = () => ({ content: [{ type: 'text', text: 'done' }], structuredContent: SLOW_VALUE })
    await using w = await world({ slow: { definition: { outputSchema: SLOW }, run } })
    const outcome = await w.app.call(w.tool, {})
    expect(outcome).toMatchObject({
      content: [{ type: 'text', text: 'done' }],
      failure: { code: 'bad-result', message: expect.stringContaining('took over 250 ms') },
    })
    expect((await w.app.offers(['a'])).tools).toEqual([])
  })

  test('a structured result that is not what was promised is told, and kept', async () => {
    const outputSchema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }
    const results = [{ sum: 3 }, { sum: '3' }]
    const run = () => ({ content: [], structuredContent: results.shift() })
    await using w = await world({ add: { definition: { outputSchema }, run } })
    expect(await w.app.call(w.tool, {})).toEqual({
      content: [],
      structuredContent: { sum: 3 },
      isError: false,
      size: expect.any(Number),
    })
    expect(await w.app.call(w.tool, {})).toMatchObject({
      structuredContent: { sum: '3' },
      failure: { code: 'bad-result', message: expect.stringMatching(/add ran.*\/sum: /) },
    })
  })
})

describe('failures of calls', () => {
  test('a tool that failed is an answer', async () => {
    await using w = await world({
      fail: { run: () => ({ content: [{ type: 'text', text: 'No such city' }], isError: true }) },
    })
    expect(await w.app.call(w.tool, {})).toMatchObject({ content: [{ text: 'No such city' }], isError: true })
  })

  test.each([
    ['an error of the server', -32000, 'tool-failed'],
    ['arguments that the server refuses', -32602, 'bad-arguments'],
    ['a tool that the server does not know', -32601, 'tool-gone'],
  ])('%s has its own code', async (_what, rpcCode, code) => {
    await using w = await world()
    w.far.onRequest = (exchange) => {
      if (exchange.method === 'tools/call') exchange.json(exchange.failure(rpcCode, 'No\u202E way'))
    }
    const failure = await failureFrom(w.app.call(w.tool, { mark: 'x' }))
    expect(failure).toMatchObject({ code })
    expect(failure.message).not.toContain('\u202E')
  })

  test('no answer in time is an unknown outcome', async () => {
    await using w = await world(undefined, 'sessions', { timeoutSeconds: 1 })
    w.far.onRequest = (exchange) => {
      if (exchange.method === 'tools/call') exchange.take()
    }
    expect(await failureFrom(w.app.call(w.tool, { mark: 'x' }))).toMatchObject({
      code: 'outcome-unknown',
      message: expect.stringMatching(/^No answer came in time\. echo of Server a may have run/),
    })
  })

  test('a gateway that gave up leaves the outcome unknown', async () => {
    await using w = await world()
    w.far.onRequest = (exchange) => {
      if (exchange.method === 'tools/call') exchange.send(502)
    }
    expect(await failureFrom(w.app.call(w.tool, { mark: 'x' }))).toMatchObject({ code: 'outcome-unknown' })
    expect(w.calls()).toBe(1)
  })

  test('a call that the server refuses for want of a sign-in did not run', async () => {
    await using w = await world()
    w.far.onRequest = (exchange) => {
      if (exchange.method === 'tools/call') exchange.send(401)
    }
    expect(await failureFrom(w.app.call(w.tool, { mark: 'x' }))).toMatchObject({ code: 'sign-in-needed' })
    expect(w.app.stateOf('a')).toMatchObject({ state: 'error', failure: { code: 'sign-in-needed' } })
  })

  test('an answer of over 16 MiB is thrown away, and told', async () => {
    await using w = await world({ big: { run: () => ({ content: [{ type: 'text', text: 'x'.repeat(17 << 20) }] }) } })
    expect(await failureFrom(w.app.call(w.tool, {}))).toMatchObject({
      code: 'bad-result',
      message: expect.stringContaining('over 16 MiB'),
    })
  })

  test('content that is none is left out', async () => {
    await using w = await world({ odd: { run: () => ({ content: [null, 1, 'x', [], { type: 'text', text: 'y' }] }) } })
    expect(await w.app.call(w.tool, {})).toMatchObject({ content: [{ type: 'text', text: 'y' }] })
  })

  test.each([
    ['a server that is not trusted', false, 'outcome-unknown', 1],
    ['a trusted server', true, undefined, 2],
  ])('[C.1] a read-only claim of %s', async (_what, trusted, code, calls) => {
    const tools = { echo: { ...ECHO, annotations: { readOnlyHint: true } } }
    await using w = await world(tools, 'sessions', { trusted, retries: 3 })
    w.far.onRequest = (exchange) => {
      if (exchange.method === 'tools/call' && exchange.nth === 1) exchange.drop()
    }
    const call = w.app.call(w.tool, { mark: 'x' })
    if (code === undefined) expect(await call).toMatchObject({ isError: false })
    else expect(await failureFrom(call)).toMatchObject({ code })
    expect(w.calls()).toBe(calls)
  })
})

describe('raw messages', () => {
  test('are those that travelled, without headers, for this call alone', async () => {
    await using w = await world(undefined, 'sessions', { authentication: { type: 'none' } })
    await Promise.all([
      w.app.call(w.tool, { mark: 'one' }, { id: 'one' }),
      w.app.call(w.tool, { mark: 'two' }, { id: 'two' }),
    ])
    const raw = w.app.mcp.rawMessages('one')
    expect(raw.map(({ direction }) => direction)).toEqual(['sent', 'received'])
    const [sent, received] = raw.map(({ text }) => JSON.parse(text))
    const [entry] = w.far.ledger.of('tools/call').filter((one) => one.arguments['mark'] === 'one')
    expect(sent).toEqual(entry?.message)
    expect(received).toMatchObject({ id: sent.id, result: { content: [{ text: 'one' }] } })
    expect(JSON.stringify(raw)).not.toContain('canary-session')
    expect(w.app.mcp.rawMessages('nobody')).toEqual([])
  })

  test('progress belongs to them, and a failure of ours does not', async () => {
    await using w = await world()
    w.far.onRequest = async (exchange) => {
      if (exchange.method !== 'tools/call') return
      const stream = exchange.stream()
      const { progressToken } = exchange.meta
      await stream.message({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1 } })
      exchange.drop()
    }
    await failureFrom(w.app.call(w.tool, { mark: 'x' }, { id: 'lost' }))
    const raw = w.app.mcp.rawMessages('lost')
    expect(raw.map(({ direction }) => direction)).toEqual(['sent', 'received'])
    expect(raw[1]?.text).toContain('notifications/progress')
  })

  test('are kept of the last 50 calls, 64 KiB of each', async () => {
    const run = () => ({ content: [{ type: 'text', text: 'x'.repeat(200_000) }] })
    await using w = await world({ big: { run } })
    for (let number = 0; number < 51; number += 1) await w.app.call(w.tool, {}, { id: `call ${number}` })
    expect(w.app.mcp.rawMessages('call 0')).toEqual([])
    const raw = w.app.mcp.rawMessages('call 50')
    expect(raw).toHaveLength(2)
    expect(raw[1]?.text.length).toBeLessThan(66_000)
  })
})
