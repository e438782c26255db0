import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Exchange, formatEvent, type LargeBody, MB, sendLarge } from '@switchboard/testkit/fault-server'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMCPClient, HttpTransport } from '@switchboard/mcp'
import { ScriptedTransport } from '../scenarios/scripted-transport.ts'
import { connect, eras, expectStillUsable, failureOf, serve, serveAndConnect, transportTo } from './scenario.ts'

const call = { name: 'echo', arguments: { mark: 'once' } }
const isCall = (exchange: Exchange) => exchange.method === 'tools/call'

const progress = (exchange: Exchange, value: number) => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: exchange.meta['progressToken'], progress: value },
})

describe.each(eras)('[A2.1] messages above the bound (%s)', (era) => {
  const small = { maxMessageBytes: 50_000 }
  const big = 'x'.repeat(60_000)

  const bombs: Record<string, (exchange: Exchange) => void | Promise<void>> = {
    'a JSON body of known length': (exchange) =>
      exchange.json(exchange.reply({ content: [{ type: 'text', text: big }] })),
    'a JSON body in chunks': (exchange) =>
      sendLarge(exchange.head(200, { 'content-type': 'application/json' }), { bytes: 10 * MB }),
    'a line without end': (exchange) =>
      sendLarge(exchange.head(200, { 'content-type': 'text/event-stream' }), { head: 'data: ', bytes: 10 * MB }),
    'data lines without end': (exchange) =>
      sendLarge(exchange.head(200, { 'content-type': 'text/event-stream' }), { filler: 'data: x\n', bytes: 10 * MB }),
    'an event of many data lines': (exchange) => {
      const stream = exchange.stream()
      void stream.raw(`${'data: xxxxxxxxx\n'.repeat(6000)}\n`)
    },
    'a field name without end': (exchange) =>
      sendLarge(exchange.head(200, { 'content-type': 'text/event-stream' }), { bytes: 10 * MB }),
    'a comment without end': (exchange) =>
      sendLarge(exchange.head(200, { 'content-type': 'text/event-stream' }), { head: ':', bytes: 10 * MB }),
    'a gzip bomb': (exchange) =>
      sendLarge(exchange.head(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }), {
        bytes: 10 * MB,
        encoding: 'gzip',
      }),
    'a gzip bomb in a stream': (exchange) =>
      sendLarge(exchange.head(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }), {
        head: 'data: ',
        bytes: 10 * MB,
        encoding: 'gzip',
      }),
    'a brotli bomb': (exchange) =>
      sendLarge(exchange.head(200, { 'content-type': 'application/json', 'content-encoding': 'br' }), {
        bytes: 10 * MB,
        encoding: 'br',
      }),
  }
  it.each(Object.entries(bombs))('%s: too large, the outcome unknown, the connection left', async (_name, bomb) => {
    const { server, client } = await serveAndConnect({ era }, small)
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      exchange.result()
      await bomb(exchange)
    }
    const error = await failureOf(client.callTool(call), { server, deed: 'tools/call echo' })
    expect(error.isTooLarge()).toBe(true)
    expect(error.isOutcomeUnknown()).toBe(true)
    expect(error.message.length).toBeLessThan(600)
    const [entry] = server.ledger.of('tools/call')
    await server.ledger.until(() => entry?.disconnected === true || entry?.finished === true, 'the end of the answer')
    expect(server.ledger.executions).toHaveLength(1)
    expect(server.ledger.count('tools/call')).toBe(1)
    await expectStillUsable(client, server)
  })

  it('a list above the bound is too large and is not asked for again and again', async () => {
    const { server, client } = await serveAndConnect({ era }, small)
    server.onRequest = async (exchange) => {
      if (exchange.method === 'tools/list')
        await sendLarge(exchange.head(200, { 'content-type': 'application/json' }), { bytes: 10 * MB })
    }
    const error = await failureOf(client.listTools(), { server, deed: 'tools/list' })
    expect(error.isTooLarge()).toBe(true)
    expect(error.isOutcomeUnknown()).toBe(false)
    expect(server.ledger.count('tools/list')).toBe(1)
  })

  it('an error page above the bound is an HTTP error all the same', async () => {
    const { server, client } = await serveAndConnect({ era }, small)
    server.onRequest = async (exchange) => {
      if (isCall(exchange)) await sendLarge(exchange.head(500, { 'content-type': 'text/html' }), { bytes: 10 * MB })
    }
    const error = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
    expect(error.statusCode).toBe(500)
    expect(error.message.length).toBeLessThan(600)
  })

  it('many small messages may be more than the bound together', async () => {
    const { server, client } = await serveAndConnect({ era }, small)
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const stream = exchange.stream()
      for (let n = 1; n <= 40; n++)
        await stream.raw(formatEvent({ data: JSON.stringify({ ...progress(exchange, n), pad: 'x'.repeat(4000) }) }))
      await stream.message(exchange.reply())
      stream.end()
    }
    const seen: number[] = []
    await client.callTool({ ...call, options: { onProgress: ({ progress: value }) => seen.push(value) } })
    expect(seen).toHaveLength(40)
  })

  it('a message just under the bound arrives', async () => {
    const text = 'x'.repeat(49_000)
    const { server, client } = await serveAndConnect(
      { era, tools: { echo: { run: () => ({ content: [{ type: 'text', text }] }) } } },
      small,
    )
    for (const answer of ['json', 'sse'] as const) {
      server.answer = answer
      expect((await client.callTool(call)).content).toEqual([{ type: 'text', text }])
    }
  })
})

describe('[A2.1] the server’s own stream above the bound', () => {
  it('is reported, and calls go on', async () => {
    const errors: unknown[] = []
    const server = await serve({ era: 'sessions', getStream: true })
    server.onRequest = async (exchange) => {
      if (exchange.httpMethod === 'GET')
        await sendLarge(exchange.head(200, { 'content-type': 'text/event-stream' }), { head: 'data: ', bytes: 10 * MB })
    }
    const client = await connect(
      server,
      { maxMessageBytes: 50_000 },
      { onUncaughtError: (error) => errors.push(error) },
    )
    await client.openStream()
    await server.ledger.until(() => server.ledger.of('GET')[0]?.disconnected === true, 'the GET stream being left')
    await expectStillUsable(client, server)
    expect(errors.length).toBeGreaterThan(0)
    await failureOf(Promise.reject(errors[0] as Error), undefined)
  })
})

describe('[A2.5][R-40] floods', () => {
  it.each(eras)(
    '20,000 notifications before the answer are all delivered or counted, and the answer arrives (%s)',
    async (era) => {
      const { server, client } = await serveAndConnect({ era })
      server.onRequest = async (exchange) => {
        if (!isCall(exchange)) return
        const stream = exchange.stream()
        const block = formatEvent({
          data: JSON.stringify({
            jsonrpc: '2.0',
            method: 'notifications/message',
            params: { level: 'info', data: 'x' },
          }),
        }).repeat(500)
        for (let n = 0; n < 40 && !stream.gone; n++) await stream.raw(block)
        await stream.message(exchange.reply())
        stream.end()
      }
      let heard = 0
      client.onNotification(() => heard++)
      expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
      expect(heard).toBe(20_000)
    },
  )

  it('a flood does not keep other calls from their answers', async () => {
    const { server, client } = await serveAndConnect({ era: 'stateless' })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange) || exchange.mark !== 'flood') return
      const stream = exchange.stream()
      const block = formatEvent({ data: JSON.stringify(progress(exchange, 1)) }).repeat(100)
      while (!stream.gone) await stream.raw(block)
    }
    const controller = new AbortController()
    let heard = 0
    const flooded = client
      .callTool({
        name: 'echo',
        arguments: { mark: 'flood' },
        options: { signal: controller.signal, onProgress: () => heard++ },
      })
      .catch((error: unknown) => error)
    await server.ledger.untilCount('tools/call', 1)
    for (let n = 0; n < 10; n++)
      expect(await client.callTool({ name: 'echo', arguments: { mark: `other-${n}` } })).toMatchObject({
        content: [{ text: `other-${n}` }],
      })
    expect(heard).toBeGreaterThan(0)
    const reason = new Error('enough')
    controller.abort(reason)
    expect(await flooded).toBe(reason)
    await server.ledger.until(() => server.ledger.disconnects.length === 1, 'the flood being left')
  })

  it.each(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'] as const)(
    '%s with pages without end stops with a typed error',
    async (method) => {
      const { server, client } = await serveAndConnect({ era: 'sessions' })
      server.onRequest = (exchange) => {
        if (exchange.method === method)
          exchange.json(exchange.reply({ ...exchange.result(), nextCursor: `page-${exchange.nth}` }))
      }
      const lists = {
        'tools/list': () => client.listTools(),
        'resources/list': () => client.listResources(),
        'resources/templates/list': () => client.listResourceTemplates(),
        'prompts/list': () => client.listPrompts(),
      }
      const error = await failureOf(lists[method](), { server, deed: method })
      expect(error.reason).toBe('limit')
      expect(server.ledger.count(method)).toBeLessThanOrEqual(102)
      await expectStillUsable(client, server)
    },
  )

  it.each(['', 'same', null, 7, {}, []])('a cursor that is %j again and again ends at once', async (nextCursor) => {
    const { server, client } = await serveAndConnect({ era: 'stateless' })
    server.onRequest = (exchange) => {
      if (exchange.method === 'tools/list') exchange.json(exchange.reply({ ...exchange.result(), nextCursor }))
    }
    const outcome = await client.listTools().then(
      () => 'a list',
      async (error: unknown) => {
        await failureOf(Promise.reject(error as Error), { server, deed: 'tools/list' })
        return 'a typed error'
      },
    )
    expect(['a list', 'a typed error']).toContain(outcome)
    expect(server.ledger.count('tools/list')).toBeLessThanOrEqual(3)
  })

  it('two hundred requests of the server are answered, and the call beside them is not lost', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const stream = exchange.stream()
      for (let n = 0; n < 200; n++) await stream.message({ jsonrpc: '2.0', id: `ask-${n}`, method: 'roots/list' })
      await stream.message(exchange.reply())
      stream.end()
    }
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
    await server.ledger.until(() => server.ledger.answers.length === 200, 'an answer to each')
    await expectStillUsable(client, server)
  })
})

describe('[B15] requests of the server without end', () => {
  const asked = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } }
  const floods: [string, string, object | undefined, (n: number) => string][] = [
    ['pings', 'ping', undefined, (n) => `ask-${n}`],
    ['sampling requests', 'sampling/createMessage', { messages: [], maxTokens: 1 }, (n) => `ask-${n}`],
    ['elicitations', 'elicitation/create', asked, (n) => `ask-${n}`],
    ['requests with the same id', 'elicitation/create', asked, () => 'same'],
    ['unknown requests', 'no/such', undefined, (n) => `ask-${n}`],
  ]
  it.each(floods)('answers a bounded number of 5,000 %s', async (_name, method, params, idOf) => {
    const server = await serve({ era: 'sessions' })
    const errors: unknown[] = []
    const client = await connect(
      server,
      {},
      {
        onElicitationRequest: () => ({ action: 'decline' }),
        onSamplingRequest: () => ({ role: 'assistant', content: { type: 'text', text: '' }, model: 'm' }),
        onUncaughtError: (error) => errors.push(error),
      },
    )
    server.onRequest = async (exchange) => {
      if (!isCall(exchange) || exchange.mark !== 'once') return
      const stream = exchange.stream()
      let block = ''
      for (let n = 1; n <= 5000; n++) {
        block += formatEvent({ data: JSON.stringify({ jsonrpc: '2.0', id: idOf(n), method, params }) })
        if (n % 500 === 0) {
          await stream.raw(block)
          block = ''
        }
      }
      await stream.message(exchange.reply())
      stream.end()
    }
    const begin = performance.now()
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
    const seconds = (performance.now() - begin) / 1000
    await expectStillUsable(client, server)
    // 200 answers and 50 refusals at once, then 20 each second.
    expect(server.ledger.answers.length).toBeLessThanOrEqual(250 + 20 * seconds)
    expect(errors.map(String)).toEqual([expect.stringContaining('sends too many requests')])
  })

  it('answers again when the flood is over, and refuses with an error what is too much', async () => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    onTestFinished(() => void vi.restoreAllMocks())
    const transport = new ScriptedTransport()
    const errors: unknown[] = []
    const client = await createMCPClient({ transport, onUncaughtError: (error) => errors.push(error) })
    const ping = (count: number) => {
      for (let n = 0; n < count; n++) transport.say({ jsonrpc: '2.0', id: `${now}-${n}`, method: 'ping' })
    }
    const answers = () => transport.sent.filter((message) => !('method' in message))
    const refusals = () => answers().filter((message) => 'error' in message)
    ping(5000)
    await transport.until(() => answers().length === 250)
    expect(refusals()).toHaveLength(50)
    expect(refusals()[0]).toEqual({
      jsonrpc: '2.0',
      id: '0-200',
      error: { code: -32000, message: 'Too many requests: at most 20 per second' },
    })
    expect(errors).toHaveLength(1)
    now = 60_000
    ping(1)
    await transport.until(() => answers().length === 251)
    expect(answers().at(-1)).toEqual({ jsonrpc: '2.0', id: '60000-0', result: {} })
    await client.close()
  })

  it('sends at most 16 answers of any client at a time, and keeps at most 256 waiting', async () => {
    const server = await serve({ era: 'sessions' })
    const { transport } = await transportTo(server)
    const held: Exchange[] = []
    let holding = true
    let most = 0
    server.onRequest = (exchange) => {
      if (exchange.method !== undefined || exchange.httpMethod !== 'POST') return
      most = Math.max(most, [...server.ledger.open].filter(({ message }) => message?.result).length)
      if (!holding) return
      exchange.take()
      held.push(exchange)
    }
    const sent = Array.from({ length: 5000 }, (_, id) => transport.send({ jsonrpc: '2.0', id, result: {} }))
    const outcomes = Promise.allSettled(sent)
    await server.ledger.until(() => server.ledger.answers.length === 16, '16 answers')
    await expect(sent[16 + 256]).rejects.toMatchObject({ name: 'MCPError', reason: 'limit' })
    holding = false
    for (const exchange of held) exchange.send(202)
    const settled = await outcomes
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(16 + 256)
    expect([server.ledger.answers.length, most]).toEqual([16 + 256, 16])
  })

  it('an answer that the server does not accept within 30 s gives its place to the next', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const posted: unknown[] = []
    const transport = new HttpTransport({
      url: 'https://server.example/mcp',
      fetch: (_url, init) => {
        posted.push(JSON.parse(init?.body as string))
        return new Promise((_resolve, reject) =>
          init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error)),
        )
      },
    })
    const sent = Array.from({ length: 17 }, (_, id) => transport.send({ jsonrpc: '2.0', id, result: {} }))
    for (const one of sent) one.catch(() => {})
    expect(posted).toHaveLength(16)
    await vi.advanceTimersByTimeAsync(30_000)
    await expect(sent[0]).rejects.toMatchObject({ name: 'MCPError', reason: 'timeout' })
    await vi.waitFor(() => expect(posted).toHaveLength(17), 60_000)
    vi.useRealTimers()
    await transport.close()
  })
})

/** Measured in a process of its own: the growth of its memory from a warm start to the highest point. */
const measure = `
import { createMCPClient } from './mcp.mjs'
const [url, method] = process.argv.slice(2)
const client = await createMCPClient({ transport: { type: 'http', url }, protocolVersionDiscovery: false })
for (let n = 0; n < 20; n++) await client.callTool({ name: 'echo', arguments: { mark: 'warm' } })
globalThis.gc()
await new Promise((resolve) => setTimeout(resolve, 50))
globalThis.gc()
const before = process.memoryUsage().rss
const peakBefore = process.resourceUsage().maxRSS * 1024
let peak = before
const sampler = setInterval(() => { peak = Math.max(peak, process.memoryUsage().rss) }, 2)
const error = await (method === 'call' ? client.callTool({ name: 'echo', arguments: { mark: 'bomb' } }) : client.listTools()).then(() => undefined, (e) => e)
clearInterval(sampler)
peak = Math.max(peak, process.memoryUsage().rss)
const peakAfter = process.resourceUsage().maxRSS * 1024
if (peakAfter > peakBefore) peak = Math.max(peak, peakAfter)
const again = await client.callTool({ name: 'echo', arguments: { mark: 'again' } })
await client.close()
console.log(JSON.stringify({
  name: error?.name, tooLarge: error?.isTooLarge?.() ?? false, unknown: error?.isOutcomeUnknown?.() ?? false,
  growthMB: (peak - before) / 1e6, again: again.content[0].text,
}))
`

describe('[A2.1][A2.2][0b] 300 MB', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-bounds-'))
    await build({
      entryPoints: [fileURLToPath(new URL('../../src/index.ts', import.meta.url))],
      outfile: join(folder, 'mcp.mjs'),
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      target: 'es2023',
      logLevel: 'error',
    })
    await writeFile(join(folder, 'measure.mjs'), measure)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const run = (...given: string[]): Promise<{ code: number | null; out: string }> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, ['--expose-gc', join(folder, 'measure.mjs'), ...given], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {},
      })
      let out = ''
      child.stdout.setEncoding('utf8').on('data', (part: string) => (out += part))
      const watchdog = setTimeout(() => child.kill('SIGKILL'), 25_000)
      child.on('error', reject)
      // It must end by itself: nothing of the library may keep a process alive.
      child.on('exit', (code) => {
        clearTimeout(watchdog)
        resolve({ code, out })
      })
    })

  const json = 'application/json'
  const sse = 'text/event-stream'
  const bombs: Record<string, { type: string; encoding?: 'gzip' | 'br'; body: LargeBody }> = {
    'as a JSON body': {
      type: json,
      body: { head: '{"jsonrpc":"2.0","id":1,"result":{"x":"', bytes: 300 * MB, tail: '"}}' },
    },
    'as one line of a stream': { type: sse, body: { head: 'data: ', bytes: 300 * MB } },
    'as data lines without end': { type: sse, body: { filler: 'data: xxxxxxxx\n', bytes: 300 * MB } },
    'out of a gzip bomb': {
      type: json,
      encoding: 'gzip',
      body: { head: '{"x":"', bytes: 300 * MB, tail: '"}', encoding: 'gzip' },
    },
    'out of a gzip bomb in a stream': {
      type: sse,
      encoding: 'gzip',
      body: { head: 'data: ', bytes: 300 * MB, encoding: 'gzip' },
    },
    'out of a brotli bomb': {
      type: json,
      encoding: 'br',
      body: { head: '{"x":"', bytes: 300 * MB, tail: '"}', encoding: 'br' },
    },
  }
  it.each(Object.entries(bombs))(
    '%s: too large, and needs less than 64 MB',
    async (_name, { type, encoding, body }) => {
      const server = await serve({ era: 'sessions' })
      server.onRequest = async (exchange) => {
        if (!isCall(exchange) || exchange.mark !== 'bomb') return
        exchange.result()
        await sendLarge(
          exchange.head(200, { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) }),
          body,
        )
      }
      // The peak of a process holds what its collector has not swept yet, which differs from run to run by 30 MB:
      // what is needed is the least of three. A client without a limit shows 400 MB in each of them.
      let growthMB = Number.POSITIVE_INFINITY
      for (let n = 1; n <= 3; n++) {
        const { code, out } = await run(server.url, 'call')
        const seen = JSON.parse(out) as { growthMB: number }
        expect(seen).toMatchObject({ name: 'MCPError', tooLarge: true, unknown: true, again: 'again' })
        expect(code).toBe(0)
        expect(server.ledger.executions.filter((execution) => execution.arguments['mark'] === 'bomb')).toHaveLength(n)
        growthMB = Math.min(growthMB, seen.growthMB)
      }
      expect(growthMB).toBeLessThan(64)
    },
  )

  it('a client that is closed keeps no process alive, whatever went wrong before', async () => {
    const server = await serve({ era: 'sessions', getStream: true })
    server.onRequest = async (exchange) => {
      if (isCall(exchange) && exchange.mark === 'bomb') {
        const stream = exchange.stream({ record: true })
        await stream.prime(0)
        stream.drop()
      } else if (exchange.header('last-event-id') !== undefined) exchange.send(405)
    }
    const { code, out } = await run(server.url, 'call')
    expect(JSON.parse(out)).toMatchObject({ unknown: true, again: 'again' })
    expect(code).toBe(0)
  })
})
