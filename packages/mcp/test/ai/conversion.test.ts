import { MCPClient, type MCPError } from '@switchboard/mcp'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { scripted, tool } from './scripted-client.ts'
import { aiVersions } from './versions.ts'

describe('tools()', () => {
  it('[D1] gives every tool of every page, with the parts that the AI SDK knows', async () => {
    const { client, transport } = await scripted([])
    const pages: Record<string, unknown> = {
      first: { tools: [tool('one')], nextCursor: 'second' },
      second: { tools: [tool('two', { title: 'Two' })] },
    }
    transport.script['tools/list'] = ({ cursor = 'first' }) => pages[cursor as string]
    const tools = await client.tools()
    expect(Object.keys(tools)).toEqual(['one', 'two'])
    expect(Object.keys(tools['two']!)).toEqual([
      'description',
      'title',
      'metadata',
      'inputSchema',
      'execute',
      'toModelOutput',
      'type',
      '_meta',
    ])
    expect(tools['two']).toMatchObject({ description: 'Does two', title: 'Two', type: 'dynamic' })
  })

  it('[D1] tells the model the server’s schema, closed, and of type object where the server forgot it', async () => {
    const { client } = await scripted([
      tool('plain'),
      tool('open', { inputSchema: { type: 'object', additionalProperties: true } }),
      tool('map', { inputSchema: { type: 'object', additionalProperties: { type: 'number' } } }),
      tool('typeless', { inputSchema: { properties: { b: true } } }),
      tool('empty', { inputSchema: {} }),
    ])
    const tools = await client.tools()
    const told = Object.entries(tools).map(([name, { inputSchema }]) => [name, inputSchema.jsonSchema])
    const closed = { type: 'object', properties: {}, additionalProperties: false }
    expect(Object.fromEntries(told)).toEqual({
      plain: { ...closed, properties: { a: { type: 'string' } }, required: ['a'] },
      open: closed,
      map: { ...closed, additionalProperties: { type: 'number' } },
      typeless: { ...closed, properties: { b: true } },
      empty: closed,
    })
  })

  it('[D2] keeps title, claims, _meta and the page of an app, under the name of the client', async () => {
    const _meta = { ui: { resourceUri: 'ui://map/view', visibility: ['app', 'robot'], extra: 1 }, other: true }
    const annotations = { title: 'A map', readOnlyHint: true, destructiveHint: 'yes', price: 3 }
    const { client } = await scripted([tool('map', { annotations, _meta })], undefined, { clientName: 'mine' })
    const { map } = await client.tools()
    expect(map?.title).toBe('A map')
    expect(map?._meta).toEqual(_meta)
    expect(map?.metadata).toEqual({
      clientName: 'mine',
      toolName: 'map',
      title: 'A map',
      annotations: { title: 'A map', readOnlyHint: true },
      app: {
        resourceUri: 'ui://map/view',
        visibility: ['app'],
        extra: 1,
        mimeType: 'text/html;profile=mcp-app',
      },
    })
    const { client: plain } = await scripted([tool('bare')])
    expect((await plain.tools())['bare']?.metadata).toEqual({ clientName: 'switchboard', toolName: 'bare' })
  })

  it.each<[string, object]>([
    ['a schema that is a text', { inputSchema: 'object' }],
    ['a schema that is a list', { inputSchema: [] }],
    ['no schema', { inputSchema: undefined }],
    ['a schema of another type', { inputSchema: { type: 'array' } }],
    ['properties that are a list', { inputSchema: { type: 'object', properties: ['a'] } }],
    ['a property without a schema', { inputSchema: { type: 'object', properties: { a: 'string' } } }],
    ['a property that is null', { inputSchema: { type: 'object', properties: { a: null } } }],
    ['required that is a text', { inputSchema: { type: 'object', required: 'a' } }],
    ['an app at a foreign address', { _meta: { ui: { resourceUri: 'https://evil.example/' } } }],
  ])('[D3] %s disables that tool alone, with a warning', async (_what, more) => {
    const { client, warnings } = await scripted([tool('good'), tool('bad\u202e', more), tool('also good')])
    const tools = await client.tools()
    expect(Object.keys(tools)).toEqual(['good', 'also good'])
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatchObject({ name: 'MCPError', reason: 'protocol' })
    expect(warnings[0]?.message).toMatch(/^the server lists bad , which is left out: /)
  })

  it('[D3] null where there is nothing is nothing', async () => {
    const inputSchema = {
      type: 'object',
      properties: null,
      required: null,
      $defs: null,
      description: null,
      default: null,
    }
    const { client, warnings } = await scripted([
      tool('clock', { inputSchema }),
      tool('bare', { inputSchema: { type: null } }),
    ])
    const { clock, bare } = await client.tools()
    expect(clock?.inputSchema.jsonSchema).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
      default: null,
    })
    expect(bare?.inputSchema.jsonSchema).toEqual({ type: 'object', properties: {}, additionalProperties: false })
    expect(warnings).toEqual([])
  })

  describe('[D3] a schema that is put together at its root, which providers refuse, is told as one object', () => {
    const text = { type: 'string' }
    const told = async (inputSchema: object): Promise<unknown> => {
      const { client, warnings } = await scripted([tool('any', { inputSchema })])
      const { any } = await client.tools()
      expect(warnings).toEqual([])
      return any?.inputSchema.jsonSchema
    }

    it.each(['oneOf', 'anyOf'])('%s: what any choice knows, and what every choice needs', async (keyword) => {
      const choices = [
        { properties: { kind: { const: 'id' }, id: text }, required: ['kind', 'id'] },
        { properties: { kind: { const: 'path' }, path: text }, required: ['path', 'kind'] },
        true,
      ]
      expect(
        await told({ type: 'object', properties: { dry: { type: 'boolean' } }, required: ['dry'], [keyword]: choices }),
      ).toEqual({
        type: 'object',
        properties: {
          dry: { type: 'boolean' },
          kind: { anyOf: [{ const: 'id' }, { const: 'path' }] },
          id: text,
          path: text,
        },
        required: ['dry', 'kind'],
        additionalProperties: false,
      })
    })

    it('allOf and references: what all of them know and need', async () => {
      const $defs = {
        base: { type: 'object', properties: { id: text }, required: ['id'] },
        'a/b': { allOf: [{ $ref: '#/$defs/base' }, { properties: { id: { type: 'string' }, size: text } }] },
      }
      expect(await told({ $defs, allOf: [{ $ref: '#/$defs/a~1b' }, { required: ['size'] }] })).toEqual({
        $defs,
        type: 'object',
        properties: { id: text, size: text },
        required: ['id', 'size'],
        additionalProperties: false,
      })
      expect(await told({ $defs, $ref: '#/$defs/base' })).toMatchObject({ properties: { id: text }, required: ['id'] })
    })

    it('what else is refused there is left out, and stays where it is not at the root', async () => {
      const inner = { oneOf: [text, { type: 'number' }] }
      expect(await told({ properties: { inner }, not: { required: ['x'] }, enum: [{}], const: {} })).toEqual({
        type: 'object',
        properties: { inner },
        additionalProperties: false,
      })
    })

    it('[A2.15] references in circles and bombs of parts end, in bounded time', async () => {
      const loop = { $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } }, $ref: '#/$defs/a' }
      const many = Array.from({ length: 10 }, () => ({ $ref: '#/$defs/bomb' }))
      const bomb = { $defs: { bomb: { allOf: many } }, allOf: many }
      const { client, warnings } = await scripted([
        tool('loop', { inputSchema: loop }),
        tool('bomb', { inputSchema: bomb }),
        tool('good'),
      ])
      const began = performance.now()
      expect(Object.keys(await client.tools())).toEqual(['loop', 'good'])
      expect(performance.now() - began).toBeLessThan(30_000)
      expect(warnings).toMatchObject([{ message: expect.stringContaining('too many parts') as string }])
    })
  })

  it('[D3] where nobody listens the console warns, once for each client', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const bad = [tool('worse', { inputSchema: 7 }), tool('bad', { inputSchema: 8 }), tool('good')]
    const { client } = await scripted(bad, undefined, { onUncaughtError: undefined } as never)
    await client.tools()
    expect(Object.keys(await client.tools())).toEqual(['good'])
    const heard = await scripted(bad)
    await heard.client.tools()
    const calls = warn.mock.calls
    warn.mockRestore()
    expect(calls).toEqual([[expect.stringMatching(/lists worse, which is left out: .*onUncaughtError/) as string]])
    expect(heard.warnings).toHaveLength(2)
  })

  it('[D3] a warning that is thrown back harms nobody', async () => {
    const { client } = await scripted([tool('bad', { inputSchema: 7 }), tool('good')], undefined, {
      onUncaughtError: () => {
        throw new Error('no console')
      },
    })
    expect(Object.keys(await client.tools())).toEqual(['good'])
  })

  it('[D3] what is no tool at all in definitions from elsewhere is left out', async () => {
    const { client, warnings } = await scripted([])
    const definitions = { tools: [null, 'x', 7, [], { name: 3 }, {}, tool('good')] } as never
    expect(Object.keys(client.toolsFromDefinitions(definitions))).toEqual(['good'])
    expect(warnings).toHaveLength(6)
  })

  it('[D4] names are the server’s choice, and harmless', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a b/c.d', '', '工具', 'x'.repeat(5000)]
    const { client, transport } = await scripted(names.map((name) => tool(name)))
    const tools = await client.tools()
    expect(Object.getPrototypeOf(tools)).toBeNull()
    expect(Object.keys(tools)).toEqual(names)
    expect(({} as Record<string, unknown>)['execute']).toBeUndefined()
    await Object.entries(tools)
      .find(([name]) => name === '__proto__')?.[1]
      .execute({ a: 'x' })
    expect(transport.of('tools/call')).toMatchObject([{ name: '__proto__', arguments: { a: 'x' } }])
  })

  it.each(aiVersions)(
    '[D4] the AI SDK $version runs a tool called __proto__, and knows no toString',
    async ({ run }) => {
      const answer = () => ({ content: [{ type: 'text', text: 'ran' }] })
      const { client, transport } = await scripted([tool('__proto__'), tool('other')], answer)
      const tools = await client.tools()
      expect((await run(tools, '__proto__', { a: '1' })).read).toEqual({ type: 'text', value: 'ran' })
      expect((await run(tools, 'toString')).call).toMatchObject({ invalid: true })
      expect(transport.of('tools/call')).toHaveLength(1)
    },
  )

  it('[D4] __proto__ inside a schema stays a property', async () => {
    const inputSchema = JSON.parse(
      '{"type":"object","__proto__":{"hacked":1},"properties":{"__proto__":{"type":"string"}}}',
    )
    const { client } = await scripted([tool('odd', { inputSchema })])
    const { odd } = await client.tools()
    expect(odd?.inputSchema.jsonSchema.hacked).toBeUndefined()
    expect(Object.keys(odd?.inputSchema.jsonSchema.properties as object)).toEqual(['__proto__'])
  })

  it('[D4] schemas that are huge, deep or refer to themselves are data', async () => {
    let deep: object = { type: 'string' }
    for (let depth = 0; depth < 100; depth++) deep = { type: 'object', properties: { deeper: deep } }
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, { type: 'string' }]))
    const loop = { $ref: '#/$defs/node' }
    const inputSchemas = [
      { type: 'object', properties: { deep } },
      { type: 'object', properties: wide },
      { type: 'object', properties: { loop }, $defs: { node: { type: 'object', properties: { next: loop } } } },
      { type: 'object', description: 'd'.repeat(1_000_000), properties: {}, $ref: 'https://evil.example/schema' },
    ]
    const fetched = vi.spyOn(globalThis, 'fetch')
    const { client, warnings } = await scripted(inputSchemas.map((inputSchema, i) => tool(`t${i}`, { inputSchema })))
    const tools = await client.tools()
    expect(warnings).toEqual([])
    for (const [index, inputSchema] of inputSchemas.entries())
      expect(tools[`t${index}`]?.inputSchema.jsonSchema).toMatchObject(inputSchema)
    expect(fetched).not.toHaveBeenCalled()
    fetched.mockRestore()
  })

  it('[D4] a thousand tools are a thousand tools, and each calls its own', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `tool-${index}`)
    const { client, transport } = await scripted(names.map((name) => tool(name)))
    const tools = await client.tools()
    expect(Object.keys(tools)).toEqual(names)
    await tools['tool-731']?.execute({ a: 'x' })
    expect(transport.of('tools/call')).toMatchObject([{ name: 'tool-731' }])
  })
})

describe('tools({ schemas })', () => {
  it('[D5] gives only the tools that are named and there', async () => {
    const { client } = await scripted([tool('one'), tool('two'), tool('constructor')])
    const inputSchema = z.object({ a: z.string() })
    const tools = await client.tools({ schemas: { two: { inputSchema }, three: { inputSchema } } })
    expect(Object.keys(tools)).toEqual(['two'])
    expect(tools.two).not.toHaveProperty('type')
    expect(Object.keys(await client.tools({ schemas: {} }))).toEqual([])
    expect(Object.keys(await client.tools({ schemas: 'automatic' }))).toHaveLength(3)
    expect(Object.keys(await client.tools({ schemas: undefined }))).toHaveLength(3)
  })

  it('[D5] a server’s broken schema does not matter where the user brings one', async () => {
    const inputSchema = z.object({})
    const broken = [tool('odd', { inputSchema: 'nothing' }), tool('list', { inputSchema: { type: 'array' } })]
    const { client, warnings } = await scripted(broken)
    const tools = await client.tools({ schemas: { odd: { inputSchema }, list: { inputSchema } } })
    expect(Object.keys(tools)).toEqual(['odd', 'list'])
    expect(warnings).toEqual([])
  })

  it.each<[string, any, RegExp]>([
    ['schemas that are none', 'all', /schemas must be an object/],
    ['a tool without a schema', { one: {} }, /one needs an inputSchema/],
    ['a schema that is a number', { one: { inputSchema: 7 } }, /one needs an inputSchema/],
  ])('[D5] %s are the programmer’s mistake, told at once', async (_what, schemas, hint) => {
    const { client } = await scripted([tool('one')])
    const mistake = await client.tools({ schemas }).catch((error: unknown) => error)
    expect(mistake).toBeInstanceOf(TypeError)
    expect((mistake as Error).message).toMatch(hint)
  })
})

describe('toolsFromDefinitions', () => {
  it('[D6] makes the same tools at once, and asks nothing', async () => {
    const { client, transport } = await scripted([tool('one'), tool('two')])
    const definitions = await client.listTools()
    const sent = transport.sent.length
    const tools = client.toolsFromDefinitions(definitions, { schemas: { one: { inputSchema: z.object({}) } } })
    expect(Object.keys(tools)).toEqual(['one'])
    expect(Object.keys(client.toolsFromDefinitions({ tools: definitions.tools }))).toEqual(['one', 'two'])
    expect(transport.sent).toHaveLength(sent)
  })

  it('[D6] needs no connection yet: the first call connects', async () => {
    const { client: other, transport } = await scripted([tool('one')])
    const definitions = await other.listTools()
    const late = new MCPClient({ transport: new (transport.constructor as any)(transport.script) })
    const { one } = late.toolsFromDefinitions(definitions)
    expect(late.getProtocolVersion()).toBeUndefined()
    expect(await one?.execute({ a: 'x' })).toEqual({ content: [] })
    await late.close()
  })

  it('[D6] what is no list of definitions is the programmer’s mistake', async () => {
    const { client } = await scripted([])
    expect(() => client.toolsFromDefinitions([] as never)).toThrow(TypeError)
  })
})

describe('execute', () => {
  it('[D7] gives the raw result, and takes no options, or those of the AI SDK', async () => {
    const result = { content: [{ type: 'text', text: 'no' }], isError: true, _meta: { cost: 3 }, more: 1 }
    const { client, transport } = await scripted([tool('one')], () => result)
    const { one } = await client.tools()
    expect(await one?.execute({ a: '1' })).toEqual(result)
    expect(await one?.execute({ a: '2' }, { messages: [], toolCallId: 't', abortSignal: undefined })).toEqual(result)
    expect(await one?.execute(undefined)).toEqual(result)
    expect(transport.of('tools/call').map(({ arguments: args }) => args)).toEqual([{ a: '1' }, { a: '2' }, {}])
  })

  it('[D7] an abort reaches the server, and its own reason the caller', async () => {
    const { client, transport } = await scripted([tool('slow')], () => new Promise(() => {}))
    const { slow } = await client.tools()
    const stop = new AbortController()
    const running = slow?.execute({ a: 'x' }, { toolCallId: 't', abortSignal: stop.signal })
    await transport.until(() => transport.of('tools/call').length === 1)
    const reason = new Error('enough')
    stop.abort(reason)
    await expect(running).rejects.toBe(reason)
    await transport.until(() => transport.of('notifications/cancelled').length === 1)
    await expect(slow?.execute({ a: 'x' }, { abortSignal: stop.signal })).rejects.toBe(reason)
    expect(transport.of('tools/call')).toHaveLength(1)
  })

  it('[D7] after close() a tool fails as closed', async () => {
    const { client } = await scripted([tool('one')])
    const { one } = await client.tools()
    await client.close()
    const failure = (await one?.execute({ a: 'x' }).catch((error: unknown) => error)) as MCPError
    expect(failure.reason).toBe('closed')
  })

  it.each(aiVersions)('[D7] the AI SDK $version hands over its signal', async ({ run }) => {
    const { client, transport } = await scripted([tool('slow')], () => new Promise(() => {}))
    const stop = new AbortController()
    const running = run(await client.tools(), 'slow', { a: 'x' }, { abortSignal: stop.signal }).catch(() => {})
    await transport.until(() => transport.of('tools/call').length === 1)
    stop.abort()
    await transport.until(() => transport.of('notifications/cancelled').length === 1)
    await running
    expect(transport.of('notifications/cancelled')).toHaveLength(1)
  })
})
