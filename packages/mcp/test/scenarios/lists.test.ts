import { createMCPClient, MCPClient, type MCPClientConfig } from '@switchboard/mcp'
import { describe, expect, it, vi } from 'vitest'
import { failureOf, serve, serveAndConnect } from '../faults/scenario.ts'
import { type Script, ScriptedTransport } from './scripted-transport.ts'

const pages: Record<string, { names: string[]; nextCursor?: string }> = {
  '': { names: ['one', 'two'], nextCursor: 'p2' },
  p2: { names: ['three'], nextCursor: 'p3' },
  p3: { names: ['four'] },
}

/** A list in three pages, whatever it lists. */
const paged =
  (key: string, extra: object = {}) =>
  (params: { cursor?: unknown }) => {
    const { names, nextCursor } = pages[String(params.cursor ?? '')] ?? { names: [] }
    const items = names.map((name) => ({
      name,
      uri: `x://${name}`,
      uriTemplate: `x://{${name}}`,
      inputSchema: { type: 'object' },
    }))
    return { resultType: 'complete', [key]: items, ...(nextCursor ? { nextCursor } : {}), ...extra }
  }

const script: Script = {
  'tools/list': paged('tools'),
  'resources/list': paged('resources'),
  'resources/templates/list': paged('resourceTemplates'),
  'prompts/list': paged('prompts'),
}

const lists = [
  ['listTools', 'tools/list', 'tools'],
  ['listResources', 'resources/list', 'resources'],
  ['listResourceTemplates', 'resources/templates/list', 'resourceTemplates'],
  ['listPrompts', 'prompts/list', 'prompts'],
] as const

const namesIn = (result: object, key: string) =>
  (Reflect.get(result, key) as { name: string }[]).map(({ name }) => name)

describe.each(lists)('%s', (call, method, key) => {
  it('[C1] without a cursor follows every page to the last, and leaves no cursor behind', async () => {
    const transport = new ScriptedTransport(script)
    const client = await createMCPClient({ transport })
    const result = await client[call]()
    expect(namesIn(result, key)).toEqual(['one', 'two', 'three', 'four'])
    expect(result.nextCursor).toBeUndefined()
    expect(transport.of(method).map(({ cursor }) => cursor)).toEqual([undefined, 'p2', 'p3'])
  })

  it('[C1] with a cursor gives that page and the next cursor', async () => {
    const transport = new ScriptedTransport(script)
    const client = await createMCPClient({ transport })
    const result = await client[call]({ params: { cursor: 'p2' } })
    expect(namesIn(result, key)).toEqual(['three'])
    expect(result.nextCursor).toBe('p3')
    expect(transport.of(method)).toHaveLength(1)
  })
})

describe('the bounds of a list', () => {
  it('[C1] a cursor that comes again ends the list with an error, not with a loop', async () => {
    const transport = new ScriptedTransport({ 'tools/list': () => ({ tools: [], nextCursor: 'again' }) })
    const client = await createMCPClient({ transport })
    const error = await failureOf(client.listTools(), undefined)
    expect(error.reason).toBe('limit')
    expect(transport.of('tools/list').length).toBeLessThanOrEqual(3)
  })

  it('[C1][B4] pages without end stop at one hundred', async () => {
    let page = 0
    const transport = new ScriptedTransport({ 'tools/list': () => ({ tools: [], nextCursor: `page ${page++}` }) })
    const client = await createMCPClient({ transport })
    const error = await failureOf(client.listTools(), undefined)
    expect(error.reason).toBe('limit')
    expect(transport.of('tools/list').length).toBeLessThanOrEqual(101)
  })

  it('[C1] an empty cursor on the last page is the end of the list', async () => {
    const transport = new ScriptedTransport({
      'tools/list': ({ cursor }) =>
        cursor === undefined
          ? { tools: [{ name: 'a' }], nextCursor: 'p2' }
          : { tools: [{ name: 'b' }], nextCursor: '' },
    })
    const client = await createMCPClient({ transport })
    expect(namesIn(await client.listTools(), 'tools')).toEqual(['a', 'b'])
    expect(transport.of('tools/list')).toHaveLength(2)
  })
})

describe('the cache', () => {
  const make = async (given: Script, config: Partial<MCPClientConfig> = {}, options: { discovers?: boolean } = {}) => {
    const transport = new ScriptedTransport(given, options)
    const client = new MCPClient({ transport, ...config })
    const asked = () => transport.of('tools/list').length
    return { transport, client, asked }
  }
  const one: Script = { 'tools/list': () => ({ tools: [{ name: 'one', inputSchema: { type: 'object' } }] }) }

  it('[C2] new MCPClient asks once, until listTools(true)', async () => {
    const { client, asked } = await make(one)
    await client.listTools()
    await client.listTools()
    expect(asked()).toBe(1)
    await client.listTools(true)
    expect(asked()).toBe(2)
    await client.listTools()
    expect(asked()).toBe(2)
  })

  it('[C2] createMCPClient asks every time, unless told to keep lists', async () => {
    const transport = new ScriptedTransport(one)
    const client = await createMCPClient({ transport })
    await client.listTools()
    await client.listTools()
    expect(transport.of('tools/list')).toHaveLength(2)

    const silent = new ScriptedTransport(one)
    const asker = await createMCPClient({ transport: silent, cache: undefined } as unknown as MCPClientConfig)
    await asker.listTools()
    await asker.listTools()
    expect(silent.of('tools/list')).toHaveLength(2)

    const keeping = new ScriptedTransport(one)
    const keeper = await createMCPClient({ transport: keeping, cache: true })
    await keeper.listTools()
    await keeper.listTools()
    expect(keeping.of('tools/list')).toHaveLength(1)
  })

  it('[C2] a list change makes the next list a new one, and only that list', async () => {
    const { transport, client, asked } = await make({ ...one, 'prompts/list': () => ({ prompts: [] }) })
    await client.listTools()
    await client.listPrompts()
    transport.notify('notifications/tools/list_changed')
    await client.listTools()
    await client.listPrompts()
    expect(asked()).toBe(2)
    expect(transport.of('prompts/list')).toHaveLength(1)
  })

  it('[C2] in the stateless era a list lives as long as its ttlMs, and without one not at all', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] })
    try {
      const complete = { resultType: 'complete' as const }
      const living = await make(
        { 'tools/list': () => ({ ...complete, tools: [], ttlMs: 1000, cacheScope: 'public' }) },
        { cache: false },
        { discovers: true },
      )
      await living.client.listTools()
      vi.advanceTimersByTime(900)
      await living.client.listTools()
      expect(living.asked()).toBe(1)
      vi.advanceTimersByTime(200)
      await living.client.listTools()
      expect(living.asked()).toBe(2)

      for (const ttlMs of [undefined, 0, -5]) {
        const stale = await make(
          { 'tools/list': () => ({ ...complete, tools: [], ...(ttlMs === undefined ? {} : { ttlMs }) }) },
          { cache: false },
          { discovers: true },
        )
        await stale.client.listTools()
        await stale.client.listTools()
        expect(stale.asked()).toBe(2)
      }
    } finally {
      vi.useRealTimers()
    }
  })

  it('[C2] a resource is kept only for its ttlMs, and not past the news that it changed', async () => {
    let version = 0
    const { transport, client } = await make(
      {
        'resources/read': ({ uri }) => ({
          resultType: 'complete',
          contents: [{ uri, text: `version ${++version}` }],
          ...(uri === 'x://kept' ? { ttlMs: 60_000, cacheScope: 'private' } : {}),
        }),
      },
      {},
      { discovers: true },
    )
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0]
    expect(await read('x://kept')).toEqual(await read('x://kept'))
    expect(await read('x://fresh')).not.toEqual(await read('x://fresh'))
    const before = await read('x://kept')
    transport.notify('notifications/resources/updated', { uri: 'x://kept' })
    expect(await read('x://kept')).not.toEqual(before)
  })

  it('[C2] pages asked for by cursor are never kept', async () => {
    const transport = new ScriptedTransport(script)
    const client = new MCPClient({ transport })
    await client.listTools({ params: { cursor: 'p3' } })
    await client.listTools({ params: { cursor: 'p3' } })
    expect(transport.of('tools/list')).toHaveLength(2)
  })

  it('[C2][S7] a new session forgets what the old one listed', async () => {
    const { server, client } = await serveAndConnect({}, {}, { cache: true })
    await client.listTools()
    await client.listTools()
    expect(server.ledger.count('tools/list')).toBe(1)
    server.forgetSessions()
    await client.callTool({ name: 'echo', arguments: { mark: 'renew' } })
    await client.listTools()
    expect(server.ledger.count('tools/list')).toBe(2)
  })

  it('[C20] new MCPClient says nothing before its first call, and connects once for many', async () => {
    const server = await serve()
    const client = new MCPClient({ transport: { type: 'http', url: server.url }, protocolVersionDiscovery: false })
    expect(server.ledger.entries).toHaveLength(0)
    await Promise.all([client.listTools(), client.listPrompts(), client.ping()])
    expect(server.ledger.initializes).toBe(1)
    await client.close()
  })
})
