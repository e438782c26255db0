import {
  createMCPClient,
  type ElicitationHandler,
  ElicitationRequestSchema,
  type ElicitResult,
  type InputRound,
  type JsonObject,
  MCPClient,
  type MCPClientConfig,
  type MCPError,
} from '@switchboard/mcp'
import { describe, expect, it, vi } from 'vitest'
import { failureOf } from '../faults/scenario.ts'
import { META, said, ScriptedTransport } from './scripted-transport.ts'

type Era = 'sessions' | 'stateless'

/**
 * A tool that asks one question before it answers, as servers of each era do: with a request of its own, or with a result
 * that asks. Its answer is the text of what it was told.
 */
function asking(era: Era, method: string, params: JsonObject): ScriptedTransport {
  const transport: ScriptedTransport = new ScriptedTransport(
    {
      'tools/call': async ({ inputResponses, requestState }) => {
        if (era === 'stateless') {
          if (inputResponses !== undefined)
            return { resultType: 'complete', ...said(JSON.stringify({ inputResponses, requestState })) }
          return { resultType: 'input_required', inputRequests: { q: { method, params } }, requestState: 'state ✓' }
        }
        transport.say({ jsonrpc: '2.0', id: 'ask-1', method, params })
        const answer = () => transport.sent.find((message) => !('method' in message) && message.id === 'ask-1')
        await transport.until(() => answer() !== undefined)
        return said(JSON.stringify(answer()))
      },
    },
    { discovers: era === 'stateless' },
  )
  return transport
}

/** What the tool was told, in either era. */
function told(text: string): { result?: JsonObject; error?: JsonObject } {
  const value = JSON.parse(text) as { inputResponses?: { q: JsonObject }; result?: JsonObject; error?: JsonObject }
  return value.inputResponses ? { result: value.inputResponses.q } : value
}

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'Ada' },
    guests: { type: 'integer', default: 2 },
    outside: { type: 'boolean', default: false },
    note: { type: 'string' },
  },
}
const form = { message: 'Which table?', requestedSchema: schema }

describe.each<Era>(['sessions', 'stateless'])('a question of the server (%s)', (era) => {
  const ask = async (method: string, params: JsonObject, config: Partial<MCPClientConfig>) => {
    const transport = asking(era, method, params)
    const client = await createMCPClient({ transport, ...config })
    return { transport, client, answer: async () => told((await client.call('any', { a: 1 })).text) }
  }

  it('[C8] a form reaches the handler, and its answer the server', async () => {
    const handler = vi.fn<ElicitationHandler>(() => ({ action: 'accept', content: { name: 'Grace', guests: 4 } }))
    const { answer } = await ask('elicitation/create', form, { onElicitationRequest: handler })
    expect((await answer()).result).toEqual({ action: 'accept', content: { name: 'Grace', guests: 4, outside: false } })
    expect(handler.mock.calls[0]?.[0]).toMatchObject({ method: 'elicitation/create', params: form })
  })

  it('[C8] what an accepted form leaves out gets the schema’s defaults, and only that', async () => {
    const { answer } = await ask('elicitation/create', form, { onElicitationRequest: () => ({ action: 'accept' }) })
    expect((await answer()).result).toEqual({ action: 'accept', content: { name: 'Ada', guests: 2, outside: false } })
  })

  it.each(['decline', 'cancel'] as const)('[C8] %s carries no content', async (action) => {
    const { answer } = await ask('elicitation/create', form, { onElicitationRequest: () => ({ action }) })
    expect((await answer()).result).toEqual({ action })
  })

  it('[C9] an address is asked for with its mode and whole, and acceptance carries no content', async () => {
    const params = {
      mode: 'url',
      message: 'Please pay',
      url: 'https://pay.example/order?id=7#top',
      elicitationId: 'e1',
    }
    const handler = vi.fn<ElicitationHandler>(() => ({ action: 'accept' }))
    const { answer } = await ask('elicitation/create', params, { onElicitationRequest: handler })
    expect((await answer()).result).toEqual({ action: 'accept' })
    expect(handler.mock.calls[0]?.[0].params).toMatchObject(params)
  })

  it('[C10] a request for the client’s model reaches its handler', async () => {
    const params = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 }
    const reply = { role: 'assistant', content: { type: 'text', text: 'ho' }, model: 'm', stopReason: 'endTurn' }
    const { answer } = await ask('sampling/createMessage', params, { onSamplingRequest: () => reply })
    expect((await answer()).result).toEqual(reply)
  })

  it.each<[string, MCPClientConfig['roots']]>([
    ['a list', [{ uri: 'file:///home', name: 'home' }]],
    ['a function', () => Promise.resolve([{ uri: 'file:///home', name: 'home' }])],
  ])('[C11] the roots are told from %s', async (_name, roots) => {
    const { answer } = await ask('roots/list', {}, roots ? { roots } : {})
    expect((await answer()).result).toEqual({ roots: [{ uri: 'file:///home', name: 'home' }] })
  })

  it('[C12] only what has a handler is declared', async () => {
    const declared = async (config: Partial<MCPClientConfig>): Promise<JsonObject> => {
      const transport = new ScriptedTransport(
        { 'tools/list': () => ({ tools: [] }) },
        { discovers: era === 'stateless' },
      )
      const client = await createMCPClient({ transport, ...config })
      await client.listTools()
      if (era === 'sessions') return transport.of('initialize')[0]?.['capabilities'] as JsonObject
      const { _meta } = transport.of('tools/list')[0] as { _meta: JsonObject }
      return _meta[`${META}clientCapabilities`] as JsonObject
    }
    expect(await declared({})).toEqual({})
    expect(await declared({ onElicitationRequest: () => ({ action: 'cancel' }) })).toEqual({
      elicitation: { form: {}, url: {} },
    })
    expect(Object.keys(await declared({ onSamplingRequest: () => ({}), roots: [] })).sort()).toEqual([
      'roots',
      'sampling',
    ])
    const extensions = { 'io.example/x': {} }
    expect(await declared({ capabilities: { extensions } })).toEqual({ extensions })
  })

  const address = { mode: 'url', message: 'Please pay', url: 'https://pay.example/' }

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'accept'],
    ['another action', { action: 'yes' }],
    ['content that is a list', { action: 'accept', content: ['Ada'] }],
  ])('[C8] %s is no answer: the server gets none, and the mistake is told', async (_what, given) => {
    const heard = vi.fn()
    const { answer, transport } = await ask('elicitation/create', form, {
      onElicitationRequest: () => given as ElicitResult,
      onUncaughtError: heard,
    })
    const outcome = await answer().then(
      ({ error }) => error,
      (error: unknown) => error,
    )
    expect(outcome).toMatchObject({ message: expect.stringContaining('accept, decline or cancel') as string })
    if (era === 'sessions') expect(heard).toHaveBeenCalledWith(expect.any(TypeError))
    else expect(outcome).toBeInstanceOf(TypeError)
    expect(JSON.stringify(transport.sent)).not.toContain('"action"')
  })

  it.each<[string, (transport: ScriptedTransport, handler: ElicitationHandler) => Promise<MCPClient>]>([
    [
      'with the schema of @ai-sdk/mcp',
      async (transport, handler) => {
        const client = new MCPClient({ transport })
        client.onElicitationRequest(ElicitationRequestSchema, handler)
        return client
      },
    ],
    [
      'where only forms were declared',
      (transport, onElicitationRequest) =>
        createMCPClient({ transport, onElicitationRequest, capabilities: { elicitation: {} } }),
    ],
  ])('[C9] an address never reaches a handler that was set %s', async (_how, connect) => {
    const transport = asking(era, 'elicitation/create', address)
    const handler = vi.fn<ElicitationHandler>(() => ({ action: 'accept', content: { card: '1234' } }))
    const client = await connect(transport, handler)
    const refused = await client.call('any').then(
      ({ text }) => told(text).error,
      (error: unknown) => error,
    )
    expect(refused).toMatchObject({ message: expect.stringContaining('elicitation/create of mode url') as string })
    if (era === 'sessions') expect(refused).toMatchObject({ code: -32602 })
    expect(handler).not.toHaveBeenCalled()
    const elicitation = era === 'sessions' ? transport.of('initialize')[0] : transport.of('tools/call')[0]
    expect(JSON.stringify(elicitation)).not.toContain('"url"')
  })

  it('[C9] who declares both gets both, with the schema too; who declares addresses only gets no form', async () => {
    const reached = async (params: JsonObject, elicitation: JsonObject): Promise<boolean> => {
      const transport = asking(era, 'elicitation/create', params)
      const client = await createMCPClient({ transport, capabilities: { elicitation } })
      const handler = vi.fn<ElicitationHandler>(() => ({ action: 'decline' }))
      client.onElicitationRequest(ElicitationRequestSchema, handler)
      await client.call('any').catch(() => {})
      return handler.mock.calls.length > 0
    }
    const both = { form: {}, url: {} }
    expect(await Promise.all([reached(form, both), reached(address, both)])).toEqual([true, true])
    expect(await Promise.all([reached(form, { url: {} }), reached(address, { url: {} })])).toEqual([false, true])
    expect(await Promise.all([reached(form, { applyDefaults: true }), reached({ ...form, mode: 'form' }, {})])).toEqual(
      [true, true],
    )
  })

  it.each<[string, unknown]>([
    ['no message', { requestedSchema: schema }],
    ['an unknown mode', { ...form, mode: 'hologram' }],
    ['a mode with a toString of its own making', { ...form, mode: { toString: 1 } }],
    ['no params', undefined],
  ])('[C8] a question with %s reaches nobody', async (_what, params) => {
    const handler = vi.fn<ElicitationHandler>(() => ({ action: 'accept' }))
    const { answer } = await ask('elicitation/create', params as JsonObject, { onElicitationRequest: handler })
    const refused = await answer().then(
      ({ error }) => error,
      (error: unknown) => error,
    )
    expect(refused).toMatchObject({ message: expect.stringContaining('elicitation/create') as string })
    expect(handler).not.toHaveBeenCalled()
  })

  it('[C10] what is no answer of a model is none', async () => {
    const { answer, transport } = await ask(
      'sampling/createMessage',
      { messages: [] },
      {
        onSamplingRequest: () => undefined as unknown as JsonObject,
      },
    )
    await answer().catch(() => {})
    expect(JSON.stringify(transport.sent)).not.toMatch(/"result"|"inputResponses"/)
  })

  it('[C8] a handler given later, with or without a schema before it, answers too', async () => {
    for (const withSchema of [true, false]) {
      const transport = asking(era, 'elicitation/create', form)
      const client = new MCPClient({ transport })
      const handler: ElicitationHandler = () => ({ action: 'decline' })
      if (withSchema) client.onElicitationRequest({ any: 'schema' }, handler)
      else client.onElicitationRequest(handler)
      expect(told((await client.call('any')).text).result).toEqual({ action: 'decline' })
    }
  })
})

describe('questions in the session era', () => {
  it('[C12] what nobody answers is refused with -32601, and ping is answered', async () => {
    const transport = new ScriptedTransport()
    await createMCPClient({ transport })
    transport.say({ jsonrpc: '2.0', id: 'a', method: 'elicitation/create', params: form })
    transport.say({ jsonrpc: '2.0', id: 'b', method: 'ping' })
    const answers = () => transport.sent.filter((message) => !('method' in message))
    await transport.until(() => answers().length === 2)
    expect(answers()).toContainEqual({
      jsonrpc: '2.0',
      id: 'a',
      error: { code: -32601, message: expect.any(String) as string },
    })
    expect(answers()).toContainEqual({ jsonrpc: '2.0', id: 'b', result: {} })
  })

  it('[C8] a handler that throws is an error for the server, not silence, and told here too', async () => {
    const transport = asking('sessions', 'elicitation/create', form)
    const broken = new Error('no screen')
    const heard = vi.fn(() => {
      throw new Error('no console')
    })
    const client = await createMCPClient({
      transport,
      onElicitationRequest: () => {
        throw broken
      },
      onUncaughtError: heard,
    })
    expect(told((await client.call('any')).text).error).toMatchObject({ code: -32603, message: 'no screen' })
    expect(heard.mock.calls).toEqual([[broken]])
  })

  it('[C27] over 32 at once are refused, and reach nobody', async () => {
    const transport = new ScriptedTransport()
    const heard = vi.fn()
    let asked = 0
    await createMCPClient({
      transport,
      onUncaughtError: heard,
      onElicitationRequest: () => (asked++, new Promise<never>(() => {})),
    })
    for (let id = 0; id < 100; id++) transport.say({ jsonrpc: '2.0', id, method: 'elicitation/create', params: form })
    const refused = () => transport.sent.filter((message) => 'error' in message)
    await transport.until(() => refused().length === 68)
    expect(refused()[0]).toMatchObject({
      error: { code: -32603, message: expect.stringContaining('32 others') as string },
    })
    expect([asked, heard.mock.calls]).toEqual([32, []])
    // One that is taken back makes room, whether its handler listens or not.
    transport.notify('notifications/cancelled', { requestId: 0 })
    await vi.waitFor(() => {
      transport.say({ jsonrpc: '2.0', id: 'next', method: 'elicitation/create', params: form })
      expect(asked).toBe(33)
    }, 60_000)
  })

  it('[C24] what a handler throws because its question was taken back is no news', async () => {
    const transport = new ScriptedTransport({ ping: () => ({}) })
    const heard = vi.fn()
    let asked: AbortSignal | undefined
    const client = await createMCPClient({
      transport,
      onUncaughtError: heard,
      onElicitationRequest: (_request, { signal }) => {
        asked = signal
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      },
    })
    transport.say({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: form })
    await vi.waitFor(() => expect(asked).toBeDefined(), 60_000)
    transport.notify('notifications/cancelled', { requestId: 'q' })
    await client.ping()
    expect(heard).not.toHaveBeenCalled()
  })

  it('[C24] a question that the server takes back is aborted, and gets no answer', async () => {
    const transport = new ScriptedTransport({ ping: () => ({}) })
    let seen: AbortSignal | undefined
    const client = await createMCPClient({
      transport,
      onElicitationRequest: (_request, { signal }) => {
        seen = signal
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ action: 'cancel' })))
      },
    })
    transport.say({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: form })
    await vi.waitFor(() => expect(seen).toBeDefined(), 60_000)
    transport.notify('notifications/cancelled', { requestId: 'q' })
    expect(seen?.aborted).toBe(true)
    await client.ping()
    expect(transport.sent.filter((message) => !('method' in message))).toEqual([])
  })

  it('[C11] changed roots are told to a server that knew of roots', async () => {
    const transport = new ScriptedTransport({ ping: () => ({}) })
    const client = await createMCPClient({ transport, roots: [] })
    await client.setRoots([{ uri: 'file:///new' }])
    expect(transport.of('notifications/roots/list_changed')).toHaveLength(1)
  })

  describe('[C9] -32042: addresses to visit before the tool runs', () => {
    const needing = () => {
      let visited = false
      const elicitations = [
        { mode: 'url', message: 'Sign in first', url: 'https://sign.example/', elicitationId: 'e1' },
      ]
      const transport = new ScriptedTransport({
        'tools/call': () => {
          if (visited) return said('ran')
          throw Object.assign(new Error('URL elicitation required'), { code: -32042, data: { elicitations } })
        },
      })
      return { transport, visit: () => (visited = true) }
    }

    it('each is asked for, and the call is made again', async () => {
      const { transport, visit } = needing()
      const urls: unknown[] = []
      const client = await createMCPClient({
        transport,
        onElicitationRequest: ({ params }) => {
          urls.push(params.url)
          visit()
          return { action: 'accept' }
        },
      })
      expect((await client.call('any', { a: 1 })).text).toBe('ran')
      expect(urls).toEqual(['https://sign.example/'])
      expect(transport.of('tools/call').map((params) => params['arguments'])).toEqual([{ a: 1 }, { a: 1 }])
    })

    it('one that is declined ends the call with an error, without another try', async () => {
      const { transport } = needing()
      const client = await createMCPClient({ transport, onElicitationRequest: () => ({ action: 'decline' }) })
      const error = await failureOf(client.call('any'), undefined)
      expect(error).toMatchObject({ code: -32042, method: 'tools/call' } satisfies Partial<MCPError>)
      expect(transport.of('tools/call')).toHaveLength(1)
    })

    it('without anybody to ask, the error of the server is the answer', async () => {
      for (const config of [
        {},
        { onElicitationRequest: () => ({ action: 'accept' as const }), capabilities: { elicitation: {} } },
      ]) {
        const { transport } = needing()
        const client = await createMCPClient({ transport, ...config })
        expect((await failureOf(client.call('any'), undefined)).code).toBe(-32042)
        expect(transport.of('tools/call')).toHaveLength(1)
      }
    })

    it('a server that never has enough is asked nine times at most', async () => {
      const { transport } = needing()
      const client = await createMCPClient({ transport, onElicitationRequest: () => ({ action: 'accept' }) })
      expect((await failureOf(client.call('any'), undefined)).reason).toBe('limit')
      expect(transport.of('tools/call').length).toBeLessThanOrEqual(9)
    })
  })
})

describe('input rounds of the stateless era', () => {
  it('[C27] over 32 questions in one round end the call, and reach nobody', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 33 }, (_, index) => [`q${index}`, { method: 'elicitation/create', params: form }]),
    )
    const transport = new ScriptedTransport(
      { 'tools/call': () => ({ resultType: 'input_required', inputRequests: many }) },
      { discovers: true },
    )
    const handler = vi.fn<ElicitationHandler>(() => ({ action: 'accept' }))
    const client = await createMCPClient({ transport, onElicitationRequest: handler })
    expect((await failureOf(client.call('any'), undefined)).message).toContain('asks for 33 answers at once')
    expect(handler).not.toHaveBeenCalled()
  })

  it('[E10] the state goes back as it came, with the arguments unchanged, under a new id', async () => {
    const transport = asking('stateless', 'elicitation/create', form)
    const client = await createMCPClient({ transport, onElicitationRequest: () => ({ action: 'decline' }) })
    await client.call('any', { a: 1 })
    const [first, second] = transport.of('tools/call')
    expect(first).not.toHaveProperty('requestState')
    expect(second).toMatchObject({ name: 'any', arguments: { a: 1 }, requestState: 'state ✓' })
    const ids = transport.sent.flatMap((message) =>
      'method' in message && message.method === 'tools/call' && 'id' in message ? [message.id] : [],
    )
    expect(new Set(ids).size).toBe(2)
  })

  it('[E10] a state without questions is sent back at once', async () => {
    let round = 0
    const transport = new ScriptedTransport(
      {
        'tools/call': ({ requestState }) =>
          round++ === 0
            ? { resultType: 'input_required', requestState: 's' }
            : { resultType: 'complete', ...said(String(requestState)) },
      },
      { discovers: true },
    )
    const client = await createMCPClient({ transport })
    expect((await client.call('any')).text).toBe('s')
  })

  it('[E10] prompts and resources may ask too', async () => {
    const asks = { resultType: 'input_required', inputRequests: { q: { method: 'elicitation/create', params: form } } }
    const transport = new ScriptedTransport(
      {
        'prompts/get': ({ inputResponses }) => (inputResponses ? { resultType: 'complete', messages: [] } : asks),
        'resources/read': ({ inputResponses }) => (inputResponses ? { resultType: 'complete', contents: [] } : asks),
      },
      { discovers: true },
    )
    const client = await createMCPClient({ transport, onElicitationRequest: () => ({ action: 'accept' }) })
    expect((await client.getPrompt({ name: 'p' })).messages).toEqual([])
    expect((await client.readResource({ uri: 'x://a' })).contents).toEqual([])
  })

  it('[E10] an abort while the user ponders ends the call, and nothing more is sent', async () => {
    const transport = asking('stateless', 'elicitation/create', form)
    const abort = new AbortController()
    const client = await createMCPClient({
      transport,
      onElicitationRequest: () => {
        abort.abort(new Error('stop'))
        return { action: 'accept' }
      },
    })
    await expect(client.call('any', {}, { signal: abort.signal })).rejects.toThrow('stop')
    expect(transport.of('tools/call')).toHaveLength(1)
  })
})

describe('[E15] rounds that somebody answers later', () => {
  class Asked extends Error {
    readonly round: InputRound
    constructor(round: InputRound) {
      super('The server asks first')
      this.round = round
    }
  }
  const onInputRequired = (round: InputRound): never => {
    throw new Asked(round)
  }
  const roundOf = async (call: Promise<unknown>): Promise<InputRound> => {
    const error = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof Asked)) throw new Error('It asked nothing.', { cause: error })
    return error.round
  }
  const handled = () => vi.fn<ElicitationHandler>(() => ({ action: 'cancel' }))

  it('a call that asks ends with what is thrown: no handler runs, and nothing more is sent', async () => {
    const transport = asking('stateless', 'elicitation/create', form)
    const onElicitationRequest = handled()
    const client = await createMCPClient({ transport, onElicitationRequest })
    const round = await roundOf(client.call('any', { a: 1 }, { rounds: { onInputRequired } }))
    expect(round).toEqual({
      inputRequests: { q: { method: 'elicitation/create', params: form } },
      requestState: 'state ✓',
    })
    expect(JSON.parse(JSON.stringify(round))).toEqual(round)
    expect(onElicitationRequest).not.toHaveBeenCalled()
    expect(transport.of('tools/call')).toHaveLength(1)
  })

  it('another client goes on with the answers: they and the state go as given, with the same arguments', async () => {
    const transport = asking('stateless', 'elicitation/create', form)
    const client = await createMCPClient({ transport, onElicitationRequest: handled() })
    const { requestState } = await roundOf(client.call('any', { a: 1 }, { rounds: { onInputRequired } }))
    const other = asking('stateless', 'elicitation/create', form)
    const second = await createMCPClient({ transport: other, onElicitationRequest: handled() })
    // No default of the schema is added: whoever answers later has seen the form, and left out what they left out.
    const answers = { inputResponses: { q: { action: 'accept', content: {} } }, requestState }
    const { text } = await second.call('any', { a: 1 }, { rounds: { onInputRequired, answers } })
    expect(JSON.parse(text)).toEqual(answers)
    expect(other.of('tools/call')).toMatchObject([{ name: 'any', arguments: { a: 1 }, ...answers }])
  })

  it('what is asked after the answers is another round, with a state of its own', async () => {
    const asks = { inputRequests: { q: { method: 'elicitation/create', params: form } } }
    const transport = new ScriptedTransport(
      {
        'tools/call': ({ requestState: state }) =>
          state === 'two'
            ? { resultType: 'complete', ...said('enough') }
            : { resultType: 'input_required', ...asks, requestState: state === undefined ? 'one' : 'two' },
      },
      { discovers: true },
    )
    const client = await createMCPClient({ transport, onElicitationRequest: handled() })
    const inputResponses = { q: { action: 'decline' } }
    const first = await roundOf(client.call('any', {}, { rounds: { onInputRequired } }))
    const answered = (requestState: unknown) =>
      client.call('any', {}, { rounds: { onInputRequired, answers: { inputResponses, requestState } } })
    const second = await roundOf(answered(first.requestState))
    expect([first.requestState, second.requestState]).toEqual(['one', 'two'])
    expect((await answered(second.requestState)).text).toBe('enough')
    const ids = transport.sent.flatMap((message) =>
      'method' in message && message.method === 'tools/call' && 'id' in message ? [message.id] : [],
    )
    expect(new Set(ids).size).toBe(3)
  })

  it('questions that are none are an empty round, not the server’s nonsense', async () => {
    const transport = new ScriptedTransport(
      { 'tools/call': () => ({ resultType: 'input_required', inputRequests: ['q'], requestState: 's' }) },
      { discovers: true },
    )
    const client = await createMCPClient({ transport })
    expect(await roundOf(client.call('any', {}, { rounds: { onInputRequired } }))).toEqual({
      inputRequests: {},
      requestState: 's',
    })
  })

  it('a call that asks nothing is what it is without them', async () => {
    for (const discovers of [true, false]) {
      const transport = new ScriptedTransport({ 'tools/call': () => said('plain') }, { discovers })
      const client = await createMCPClient({ transport })
      expect((await client.call('any', {}, { rounds: { onInputRequired } })).text).toBe('plain')
      expect(transport.of('tools/call')).toHaveLength(1)
    }
  })

  it('with sessions the questions reach the handlers, and answers to rounds are not sent', async () => {
    const transport = asking('sessions', 'elicitation/create', form)
    const asked = vi.fn(onInputRequired)
    const client = await createMCPClient({ transport, onElicitationRequest: () => ({ action: 'decline' }) })
    const answers = { inputResponses: { q: { action: 'accept' } }, requestState: 'of another era' }
    const { text } = await client.call('any', { a: 1 }, { rounds: { onInputRequired: asked, answers } })
    expect(told(text).result).toEqual({ action: 'decline' })
    expect(asked).not.toHaveBeenCalled()
    const [sent] = transport.of('tools/call')
    expect(sent).not.toHaveProperty('inputResponses')
    expect(sent).not.toHaveProperty('requestState')
  })
})
