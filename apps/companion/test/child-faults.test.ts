import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  ask,
  connect,
  eras,
  expectGone,
  folder,
  isRunning,
  misbehaving,
  node,
  program,
  servers,
  start,
  writeConfig,
} from './scenario.ts'

const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => new Error('It succeeded'),
    (error: Error) => error,
  )

const shown = async (companion: Parameters<typeof servers>[0]) => (await servers(companion))[0]!

describe.each(eras)('[R-39] a local server that goes wrong, to a client of the $era era', ({ config }) => {
  it('is killed in a call: the call may have run, the server is shown as failed, and the next use starts it again', async () => {
    const companion = await start({ faulty: misbehaving() })
    const client = await connect(companion, 'faulty', config)
    const { pid = 0 } = await shown(companion)
    const call = failure(client.call('silence'))
    await client.call('echo', { message: 'on its way' })
    process.kill(pid, 'SIGKILL')
    expect((await call).message).toMatch(/ended by SIGKILL.*may have run: check before running it again/)
    const view = await shown(companion)
    expect(view).toMatchObject({ state: 'failed', restarts: 0 })
    expect(view.lastError).toContain('SIGKILL')
    expect((await client.call('echo', { message: 'again' })).text).toBe('again')
    expect(await shown(companion)).toMatchObject({ state: 'running', restarts: 1 })
  })

  it('exits in a call: as if it had been killed', async () => {
    const companion = await start({ faulty: misbehaving() })
    const client = await connect(companion, 'faulty', config)
    expect((await failure(client.call('exit', { code: 3 }))).message).toMatch(/ended with code 3.*may have run/)
    expect((await client.call('echo', { message: 'again' })).text).toBe('again')
  })

  it('dies at every start: is tried five times, with longer pauses, then only when a person restarts it', async () => {
    const companion = await start({ faulty: misbehaving('dies') }, { limits: { backoffMs: 1 } })
    for (let times = 0; times < 7; times++) await failure(connect(companion, 'faulty', config))
    const view = await shown(companion)
    expect(view).toMatchObject({ state: 'failed', restarts: 4 })
    expect(view.lastError).toContain('given up')
    expect(view.stderrTail).toContain('no configuration found')
    const error = await failure(connect(companion, 'faulty', config))
    expect(error.message).toContain('restart it')
    await ask(companion, '/api/servers/faulty/restart', { method: 'POST', body: '{}' })
    await failure(connect(companion, 'faulty', config))
    expect((await shown(companion)).restarts).toBeGreaterThan(4)
  })

  it('does not exist: the failure says so', async () => {
    const companion = await start({ faulty: { command: 'no-such-program' } })
    expect((await failure(connect(companion, 'faulty', config))).message).toContain('no such program')
    expect(await shown(companion)).toMatchObject({ state: 'failed' })
  })

  it('prints what is no message: it is counted, and dropped', async () => {
    const companion = await start({ faulty: misbehaving('greets') })
    const client = await connect(companion, 'faulty', config)
    expect((await client.call('noise', { lines: 1000 })).text).toBe('after the noise')
    expect((await shown(companion)).junkLines).toBeGreaterThanOrEqual(1002)
  })

  it('[A7.10] sends a line of over 16 MiB: that call fails, the next does not', async () => {
    const companion = await start({ faulty: misbehaving() })
    const client = await connect(companion, 'faulty', config)
    const error = await failure(client.call('a-long-line', { megabytes: 17, first: true }))
    expect(error.message).toContain(`over ${16 << 20} bytes in one line`)
    expect((await client.call('echo', { message: 'still here' })).text).toBe('still here')
  })

  it('[A4.6] floods its log, in colours: the end of it is kept, and nothing moves a cursor', async () => {
    const script = join(await folder(), 'colours.mjs')
    const server = program('../../../packages/mcp/test/stdio/misbehaving-server.mjs')
    await writeFile(
      script,
      `console.error('\\u001b]0;title\\u0007\\u009b31m\\u202egpj'); await import(${JSON.stringify(server)})`,
    )
    const companion = await start({ faulty: node(script) })
    const client = await connect(companion, 'faulty', config)
    expect((await shown(companion)).stderrTail).toBe('\\u001b]0;title\\u0007\\u009b31m\\u202egpj\n')
    await client.call('log', { lines: 2000 })
    const { stderrTail } = await shown(companion)
    expect(stderrTail.length).toBeLessThanOrEqual(64 << 10)
    expect(stderrTail.length).toBeGreaterThan(60 << 10)
  })

  it('[A7.4] sees neither our token nor our environment', async () => {
    process.env['SWITCHBOARD_TEST_SECRET'] = 'api-key'
    const companion = await start({ faulty: { ...misbehaving(), env: { GIVEN: 'yes' } } })
    const client = await connect(companion, 'faulty', config)
    const { text } = await client.call('environment')
    const environment = JSON.parse(text) as Record<string, string>
    expect(environment['GIVEN']).toBe('yes')
    expect(environment['PATH']).toBeDefined()
    expect(text).not.toContain('api-key')
    expect(text).not.toContain(companion.token)
  })

  it('is stopped by its user, with all that it started, and stays so until it is restarted', async () => {
    const companion = await start({ faulty: misbehaving('stubborn') })
    const client = await connect(companion, 'faulty', { ...config, requestOptions: { timeout: 5000 } })
    const { pid = 0 } = await shown(companion)
    const other = Number((await client.call('start-another', { talks: 'stdout' })).text)
    expect(isRunning(other)).toBe(true)
    const stopped = await ask(companion, '/api/servers/faulty/stop', { method: 'POST', body: '{}' })
    expect(await stopped.json()).toMatchObject({ servers: [{ state: 'stopped' }] })
    await expectGone(pid)
    await expectGone(other)
    expect((await failure(client.call('echo', { message: 'x' }))).message).toMatch(
      /was stopped|no new one could be made/,
    )
    await ask(companion, '/api/servers/faulty/restart', { method: 'POST', body: '{}' })
    expect((await client.call('echo', { message: 'back' })).text).toBe('back')
  })

  it('is idle for long: ends, and the next use starts it', async () => {
    const companion = await start({ faulty: misbehaving() }, { limits: { idleMs: 2000 } })
    const client = await connect(companion, 'faulty', {
      ...config,
      transport: {
        type: 'http',
        url: `${companion.origin}/mcp/faulty`,
        headers: { 'x-switchboard-token': companion.token },
        autoOpenStream: false,
      } as never,
    })
    const { pid = 0 } = await shown(companion)
    expect(pid).toBeGreaterThan(0)
    await expectGone(pid)
    expect(await shown(companion)).toMatchObject({ state: 'stopped' })
    expect((await client.call('echo', { message: 'awake' })).text).toBe('awake')
  })

  it('is left by its client: is no failure', async () => {
    const companion = await start({ faulty: misbehaving() }, { limits: { idleMs: 2000 } })
    const client = await connect(companion, 'faulty', config)
    await client.close()
    await expect.poll(async () => (await shown(companion)).state).toBe('stopped')
  })

  it('is changed in the file: what runs is ended, and the new command is used', async () => {
    const companion = await start({ faulty: { ...misbehaving(), env: { VERSION: 'old' } } })
    const client = await connect(companion, 'faulty', config)
    const version = async () =>
      (JSON.parse((await client.call('environment')).text) as Record<string, string>)['VERSION']
    expect(await version()).toBe('old')
    const { pid = 0 } = await shown(companion)
    await writeConfig(companion.config, { faulty: { ...misbehaving(), env: { VERSION: 'new' } } })
    expect(await version()).toBe('new')
    await expectGone(pid)
    await writeConfig(companion.config, {})
    expect(await servers(companion)).toEqual([])
    expect((await failure(client.call('echo', { message: 'x' }))).message).toMatch(/404|no new one could be made/)
  })
})

describe('[R-39] a local server that never answers', () => {
  it('ends when the client that wanted it has given up', async () => {
    const companion = await start({ faulty: misbehaving('deaf') })
    const config = { protocolVersionDiscovery: false, requestOptions: { timeout: 3000 } }
    const connecting = failure(connect(companion, 'faulty', config))
    await expect.poll(async () => (await shown(companion)).pid).toBeGreaterThan(0)
    const { pid = 0 } = await shown(companion)
    expect((await connecting).message).toContain('had no answer')
    await expectGone(pid)
    await expect.poll(async () => (await shown(companion)).state).toBe('stopped')
  })
})

describe('[A7.9] local servers', () => {
  it('are no more than are allowed: one that nobody uses makes room, one at work does not', async () => {
    const limits = { maxChildren: 3, restMs: 0 }
    const companion = await start({ faulty: misbehaving() }, { limits })
    const [session] = eras
    const clients = []
    for (let count = 0; count < 3; count++) {
      const client = await connect(companion, 'faulty', session?.config)
      await client.openStream()
      clients.push(client)
    }
    expect((await failure(connect(companion, 'faulty', session?.config))).message).toContain('all are in use')
    await clients[0]?.close()
    const fourth = await connect(companion, 'faulty', session?.config)
    expect((await fourth.call('echo', { message: 'room' })).text).toBe('room')
    // Without a session: ended for the next one, and started again when it is used.
    await fourth.close()
    const quiet = await connect(companion, 'faulty')
    await clients[1]?.close()
    for (let count = 0; count < 2; count++) await (await connect(companion, 'faulty', session?.config)).openStream()
    await clients[2]?.close()
    expect((await quiet.call('echo', { message: 'again' })).text).toBe('again')
    expect((await shown(companion)).restarts).toBe(7)
  })

  it('are no more than are allowed also when many are wanted at once', async () => {
    const companion = await start({ faulty: misbehaving() }, { limits: { maxChildren: 3 } })
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    }
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const answer = await ask(companion, '/mcp/faulty', { method: 'POST', body: JSON.stringify(initialize) })
        return answer.status
      }),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    expect(statuses.filter((status) => status === 503)).toHaveLength(9)
  })

  it('serve all clients without a session from one program, and each client with one from its own', async () => {
    const companion = await start({ faulty: misbehaving() })
    const stateless = await Promise.all(Array.from({ length: 5 }, () => connect(companion, 'faulty')))
    await Promise.all(stateless.map((client) => client.call('echo', { message: 'x' })))
    expect(await servers(companion)).toMatchObject([{ restarts: 0 }])
    const sessions = await Promise.all(
      Array.from({ length: 3 }, () => connect(companion, 'faulty', { protocolVersionDiscovery: false })),
    )
    await Promise.all(sessions.map((client) => client.call('echo', { message: 'x' })))
    expect(await servers(companion)).toMatchObject([{ restarts: 3 }])
  })
})
