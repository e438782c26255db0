import { describe, expect, it } from 'vitest'
import { ask, connect, everything, node, program, type Running, servers, start } from './scenario.ts'

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} }, sampling: {}, roots: {} },
}
let ids = 0

interface Answer {
  status: number
  result?: {
    resultType?: string
    requestState?: string
    inputRequests?: Record<string, { method: string }>
    content?: { text: string }[]
    isError?: boolean
  }
  error?: { code: number; message: string }
}

/** One request without a session, as it is on the wire. */
async function send(
  companion: Running,
  name: string,
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const about = (params as { name?: string }).name
  const response = await ask(companion, `/mcp/${name}`, {
    method: 'POST',
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(about !== undefined && { 'mcp-name': about }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++ids, method, params: { ...params, _meta: META } }),
  })
  const text = await response.text()
  const line =
    response.headers.get('content-type') === 'text/event-stream'
      ? text
          .split('\n')
          .findLast((each) => each.startsWith('data: '))
          ?.slice(6)
      : text
  return { ...(JSON.parse(line ?? '{}') as Answer), status: response.status }
}

const call = (companion: Running, tool: string, more: object = {}, args: object = {}) =>
  send(companion, 'asking', 'tools/call', { name: tool, arguments: args, ...more })

const asking = () => node(program('asking-server.mjs'))
const accept = { action: 'accept', content: { name: 'Ada' } }

describe('a program that knows only sessions asks a client that has none', () => {
  it('by results that ask for input, round by round, while its one call goes on', async () => {
    const companion = await start({ asking: asking() })
    const first = await call(companion, 'ask-twice')
    expect(first.result).toMatchObject({ resultType: 'input_required' })
    const [key = ''] = Object.keys(first.result?.inputRequests ?? {})
    expect(first.result?.inputRequests?.[key]).toMatchObject({ method: 'elicitation/create' })
    const second = await call(companion, 'ask-twice', {
      requestState: first.result?.requestState,
      inputResponses: { [key]: accept },
    })
    const [next = ''] = Object.keys(second.result?.inputRequests ?? {})
    expect(next).not.toBe(key)
    const last = await call(companion, 'ask-twice', {
      requestState: second.result?.requestState,
      inputResponses: { [next]: { action: 'decline' } },
    })
    expect(last.result).toMatchObject({ resultType: 'complete', content: [{ text: 'accept Ada, decline, calls 1' }] })
  })

  it('again, when an answer is missing; and a state counts once, and for its own call', async () => {
    const companion = await start({ asking: asking() })
    const first = await call(companion, 'ask')
    const again = await call(companion, 'ask', { requestState: first.result?.requestState, inputResponses: {} })
    expect(again.result?.inputRequests).toEqual(first.result?.inputRequests)
    const stale = await call(companion, 'ask', { requestState: first.result?.requestState })
    expect(stale.error?.message).toContain('may have run')
    const [key = ''] = Object.keys(again.result?.inputRequests ?? {})
    const state = { requestState: again.result?.requestState, inputResponses: { [key]: accept } }
    expect((await call(companion, 'ask', state, { other: true })).error?.code).toBe(-32602)
    expect((await call(companion, 'ask', state)).result?.content?.[0]?.text).toBe('accept Ada, calls 1')
  })

  it('and is told so when nobody can say which of its calls asks', async () => {
    const companion = await start({ asking: asking() })
    const waiting = call(companion, 'wait')
    await expect.poll(async () => (await call(companion, 'count')).result?.content?.[0]?.text).toBe('calls 1')
    const asked = await call(companion, 'ask')
    expect(asked.result?.content?.[0]?.text).toContain('cannot be told which one asks')
    await call(companion, 'release')
    expect((await waiting).result?.content?.[0]?.text).toBe('released')
  })

  it('by sampling and for roots too, where the client offers them', async () => {
    const companion = await start({ everything: everything() })
    const config = {
      onSamplingRequest: () => ({
        role: 'assistant' as const,
        model: 'm',
        content: { type: 'text' as const, text: 'a poem' },
      }),
    }
    const client = await connect(companion, 'everything', config as never)
    expect(client.getProtocolVersion()).toBe('2026-07-28')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('trigger-sampling-request')
    expect((await client.call('trigger-sampling-request', { prompt: 'x', maxTokens: 5 })).text).toContain('a poem')
    // A client that offers nothing is not shown what it could not use, by a program of its own.
    const plain = await connect(companion, 'everything')
    expect((await plain.listTools()).tools.map(({ name }) => name)).not.toContain('trigger-sampling-request')
    expect(await servers(companion)).toMatchObject([{ restarts: 1 }])
  })
})

describe('a request without a session', () => {
  it.each([
    [
      'of another revision',
      {},
      { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
      400,
      -32022,
    ],
    [
      'that hides what its client can do',
      {},
      { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
      400,
      -32602,
    ],
    ['whose header names another revision', { 'mcp-protocol-version': '2025-11-25' }, {}, 400, -32020],
    ['whose header names another method', { 'mcp-method': 'tools/call' }, {}, 400, -32020],
  ])('%s is refused', async (_, headers, params, status, code) => {
    const companion = await start({ asking: asking() })
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META, ...params } }
    const response = await ask(companion, '/mcp/asking', {
      method: 'POST',
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list', ...headers },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(status)
    expect(((await response.json()) as Answer).error?.code).toBe(code)
    expect(await servers(companion)).toMatchObject([{ state: 'stopped' }])
  })

  it('for what its era does not have is answered with 404, and a stream of its own with 405', async () => {
    const companion = await start({ asking: asking() })
    for (const method of ['ping', 'resources/subscribe', 'logging/setLevel', 'tasks/list', 'nonsense'])
      expect(await send(companion, 'asking', method)).toMatchObject({ status: 404, error: { code: -32601 } })
    for (const method of ['GET', 'DELETE']) expect((await ask(companion, '/mcp/asking', { method })).status).toBe(405)
  })

  it('is told honestly what the program offers', async () => {
    const companion = await start({ asking: asking() })
    const { result } = await send(companion, 'asking', 'server/discover')
    expect(result).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, resources: { subscribe: true } },
      instructions: 'Ask.',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'asking', version: '1.0.0' } },
    })
  })

  it('hears of the resources that it watches, and of no others', async () => {
    const companion = await start({ asking: asking() })
    const client = await connect(companion, 'asking')
    let heard = 0
    const one = await client.subscribe('res://one', () => heard++)
    await client.call('touch', { uri: 'res://two' })
    await client.call('touch', { uri: 'res://one' })
    await expect.poll(() => heard).toBe(1)
    await one.close()
    await expect.poll(async () => (await client.call('watched')).text).toBe('[]')
  })
})
