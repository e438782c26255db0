import { FaultServer } from '@switchboard/testkit/fault-server'
import { describe, expect, test } from 'vitest'
import { failureFrom, scenario, serverRecord } from './scenario.ts'

const startServer = (options = {}) => new FaultServer({ era: 'sessions', ...options }).start()

describe('connecting', () => {
  test('twenty who come at once share one connection, and it is kept', async () => {
    await using far = await startServer()
    await using app = await scenario([serverRecord('a', far.url)])
    await Promise.all(Array.from({ length: 20 }, () => app.offers(['a'])))
    await app.offers(['a'])
    expect(far.ledger.initializes).toBe(1)
    expect(far.ledger.count('tools/list')).toBeLessThanOrEqual(2)
  })

  test('its states are told, with revision and session', async () => {
    await using far = await startServer()
    await using app = await scenario([serverRecord('a', far.url)])
    await app.mcp.connections.connect('a')
    expect(app.states).toEqual([
      ['a', { state: 'connecting' }],
      ['a', { state: 'connected', protocolVersion: '2025-11-25', sessionId: [...far.sessions][0] }],
    ])
  })

  test('what was found is kept, with the time and the session', async () => {
    await using far = await startServer({ tools: { echo: { description: 'Says it again' }, add: {} } })
    await using app = await scenario([serverRecord('a', far.url)])
    await app.mcp.connections.connect('a')
    await app.until(() => app.learnt.length > 0)
    const { found, lastConnectedAt, sessionId } = app.servers.get('a') ?? {}
    expect(found).toMatchObject({
      title: 'fault-server',
      version: '1.0.0',
      protocolVersion: '2025-11-25',
      resources: 1,
      prompts: 1,
    })
    expect(found?.tools.map(({ name }) => name)).toEqual(['add', 'echo'])
    expect(lastConnectedAt).toBe(app.clock.ms)
    expect(sessionId).toBe([...far.sessions][0])
  })

  test.each(['sessions', 'stateless'] as const)('a changed list is noticed and kept (%s)', async (era) => {
    await using far = await startServer({ era })
    await using app = await scenario([serverRecord('a', far.url)])
    await app.mcp.connections.connect('a')
    await app.until(() => app.learnt.length > 0)
    await far.ledger.until(() => far.listeners.size > 0, 'a stream for news')
    far.tools.set('added', {})
    far.push({ method: 'notifications/tools/list_changed' })
    await app.until(() => app.servers.get('a')?.found?.tools.length === 2)
    expect((await app.offers(['a'])).tools.map(({ toolName }) => toolName)).toEqual(['added', 'echo'])
  })

  test('[A2.5] a server that tells of changes all the time is not listed all the time', async () => {
    await using far = await startServer()
    await using app = await scenario([serverRecord('a', far.url)])
    await app.mcp.connections.connect('a')
    await far.ledger.until(() => far.listeners.size > 0, 'a stream for news')
    const began = performance.now()
    for (let count = 0; count < 500; count += 1) {
      far.push({ method: 'notifications/tools/list_changed' })
      await new Promise(setImmediate)
    }
    far.tools.set('last', {})
    far.push({ method: 'notifications/tools/list_changed' })
    await app.until(() => app.servers.get('a')?.found?.tools.length === 2)
    // Once a second, and what came before and after.
    expect(far.ledger.count('tools/list')).toBeLessThanOrEqual(5 + Math.ceil((performance.now() - began) / 1000))
  })

  test('a session that ended is renewed unnoticed, and the new one is shown and kept', async () => {
    await using far = await startServer()
    await using app = await scenario([serverRecord('a', far.url)])
    const [tool] = (await app.offers(['a'])).tools
    const before = app.stateOf('a')
    far.forgetSessions()
    expect(await app.call(tool!, { mark: 'x' })).toMatchObject({ content: [{ type: 'text', text: 'x' }] })
    const [sessionId] = [...far.sessions].slice(-1)
    expect(app.stateOf('a')).not.toEqual(before)
    expect(app.stateOf('a')).toMatchObject({ state: 'connected', sessionId })
    await app.until(() => app.servers.get('a')?.sessionId === sessionId)
  })
})

describe('failing', () => {
  test('a server that is down is an error with words, and others are offered all the same', async () => {
    await using up = await startServer()
    const down = await startServer()
    await down.stop()
    await using app = await scenario([serverRecord('up', up.url), serverRecord('down', down.url)])
    const { tools, missing } = await app.offers(['down', 'up'])
    expect(tools.map(({ serverId }) => serverId)).toEqual(['up'])
    expect(missing).toMatchObject([{ serverName: 'Server down', failure: { code: 'server-unreachable' } }])
    expect(missing[0]?.failure.message).toMatch(/No answer from Server down at 127\.0\.0\.1:\d+\. .*CORS.*companion/)
    expect(app.stateOf('down')).toMatchObject({ state: 'error', failure: { code: 'server-unreachable' } })
  })

  test('it is left alone for a while, longer each time, and then tried again', async () => {
    await using far = await startServer()
    await far.stop()
    await using app = await scenario([serverRecord('a', far.url)])
    const tries = () => app.states.filter(([, { state }]) => state === 'connecting').length
    await app.offers(['a'])
    const again = await app.offers(['a'])
    expect(tries()).toBe(1)
    expect(again.missing[0]?.failure.retryAt).toBe(app.clock.ms + 1000)
    app.clock.ms += 1001
    await app.offers(['a'])
    expect(tries()).toBe(2)
    app.clock.ms += 1001
    await app.offers(['a'])
    expect(tries()).toBe(2)
    await far.start()
    app.clock.ms += 1000
    expect((await app.offers(['a'])).tools).toHaveLength(1)
    expect(app.stateOf('a')).toMatchObject({ state: 'connected' })
  })

  test('whoever asks for it by hand does not wait', async () => {
    await using far = await startServer()
    await far.stop()
    await using app = await scenario([serverRecord('a', far.url)])
    await failureFrom(app.mcp.connections.connect('a'))
    await far.start()
    await app.mcp.connections.connect('a')
    expect(app.stateOf('a')).toMatchObject({ state: 'connected' })
  })

  test('a server that swallows everything fails in its time', async () => {
    await using far = await startServer({ onRequest: (exchange: { take(): void }) => exchange.take() })
    await using app = await scenario([serverRecord('a', far.url, { timeoutSeconds: 1 })])
    expect(await failureFrom(app.mcp.connections.connect('a'))).toEqual({
      code: 'timeout',
      message: 'No answer from Server a after 1 s.',
    })
  })

  test.each([
    [401, 'sign-in-needed'],
    [403, 'sign-in-needed'],
    [404, 'protocol'],
    [429, 'rate-limit'],
    [500, 'server-unreachable'],
    [302, 'protocol'],
  ])('HTTP %i is %s', async (status, code) => {
    await using far = await startServer({
      onRequest: (exchange: { send(status: number, headers: object): void }) =>
        exchange.send(status, { location: 'https://elsewhere.test/', 'retry-after': '100' }),
    })
    await using app = await scenario([serverRecord('a', far.url)])
    expect(await failureFrom(app.mcp.connections.connect('a'))).toMatchObject({ code })
  })

  test('a page in place of a server is told as that', async () => {
    await using far = await startServer({
      onRequest: (exchange: { send(status: number, headers: object, body: string): void }) =>
        exchange.send(200, { 'content-type': 'text/html' }, '<html>Welcome to the hotel</html>'),
    })
    await using app = await scenario([serverRecord('a', far.url)])
    expect(await failureFrom(app.mcp.connections.connect('a'))).toMatchObject({ code: 'protocol' })
  })

  test('who stops waiting is told so, and takes the connection from nobody', async () => {
    await using far = await startServer()
    let isHeld = true
    const held: (() => void)[] = []
    far.onRequest = async ({ method }) => {
      if (isHeld && method === 'initialize') await new Promise<void>((go) => held.push(go))
    }
    await using app = await scenario([serverRecord('a', far.url)])
    const stop = new AbortController()
    const impatient = app.mcp.connections.use('a', async () => {}, { signal: stop.signal })
    const patient = app.mcp.connections.use('a', async () => 'done')
    await far.ledger.until(() => far.ledger.initializes === 1, 'initialize')
    stop.abort()
    expect(await failureFrom(impatient)).toMatchObject({ code: 'stopped' })
    isHeld = false
    for (const go of held) go()
    expect(await patient).toBe('done')
    expect(far.ledger.initializes).toBe(1)
  })
})

describe('ending', () => {
  test('a server that is turned off or removed is not used, its connection ends, and the session with it', async () => {
    await using far = await startServer()
    const record = serverRecord('a', far.url)
    await using app = await scenario([record])
    await app.mcp.connections.connect('a')
    app.servers.set('a', { ...record, enabled: false })
    expect(await failureFrom(app.mcp.connections.connect('a'))).toMatchObject({ code: 'server-disabled' })
    await far.ledger.until(() => far.ledger.deletes === 1, 'the end of the session')
    expect(app.stateOf('a')).toEqual({ state: 'disconnected' })
    app.servers.set('a', { ...record, deletedAt: 1 })
    expect(await failureFrom(app.mcp.connections.connect('a'))).toMatchObject({ code: 'not-found' })
    expect((await app.offers(['a'])).tools).toEqual([])
    app.servers.delete('a')
    expect((await app.offers(['a'])).tools).toEqual([])
  })

  test('a changed address gets a connection of its own; what runs on the old one is let finish', async () => {
    await using old = await startServer()
    await using other = await startServer({ tools: { other: {} } })
    const record = serverRecord('a', old.url)
    await using app = await scenario([record])
    const [tool] = (await app.offers(['a'])).tools
    let finish = () => {}
    old.onRequest = async ({ method }) => {
      if (method === 'tools/call') await new Promise<void>((go) => void (finish = go))
    }
    const running = app.call(tool!, { mark: 'x' })
    await old.ledger.until(() => old.ledger.count('tools/call') === 1, 'the call')
    app.servers.set('a', { ...record, url: other.url })
    expect((await app.offers(['a'])).tools.map(({ toolName }) => toolName)).toEqual(['other'])
    finish()
    expect(await running).toMatchObject({ isError: false })
    await old.ledger.until(() => old.ledger.deletes === 1, 'the end of the old session')
  })

  test('[A3.7] a server that is not trusted any more is so at once, on the connection that there is', async () => {
    await using far = await startServer()
    const record = serverRecord('a', far.url, { trusted: true })
    await using app = await scenario([record])
    expect((await app.offers(['a'])).tools[0]).toMatchObject({ serverTrusted: true, serverName: 'Server a' })
    app.servers.set('a', { ...record, trusted: false, name: 'Renamed' })
    expect((await app.offers(['a'])).tools[0]).toMatchObject({ serverTrusted: false, serverName: 'Renamed' })
    expect(far.ledger.initializes).toBe(1)
  })

  test('a server that failed at one address is tried at once at another', async () => {
    await using far = await startServer()
    const down = await startServer()
    await down.stop()
    const record = serverRecord('a', down.url)
    await using app = await scenario([record])
    expect((await app.offers(['a'])).missing).toHaveLength(1)
    app.servers.set('a', { ...record, url: far.url })
    expect((await app.offers(['a'])).missing).toEqual([])
  })

  test('[2.3] a vault that is locked ends what carries secrets, and nothing else', async () => {
    await using open = await startServer()
    await using guarded = await startServer()
    await using app = await scenario([
      serverRecord('open', open.url),
      serverRecord('guarded', guarded.url, { authentication: { type: 'bearer' } }),
    ])
    app.setSecret('guarded', 'token', 'canary-token')
    await app.offers(['open', 'guarded'])
    app.vault.isLocked = true
    app.mcp.connections.closeSecret()
    await guarded.ledger.until(() => guarded.ledger.deletes === 1, 'the end of the session')
    expect(app.stateOf('guarded')).toEqual({ state: 'disconnected' })
    expect(app.stateOf('open')).toMatchObject({ state: 'connected' })
    const { tools, missing } = await app.offers(['open', 'guarded'])
    expect(tools.map(({ serverId }) => serverId)).toEqual(['open'])
    expect(missing).toMatchObject([{ failure: { code: 'vault-locked' } }])
    app.vault.isLocked = false
    expect((await app.offers(['open', 'guarded'])).missing).toEqual([])
  })

  test('a token that is refused leaves nothing behind: the next who comes sends the new one', async () => {
    await using far = await startServer()
    far.onRequest = (exchange) => {
      if (exchange.header('authorization') !== 'Bearer good-token') exchange.send(401)
    }
    await using app = await scenario([serverRecord('a', far.url, { authentication: { type: 'bearer' } })])
    app.setSecret('a', 'token', 'bad-token')
    expect(await failureFrom(app.mcp.connections.connect('a'))).toMatchObject({ code: 'sign-in-needed' })
    app.setSecret('a', 'token', 'good-token')
    await app.mcp.connections.connect('a')
    expect(app.stateOf('a')).toMatchObject({ state: 'connected' })
  })
})

describe('[A3.2] the record of tools', () => {
  const record = () => {
    const failing = new Set<'note' | 'changed'>()
    const deed = (name: 'note' | 'changed') =>
      failing.has(name) ? Promise.reject(new Error('The disk is gone.')) : Promise.resolve()
    return {
      failing,
      ledger: { note: () => deed('note'), changed: () => deed('changed').then(() => new Set<string>()) },
    }
  }

  test.each(['note', 'changed'] as const)(
    'where it fails (%s), no tool is offered or run, and it says why',
    async (what) => {
      await using far = await startServer({ tools: { echo: {} } })
      const { failing, ledger } = record()
      await using app = await scenario([serverRecord('a', far.url)], { ledger })
      failing.add(what)
      const { tools, missing } = await app.offers(['a'])
      expect(tools).toEqual([])
      expect(missing).toMatchObject([
        { failure: { code: 'storage', message: expect.stringContaining('have changed cannot be told') } },
      ])
      failing.delete(what)
      const [echo] = (await app.offers(['a'])).tools
      expect(echo).toMatchObject({ toolName: 'echo' })
      // A list that was noted is not noted again: what a call meets is the reading.
      if (what === 'note') return
      failing.add(what)
      expect(await failureFrom(app.call(echo!, {}))).toMatchObject({ code: 'storage' })
      expect(far.ledger.executionsOf('echo')).toBe(0)
    },
  )
})
