import { createMCPClient, isMCPError, MCPClient, type MCPClientConfig } from '@switchboard/mcp'
import { describe, expect, it } from 'vitest'
import { clientOptions, closing, failureOf, serve } from '../faults/scenario.ts'
import { said, ScriptedTransport } from './scripted-transport.ts'

const never = new Promise<never>(() => {})
const LIMIT = { timeout: 300 }
/** Where connecting has to be in time, on a machine that may stand still for a while. */
const ROOMY = { timeout: 2500 }

/** What connecting comes to, and how long that took. */
async function attempt(config: MCPClientConfig): Promise<{ error: unknown; ms: number }> {
  const began = performance.now()
  const error: unknown = await createMCPClient(config).then(
    (client) => client.close(),
    (failure: unknown) => failure,
  )
  return { error, ms: performance.now() - began }
}

describe('initializationOptions bound connecting as a whole', () => {
  it.each(['start', 'initialize', 'initialized', 'close'])(
    '[C25] a transport that hangs in %s is left',
    async (step) => {
      const transport = new ScriptedTransport(step === 'initialize' ? { initialize: () => never } : {})
      if (step === 'start') transport.start = () => never
      const { send } = transport
      if (step === 'initialized' || step === 'close')
        transport.send = (message) =>
          'method' in message && message.method === 'notifications/initialized' ? never : send.call(transport, message)
      if (step === 'close') transport.close = () => never
      const { error, ms } = await attempt({ transport, initializationOptions: LIMIT })
      expect(isMCPError(error) && error.isTimeout() && error.message).toMatch(
        /^Connecting to the server took over 300 ms/,
      )
      expect(ms).toBeLessThan(30_000)
    },
  )

  it('[C25] steps that are each in time are too slow together', async () => {
    const server = await serve({
      era: 'sessions',
      onRequest: (exchange) =>
        exchange.httpMethod === 'POST' ? new Promise((resolve) => setTimeout(resolve, 200)) : undefined,
    })
    const options = clientOptions(server, {}, { initializationOptions: LIMIT, protocolVersionDiscovery: true })
    const error = await failureOf(createMCPClient(options), undefined)
    expect(error.isTimeout()).toBe(true)
    expect(error.message).toContain(server.host)
  })

  it('[C25] the shorter of the two times counts', async () => {
    const transport = new ScriptedTransport({ initialize: () => never })
    const initializationOptions = { timeout: 60_000, maxTotalTimeout: 100 }
    const { error } = await attempt({ transport, initializationOptions })
    expect(error).toMatchObject({ message: expect.stringContaining('100 ms') as string })
  })

  it('[C25] a server that swallows the first question still has time for the second', async () => {
    const transport = new ScriptedTransport({ 'server/discover': () => never }, { discovers: true })
    const client = await createMCPClient({ transport, initializationOptions: { timeout: 5000 } })
    expect(client.getProtocolVersion()).toBe('2025-11-25')
    await client.close()
  })

  it('[C25] its signal ends connecting with its own reason, before, and in the middle of it', async () => {
    const reason = new Error('enough')
    const before = new ScriptedTransport()
    const aborted = await attempt({
      transport: before,
      initializationOptions: { signal: AbortSignal.abort(reason) },
    })
    expect([aborted.error, before.started]).toEqual([reason, 0])

    const abort = new AbortController()
    const transport = new ScriptedTransport()
    transport.start = () => {
      abort.abort(reason)
      return never
    }
    const { error } = await attempt({ transport, initializationOptions: { signal: abort.signal } })
    expect([error, transport.sent, transport.closed]).toEqual([reason, [], 1])
  })

  it('[C25] once connected, neither time nor signal means anything', async () => {
    const abort = new AbortController()
    const transport = new ScriptedTransport({
      'tools/call': async () => {
        await new Promise((resolve) => setTimeout(resolve, 3000))
        return said('done')
      },
    })
    const client = await createMCPClient({ transport, initializationOptions: { ...ROOMY, signal: abort.signal } })
    const call = client.call('slow')
    abort.abort()
    expect((await call).text).toBe('done')
    await client.close()
  })

  it('[C25] a client that connects by itself can try again, and the late answer of the first try changes nothing', async () => {
    let tries = 0
    let answerLate = (): void => {}
    const transport = new ScriptedTransport({
      'tools/call': () => said('done'),
      initialize: () => {
        const result = {
          protocolVersion: tries++ === 0 ? '2024-11-05' : '2025-06-18',
          capabilities: {},
          serverInfo: {},
        }
        if (tries > 1) return result
        return new Promise((resolve) => {
          answerLate = () => resolve(result)
        })
      },
    })
    const client = closing(new MCPClient({ transport, initializationOptions: ROOMY }))
    expect((await failureOf(client.connect(), undefined)).isTimeout()).toBe(true)
    expect((await client.call('any')).text).toBe('done')
    answerLate()
    expect((await client.call('any')).text).toBe('done')
    expect(client.getProtocolVersion()).toBe('2025-06-18')
  })

  it('[C25][O10] it rests while a person signs in', async () => {
    const server = await serve({
      era: 'sessions',
      onRequest: (exchange) => {
        if (exchange.header('authorization') !== 'Bearer new') exchange.send(401)
      },
    })
    let token = ''
    const tokenSource = {
      token: () => Promise.resolve(token),
      challenge: async () => {
        await new Promise((resolve) => setTimeout(resolve, 3000))
        token = 'new'
        return true
      },
    }
    const client = closing(
      await createMCPClient(clientOptions(server, { tokenSource }, { initializationOptions: ROOMY })),
    )
    expect(client.getProtocolVersion()).toBe('2025-11-25')
  })
})

it('[C20] a failed attempt is told at once, whatever closing does', async () => {
  const transport = new ScriptedTransport({
    initialize: () => {
      throw new Error('not today')
    },
  })
  transport.close = () => Promise.reject(new Error('cannot close'))
  expect((await failureOf(createMCPClient({ transport }), undefined)).message).toContain('not today')
})
