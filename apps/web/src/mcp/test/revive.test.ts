import { FaultServer } from '@switchboard/testkit/fault-server'
import { describe, expect, test } from 'vitest'
import type { OfferedTool } from '../tools-of-gpt.ts'
import { unlessOffline } from '../unless-offline.ts'
import { failureFrom, scenario, serverRecord } from './scenario.ts'

/** The first tool of a server. */
async function toolOf(app: Awaited<ReturnType<typeof scenario>>): Promise<OfferedTool> {
  const [tool] = (await app.offers(['a'])).tools
  if (!tool) throw new Error('It has none.')
  return tool
}

describe('[R-24] after a sleep', () => {
  test('a session that lives is kept: one ping, and nothing else', async () => {
    await using far = await new FaultServer({ era: 'sessions' }).start()
    await using app = await scenario([serverRecord('a', far.url)])
    await app.mcp.connections.connect('a')
    await app.mcp.connections.revive('a')
    expect(far.ledger.count('ping')).toBe(1)
    expect(far.ledger.initializes).toBe(1)
  })

  test('without sessions the connection and its streams are opened anew', async () => {
    await using far = await new FaultServer({ era: 'stateless' }).start()
    await using app = await scenario([serverRecord('a', far.url)])
    await app.mcp.connections.connect('a')
    await far.ledger.until(() => far.listeners.size === 1, 'a stream for news')
    const [before] = far.listeners
    await app.mcp.connections.revive('a')
    await far.ledger.until(() => far.listeners.size === 1 && !far.listeners.has(before as never), 'another stream')
    expect(far.ledger.count('server/discover')).toBe(2)
  })

  test('a session that the server has forgotten is begun anew', async () => {
    await using far = await new FaultServer({ era: 'sessions' }).start()
    await using app = await scenario([serverRecord('a', far.url)])
    await app.mcp.connections.connect('a')
    await far.restart()
    await app.mcp.connections.revive('a')
    expect(far.ledger.initializes).toBe(2)
    expect(app.stateOf('a')).toMatchObject({ state: 'connected' })
  })

  test.each(['sessions', 'stateless'] as const)(
    'a call whose server is gone has an unknown outcome at once, and is not made again (%s)',
    async (era) => {
      // Half open: the call has arrived, and neither an answer nor an end ever comes.
      const far = await new FaultServer({
        era,
        onRequest: (exchange) => {
          if (exchange.method === 'tools/call') exchange.stall()
        },
      }).start()
      let isDown = false
      await using app = await scenario([serverRecord('a', far.url, { timeoutSeconds: 600 })], {
        fetch: (url, init) => (isDown ? Promise.reject(new TypeError('Failed to fetch')) : fetch(url, init)),
      })
      const call = failureFrom(app.call(await toolOf(app), {}))
      await far.ledger.untilCount('tools/call', 1)
      isDown = true
      expect(await failureFrom(app.mcp.connections.revive('a'))).toMatchObject({ code: 'server-unreachable' })
      expect(await call).toMatchObject({ code: 'outcome-unknown' })
      expect(far.ledger.count('tools/call')).toBe(1)
      await far.stop()
    },
  )

  test('a call whose server is there goes on', async () => {
    let answer!: () => void
    await using far = await new FaultServer({
      era: 'stateless',
      onRequest: async (exchange) => {
        if (exchange.method === 'tools/call') await new Promise<void>((resolve) => (answer = resolve))
      },
    }).start()
    await using app = await scenario([serverRecord('a', far.url)])
    const call = app.call(await toolOf(app), {})
    await far.ledger.untilCount('tools/call', 1)
    await app.mcp.connections.revive('a')
    answer()
    expect(await call).toMatchObject({ isError: false })
    expect(far.ledger.count('tools/call')).toBe(1)
  })
})

describe('[R-26] while the device is offline', () => {
  const elsewhere = (url: string) => url.replace('http://127.0.0.1', 'https://far.example')

  test('nothing is sent, everything fails at once and says why, and no call counts as made', async () => {
    await using far = await new FaultServer({ era: 'stateless' }).start()
    let isOnline = true
    await using app = await scenario([serverRecord('a', elsewhere(far.url), { retries: 3 })], {
      fetch: unlessOffline(
        (url, init) => fetch(url.replace('https://far.example', 'http://127.0.0.1'), init),
        () => isOnline,
      ),
    })
    const tool = await toolOf(app)
    const before = far.ledger.entries.length
    isOnline = false
    const began = performance.now()
    for (const failed of [
      app.call(tool, {}),
      app.mcp.connections.use('a', ({ client }) => client.listTools(true)),
      app.mcp.connections.revive('a'),
    ])
      expect(await failureFrom(failed)).toMatchObject({
        code: 'no-network',
        message: expect.stringContaining('offline. Nothing was sent.') as string,
      })
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(far.ledger.entries.length).toBe(before)
    expect(far.ledger.executionsOf(tool.toolName)).toBe(0)

    isOnline = true
    await app.mcp.connections.revive('a')
    expect(await app.call(tool, {})).toMatchObject({ isError: false })
    expect(far.ledger.executionsOf(tool.toolName)).toBe(1)
  })

  test('what runs on the device itself is there', async () => {
    await using far = await new FaultServer({ era: 'stateless' }).start()
    await using app = await scenario([serverRecord('a', far.url)], {
      fetch: unlessOffline(fetch, () => false),
    })
    expect(await app.call(await toolOf(app), {})).toMatchObject({ isError: false })
  })
})
