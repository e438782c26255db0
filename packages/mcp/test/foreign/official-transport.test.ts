import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client as ClientV2,
  SdkHttpError,
  StreamableHTTPClientTransport as OfficialHttpV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OfficialHttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { HttpTransport } from '@switchboard/mcp'
import { HttpTransport as SignedTransport } from '@switchboard/mcp/oauth'
import { type Exchange, type FaultServer, startFaultServer } from '@switchboard/testkit/fault-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

interface Seen {
  method: string
  headers: IncomingMessage['headers']
}
interface OfficialServer {
  url: string
  requests: Seen[]
  /** Ids of the sessions that are open. */
  sessions: Map<string, StreamableHTTPServerTransport>
}

/** A server of the official SDK, one instance per session. With `end`, it answers DELETE with that status. */
async function serve(end?: number): Promise<OfficialServer> {
  const requests: Seen[] = []
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  let made = 0
  const begin = async (): Promise<StreamableHTTPServerTransport> => {
    const server = new McpServer({ name: 'official', version: '1.0.0' })
    server.registerTool('echo', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }))
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => `session-${++made}`,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await server.connect(transport as any)
    return transport
  }
  const http = createServer(async (request, response) => {
    const { method = '', headers } = request
    requests.push({ method, headers })
    if (method === 'DELETE' && end) return void response.writeHead(end).end()
    const transport = sessions.get(String(headers['mcp-session-id'])) ?? (await begin())
    await transport.handleRequest(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, requests, sessions }
}

type Options = NonNullable<ConstructorParameters<typeof OfficialHttpV1>[1]>
interface OfficialTransport {
  sessionId?: string | undefined
  protocolVersion?: string | undefined
  onerror?: ((error: Error) => void) | undefined
  terminateSession(): Promise<void>
  send(message: object): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}
interface Caller {
  callTool(call: { name: string; arguments: object }): Promise<{ content?: unknown }>
  close(): Promise<void>
}
const makeOurs = (url: string, options?: Options): OfficialTransport =>
  new HttpTransport(url, options as object) as OfficialTransport
const me = { name: 'official', version: '1.0.0' }
const call = { name: 'echo', arguments: {} }
const peers = [
  {
    name: 'the official 1.x Client',
    makeTheirs: (url: string, options?: Options) => new OfficialHttpV1(new URL(url), options) as OfficialTransport,
    async connect(transport: OfficialTransport): Promise<Caller> {
      const client = new ClientV1(me)
      await client.connect(transport as any)
      return client as Caller
    },
  },
  {
    name: 'the official 2.x Client',
    makeTheirs: (url: string, options?: Options) =>
      new OfficialHttpV2(new URL(url), options as any) as OfficialTransport,
    async connect(transport: OfficialTransport): Promise<Caller> {
      const client = new ClientV2(me, { versionNegotiation: { mode: 'legacy' } })
      await client.connect(transport as any)
      return client as unknown as Caller
    },
  },
]

/** Runs the same steps with the official transport and with ours; gives both outcomes. */
async function sideBySide<T>(
  makeTheirs: (url: string, options?: Options) => OfficialTransport,
  steps: (make: (url: string, options?: Options) => OfficialTransport, ours: boolean) => Promise<T>,
): Promise<[theirs: T, ours: T]> {
  return [await steps(makeTheirs, false), await steps(makeOurs, true)]
}

const failureOf = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe.each(peers)('[T16] $name uses HttpTransport like the official transport', ({ makeTheirs, connect }) => {
  it.each([undefined, 405])('terminateSession() sends DELETE and drops the session id (%s)', async (end) => {
    const [theirs, ours] = await sideBySide(makeTheirs, async (make) => {
      const server = await serve(end)
      const transport = make(server.url)
      const client = await connect(transport)
      const { sessionId, protocolVersion } = transport
      await transport.terminateSession()
      await transport.terminateSession()
      const ends = server.requests.filter(({ method }) => method === 'DELETE')
      const outcome = {
        sessionId,
        protocolVersion,
        after: transport.sessionId,
        ended: ends.map(({ headers }) => [headers['mcp-session-id'], headers['mcp-protocol-version']]),
        open: server.sessions.size,
      }
      await client.close()
      return outcome
    })
    expect(ours).toEqual(theirs)
    expect(ours).toMatchObject({ sessionId: 'session-1', after: undefined, open: end ? 1 : 0 })
    expect(ours.ended).toHaveLength(1)
  })

  it('terminateSession() rejects, tells onerror and keeps the session id after HTTP 500', async () => {
    const [theirs, ours] = await sideBySide(makeTheirs, async (make, isOurs) => {
      const server = await serve(500)
      const transport = make(server.url)
      const client = await connect(transport)
      const errors: Error[] = []
      transport.onerror = (error) => void errors.push(error)
      const error = await failureOf(transport.terminateSession())
      if (isOurs) expect(error).toMatchObject({ reason: 'http', statusCode: 500 })
      const outcome = { told: errors.includes(error as Error), count: errors.length, after: transport.sessionId }
      await client.close()
      return outcome
    })
    expect(ours).toEqual(theirs)
    expect(ours).toEqual({ told: true, count: 1, after: 'session-1' })
  })

  it('continues a session that is given as sessionId', async () => {
    const [theirs, ours] = await sideBySide(makeTheirs, async (make, isOurs) => {
      const server = await serve()
      const first = make(server.url)
      const client = await connect(first)
      const { protocolVersion } = first
      const second = make(server.url, { sessionId: first.sessionId!, protocolVersion } as Options)
      await second.start()
      const before = server.requests.length
      const { sessionId } = second
      await second.send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' })
      const posts = server.requests.slice(before).filter(({ method }) => method === 'POST')
      const seen = posts.map(({ headers }) => headers['mcp-session-id'])
      // The 1.x transport has no option for it.
      const revisions = posts.map(({ headers }) => headers['mcp-protocol-version'])
      if (isOurs) expect(revisions).toEqual([protocolVersion])
      await second.close()
      await client.close()
      return { sessionId, seen }
    })
    expect(ours).toEqual(theirs)
    expect(ours.sessionId).toBe('session-1')
  })

  it.each<[string, RequestInit['headers']]>([
    ['an object', { 'X-Tenant': 'one', 'x-other': 'two' }],
    ['Headers', new Headers({ 'X-Tenant': 'one', 'x-other': 'two' })],
    [
      'an array',
      [
        ['X-Tenant', 'one'],
        ['x-other', 'two'],
      ],
    ], // prettier-ignore
  ])('gives requestInit to fetch, with its headers as %s', async (_kind, headers) => {
    const [theirs, ours] = await sideBySide(makeTheirs, async (make) => {
      const server = await serve()
      const inits: Partial<Record<string, RequestInit>> = {}
      const fetch = (url: string | URL, init: RequestInit = {}) => {
        inits[String(init.method)] = init
        return globalThis.fetch(url, init)
      }
      const requestInit: RequestInit = { headers: headers!, credentials: 'include', cache: 'no-store' }
      const transport = make(server.url, { requestInit, fetch })
      const client = await connect(transport)
      await client.callTool(call)
      // The official transport opens it in the background.
      await vi.waitFor(() => expect(server.requests.map(({ method }) => method)).toContain('GET'), 20_000)
      await transport.terminateSession()
      await client.close()
      const told = ['POST', 'DELETE'].map((method) => [inits[method]?.credentials, inits[method]?.cache])
      const sent = server.requests.map(({ method, headers }) => [method, headers['x-tenant'], headers['x-other']])
      return { told, sent: [...new Set(sent.map(String))].sort() }
    })
    expect(ours).toEqual(theirs)
    expect(ours.sent).toEqual(['DELETE,one,two', 'GET,one,two', 'POST,one,two'])
    expect(ours.told).toEqual([
      ['include', 'no-store'],
      ['include', 'no-store'],
    ]) // prettier-ignore
  })

  it('resumes a broken answer as often as reconnectionOptions say', async () => {
    const reconnectionOptions = {
      maxRetries: 4,
      initialReconnectionDelay: 10,
      maxReconnectionDelay: 20,
      reconnectionDelayGrowFactor: 1.5,
    }
    const [theirs, ours] = await sideBySide(makeTheirs, async (make, isOurs) => {
      const server = await startFaultServer({ era: 'sessions', getStream: false, answer: 'sse+ids' })
      onTestFinished(() => server.close())
      let resumed = 0
      server.onRequest = (exchange: Exchange) => {
        if (exchange.method === 'tools/call')
          return exchange.send(200, { 'content-type': 'text/event-stream' }, 'id: one\ndata:\n\n')
        if (exchange.httpMethod !== 'GET' || !exchange.header('last-event-id')) return
        resumed++
        exchange.send(503)
      }
      const transport = make(server.url, { reconnectionOptions })
      const client = await connect(transport)
      const givenUp = new Promise<void>((resolve) => {
        const { onerror } = transport
        transport.onerror = (error) => {
          onerror?.(error)
          if (/Maximum reconnection attempts/.test(error.message)) resolve()
        }
      })
      const calling = failureOf(client.callTool(call))
      await (isOurs ? calling : givenUp)
      await client.close()
      await calling
      return resumed
    })
    expect(ours).toBe(theirs)
    expect(ours).toBe(4)
  })
})

describe('[T16] after terminateSession()', () => {
  it.each(peers)('$name makes its next call in a new session with a new GET stream', async ({ connect }) => {
    const server = await serve()
    const transport = new HttpTransport(server.url)
    const client = await connect(transport as OfficialTransport)
    const changes: (string | undefined)[] = []
    transport.on('session', ({ sessionId }) => void changes.push(sessionId))
    await transport.terminateSession()
    expect((await client.callTool(call)).content).toEqual([{ type: 'text', text: 'hello' }])
    expect(transport.sessionId).toBe('session-2')
    expect(changes).toEqual([undefined, 'session-2', 'session-2'])
    const streams = server.requests.filter(({ method }) => method === 'GET')
    expect(streams.map(({ headers }) => headers['mcp-session-id'])).toEqual(['session-1', 'session-2'])
    await client.close()
    expect(server.sessions.size).toBe(0)
  })
})

describe('[T17] an HTTP error keeps its status as code', () => {
  async function refuse(status: number): Promise<FaultServer> {
    const server = await startFaultServer({ era: 'sessions' })
    onTestFinished(() => server.close())
    server.onRequest = (exchange) => {
      if (exchange.method === 'tools/call') exchange.send(status, {}, 'refused')
    }
    return server
  }

  it.each([401, 403, 500, 503])('HTTP %i has the same code in the official 1.x Client', async (status) => {
    const [{ makeTheirs, connect }] = peers as [(typeof peers)[0], unknown]
    const [theirs, ours] = await sideBySide(makeTheirs, async (make) => {
      const client = await connect(make((await refuse(status)).url))
      const { code } = await failureOf(client.callTool(call))
      await client.close()
      return code as unknown
    })
    expect(ours).toBe(theirs)
    expect(ours).toBe(status)
  })

  it.each([401, 503])('HTTP %i is the code in the official 2.x Client, where it was the status', async (status) => {
    const [, { makeTheirs, connect }] = peers as [unknown, (typeof peers)[1]]
    const [theirs, ours] = await sideBySide(makeTheirs, async (make) => {
      const client = await connect(make((await refuse(status)).url))
      const error = await failureOf(client.callTool(call))
      await client.close()
      return error
    })
    expect(theirs).toBeInstanceOf(SdkHttpError)
    expect(theirs.status).toBe(status)
    expect(ours.code).toBe(status)
  })

  it('an answer that is no MCP message has no status as code', async () => {
    const server = await startFaultServer({ era: 'sessions' })
    onTestFinished(() => server.close())
    server.onRequest = (exchange) => {
      if (exchange.method === 'tools/call') exchange.send(200, { 'content-type': 'text/html' }, 'hello')
    }
    const client = await peers[0]!.connect(makeOurs(server.url))
    expect((await failureOf(client.callTool(call))).code).toBe(-32603)
    await client.close()
  })

  it('HTTP 401 is named UnauthorizedError', async () => {
    const client = await peers[0]!.connect(makeOurs((await refuse(401)).url))
    const error = await failureOf(client.callTool(call))
    expect(error).toMatchObject({ name: 'UnauthorizedError', code: 401, statusCode: 401, reason: 'unauthorized' })
    await client.close()
  })
})

describe('[T16] options beside the address', () => {
  const url = 'http://127.0.0.1:9/mcp'

  it.each(['method', 'body', 'signal', 'redirect'])('refuses requestInit with %s', (key) => {
    const value = key === 'signal' ? new AbortController().signal : 'manual'
    expect(() => new HttpTransport(url, { requestInit: { [key]: value } })).toThrow(`requestInit cannot have ${key}`)
  })

  it('refuses an unknown one', () => {
    const options = { sesionId: 'one' } as object
    expect(() => new HttpTransport(url, options)).toThrow('no option "sesionId"')
    expect(() => new SignedTransport(url, options)).toThrow('no option "sesionId"')
    expect(() => new HttpTransport({ url }, { headers: {} })).toThrow(TypeError)
    expect(() => new SignedTransport({ url }, { headers: {} })).toThrow(TypeError)
  })

  it('are also taken by the transport with authProvider', () => {
    const transport = new SignedTransport(new URL(url), { sessionId: 'one', requestInit: { headers: { 'x-a': 'b' } } })
    expect(transport.sessionId).toBe('one')
    expect(transport.options.headers).toEqual({ 'x-a': 'b' })
  })

  it('prefers headers to those of requestInit, in any case', () => {
    const requestInit = { headers: { 'x-a': 'below', 'x-b': 'below' } }
    const transport = new HttpTransport(url, { headers: { 'X-A': 'above' }, requestInit })
    expect(transport.options.headers).toEqual({ 'x-a': 'above', 'x-b': 'below' })
  })
})
