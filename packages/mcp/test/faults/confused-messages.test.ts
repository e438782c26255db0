import { createMCPClient, type MCPClient } from '@switchboard/mcp'
import { describe, expect, it } from 'vitest'
import { deepArray, type EventStream, type Exchange, formatEvent } from '@switchboard/testkit/fault-server'
import {
  breath,
  clientOptions,
  closing,
  connect,
  eras,
  expectStillUsable,
  failureOf,
  serve,
  serveAndConnect,
  transportTo,
} from './scenario.ts'

const call = { name: 'echo', arguments: { mark: 'once' } }
const isCall = (exchange: Exchange) => exchange.method === 'tools/call'
const said = (text: string) => ({ content: [{ type: 'text', text }] })

describe.each(eras)('[A2.6] messages that are not the answer (%s)', (era) => {
  /** Things that look like an answer to the call and are none. */
  const impostors: Record<string, (exchange: Exchange) => unknown> = {
    'the id as a string': ({ id }) => ({ jsonrpc: '2.0', id: String(id), result: said('wrong') }),
    'an id that nobody asked with': () => ({ jsonrpc: '2.0', id: 424_242, result: said('wrong') }),
    'id null and a result': () => ({ jsonrpc: '2.0', id: null, result: said('wrong') }),
    'no id and a result': () => ({ jsonrpc: '2.0', result: said('wrong') }),
    'an id in an array': ({ id }) => ({ jsonrpc: '2.0', id: [id], result: said('wrong') }),
    'keys in other case': ({ id }) => ({ JSONRPC: '2.0', Id: id, Result: said('wrong') }),
    'no version': ({ id }) => ({ id, result: said('wrong') }),
    'version 1': ({ id }) => ({ jsonrpc: '1.0', id, result: said('wrong') }),
    'neither result nor error': ({ id }) => ({ jsonrpc: '2.0', id }),
    'a result that is text': ({ id }) => ({ jsonrpc: '2.0', id, result: 'wrong' }),
    'a result that is null': ({ id }) => ({ jsonrpc: '2.0', id, result: null }),
    'a batch': ({ id }) => [{ jsonrpc: '2.0', id, result: said('wrong') }],
    'an empty batch': () => [],
    'an error that is text': ({ id }) => ({ jsonrpc: '2.0', id, error: 'wrong' }),
    'an error without a code': ({ id }) => ({ jsonrpc: '2.0', id, error: { message: 'wrong' } }),
    'an error whose code is text': ({ id }) => ({ jsonrpc: '2.0', id, error: { code: '-1', message: 'wrong' } }),
    'our own request back': ({ message }) => message,
    'an id beyond 2^53': () => ({ jsonrpc: '2.0', id: 2 ** 53 + 2, result: said('wrong') }),
    nothing: () => null,
  }

  it.each(Object.entries(impostors))(
    '%s is thrown away, and the true answer after it counts',
    async (_name, impostor) => {
      const { server, client } = await serveAndConnect({ era })
      server.onRequest = async (exchange) => {
        if (!isCall(exchange)) return
        const stream = exchange.stream()
        await stream.message(impostor(exchange))
        await stream.message(exchange.reply())
        stream.end()
      }
      expect(await client.callTool(call)).toMatchObject(said('once'))
      expect(server.ledger.executions).toHaveLength(1)
    },
  )

  const nearly = ['the id as a string', 'a batch']
  const isFar = ([name]: [string, unknown]) => !nearly.includes(name)

  it.each(nearly)('[T15] %s alone is the answer, twice it is none', async (name) => {
    const { server, client } = await serveAndConnect({ era })
    const answer = impostors[name]!
    for (const way of ['json', 'sse', 'twice'] as const) {
      server.onRequest = async (exchange) => {
        if (!isCall(exchange)) return
        exchange.result()
        if (way === 'json') return exchange.json(answer(exchange))
        const stream = exchange.stream()
        for (let left = way === 'twice' ? 2 : 1; left > 0; left--) await stream.message(answer(exchange))
        stream.end()
      }
      const calling = client.callTool({ name: 'echo', arguments: { mark: way } })
      if (way !== 'twice') expect(await calling).toMatchObject(said('wrong'))
      else expect((await failureOf(calling, { server, deed: 'tools/call' })).isOutcomeUnknown()).toBe(true)
    }
    expect(server.ledger.executions).toHaveLength(3)
    await expectStillUsable(client, server)
  })

  it.each(Object.entries(impostors).filter(isFar))(
    '%s alone is no answer: outcome unknown',
    async (_name, impostor) => {
      const { server, client } = await serveAndConnect({ era })
      for (const way of ['json', 'sse'] as const) {
        server.onRequest = async (exchange) => {
          if (!isCall(exchange)) return
          exchange.result()
          if (way === 'json') return exchange.json(impostor(exchange))
          const stream = exchange.stream()
          await stream.message(impostor(exchange))
          stream.end()
        }
        const error = await failureOf(client.callTool({ name: 'echo', arguments: { mark: way } }), {
          server,
          deed: 'tools/call',
        })
        expect(error.isOutcomeUnknown()).toBe(true)
      }
      expect(server.ledger.executions).toHaveLength(2)
      await expectStillUsable(client, server)
    },
  )

  it('an answer on the stream of another call settles nothing', async () => {
    const { server, client } = await serveAndConnect({ era })
    const streams = new Map<string, { exchange: Exchange; stream: EventStream }>()
    server.onRequest = (exchange) => {
      if (!isCall(exchange)) return
      streams.set(exchange.mark, { exchange, stream: exchange.stream() })
      server.ledger.changed()
    }
    let settled = ''
    const one = client.callTool({ name: 'echo', arguments: { mark: 'one' } })
    const two = client.callTool({ name: 'echo', arguments: { mark: 'two' } })
    void two.then(() => (settled += 'two'))
    await server.ledger.until(() => streams.size === 2, 'both calls')
    const first = streams.get('one')
    const second = streams.get('two')
    if (!first || !second) throw new Error('unreachable')
    await first.stream.message({ jsonrpc: '2.0', id: second.exchange.id, result: said('stolen') })
    await first.stream.message(first.exchange.reply())
    first.stream.end()
    expect(await one).toMatchObject(said('one'))
    expect(settled).toBe('')
    await second.stream.message(second.exchange.reply())
    second.stream.end()
    expect(await two).toMatchObject(said('two'))
  })

  it('an error with id null in the answer to a POST belongs to that request', async () => {
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = (exchange) => {
      if (isCall(exchange))
        exchange.json({ jsonrpc: '2.0', id: null, error: { code: -32033, message: 'could not read it' } }, 400)
    }
    const error = await failureOf(client.callTool(call), undefined)
    expect(error.code).toBe(-32033)
  })

  it('a result and an error in one message: it settles once', async () => {
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = (exchange) => {
      if (isCall(exchange)) exchange.json({ ...exchange.reply(), error: { code: -32044, message: 'both' } })
    }
    const outcome = await client
      .callTool(call)
      .catch((error: unknown) => failureOf(Promise.reject(error as Error), undefined))
    expect(outcome).toBeDefined()
    await expectStillUsable(client, server)
  })

  it('notifications of every odd shape break nothing', async () => {
    const { server, client } = await serveAndConnect({ era })
    const odd = [
      { jsonrpc: '2.0', method: 'notifications/progress' },
      { jsonrpc: '2.0', method: 'notifications/progress', params: null },
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: {}, progress: 'much' } },
      { jsonrpc: '2.0', method: 'notifications/message', params: [] },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'mine' } },
      { jsonrpc: '2.0', method: 'notifications/resources/updated' },
      { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 7 } },
      { jsonrpc: '2.0', method: '' },
      { jsonrpc: '2.0', method: 7 },
      { jsonrpc: '2.0', method: '__proto__', params: { __proto__: { polluted: 1 } } },
      { jsonrpc: '2.0', method: 'notifications/toString' },
    ]
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const stream = exchange.stream()
      for (const message of odd) await stream.message(message)
      await stream.message(exchange.reply())
      stream.end()
    }
    client.onNotification(() => {
      throw new Error('a listener that throws')
    })
    expect(await client.callTool({ ...call, options: { onProgress: () => {} } })).toMatchObject(said('once'))
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it('a listener that throws inside onmessage, onProgress or onNotification loses no answer', async () => {
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const stream = exchange.stream()
      const token = exchange.meta['progressToken']
      for (let n = 1; n <= 3; n++)
        await stream.message({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: token, progress: n },
        })
      await stream.message(exchange.reply())
      stream.end()
    }
    const onProgress = () => {
      throw new Error('mine')
    }
    client.onNotification(onProgress)
    expect(await client.callTool({ ...call, options: { onProgress } })).toMatchObject(said('once'))

    const { transport, send, until, messages } = await transportTo(server)
    const deliver = transport.onmessage
    transport.onmessage = (message: unknown, extra?: unknown) => {
      deliver?.(message, extra)
      throw new Error('theirs')
    }
    const before = messages.length
    send('tools/call', call)
    await until(() => messages.slice(before).some((message) => message.result !== undefined), 'the answer')
    expect(messages.slice(before).filter((message) => message.result !== undefined)).toHaveLength(1)
  })
})

describe('[A2.6] requests of a server', () => {
  it('in the stateless era they are thrown away: no handler runs, nothing is sent back', async () => {
    let asked = 0
    const { server, client } = await serveAndConnect(
      { era: 'stateless' },
      {},
      {
        capabilities: { elicitation: {}, sampling: {}, roots: {} },
        onElicitationRequest: () => {
          asked++
          return Promise.resolve({ action: 'decline' as const })
        },
      },
    )
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const stream = exchange.stream()
      for (const method of ['elicitation/create', 'sampling/createMessage', 'roots/list', 'ping'])
        await stream.message({
          jsonrpc: '2.0',
          id: `s-${method}`,
          method,
          params: { message: 'x', requestedSchema: { type: 'object' } },
        })
      await stream.message(exchange.reply())
      stream.end()
    }
    expect(await client.callTool(call)).toMatchObject(said('once'))
    await breath()
    expect(asked).toBe(0)
    expect(server.ledger.answers).toHaveLength(0)
  })

  it('in the session era what was not declared is refused with an error, and a ping is answered', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const stream = exchange.stream()
      await stream.message({ jsonrpc: '2.0', id: 'ping-1', method: 'ping' })
      await stream.message({ jsonrpc: '2.0', id: 'odd-1', method: 'shell/execute', params: { command: 'id' } })
      await stream.message({ jsonrpc: '2.0', id: 'sample-1', method: 'sampling/createMessage', params: {} })
      await server.ledger.until(() => server.ledger.answers.length === 3, 'three answers')
      await stream.message(exchange.reply())
      stream.end()
    }
    expect(await client.callTool(call)).toMatchObject(said('once'))
    const answers = new Map(server.ledger.answers.map((answer) => [answer.id, answer]))
    expect(answers.get('ping-1')?.result).toEqual({})
    expect(answers.get('odd-1')?.error?.code).toBe(-32601)
    expect(answers.get('sample-1')?.error).toBeDefined()
  })
})

describe('[A2.7] ids that cannot be guessed', () => {
  it('clients begin at different ids', async () => {
    const server = await serve({ era: 'sessions' })
    const ids = new Set<unknown>()
    for (let n = 0; n < 8; n++) {
      const client = await connect(server)
      await client.callTool({ name: 'echo', arguments: { mark: `client-${n}` } })
    }
    for (const entry of server.ledger.of('tools/call')) ids.add(entry.id)
    expect(ids.size).toBe(8)
    for (const id of ids) expect(typeof id).toBe('number')
  })

  it('a server that mixes up its clients delivers nobody’s answer to somebody else', async () => {
    const server = await serve({ era: 'sessions' })
    const clients = [await connect(server), await connect(server)]
    const waiting: Exchange[] = []
    server.onRequest = (exchange) => {
      if (!isCall(exchange)) return
      waiting.push(exchange)
      exchange.take()
      const [one, two] = waiting
      if (!one || !two) return
      const answers = [one.reply(), two.reply()]
      one.json(answers[1])
      two.json(answers[0])
    }
    const failures = clients.map((client, n) =>
      failureOf(client.callTool({ name: 'echo', arguments: { mark: `secret of ${n}` } }), {
        server,
        deed: 'tools/call',
      }),
    )
    for (const failure of failures) {
      const error = await failure
      expect(error.isOutcomeUnknown()).toBe(true)
      expect(error.message).not.toContain('secret of')
    }
  })
})

describe('[A2.9] headers made of strangers’ text', () => {
  const tool = (name: string, header: unknown, type = 'string') => ({
    [name]: { inputSchema: { type: 'object', properties: { value: { type, 'x-mcp-header': header } } } },
  })
  const decoded = (header: string | undefined) => {
    const sentinel = /^=\?base64\?(.*)\?=$/.exec(header ?? '')
    return sentinel ? Buffer.from(sentinel[1] ?? '', 'base64').toString() : header
  }

  it.each([
    'plain',
    'two words',
    ' padded ',
    'grün',
    'line\r\nX-Evil: 1',
    '\u0000',
    '=?base64?eA==?=',
    '日本',
    'tab\tbed',
    '',
  ])('an argument %j arrives whole in its header, and adds none', async (value) => {
    const { server, client } = await serveAndConnect({ era: 'stateless', tools: tool('echo', 'Region') })
    await client.listTools()
    await client.callTool({ name: 'echo', arguments: { mark: 'once', value } })
    const [entry] = server.ledger.of('tools/call')
    expect(decoded(String(entry?.headers['mcp-param-region'] ?? ''))).toBe(value)
    expect(entry?.headers['x-evil']).toBeUndefined()
  })

  it.each(['grün', 'line\r\nX-Evil: 1', ' padded ', '=?base64?eA==?=', 'x'.repeat(3000)])(
    'a tool named %j arrives whole in Mcp-Name',
    async (name) => {
      const { server, client } = await serveAndConnect({ era: 'stateless', tools: { [name]: {} } })
      await client.callTool({ name, arguments: { mark: 'once' } })
      const [entry] = server.ledger.of('tools/call')
      expect(decoded(String(entry?.headers['mcp-name']))).toBe(name)
      expect(entry?.headers['x-evil']).toBeUndefined()
    },
  )

  it.each([
    ['a line break', 'A\r\nX-Evil: 1'],
    ['a space', 'two words'],
    ['a colon', 'a:b'],
    ['other letters', 'grün'],
    ['nothing', ''],
    ['no text', 7],
  ])('a header name with %s disables that tool only', async (_name, header) => {
    const { server, client } = await serveAndConnect({ era: 'stateless', tools: { echo: {}, ...tool('bad', header) } })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['echo'])
    expect(await client.callTool(call)).toMatchObject(said('once'))
    expect(server.ledger.of('tools/call')[0]?.headers['x-evil']).toBeUndefined()
  })

  it('header names that differ only in case disable the tool', async () => {
    const properties = {
      a: { type: 'string', 'x-mcp-header': 'Region' },
      b: { type: 'string', 'x-mcp-header': 'REGION' },
    }
    const { client } = await serveAndConnect({
      era: 'stateless',
      tools: { echo: {}, bad: { inputSchema: { type: 'object', properties } } },
    })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo'])
  })

  it.each(['Authorization', 'Mcp-Session-Id', 'x-api-key', 'Content-Length', 'Host'])(
    'a header named %s stays in its own room and cannot replace ours',
    async (header) => {
      const { server, client } = await serveAndConnect({ era: 'stateless', tools: tool('echo', header) })
      await client.listTools()
      await client.callTool({ name: 'echo', arguments: { mark: 'once', value: 'planted' } }).catch(() => {})
      for (const entry of server.ledger.of('tools/call')) {
        expect(entry.headers[header.toLowerCase()]).not.toBe('planted')
        expect(entry.headers['x-api-key']).toBe('canary-header')
      }
      expect(server.ledger.mostExecutionsOfOneCall()).toBeLessThanOrEqual(1)
    },
  )

  it.each([
    ['42', 42],
    ['-7', -7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('[A2.17] the integer %s arrives as its digits', async (digits, value) => {
    const { server, client } = await serveAndConnect({ era: 'stateless', tools: tool('echo', 'Count', 'integer') })
    await client.listTools()
    await client.callTool({ name: 'echo', arguments: { mark: 'once', value } })
    expect(server.ledger.of('tools/call')[0]?.headers['mcp-param-count']).toBe(digits)
  })

  it.each([2 ** 53 + 2, 1e21, -1e300, 1.5])('[A2.17] %d is no safe integer: no header lies about it', async (value) => {
    const { server, client } = await serveAndConnect({ era: 'stateless', tools: tool('echo', 'Count', 'integer') })
    await client.listTools()
    await client.callTool({ name: 'echo', arguments: { mark: 'once', value } }).catch((error: unknown) => {
      expect(error).toBeInstanceOf(Error)
    })
    for (const entry of server.ledger.of('tools/call')) expect(entry.headers['mcp-param-count']).toBeUndefined()
  })
})

describe('[A2.11] what may be remembered', () => {
  it('a list that is public for an hour is still not another account’s', async () => {
    const server = await serve({ era: 'stateless' })
    server.onRequest = (exchange) => {
      if (exchange.method !== 'tools/list') return
      const name = `tool-of-${exchange.header('authorization')?.slice(-1)}`
      exchange.json(
        exchange.reply({
          resultType: 'complete',
          ttlMs: 3_600_000,
          cacheScope: 'public',
          tools: [{ name, inputSchema: { type: 'object' } }],
        }),
      )
    }
    const of = async (account: string) => {
      const tokenSource = { token: () => Promise.resolve(`canary-${account}`), challenge: () => Promise.resolve(false) }
      const client = await connect(server, { tokenSource }, { cache: true })
      await client.listTools()
      return (await client.listTools()).tools.map(({ name }) => name)
    }
    expect(await of('a')).toEqual(['tool-of-a'])
    expect(await of('b')).toEqual(['tool-of-b'])
  })

  it('the same client signs in as somebody else: what it remembered is gone', async () => {
    let account = 'a'
    const server = await serve({ era: 'stateless' })
    server.onRequest = (exchange) => {
      if (exchange.method === 'tools/call' && exchange.header('authorization') !== 'Bearer canary-b')
        return exchange.send(401)
      if (exchange.method !== 'tools/list') return
      const name = `tool-of-${exchange.header('authorization')?.slice(-1)}`
      exchange.json(
        exchange.reply({
          resultType: 'complete',
          ttlMs: 3_600_000,
          cacheScope: 'private',
          tools: [{ name, inputSchema: { type: 'object' } }],
        }),
      )
    }
    const tokenSource = {
      token: () => Promise.resolve(`canary-${account}`),
      challenge: () => {
        account = 'b'
        return Promise.resolve(true)
      },
    }
    const client = await connect(server, { tokenSource }, { cache: true })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['tool-of-a'])
    await client.callTool(call)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['tool-of-b'])
  })

  it('a resource that took an input round is read anew each time', async () => {
    const { server, client } = await serveAndConnect(
      { era: 'stateless' },
      {},
      { cache: true, onElicitationRequest: () => Promise.resolve({ action: 'accept' as const, content: {} }) },
    )
    server.onRequest = (exchange) => {
      if (exchange.method !== 'resources/read' || exchange.params['requestState'] !== undefined) return
      exchange.json(
        exchange.reply({
          resultType: 'input_required',
          requestState: 'state',
          inputRequests: {
            q: {
              method: 'elicitation/create',
              params: { message: 'who?', requestedSchema: { type: 'object', properties: {} } },
            },
          },
        }),
      )
    }
    await client.readResource({ uri: 'test://one' })
    await client.readResource({ uri: 'test://one' })
    expect(server.ledger.count('resources/read')).toBe(4)
  })
})

describe('[A2.12] a server that changes its protocol', () => {
  it.each([400, 404, 405])(
    'a modern server that now says %i with an empty body is not quietly taken for an old one',
    async (status) => {
      const { server, client } = await serveAndConnect({ era: 'stateless' })
      server.onRequest = (exchange) => {
        if (isCall(exchange)) exchange.send(status)
      }
      const error = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
      expect(error.statusCode).toBe(status)
      expect(server.ledger.initializes).toBe(0)
      expect(server.ledger.gets).toBe(0)
      await expectStillUsable(client, server)
    },
  )
})

describe('[A2.13] input rounds', () => {
  const ask = (state: string | undefined) => ({
    resultType: 'input_required',
    ...(state === undefined ? {} : { requestState: state }),
    inputRequests: {
      q: {
        method: 'elicitation/create',
        params: { message: 'who?', requestedSchema: { type: 'object', properties: {} } },
      },
    },
  })
  const willing = { onElicitationRequest: () => Promise.resolve({ action: 'accept' as const, content: {} }) }

  it.each([['with questions'], ['with nothing but state']])(
    '%s without end: stops after a few rounds with a typed error',
    async (kind) => {
      let asked = 0
      const { server, client } = await serveAndConnect(
        { era: 'stateless' },
        {},
        {
          onElicitationRequest: () => {
            asked++
            return Promise.resolve({ action: 'accept' as const, content: {} })
          },
        },
      )
      server.onRequest = (exchange) => {
        if (!isCall(exchange)) return
        exchange.json(
          exchange.reply(
            kind === 'with questions' ? ask(`s${exchange.nth}`) : { resultType: 'input_required', requestState: 'x' },
          ),
        )
      }
      const error = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
      expect(error.reason).toBe('limit')
      expect(server.ledger.count('tools/call')).toBeLessThanOrEqual(9)
      expect(asked).toBeLessThanOrEqual(8)
      const ids = server.ledger.of('tools/call').map((entry) => entry.id)
      expect(new Set(ids).size).toBe(ids.length)
      await expectStillUsable(client, server)
    },
  )

  it('the state goes back byte for byte, to that call only, with the arguments unchanged', async () => {
    const state = ' {"a":1e400,"ü":"\\u0000"}\r\n=?base64?eA==?= __proto__ '
    const { server, client } = await serveAndConnect({ era: 'stateless' }, {}, willing)
    server.onRequest = (exchange) => {
      if (exchange.tool === 'echo' && exchange.mark === 'asked' && exchange.params['requestState'] === undefined)
        exchange.json(exchange.reply(ask(state)))
    }
    const [asked, plain] = await Promise.all([
      client.callTool({ name: 'echo', arguments: { mark: 'asked' } }),
      client.callTool({ name: 'echo', arguments: { mark: 'plain' } }),
    ])
    expect(asked).toMatchObject(said('asked'))
    expect(plain).toMatchObject(said('plain'))
    const withState = server.ledger.of('tools/call').filter((entry) => entry.params['requestState'] !== undefined)
    expect(withState).toHaveLength(1)
    expect(withState[0]?.params['requestState']).toBe(state)
    expect(withState[0]?.arguments).toEqual({ mark: 'asked' })
    await client.callTool({ name: 'echo', arguments: { mark: 'later' } })
    expect(server.ledger.of('tools/call').at(-1)?.params['requestState']).toBeUndefined()
  })

  it('a round that was not declared is an error, and nobody is asked', async () => {
    const { server, client } = await serveAndConnect({ era: 'stateless' })
    server.onRequest = (exchange) => {
      if (isCall(exchange)) exchange.json(exchange.reply(ask('s')))
    }
    await failureOf(client.callTool(call), { server, deed: 'tools/call' })
    expect(server.ledger.count('tools/call')).toBe(1)
    await expectStillUsable(client, server)
  })

  it.each([
    ['neither questions nor state', { resultType: 'input_required' }],
    ['questions that are a list', { resultType: 'input_required', inputRequests: [] }],
    ['a question that is none', { resultType: 'input_required', inputRequests: { q: 7 } }],
    [
      'a question of a method nobody knows',
      { resultType: 'input_required', inputRequests: { q: { method: 'shell/execute' } } },
    ],
    ['state that is no text', { resultType: 'input_required', requestState: { a: 1 } }],
  ])('%s: a typed error', async (_name, result) => {
    const { server, client } = await serveAndConnect({ era: 'stateless' }, {}, willing)
    server.onRequest = (exchange) => {
      if (isCall(exchange)) exchange.json(exchange.reply(result))
    }
    await failureOf(client.callTool(call), { server, deed: 'tools/call' })
    expect(server.ledger.count('tools/call')).toBeLessThanOrEqual(9)
    await expectStillUsable(client, server)
  })

  it('the connection breaks in a later round: the outcome is unknown, the round is not sent again', async () => {
    const { server, client } = await serveAndConnect({ era: 'stateless' }, {}, willing)
    server.onRequest = (exchange) => {
      if (!isCall(exchange)) return
      if (exchange.params['requestState'] === undefined) return exchange.json(exchange.reply(ask('s')))
      exchange.result()
      exchange.drop()
    }
    const error = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
    expect(error.isOutcomeUnknown()).toBe(true)
    expect(server.ledger.count('tools/call')).toBe(2)
    expect(server.ledger.executions).toHaveLength(1)
  })
})

describe('[A2.14] tasks nobody asked for', () => {
  const task = {
    resultType: 'task',
    taskId: 't-1',
    status: 'working',
    createdAt: '2026-11-01T00:00:00Z',
    lastUpdatedAt: '2026-11-01T00:00:00Z',
    ttlMs: null,
  }
  const asks: Record<string, (client: MCPClient) => Promise<unknown>> = {
    'resources/read': (client) => client.readResource({ uri: 'test://one' }),
    'prompts/get': (client) => client.getPrompt({ name: 'hello' }),
    'tools/list': (client) => client.listTools(),
    'completion/complete': (client) =>
      client.complete({ ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: 'b' } }),
  }
  it.each(Object.entries(asks))('a task in answer to %s is invalid', async (method, ask) => {
    const { server, client } = await serveAndConnect({ era: 'stateless' })
    server.onRequest = (exchange) => {
      if (exchange.method === method) exchange.json(exchange.reply(task))
    }
    const error = await failureOf(ask(client), { server, deed: method })
    expect(error.reason).toBe('protocol')
    await expectStillUsable(client, server)
  })

  it.each(['task', 'surprise', '', 7, null])(
    'a tool call answered with resultType %j that was not declared is invalid',
    async (resultType) => {
      const { server, client } = await serveAndConnect({ era: 'stateless' })
      server.onRequest = (exchange) => {
        if (isCall(exchange)) exchange.json(exchange.reply({ ...task, resultType }))
      }
      const error = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
      expect(error.reason).toBe('protocol')
      expect(server.ledger.count('tools/call')).toBe(1)
      await expectStillUsable(client, server)
    },
  )
})

describe('[A2.15][0b] schemas of strangers', () => {
  it('a $ref to the network is not fetched, neither for the list nor for the call', async () => {
    const elsewhere = await serve({ era: 'sessions' })
    const $ref = `${elsewhere.origin}/schema.json`
    const { client } = await serveAndConnect({
      era: 'stateless',
      tools: {
        echo: {
          inputSchema: { type: 'object', $schema: $ref, properties: { a: { $ref } } },
          definition: { outputSchema: { $ref }, icons: [{ src: $ref }] },
        },
      },
    })
    await client.listTools()
    await client.callTool(call)
    await breath()
    expect(elsewhere.ledger.connections).toBe(0)
  })

  it('a bomb of allOf and a pattern without end cost a list and a call nothing', async () => {
    let bomb: unknown = { pattern: '^(a|a)*$' }
    for (let n = 0; n < 24; n++)
      bomb = { $defs: { inner: bomb }, allOf: [{ $ref: '#/$defs/inner' }, { $ref: '#/$defs/inner' }] }
    const inputSchema = { type: 'object', properties: { value: bomb } }
    const { client } = await serveAndConnect({
      era: 'stateless',
      tools: { echo: { inputSchema, definition: { outputSchema: { pattern: '^(a|a)*$' } } } },
    })
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(1)
    const value = `${'a'.repeat(31)}!`
    expect(await client.callTool({ name: 'echo', arguments: { mark: 'once', value } })).toMatchObject(said('once'))
  })

  it('a schema of 50,000 properties with a header deep in it is looked through, once per list', async () => {
    const properties = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`p${n}`, { type: 'string' }]))
    const { client } = await serveAndConnect({
      era: 'stateless',
      tools: {
        echo: {
          inputSchema: {
            type: 'object',
            properties: { ...properties, region: { type: 'string', 'x-mcp-header': 'Region' } },
          },
        },
      },
    })
    expect((await client.listTools()).tools).toHaveLength(1)
  })
})

describe('[A2.16] names that are also parts of every object', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '0', '']

  it.each(eras)('tools with such names are listed and called as plain names (%s)', async (era) => {
    const server = await serve({ era })
    server.tools = new Map(names.filter((name) => name !== '').map((name) => [name, {}]))
    const client = await connect(server, {}, { cache: true })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names.filter((name) => name !== ''))
    for (const name of server.tools.keys()) {
      const mark = `mark of ${name}`
      expect(await client.callTool({ name, arguments: { mark } })).toMatchObject(said(mark))
    }
  })

  it.each(eras)('arguments and results keep such keys, and nothing is polluted (%s)', async (era) => {
    const { server, client } = await serveAndConnect({ era })
    const hostile = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"mark":"once"}'
    server.onRequest = (exchange) => {
      if (!isCall(exchange)) return
      const type = era === 'stateless' ? '"resultType":"complete",' : ''
      exchange.send(
        200,
        { 'content-type': 'application/json' },
        `{"jsonrpc":"2.0","id":${Number(exchange.id)},"result":{${type}"content":[],"structuredContent":${hostile},"_meta":${hostile},"__proto__":{"polluted":1}}}`,
      )
    }
    const given = JSON.parse(hostile) as Record<string, unknown>
    const result = await client.callTool({ name: 'echo', arguments: given })
    expect(JSON.stringify(server.ledger.of('tools/call')[0]?.message?.params?.['arguments'])).toBe(hostile)
    expect(JSON.stringify(result.structuredContent)).toBe(hostile)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(Object.prototype).not.toHaveProperty('polluted')
  })

  it('input rounds whose keys are such names are answered under those names', async () => {
    const { server, client } = await serveAndConnect(
      { era: 'stateless' },
      {},
      {
        onElicitationRequest: () => Promise.resolve({ action: 'accept' as const, content: {} }),
      },
    )
    server.onRequest = (exchange) => {
      if (!isCall(exchange) || exchange.params['requestState'] !== undefined) return
      const question =
        '{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}'
      exchange.send(
        200,
        { 'content-type': 'application/json' },
        `{"jsonrpc":"2.0","id":${Number(exchange.id)},"result":{"resultType":"input_required","requestState":"s","inputRequests":{"__proto__":${question},"constructor":${question}}}}`,
      )
    }
    expect(await client.callTool(call)).toMatchObject(said('once'))
    const answered = server.ledger.of('tools/call')[1]?.params['inputResponses']
    expect(Object.keys(answered ?? {}).toSorted()).toEqual(['__proto__', 'constructor'])
  })
})

describe('[A2.17] numbers and depth', () => {
  it.each(['1e400', '-1e400', '9007199254740993', '0.1e-400', '1'.repeat(400)])(
    'a result with the number %s is a result',
    async (number) => {
      const { server, client } = await serveAndConnect({ era: 'sessions' })
      server.onRequest = (exchange) => {
        if (!isCall(exchange)) return
        exchange.send(
          200,
          { 'content-type': 'application/json' },
          `{"jsonrpc":"2.0","id":${Number(exchange.id)},"result":{"content":[],"structuredContent":{"n":${number}}}}`,
        )
      }
      expect((await client.callTool(call)).structuredContent).toBeDefined()
    },
  )

  it.each(eras)('[B3] JSON nested 100,000 deep is an error that says so, as JSON and as a stream (%s)', async (era) => {
    const { server, client } = await serveAndConnect({ era })
    for (const way of ['json', 'sse']) {
      server.onRequest = (exchange) => {
        if (!isCall(exchange)) return
        const text = `{"jsonrpc":"2.0","id":${Number(exchange.id)},"result":{"content":[],"structuredContent":${deepArray(100_000)}}}`
        if (way === 'json') return exchange.send(200, { 'content-type': 'application/json' }, text)
        const stream = exchange.stream()
        void stream.raw(formatEvent({ data: text }))
        stream.end()
      }
      const error = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
      expect(error).toMatchObject({ reason: 'too-large', lost: true })
      expect(error.message).toContain('JSON nested more than 256 levels deep')
    }
    await expectStillUsable(client, server)
  })

  it('a deep notification neither breaks the stream nor the answer', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const stream = exchange.stream()
      await stream.raw(
        formatEvent({
          data: `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":${deepArray(100_000)}}}`,
        }),
      )
      await stream.message(exchange.reply())
      stream.end()
    }
    expect(await client.callTool(call)).toMatchObject(said('once'))
  })
})

describe('results that are none', () => {
  const asks: Record<string, { ask: (client: MCPClient) => Promise<unknown>; results: unknown[] }> = {
    'tools/list': {
      ask: (client) => client.listTools(),
      results: [{}, { tools: 'all' }, { tools: { a: 1 } }, { tools: null }],
    },
    'resources/list': { ask: (client) => client.listResources(), results: [{}, { resources: 7 }] },
    'prompts/list': { ask: (client) => client.listPrompts(), results: [{}, { prompts: null }] },
  }
  it.each(Object.entries(asks))(
    '[A2.6] %s whose list is no list is a typed error',
    async (method, { ask, results }) => {
      const { server, client } = await serveAndConnect({ era: 'sessions' })
      for (const result of results) {
        server.onRequest = (exchange) => {
          if (exchange.method === method) exchange.json(exchange.reply(result))
        }
        const error = await failureOf(ask(client), { server, deed: method })
        expect(error.reason).toBe('protocol')
      }
      await expectStillUsable(client, server)
    },
  )

  it('[A2.6] tools that are no tools are left out, one by one', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = (exchange) => {
      if (exchange.method === 'tools/list')
        exchange.json(
          exchange.reply({
            tools: [null, 7, 'x', {}, { name: 7 }, { name: 'good', inputSchema: { type: 'object' } }, []],
          }),
        )
    }
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual(['good'])
    const error = await createMCPClient(clientOptions(server)).then(
      (second) => closing(second).listTools(),
      (reason: unknown) => reason,
    )
    expect(error).toBeDefined()
  })

  it.each([
    { content: 'text' },
    { content: null },
    { content: [null, 7, { type: 'text' }, { type: 'new-kind' }] },
    { content: {}, isError: 'yes' },
  ])('[A2.6] call() on the odd result %j answers or fails typed', async (result) => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = (exchange) => {
      if (isCall(exchange)) exchange.json(exchange.reply(result))
    }
    const outcome = await client
      .call('echo', {})
      .catch((error: unknown) => failureOf(Promise.reject(error as Error), undefined))
    expect(outcome).toBeDefined()
    await expectStillUsable(client, server)
  })
})
