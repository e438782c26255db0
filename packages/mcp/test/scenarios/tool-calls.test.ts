import { createMCPClient, HttpTransport, type CallToolResult } from '@switchboard/mcp'
import { describe, expect, it, vi } from 'vitest'
import { closing, eras, failureOf, serve, serveAndConnect } from '../faults/scenario.ts'
import { said, ScriptedTransport } from './scripted-transport.ts'

describe('call()', () => {
  const outcomeOf = async (result: object) => {
    const client = await createMCPClient({ transport: new ScriptedTransport({ 'tools/call': () => result }) })
    return client.call('any', { a: 1 })
  }
  const text = (...texts: string[]) => ({ content: texts.map((one) => ({ type: 'text', text: one })) })

  it('[C3] text joins the text parts and leaves the rest to raw', async () => {
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' }
    const outcome = await outcomeOf({ content: [{ type: 'text', text: 'a' }, image, { type: 'text', text: 'b' }] })
    expect(outcome.text).toBe('a\nb')
    expect(outcome.raw.content).toHaveLength(3)
    expect(outcome.data).toBeUndefined()
    expect(outcome.isError).toBe(false)
  })

  it.each<[string, object, unknown]>([
    ['structuredContent', { ...text('{"no":1}'), structuredContent: { yes: 1 } }, { yes: 1 }],
    ['structuredContent of null', { ...text('{"no":1}'), structuredContent: null }, null],
    ['text that is a JSON object', text(' {"a":[1]}'), { a: [1] }],
    ['text that is a JSON array', text('[1,2]'), [1, 2]],
    ['text that only begins like JSON', text('{ not json'), undefined],
    ['a plain number', text('42'), undefined],
    ['no content at all', {}, undefined],
  ])('[C3] data from %s', async (_name, result, data) => {
    expect((await outcomeOf(result)).data).toEqual(data)
  })

  it('[C3] a tool that failed is an answer, not an exception', async () => {
    const outcome = await outcomeOf({ ...text('out of paper'), isError: true })
    expect(outcome).toMatchObject({ text: 'out of paper', isError: true })
  })

  it('[C3] arguments left out are sent as an empty object', async () => {
    const transport = new ScriptedTransport({ 'tools/call': () => said('ok') })
    const client = await createMCPClient({ transport })
    await client.call('any')
    await client.callTool({ name: 'any' })
    expect(transport.of('tools/call').map((params) => params['arguments'])).toEqual([{}, {}])
  })
})

describe('ids', () => {
  it('[C4] a call whose id is 0 still finds its answer', async () => {
    const server = await serve()
    const transport = closing(new HttpTransport({ url: server.url, autoOpenStream: false }))
    const answers: { id: unknown; result?: unknown }[] = []
    transport.onmessage = (message) => answers.push(message)
    const info = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
    await transport.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: info })
    await vi.waitFor(
      () => expect(answers).toMatchObject([{ id: 0, result: { protocolVersion: '2025-11-25' } }]),
      60_000,
    )
  })

  it('[C4] every call carries a call id of its own, which a repeat of its bytes repeats', async () => {
    const { server, client } = await serveAndConnect()
    await client.call('echo', { mark: 'a' })
    await client.call('echo', { mark: 'b' })
    const [first, second] = server.ledger.executions
    expect(first?.callId).toMatch(/\S{8,}/)
    expect(second?.callId).toMatch(/\S{8,}/)
    expect(first?.callId).not.toBe(second?.callId)
  })
})

describe.each(eras)('a call under way (%s)', (era) => {
  it('[C5] progress arrives before the answer, in order, with its total and message', async () => {
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = async (exchange) => {
      if (exchange.method !== 'tools/call') return
      const { progressToken } = exchange.meta
      const stream = exchange.stream()
      for (const progress of [1, 2, 3]) {
        const params = { progressToken, progress, total: 3, message: `step ${progress}` }
        await stream.message({ jsonrpc: '2.0', method: 'notifications/progress', params })
      }
      await stream.message(exchange.reply())
      stream.end()
    }
    const seen: unknown[] = []
    const result = await client.callTool({
      name: 'echo',
      arguments: { mark: 'x' },
      options: { onProgress: ({ progress, total, message }) => seen.push([progress, total, message]) },
    })
    seen.push((result.content[0] as { text: string }).text)
    expect(seen).toEqual([[1, 3, 'step 1'], [2, 3, 'step 2'], [3, 3, 'step 3'], 'x'])
  })

  it('[C5] without onProgress no token is sent, so that the server may stay silent', async () => {
    const { server, client } = await serveAndConnect({ era })
    await client.call('echo', { mark: 'x' })
    expect(server.ledger.of('tools/call')[0]?.meta).not.toHaveProperty('progressToken')
  })

  it('[C6] no sign of life for the time allowed is a time-out, and the server learns that nobody waits', async () => {
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = (exchange) => {
      if (exchange.method === 'tools/call') exchange.stall()
    }
    const pending = client.callTool({ name: 'echo', arguments: { mark: 'x' }, options: { timeout: 1500 } })
    const error = await failureOf(pending, { server, deed: 'tools/call echo' })
    expect(error.isTimeout()).toBe(true)
    expect(error.code).toBe(-32000)
    expect(error.isOutcomeUnknown()).toBe(true)
    await server.ledger.until(() => server.ledger.disconnects.length === 1, 'the connection left')
    if (era === 'sessions') await server.ledger.untilCount('notifications/cancelled', 1)
    else expect(server.ledger.count('notifications/cancelled')).toBe(0)
  })

  it('[C6] the bounds of every call can be set once, and a call can set its own', async () => {
    const { server, client } = await serveAndConnect({ era }, {}, { requestOptions: { timeout: 600 } })
    server.onRequest = (exchange) => {
      if (exchange.method === 'tools/call') exchange.stall()
    }
    const error = await failureOf(client.call('echo', { mark: 'x' }), { server, deed: 'tools/call echo' })
    expect(error.isTimeout()).toBe(true)

    const answered = vi.fn()
    server.onRequest = async (exchange) => {
      if (exchange.method !== 'tools/call') return
      exchange.take()
      await new Promise((resolve) => setTimeout(resolve, 900))
      answered()
      exchange.json(exchange.reply())
    }
    expect((await client.call('echo', { mark: 'y' }, { timeout: 10_000 })).text).toBe('y')
    expect(answered).toHaveBeenCalledOnce()
  })

  it('[C7] an aborted call ends with the caller’s own reason, and the server sees us leave', async () => {
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = (exchange) => {
      if (exchange.method === 'tools/call') exchange.stall()
    }
    const abort = new AbortController()
    const reason = new Error('the user pressed stop')
    const pending = client.callTool({ name: 'echo', arguments: { mark: 'x' }, options: { signal: abort.signal } })
    await server.ledger.untilCount('tools/call', 1)
    abort.abort(reason)
    await expect(pending).rejects.toBe(reason)
    await server.ledger.until(() => server.ledger.disconnects.length === 1, 'the connection left')
    if (era === 'sessions') {
      await server.ledger.untilCount('notifications/cancelled', 1)
      expect(server.ledger.cancels).toEqual([server.ledger.of('tools/call')[0]?.id])
    }
  })

  it('[C20] after close() a call fails at once and sends nothing; a second close() is fine', async () => {
    const { server, client } = await serveAndConnect({ era })
    await client.close()
    await client.close()
    const sent = server.ledger.entries.length
    const error = await failureOf(client.call('echo'), undefined)
    expect(error.reason).toBe('closed')
    expect(server.ledger.entries).toHaveLength(sent)
  })

  it('[C20] close() ends the calls under way', async () => {
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = (exchange) => {
      if (exchange.method === 'tools/call') exchange.stall()
    }
    const pending = failureOf(client.call('echo', { mark: 'x' }), undefined)
    await server.ledger.untilCount('tools/call', 1)
    await client.close()
    expect((await pending).reason).toBe('closed')
  })
})

describe('reading, prompting, completing', () => {
  it('[C22] each asks with what it was given and answers with what the server said', async () => {
    const contents = [{ uri: 'x://a', text: 'A' }]
    const messages = [{ role: 'user', content: { type: 'text', text: 'hi' } }]
    const completion = { values: ['Lima', 'Lisbon'], total: 2, hasMore: false }
    const transport = new ScriptedTransport({
      'resources/read': () => ({ contents }),
      'prompts/get': () => ({ description: 'd', messages }),
      'completion/complete': () => ({ completion }),
      ping: () => ({}),
    })
    const client = await createMCPClient({ transport })
    expect((await client.readResource({ uri: 'x://a' })).contents).toEqual(contents)
    expect(await client.getPrompt({ name: 'p', arguments: { city: 'Lima' } })).toMatchObject({
      description: 'd',
      messages,
    })
    const ref = { type: 'ref/prompt', name: 'p' } as const
    const given = { ref, argument: { name: 'city', value: 'Li' }, context: { arguments: { country: 'any' } } }
    expect((await client.complete({ ...given, options: { timeout: 5000 } })).completion).toEqual(completion)
    await client.ping()
    expect(transport.of('resources/read')).toEqual([{ uri: 'x://a' }])
    expect(transport.of('prompts/get')).toEqual([{ name: 'p', arguments: { city: 'Lima' } }])
    expect(transport.of('completion/complete')).toEqual([given])
    expect(transport.of('ping')).toHaveLength(1)
  })

  it('[C22][E12] in the stateless era, which has no ping, ping() asks who is there', async () => {
    const transport = new ScriptedTransport({}, { discovers: true })
    const client = await createMCPClient({ transport })
    await client.ping()
    expect(transport.of('ping')).toHaveLength(0)
    expect(transport.of('server/discover')).toHaveLength(2)
  })
})

describe('errors of the server', () => {
  const failing = async (code: number, message: string, data?: unknown) => {
    const transport = new ScriptedTransport({
      'tools/call': () => {
        throw Object.assign(new Error(message), { code, data })
      },
    })
    const client = await createMCPClient({ transport })
    return failureOf(client.call('search'), undefined)
  }

  it('[X1] keep their code and data, and say the deed', async () => {
    const error = await failing(-32099, 'too tired', { until: 'noon' })
    expect(error).toMatchObject({ reason: 'rpc', code: -32099, data: { until: 'noon' }, method: 'tools/call' })
    expect(error.message).toMatch(/tools\/call search.*too tired/)
    expect(error.isOutcomeUnknown()).toBe(false)
  })

  it('[X1] keep their whole message, of which the error quotes the beginning', async () => {
    const said = `first line\n${'word '.repeat(200)}last`
    const error = await failing(-32099, said)
    expect(error.serverMessage).toBe(said)
    expect(error.message.length).toBeLessThan(300)
  })

  it.each<[number, string, boolean]>([
    [-32602, 'Tool search not found', true],
    [-32602, 'Unknown tool: search', true],
    [-32601, 'Method not found', true],
    [-32602, 'query must be text', false],
    [-32603, 'Tool search not found', false],
  ])('[X3] %i "%s": isToolNotFound() is %s', async (code, message, expected) => {
    expect((await failing(code, message)).isToolNotFound()).toBe(expected)
  })

  it('[X4] a stranger’s text in a message is cut, and brings no line ends and no control characters', async () => {
    const error = await failing(-32000, `line one\nline two\u001b[31m\u202e${'x'.repeat(5000)}`)
    expect(error.message.length).toBeLessThan(500)
    // oxlint-disable-next-line no-control-regex
    expect(error.message).not.toMatch(/[\u0000-\u001f\u202e]/)
  })
})

/** The type of a result is what a user writes against. */
const typed = (result: CallToolResult): string => result.content.map(({ type }) => type).join()
it('[C3] a result without content has an empty one', async () => {
  const client = await createMCPClient({ transport: new ScriptedTransport({ 'tools/call': () => ({}) }) })
  expect(typed(await client.callTool({ name: 'any' }))).toBe('')
})
