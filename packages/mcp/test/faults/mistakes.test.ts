import { createMCPClient, HttpTransport, MCPClient } from '@switchboard/mcp'
import { createMCPClient as createSignedIn } from '@switchboard/mcp/oauth'
import { describe, expect, it } from 'vitest'
import { quick, serve, serveAndConnect } from './scenario.ts'

/** What `make` throws, now or later. */
async function thrownBy(make: () => unknown): Promise<unknown> {
  try {
    await make()
  } catch (error) {
    return error
  }
  throw new Error('It did not fail')
}

async function expectHint(make: () => unknown, hint: RegExp): Promise<void> {
  const error = await thrownBy(make)
  expect(error).toBeInstanceOf(TypeError)
  expect((error as TypeError).message).toMatch(hint)
}

// Callers without types make these mistakes, so the types are put aside here.
const make = createMCPClient as (config?: unknown) => Promise<MCPClient>
const makeSignedIn = createSignedIn as typeof make
const Client = MCPClient as unknown as new (target?: unknown) => MCPClient
const Transport = HttpTransport as unknown as new (target?: unknown) => HttpTransport

describe('[2 Bad input] a programmer’s mistake is a TypeError with a hint', () => {
  it.each<[string, unknown, RegExp]>([
    ['nothing at all', undefined, /transport|url/i],
    ['null', null, /transport|url/i],
    ['an empty object', {}, /transport/i],
    ['a transport of null', { transport: null }, /transport/i],
    ['no url', { transport: { type: 'http' } }, /url/i],
    ['an empty url', { transport: { type: 'http', url: '' } }, /url/i],
    ['a relative url', { transport: { type: 'http', url: '/mcp' } }, /absolute|url/i],
    ['a url that is none', { transport: { type: 'http', url: 'http://[' } }, /url/i],
    ['a url that is a number', { transport: { type: 'http', url: 7 } }, /url/i],
    ['a file', { transport: { type: 'http', url: 'file:///etc/passwd' } }, /http/],
    ['javascript:', { transport: { type: 'http', url: 'javascript:alert(1)' } }, /http/],
    [
      'a password in the url',
      { transport: { type: 'http', url: 'http://user:canary@127.0.0.1/mcp' } },
      /headers|credentials|password/i,
    ],
    ['no type', { transport: { url: 'http://127.0.0.1/mcp' } }, /type|http/i],
    ['a type that is none', { transport: { type: 'htp', url: 'http://127.0.0.1/mcp' } }, /http/],
    ['an option that is none', { transport: { type: 'http', url: 'http://127.0.0.1/mcp' }, timeOut: 5 }, /timeOut/],
    [
      'an option of the transport that is none',
      { transport: { type: 'http', url: 'http://127.0.0.1/mcp', header: {} } },
      /header/,
    ],
    [
      'a handler that is none',
      { transport: { type: 'http', url: 'http://127.0.0.1/mcp' }, onElicitationRequest: 'yes' },
      /function/,
    ],
    ['a fetch that is none', { transport: { type: 'http', url: 'http://127.0.0.1/mcp', fetch: {} } }, /fetch|function/],
    ['headers that are none', { transport: { type: 'http', url: 'http://127.0.0.1/mcp', headers: 'x: y' } }, /headers/],
    [
      'a token source that is none',
      { transport: { type: 'http', url: 'http://127.0.0.1/mcp', tokenSource: 'token' } },
      /token/,
    ],
    ['a transport that cannot send', { transport: { start() {}, close() {} } }, /send|type|transport/],
  ])('createMCPClient with %s', async (_name, config, hint) => {
    await expectHint(() => make(config), hint)
  })

  it.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /url|transport/i],
    ['an empty text', '', /url|transport/i],
    ['a text that is no address', 'not an address', /url/i],
    ['ftp', 'ftp://example.com/', /http/],
  ])('new MCPClient with %s fails at once, not at the first call', async (_name, target, hint) => {
    await expectHint(() => new Client(target), hint)
    await expectHint(() => new Transport(target), hint)
  })

  it.each<[string, unknown, RegExp]>([
    ['a text that is no address', 'not an address', /url/i],
    ['a transport that is no address', { transport: 'not an address' }, /url/i],
    ['a transport that is a number', { transport: 7 }, /transport needs an address/],
  ])('createMCPClient of both entries with %s', async (_name, target, hint) => {
    await expectHint(() => make(target), hint)
    await expectHint(() => makeSignedIn(target), hint)
  })

  it.each([
    'callTool',
    'listTools',
    'startTask',
    'readResource',
    'listResources',
    'listResourceTemplates',
    'listPrompts',
    'getPrompt',
    'complete',
  ] as const)('%s with options as an argument of their own', async (method) => {
    const { server, client } = await serveAndConnect()
    const sent = server.ledger.entries.length
    const run = client[method].bind(client) as (...given: unknown[]) => Promise<unknown>
    await expectHint(() => run({ name: 'echo', uri: 'x:y' }, undefined, { timeout: 5 }), /put the options/)
    await expectHint(() => run({ name: 'echo', uri: 'x:y' }, { timeout: 5 }), /put the options/)
    expect(server.ledger.entries).toHaveLength(sent)
  })

  it('undefined arguments are none, and a cursor outside of params is refused', async () => {
    const { client } = await serveAndConnect()
    const call = client.callTool.bind(client) as (...given: unknown[]) => Promise<unknown>
    await call({ name: 'echo', arguments: { mark: 'x' } }, undefined, undefined)
    await expectHint(() => client.listTools({ cursor: '2' } as object), /params: \{ cursor/)
  })

  it.each<[string, unknown, RegExp]>([
    ['that is none', 'trace', /must be an object/],
    ['with the revision', { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }, /protocolVersion is set by/],
    ['with a progress token', { progressToken: 1 }, /onProgress/],
  ])('_meta %s', async (_name, _meta, hint) => {
    const { server, client } = await serveAndConnect()
    const options = { _meta } as { _meta: Record<string, unknown> }
    await expectHint(() => client.callTool({ name: 'echo', options }), hint)
    expect(server.ledger.count('tools/call')).toBe(0)
  })

  it('a secret in a bad address is not repeated in the hint', async () => {
    const error = await thrownBy(() =>
      make({ transport: { type: 'http', url: 'http://user:canary-password@127.0.0.1/mcp' } }),
    )
    expect(String(error)).not.toContain('canary')
  })

  it.each(['a\r\nb', 'grün ☃', '\u0000'])(
    'a header value that HTTP cannot carry (%j) never leaves, and is no unknown outcome',
    async (value) => {
      const server = await serve()
      const error = await thrownBy(() =>
        make({ transport: { type: 'http', url: server.url, headers: { 'x-api-key': value }, backoff: quick } }),
      )
      expect(error).toBeInstanceOf(Error)
      expect(String((error as Error).message)).not.toContain(value)
      expect(server.ledger.entries).toHaveLength(0)
    },
  )

  it('handlers that are no functions, lists that do not exist', async () => {
    const { client } = await serveAndConnect()
    await expectHint(() => client.onElicitationRequest('yes' as never), /function/)
    await expectHint(() => client.onSamplingRequest(undefined as never), /function/)
    await expectHint(() => client.onListChanged('tolls' as never, () => {}), /tools/)
    await expectHint(() => client.onNotification('yes' as never), /function/)
    await expectHint(() => client.subscribe('test://one', 'yes' as never), /function/)
  })

  it('a call without a name, a resource without an address', async () => {
    const { server, client } = await serveAndConnect()
    await expectHint(() => client.callTool({} as never), /name/)
    await expectHint(() => client.callTool(undefined as never), /name/)
    await expectHint(() => client.call(undefined as never), /name/)
    await expectHint(() => client.readResource({} as never), /uri/)
    await expectHint(() => client.getPrompt({} as never), /name/)
    expect(server.ledger.executions).toHaveLength(0)
    expect(server.ledger.count('tools/call')).toBe(0)
  })

  it('arguments that JSON cannot carry', async () => {
    const { server, client } = await serveAndConnect()
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    await expectHint(() => client.callTool({ name: 'echo', arguments: circle }), /circular|JSON/i)
    await expectHint(() => client.callTool({ name: 'echo', arguments: { n: 1n } }), /BigInt|JSON/i)
    expect(server.ledger.count('tools/call')).toBe(0)
    expect(await client.callTool({ name: 'echo', arguments: { mark: 'again' } })).toMatchObject({
      content: [{ text: 'again' }],
    })
  })
})
