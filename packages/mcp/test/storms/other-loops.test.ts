import { createMCPClient, HttpTransport, isMCPError } from '@switchboard/mcp'
import { describe, expect, it, vi } from 'vitest'
import type { Fields } from '@switchboard/testkit/fault-server'
import { ANSWERS, openStream, type SeenRequest, SimulatedServer, stream } from './simulated-server.ts'

const answers = Object.entries(ANSWERS)
const call = { name: 'work', arguments: {} }
const TASKS = 'io.modelcontextprotocol/tasks'

/** A server without sessions, as far as nothing else is said. */
function stateless(onRequest: SimulatedServer['onRequest'], capabilities: Fields = {}): SimulatedServer {
  const server = new SimulatedServer()
  server.onRequest = (request) => {
    const { method, message } = request
    if (method !== 'server/discover') return onRequest?.(request)
    const supportedVersions = ['2026-07-28']
    return server.result(message, {
      supportedVersions,
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, ...capabilities },
    })
  }
  return server
}

const connect = (server: SimulatedServer, options: Fields = {}) =>
  server.settled(
    createMCPClient({
      transport: { type: 'http', url: server.url, fetch: server.fetch },
      onUncaughtError: () => {},
      ...options,
    }),
  )

/** Settles without anybody waiting for it. */
const settle = (promise: Promise<unknown>) =>
  promise.then(
    (value) => value,
    (error: unknown) => error,
  )

describe('[S14] what a client sends by itself in an hour', () => {
  it.each(answers)('after everything but initialize is answered with %s', async (_name, answer) => {
    const server = new SimulatedServer()
    const client = await connect(server, {
      protocolVersionDiscovery: false,
      logLevel: 'info',
      onNotification: () => {},
    })
    // Each new session has its listener list the tools, which may lose the session again.
    client.onListChanged('tools', () => void settle(client.listTools(true)))
    await server.settled(client.subscribe('test://one', () => {}))
    server.onRequest = ({ method }) => (method === 'initialize' ? undefined : answer())
    void settle(client.callTool(call))
    void settle(client.listTools(true))
    const counts = await server.anHour()
    expect(counts['initialize'] ?? 0).toBeLessThan(300)
    expect(counts['all']).toBeLessThan(4000)
    await server.settled(client.close())
  })

  it.each(answers)('when its subscriptions/listen is answered with %s', async (_name, answer) => {
    const server = stateless(({ method }) => (method === 'subscriptions/listen' ? answer() : undefined))
    const client = await connect(server)
    client.onListChanged('tools', () => void settle(client.listTools(true)))
    void settle(client.subscribe('test://one', () => {}))
    const counts = await server.anHour()
    expect(counts['all']).toBeLessThan(1000)
    await server.settled(client.close())
  })

  it('when its subscriptions/listen is acknowledged and ended each time', async () => {
    const server = stateless(({ method, message }) => {
      if (method !== 'subscriptions/listen') return undefined
      const _meta = { 'io.modelcontextprotocol/subscriptionId': message?.id }
      const params = { _meta, notifications: { toolsListChanged: true } }
      const text = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params })
      return stream(`data: ${text}\n\n`)
    })
    const client = await connect(server)
    client.onListChanged('tools', () => {})
    const counts = await server.anHour()
    expect(counts['all']).toBeLessThan(1000)
    await server.settled(client.close())
  })

  it.each(['429', '503'])('waits as long as Retry-After says when subscriptions/listen gets %s', async (status) => {
    const headers = { 'retry-after': '300' }
    const server = stateless(({ method }) =>
      method === 'subscriptions/listen' ? new Response('', { status: +status, headers }) : undefined,
    )
    const client = await connect(server)
    client.onListChanged('tools', () => {})
    const counts = await server.anHour()
    expect(counts['subscriptions/listen']).toBeLessThanOrEqual(13)
    await server.settled(client.close())
  })

  it.each(['429', '503'])('waits as long as Retry-After says when GET gets %s', async (status) => {
    const server = new SimulatedServer()
    const headers = { 'retry-after': '300' }
    server.onRequest = ({ method }) => (method === 'GET' ? new Response('', { status: +status, headers }) : undefined)
    const client = await connect(server, { protocolVersionDiscovery: false, onNotification: () => {} })
    const counts = await server.anHour()
    expect(counts['all']).toBeLessThanOrEqual(13)
    await server.settled(client.close())
  })

  it('when a list of tools says each time that it has changed', async () => {
    const server = new SimulatedServer()
    const client = await connect(server, { protocolVersionDiscovery: false })
    server.onRequest = ({ method, message }) => {
      if (method !== 'tools/list') return undefined
      const news = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
      const answer = { jsonrpc: '2.0', id: message?.id, result: { tools: [] } }
      return stream(`data: ${JSON.stringify(news)}\n\ndata: ${JSON.stringify(answer)}\n\n`)
    }
    client.onListChanged('tools', () => void settle(client.listTools(true)))
    void settle(client.listTools(true))
    const counts = await server.anHour()
    expect(counts['tools/list']).toBeGreaterThan(30)
    expect(counts['tools/list']).toBeLessThan(200)
    await server.settled(client.close())
  })

  it('with HTTP+SSE, when the stream ends with every request', async () => {
    const server = new SimulatedServer()
    let open: AbortController[] = []
    let push: ((message: Fields) => void) | undefined
    server.onRequest = (request) => {
      const { method, message } = request
      if (method === 'GET') {
        const drop = new AbortController()
        open.push(drop)
        const opened = openStream(AbortSignal.any([drop.signal, request.signal!]))
        push = opened.push
        const endpoint = new TextEncoder().encode('event: endpoint\ndata: /messages\n\n')
        return withPrefix(endpoint, opened.response)
      }
      if (method === 'resources/subscribe' && server.count('resources/subscribe') > 1) {
        for (const drop of open) drop.abort()
        open = []
      } else if (message?.id !== undefined) {
        void server
          .answer(request)
          .json()
          .then((answer: Fields) => push?.(answer))
      }
      return new Response(null, { status: 202 })
    }
    const client = await connect(server, { transport: { type: 'sse', url: server.url, fetch: server.fetch } })
    await server.settled(client.subscribe('test://one', () => {}))
    // The next request finds the stream gone, and begins a new session.
    for (const drop of open) drop.abort()
    void settle(client.listTools(true))
    const counts = await server.anHour()
    expect(counts['initialize']).toBeGreaterThan(0)
    expect(counts['all']).toBeLessThan(2000)
    await server.settled(client.close())
  })

  it('when GET is refused with a challenge each time its stream has ended', async () => {
    const server = new SimulatedServer()
    let challenges = 0
    let refuse = false
    server.onRequest = ({ method }) => {
      if (method !== 'GET') return undefined
      refuse = !refuse
      return refuse ? ANSWERS['401']!() : ANSWERS['200 with a stream that ends at once']!()
    }
    const tokenSource = { token: async () => `token-${challenges}`, challenge: async () => ++challenges > 0 }
    const client = await connect(server, {
      transport: { type: 'http', url: server.url, fetch: server.fetch, tokenSource },
      protocolVersionDiscovery: false,
      onNotification: () => {},
    })
    await server.anHour()
    expect(challenges).toBe(1)
    await server.settled(client.close())
  })
})

const withPrefix = (prefix: Uint8Array<ArrayBuffer>, response: Response): Response => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  void writer.write(prefix)
  writer.releaseLock()
  response.body!.pipeTo(writable).catch(() => {})
  return new Response(readable, { headers: response.headers })
}

describe('[S14] one call', () => {
  it.each(answers)('sends at most ten requests when it is answered with %s', async (_name, answer) => {
    const server = new SimulatedServer()
    const client = await connect(server, { protocolVersionDiscovery: false })
    server.onRequest = ({ method }) => (method === 'tools/list' ? answer() : undefined)
    const outcome = settle(client.listTools(true))
    const counts = await server.anHour()
    expect(isMCPError(await outcome)).toBe(true)
    expect(counts['all']).toBeLessThanOrEqual(10)
    await server.settled(client.close())
  })

  it.each(answers)('reconnects a bounded number of times when the rest is answered with %s', async (_name, answer) => {
    const server = new SimulatedServer()
    const client = await connect(server, { protocolVersionDiscovery: false })
    server.onRequest = ({ method }) =>
      method === 'tools/call' ? stream('id: first\ndata:\n\n') : method === 'GET' ? answer() : undefined
    const outcome = settle(client.callTool(call))
    const counts = await server.anHour()
    expect(isMCPError(await outcome)).toBe(true)
    // One per second for the ten minutes that a call may take, where each stream brings news.
    expect(counts['all']).toBeLessThan(700)
    await server.settled(client.close())
  })

  it('[T9] is left when a client of others cancels it without a signal', async () => {
    const server = new SimulatedServer()
    server.onRequest = ({ method }) =>
      /GET|tools\/call/.test(method) ? stream(`id: ${server.count()}\nretry: 1000\ndata:\n\n`) : undefined
    const transport = new HttpTransport({ url: server.url, fetch: server.fetch, autoOpenStream: false })
    const answers: unknown[] = []
    transport.onmessage = (message: unknown) => answers.push(message)
    void transport.send({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: call })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.count('GET')).toBeGreaterThan(20)
    await server.settled(
      transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }),
    )
    const counts = await server.anHour()
    expect(counts['GET']).toBeUndefined()
    expect(answers).toEqual([])
    await server.settled(transport.close())
  })

  it('[B5] ends after eight rounds when the server asks for input without end', async () => {
    const server = stateless(({ method, message }) => {
      if (method !== 'tools/call') return undefined
      const form = { mode: 'form', message: 'Again?', requestedSchema: { type: 'object', properties: {} } }
      return server.result(message, {
        resultType: 'input_required',
        inputRequests: { again: { method: 'elicitation/create', params: form } },
        requestState: 'state',
      })
    })
    const client = await connect(server, { onElicitationRequest: () => ({ action: 'accept', content: {} }) })
    const outcome = settle(client.callTool(call))
    const counts = await server.anHour()
    expect(await outcome).toMatchObject({ reason: 'limit' })
    expect(counts['tools/call']).toBe(9)
    await server.settled(client.close())
  })
})

describe('[K5] a task', () => {
  const task = { taskId: 'one', status: 'working', ttlMs: null, pollIntervalMs: 0, createdAt: '', lastUpdatedAt: '' }
  const ofTask = (onLook: (request: SeenRequest) => Response, onListen?: (request: SeenRequest) => Response) => {
    const server: SimulatedServer = stateless(
      (request) => {
        const { method, message } = request
        if (method === 'tools/call') return server.result(message, { resultType: 'task', ...task })
        if (method === 'tasks/get') return onLook(request)
        return method === 'subscriptions/listen' ? (onListen?.(request) ?? ANSWERS['405']!()) : undefined
      },
      { extensions: { [TASKS]: {} } },
    )
    return server
  }

  it.each(answers)('is looked at a bounded number of times when looks are answered with %s', async (_name, answer) => {
    const server = ofTask(answer)
    const client = await connect(server)
    const started = await server.settled(client.startTask(call))
    void settle(started.result())
    const counts = await server.anHour()
    expect(counts['all']).toBeLessThan(1500)
    await server.settled(client.close())
  })

  it('is looked at once per second when the server wants no pause', async () => {
    let looks = 0
    const server = ofTask(({ message }) =>
      server.result(message, { ...task, resultType: 'complete', statusMessage: `look ${++looks}` }),
    )
    const client = await connect(server)
    await server.settled(client.startTask(call))
    const counts = await server.anHour()
    expect(counts['tasks/get']).toBeGreaterThan(2000)
    expect(counts['tasks/get']).toBeLessThan(3700)
    await server.settled(client.close())
  })

  it('is looked at once per second when the server tells of news without content', async () => {
    let push: ((message: Fields) => void) | undefined
    const server = ofTask(
      ({ message }) => server.result(message, { ...task, resultType: 'complete', pollIntervalMs: 60_000 }),
      ({ signal }) => {
        const opened = openStream(signal)
        push = opened.push
        return opened.response
      },
    )
    const client = await connect(server)
    await server.settled(client.startTask(call))
    await vi.advanceTimersByTimeAsync(1000)
    const params = { taskId: 'one', status: 'completed' }
    const flood = setInterval(() => push?.({ jsonrpc: '2.0', method: 'notifications/tasks', params }), 100)
    const counts = await server.anHour()
    clearInterval(flood)
    expect(counts['tasks/get']).toBeGreaterThan(100)
    expect(counts['tasks/get']).toBeLessThan(3700)
    await server.settled(client.close())
  })
})
