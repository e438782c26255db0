import { FaultServer, type FaultTool } from '@switchboard/testkit/fault-server'
import { describe, expect, test } from 'vitest'
import { hidesText } from '#lib/visible-text.ts'
import { POISONED } from './poisoned-definitions.ts'
import { scenario, serverRecord } from './scenario.ts'

async function withTools(tools: Record<string, FaultTool>) {
  const far = await new FaultServer({ era: 'stateless', tools }).start()
  const app = await scenario([serverRecord('a', far.url)])
  return {
    far,
    app,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await far.stop()
    },
  }
}

describe('the tools of a GPT', () => {
  test('are those of its servers, in the order of servers and names, with what is known of each', async () => {
    await using one = await new FaultServer({
      tools: { b: {}, a: { annotations: { destructiveHint: true, readOnlyHint: false } } },
    }).start()
    await using two = await new FaultServer({ tools: { a: {} } }).start()
    await using app = await scenario([serverRecord('1', one.url, { trusted: true }), serverRecord('2', two.url)])
    const { tools, missing } = await app.offers(['2', '1', '2'])
    expect(missing).toEqual([])
    expect(tools.map(({ serverId, toolName }) => `${serverId}.${toolName}`)).toEqual(['2.a', '1.a', '1.b'])
    expect(tools[1]).toMatchObject({
      modelName: 'server_1__a',
      serverName: 'Server 1',
      serverTrusted: true,
      endpoint: one.url,
      title: 'a',
      description: 'The tool a',
      inputSchema: { type: 'object' },
      annotations: { destructive: true, readOnly: false },
      headerArguments: [],
    })
    expect(await app.offers(['2', '1'])).toEqual({ tools, withheld: [], missing })
  })

  test('leave out what the GPT does not want, of this server only', async () => {
    await using one = await new FaultServer({ tools: { a: {}, b: {} } }).start()
    await using two = await new FaultServer({ tools: { a: {} } }).start()
    await using app = await scenario([serverRecord('1', one.url), serverRecord('2', two.url)])
    const { tools } = await app.offers(['1', '2'], { disabledTools: [{ serverId: '1', toolName: 'a' }] })
    expect(tools.map(({ serverId, toolName }) => `${serverId}.${toolName}`)).toEqual(['1.b', '2.a'])
  })

  test('[A3.3] two servers of one name and one tool: each call reaches its own', async () => {
    await using one = await new FaultServer({ tools: { search: {} } }).start()
    await using two = await new FaultServer({ tools: { search: {} } }).start()
    await using app = await scenario([
      serverRecord('1', one.url, { name: 'Search' }),
      serverRecord('2', two.url, { name: 'Search' }),
    ])
    const { tools } = await app.offers(['1', '2'])
    expect(new Set(tools.map(({ modelName }) => modelName)).size).toBe(2)
    for (const tool of tools) await app.call(tool, { mark: tool.serverId })
    expect(one.ledger.executions.map((run) => run.arguments['mark'])).toEqual(['1'])
    expect(two.ledger.executions.map((run) => run.arguments['mark'])).toEqual(['2'])
  })

  test('[A2.10] arguments that travel as headers are named', async () => {
    const inputSchema = {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        deep: { type: 'object', properties: { id: { type: 'integer', 'x-mcp-header': 'Id' } } },
      },
    }
    await using w = await withTools({ query: { inputSchema } })
    const { tools } = await w.app.offers(['a'])
    expect(tools[0]?.headerArguments).toEqual(['region', 'deep.id'])
  })

  test('one bad schema costs one tool, and says why', async () => {
    await using w = await withTools({ good: {}, bad: { inputSchema: { $ref: 'https://evil.test/schema' } } })
    const { tools, withheld } = await w.app.offers(['a'])
    expect(tools.map(({ toolName }) => toolName)).toEqual(['good'])
    expect(withheld).toEqual([
      {
        modelName: 'server_a__bad',
        serverId: 'a',
        serverName: 'Server a',
        toolName: 'bad',
        problem: expect.stringContaining('never fetched'),
      },
    ])
    await w.app.until(() => w.app.learnt.length > 0)
    const [bad, good] = w.app.servers.get('a')?.found?.tools ?? []
    expect(bad).toMatchObject({ name: 'bad', problem: expect.stringContaining('never fetched') })
    expect(good).not.toHaveProperty('problem')
  })

  test('[A2.1] of 1,200 tools of one server 1,000 are taken', async () => {
    await using w = await withTools(Object.fromEntries(Array.from({ length: 1200 }, (_, n) => [`tool_${n}`, {}])))
    expect((await w.app.offers(['a'])).tools).toHaveLength(1000)
  })

  test('a turn that is stopped gets none', async () => {
    await using w = await withTools({ good: {} })
    const { gptWith } = await import('./scenario.ts')
    await expect(w.app.mcp.tools.toolsOf(gptWith(['a']), AbortSignal.abort())).rejects.toMatchObject({
      failure: { code: 'stopped' },
    })
  })
})

describe('[A3.1] poisoned definitions', () => {
  test('there are more than fifty', () => {
    expect(POISONED.length).toBeGreaterThanOrEqual(50)
  })

  test.each(POISONED)('%s: bounded, without anything hidden, and marked', async (_what, definition) => {
    await using w = await withTools({ honest: {}, poisoned: { definition } })
    const { tools } = await w.app.offers(['a'])
    // Its neighbour is none the worse for it.
    expect(tools.some(({ toolName }) => toolName === 'honest')).toBe(true)
    for (const { modelName, title, description, inputSchema } of tools) {
      expect(modelName).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      expect(description.length).toBeLessThan(4200)
      expect(title.length).toBeLessThan(400)
      const schema = JSON.stringify(inputSchema)
      expect(schema.length).toBeLessThan(256 << 10)
      for (const text of [title, description, ...wordsOf(inputSchema)]) expect(hidesText(text)).toBe(false)
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    await w.app.until(() => w.app.learnt.length > 0)
    const found = w.app.servers.get('a')?.found?.tools.find(({ name }) => name !== 'honest')
    const isOdd = /no text|annotations|every object/.test(_what)
    if (!isOdd) expect(found?.problem ?? found?.warnings?.join(' ')).toMatch(/./)
    expect(w.app.servers.get('a')?.found?.tools.find(({ name }) => name === 'honest')).not.toHaveProperty('warnings')
  })
})

function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return [...Object.keys(value), ...Object.values(value).flatMap(wordsOf)]
}
