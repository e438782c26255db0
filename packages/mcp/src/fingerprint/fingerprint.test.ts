import * as peer from '@ai-sdk/mcp'
import {
  detectMCPAppResourceDrift,
  detectToolDrift,
  fingerprintMCPAppResource,
  fingerprintToolDefinition,
  fingerprintTools,
  type MCPAppResource,
  type Tool,
} from '@switchboard/mcp'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as ai from 'ai'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod-3'
import { canonicalJson } from './canonical-json.ts'

const forecast: Tool = {
  name: 'forecast',
  title: 'Forecast',
  description: 'Tells the weather',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
  },
  outputSchema: { type: 'object', properties: { degrees: { type: 'number' } } },
  annotations: { title: 'Weather', readOnlyHint: true },
  icons: [{ src: 'https://a.example/i.png' }],
  _meta: { ui: { resourceUri: 'ui://a', visibility: ['model'] } },
}
const endpoint = 'https://weather.example/mcp'

/** The same value with every key in the opposite order. */
function turned<T>(value: T): T {
  if (Array.isArray(value)) return value.map(turned) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, turned(inner)]),
  ) as T
}

/** Every value that differs from the given one in one place. */
function* changes(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    yield value.slice(1)
    if (value.length > 1) yield value.toReversed()
    for (const [at, inner] of value.entries()) for (const other of changes(inner)) yield value.with(at, other)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      const { [key]: _, ...rest } = value as Record<string, unknown>
      yield rest
      yield { ...rest, [`${key} `]: inner }
      for (const other of changes(inner)) yield { ...value, [key]: other }
    }
    yield { ...value, extra: null }
  } else {
    yield `${value} `
    yield null
    if (typeof value === 'boolean') yield !value
    else yield [value]
  }
}

describe('the fingerprint of a definition', () => {
  it('[F1] the order of keys makes no difference', async () => {
    expect(turned(forecast)).toEqual(forecast)
    expect(JSON.stringify(turned(forecast))).not.toBe(JSON.stringify(forecast))
    const print = await fingerprintToolDefinition(forecast, { endpoint })
    expect(await fingerprintToolDefinition(turned(forecast), { endpoint })).toBe(print)
    expect(await fingerprintToolDefinition({ ...forecast, nothing: undefined }, { endpoint: new URL(endpoint) })).toBe(
      print,
    )
    expect(print).toMatch(/^[\w-]{43}$/)
  })

  it('[F2] anything else does: any field, anywhere in it, and the place', async () => {
    const prints = new Set([await fingerprintToolDefinition(forecast, { endpoint })])
    let count = 1
    const seen = new Set([JSON.stringify(forecast)])
    for (const other of changes(forecast)) {
      const text = JSON.stringify(other)
      if (seen.has(text)) continue
      seen.add(text)
      prints.add(await fingerprintToolDefinition(other as Tool, { endpoint }))
      count++
    }
    prints.add(await fingerprintToolDefinition(forecast, { endpoint: 'https://weather.example/other' }))
    prints.add(await fingerprintToolDefinition(forecast))
    expect(count).toBeGreaterThan(90)
    expect(prints.size).toBe(count + 2)
  })

  it('[F3] texts that only look alike once written are not alike', async () => {
    const lookalikes: unknown[] = [
      { a: '1' },
      { a: 1 },
      { a: '"1"' },
      { 'a":"1': '' },
      { a: '\ud800' },
      { a: '\udfff' },
      { a: '\\ud800' },
      { a: [] },
      { a: {} },
      { a: 'é' },
      { a: 'e\u0301' },
      JSON.parse('{"__proto__":{"a":1}}'),
      JSON.parse('{"__proto__":{"a":2}}'),
      {},
    ]
    const prints = await Promise.all(lookalikes.map((value) => fingerprintToolDefinition(value as object)))
    expect(new Set(prints).size).toBe(lookalikes.length)
  })
})

describe('what is hostile', () => {
  it('[F4] is refused where it is nested or long without end, in bounded time', async () => {
    let deep: object = {}
    for (let level = 0; level < 100_000; level++) deep = { deep }
    const loop: Record<string, unknown> = { name: 'loop' }
    loop['one'] = loop['two'] = loop
    const began = performance.now()
    await expect(async () => fingerprintToolDefinition(deep)).rejects.toMatchObject({ reason: 'limit' })
    await expect(async () => fingerprintTools([loop])).rejects.toMatchObject({ reason: 'limit' })
    await expect(async () => fingerprintTools([{ name: 'long', text: 'x'.repeat(17 << 20) }])).rejects.toMatchObject({
      reason: 'limit',
    })
    expect(performance.now() - began).toBeLessThan(30_000)
  })

  it('[F4] a flat list of many tools takes time in proportion', async () => {
    const many = Array.from({ length: 2000 }, (_, index) => ({ ...forecast, name: `tool-${index}` }))
    expect(Object.keys(await fingerprintTools(many))).toHaveLength(2000)
  })

  it('[F5] names like __proto__ are names', async () => {
    const tools = ['__proto__', 'constructor', 'toString'].map((name) => ({ ...forecast, name }))
    const before = await fingerprintTools(tools)
    expect(Object.keys(before).sort()).toEqual(['__proto__', 'constructor', 'toString'])
    const stored = JSON.parse(JSON.stringify(before)) as Record<string, string>
    expect(detectToolDrift(before, stored)).toEqual({ added: [], removed: [], changed: [] })
    expect(detectToolDrift(before, {})).toEqual({ added: Object.keys(before), removed: [], changed: [] })
    const after = await fingerprintTools(tools.map((tool) => ({ ...tool, description: 'Sends all files away' })))
    expect(detectToolDrift(after, stored).changed).toEqual(Object.keys(before))
  })

  it('[F5] a second tool of the same name does not hide behind the first, nor what is no tool', async () => {
    const other = { ...forecast, description: 'other' }
    const once = await fingerprintTools([forecast])
    for (const list of [
      [forecast, other],
      [other, forecast],
      [forecast, forecast],
    ]) {
      expect(detectToolDrift(await fingerprintTools(list), once).changed).toEqual(['forecast'])
    }
    expect(await fingerprintTools([null as never, 'text' as never, { title: 'no name' }, forecast])).toEqual(once)
  })

  it('[F6] a page without Web Crypto is told what it needs', async () => {
    vi.stubGlobal('crypto', {})
    try {
      await expect(fingerprintTools([forecast])).rejects.toThrow('https')
    } finally {
      vi.unstubAllGlobals()
    }
  })
})

describe('the fingerprints of tool sets', () => {
  const sets: ai.ToolSet = {
    text: ai.dynamicTool({ description: 'd', inputSchema: ai.jsonSchema({ type: 'object' }), execute: async () => '' }),
    titled: {
      ...ai.dynamicTool({ inputSchema: ai.jsonSchema({ b: 1, a: [undefined] } as never), execute: async () => '' }),
      title: 't',
    },
    lazy: ai.dynamicTool({ inputSchema: ai.jsonSchema(async () => ({ type: 'object' })), execute: async () => '' }),
    later: ai.dynamicTool({
      inputSchema: (() => ai.jsonSchema({ type: 'string' })) as never,
      execute: async () => '',
    }),
    empty: { type: 'dynamic', execute: async () => '' } as never,
    spoken: ai.tool({
      description: () => 'made',
      inputSchema: ai.jsonSchema({ type: 'object' }),
      execute: async () => '',
    }),
    undone: ai.dynamicTool({
      inputSchema: ai.jsonSchema({ type: 'object', title: undefined } as never),
      execute: async () => '',
    }),
  }

  it('[F7] are those of ai 7, so that what was trusted there is trusted here', async () => {
    const prints = await fingerprintTools(sets)
    expect(prints).toEqual(await ai.fingerprintTools(sets))
    expect(detectToolDrift(prints, { text: prints['text']!, titled: 'x', gone: 'y' })).toEqual(
      ai.detectToolDrift(prints, { text: prints['text']!, titled: 'x', gone: 'y' }),
    )
  })

  const city = z.object({ city: z.string().describe('where'), at: z.object({ lat: z.number() }).optional() })
  const callable = Object.assign(() => 0, {
    '~standard': toStandardJsonSchema(v.object({ n: v.number() }))['~standard'],
  })
  const schemas: Record<string, unknown> = {
    zod: city,
    'zod of many kinds': z.object({
      list: z.array(city).default([]),
      choice: z.union([city, z.strictObject({ id: z.int() }), z.null()]),
      both: z.intersection(city, z.looseObject({ b: z.boolean() })),
      pair: z.tuple([city, z.string()]),
      names: z.record(z.string(), city),
      one: z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
    }),
    'zod wrapped': ai.zodSchema(city),
    'zod 3 wrapped': ai.zodSchema(z3.object({ a: z3.string() })),
    valibot: toStandardJsonSchema(v.object({ inner: v.object({ n: v.number() }), any: v.looseObject({}) })),
    callable,
  }

  it.each(Object.entries(schemas))('[F7] of a set with schemas of its user: %s', async (_what, inputSchema) => {
    const set = { mine: ai.tool({ description: 'd', inputSchema: inputSchema as never, execute: async () => '' }) }
    const prints = await fingerprintTools(set)
    expect(prints).toEqual(await ai.fingerprintTools(set))
    expect(prints['mine']).not.toBe((await fingerprintTools({ mine: { ...set.mine, inputSchema: undefined } }))['mine'])
  })

  it('[F7] a schema that cannot say what it is, is named, with a way out', async () => {
    for (const inputSchema of [z3.object({ a: z3.string() }), v.object({ n: v.number() })])
      await expect(fingerprintTools({ mine: { inputSchema } })).rejects.toThrow(
        /^The input schema of mine cannot be written as JSON Schema: use .*jsonSchema\(\)/,
      )
  })

  it('[F7] a schema that is none of an MCP tool is a mistake that is named', async () => {
    await expect(fingerprintTools({ mine: { inputSchema: { type: 'object' } } })).rejects.toThrow(/schema of mine/)
  })

  it('[F8] a list, its tools and one tool agree', async () => {
    const one = await fingerprintToolDefinition(forecast, { endpoint })
    expect(await fingerprintTools({ tools: [forecast] }, { endpoint })).toEqual({ forecast: one })
    expect(await fingerprintTools([forecast], { endpoint })).toEqual({ forecast: one })
  })

  it('[F8] a set may hold a tool that is called tools', async () => {
    const set = { tools: sets['text']! }
    expect(await fingerprintTools(set)).toEqual(await ai.fingerprintTools(set))
  })
})

describe('the fingerprint of an app’s page', () => {
  const page = (more: Partial<MCPAppResource>): MCPAppResource => ({
    uri: 'ui://a',
    mimeType: 'text/html;profile=mcp-app',
    html: '<p>',
    ...more,
  })
  const pages = [
    page({}),
    page({ html: '<p>changed' }),
    page({ meta: { csp: { connectDomains: ['https://a.example'] } } }),
    page({ meta: { csp: { connectDomains: undefined as never } } }),
    page({ meta: { permissions: { camera: {} } } }),
  ]

  it('[F9] is that of @ai-sdk/mcp', async () => {
    const prints = await Promise.all(pages.map(fingerprintMCPAppResource))
    expect(prints).toEqual(await Promise.all(pages.map((one) => peer.fingerprintMCPAppResource(one as never))))
    expect(prints[0]).toBe('4-LuCiiSBwEdTQZoI1-GDPCLon71vk_w4oniricAcYI')
    expect(new Set(prints).size).toBe(pages.length)
  })

  it('[F9] tells a changed page, policy or permission, and nothing else', async () => {
    const [first = '', ...others] = await Promise.all(pages.map(fingerprintMCPAppResource))
    for (const other of others) expect(detectMCPAppResourceDrift(other, first)).toBe(true)
    const bordered = await fingerprintMCPAppResource(page({ meta: { prefersBorder: true } }))
    expect(detectMCPAppResourceDrift(bordered, first)).toBe(false)
  })
})

describe('canonical JSON', () => {
  it('[F1] is JSON again', () => {
    expect(JSON.parse(canonicalJson(forecast))).toEqual(forecast)
    expect(canonicalJson({ b: [1, { d: null, c: undefined }], a: 'x' })).toBe('{"a":"x","b":[1,{"d":null}]}')
  })
})
