import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { FaultServer, type FaultTool } from '@switchboard/testkit/fault-server'
import { type RealServers, startRealServers } from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Server } from '#domain/server.ts'
import { failureFrom, scenario, serverRecord } from './scenario.ts'

const ECHO: FaultTool = {
  inputSchema: {
    type: 'object',
    properties: { mark: { type: 'string' }, days: { type: 'integer', maximum: 7 }, deep: { type: 'object' } },
    required: ['mark'],
  },
}

async function world(era: 'sessions' | 'stateless', change: Partial<Server> = {}, tool: FaultTool = ECHO) {
  const far = await new FaultServer({ era, tools: { echo: tool } }).start()
  const app = await scenario([serverRecord('a', far.url, change)])
  for (const field of ['token', 'key', 'password'] as const) app.setSecret('a', field, 'a-secret-value')
  app.setSecret('a', 'headers', '{"x-team":"a-secret-value"}')
  const explorer = await app.mcp.explore()
  return {
    far,
    app,
    explorer,
    curl: (args: unknown) =>
      explorer.curl({
        serverId: 'a',
        toolName: 'echo',
        arguments: typeof args === 'string' ? args : JSON.stringify(args),
      }),
    check: (args: unknown) =>
      explorer.check({
        serverId: 'a',
        toolName: 'echo',
        arguments: typeof args === 'string' ? args : JSON.stringify(args),
      }),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await far.stop()
    },
  }
}

const inShell = async (command: string, env: Record<string, string> = {}) =>
  (await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, ...env } })).stdout

/** The arguments with which the tool was run last. */
const lastArguments = (far: FaultServer) => far.ledger.executions.at(-1)?.arguments

const HARD_TEXTS = [
  "it's 'quoted' and \"double\"",
  '$HOME `id` $(id) ${PATH} \\ \\\\ !! ~ * ? [a-z] {a,b}',
  'line one\nline two\r\n\ttab',
  "'; echo hacked; '",
  '@/etc/passwd',
  '-d --data %41 &b=c;#',
  'Zoë 日本 🙂 \u2028 \u007f',
  "'",
  '\\',
]

describe.each(['sessions', 'stateless'] as const)('a call as a command line (%s)', (era) => {
  test('pasted into a shell makes the same call, whatever stands in its arguments', async () => {
    await using w = await world(era)
    for (const mark of HARD_TEXTS) {
      const args = { mark, deep: { [mark]: [mark, 1.5, null, true] } }
      const said = await inShell(await w.curl(args))
      expect(said).toContain('"result"')
      expect(lastArguments(w.far)).toEqual(args)
    }
    expect(w.far.ledger.executionsOf('echo')).toBe(HARD_TEXTS.length)
  })

  test.each<[string, Partial<Server>, Record<string, string>, [string, string]]>([
    ['a token', { authentication: { type: 'bearer' } }, { TOKEN: 'T 1' }, ['authorization', 'Bearer T 1']],
    ['a key', { authentication: { type: 'api-key', header: 'X-Key' } }, { API_KEY: 'K' }, ['x-key', 'K']],
    [
      'a name with a password',
      { authentication: { type: 'basic', user: "o'neil $x" } },
      { PASSWORD: 'p' },
      ['authorization', `Basic ${btoa("o'neil $x:p")}`],
    ],
    ['a header of its own', { headerNames: ['x-team'] }, { HEADER_X_TEAM: 'red' }, ['x-team', 'red']],
  ])('has a place for %s, and no secret', async (_, change, env, [name, value]) => {
    await using w = await world(era, change)
    const text = await w.curl({ mark: 'x' })
    expect(text).not.toContain('a-secret-value')
    expect(text).not.toContain(btoa('a-secret-value').slice(0, 8))
    for (const variable of Object.keys(env)) expect(text.split('\n')[0]).toContain(`$${variable}`)
    await inShell(text, env)
    expect(w.far.ledger.of('tools/call').at(-1)?.headers[name]).toBe(value)
    expect(w.far.ledger.executionsOf('echo')).toBe(1)
  })

  test('is made without anything being sent to the tool', async () => {
    await using w = await world(era)
    await w.curl({ mark: 'x' })
    await w.check({ mark: 'x' })
    expect(w.far.ledger.count('tools/call')).toBe(0)
  })
})

test('an argument that travels as a header too is in both places of the command line', async () => {
  const tool: FaultTool = {
    inputSchema: { type: 'object', properties: { mark: { type: 'string', 'x-mcp-header': 'Region' } } },
  }
  await using w = await world('stateless', {}, tool)
  const text = await w.curl({ mark: 'Zoë' })
  await inShell(text)
  const { headers } = w.far.ledger.of('tools/call').at(-1)!
  expect(headers['mcp-name']).toBe('echo')
  expect(headers['mcp-method']).toBe('tools/call')
  expect(headers['mcp-param-region']).toMatch(/^=\?base64\?/)
  expect(lastArguments(w.far)).toEqual({ mark: 'Zoë' })
})

describe('arguments are checked', () => {
  test('and each fault stands at its field', async () => {
    await using w = await world('stateless')
    expect(await w.check({ mark: 'x', days: 3 })).toEqual([])
    expect(await w.check({ days: 'three', deep: 1 })).toEqual([
      { path: '/mark', message: 'This is needed.' },
      { path: '/days', message: 'This is of type string; it must be integer.' },
      { path: '/deep', message: 'This is of type number; it must be object.' },
    ])
    expect(await w.check({ mark: 'x', days: 9 })).toEqual([{ path: '/days', message: '9 is greater than 7.' }])
  })

  test('a name with slashes, tildes and percent signs is a place like any other', async () => {
    const name = 'a/b~c%20 d#é'
    const inputSchema = { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] }
    await using w = await world('stateless', {}, { inputSchema })
    const path = '/a~1b~0c%20 d#é'
    expect(await w.check({})).toEqual([{ path, message: 'This is needed.' }])
    expect(await w.check({ [name]: 1 })).toEqual([{ path, message: 'This is of type number; it must be string.' }])
  })

  test.each([
    ['no JSON', '{"mark'],
    ['a list', '[1]'],
    ['a key twice', '{"mark":"a","mark":"b"}'],
    ['a number that would not arrive', '{"mark":"a","days":12345678901234567890}'],
  ])('%s is told for the whole, before any schema', async (_, text) => {
    await using w = await world('stateless')
    expect(await w.check(text)).toEqual([{ path: '', message: expect.stringContaining('arguments for echo') }])
  })

  test('a pattern that never ends is ended, and said', async () => {
    const mark = { type: 'string', pattern: '^(a+)+$' }
    await using w = await world('stateless', {}, { inputSchema: { type: 'object', properties: { mark } } })
    const [fault] = await w.check({ mark: `${'a'.repeat(40)}!` })
    expect(fault).toEqual({ path: '', message: expect.stringMatching(/cannot be checked.*took over 250 ms/) })
  })
})

describe('a definition', () => {
  test('comes as its server has it now, with what was found of it', async () => {
    await using w = await world('sessions')
    const { json, isCut, found } = await w.explorer.definition({ serverId: 'a', toolName: 'echo' })
    expect(JSON.parse(json)).toMatchObject({ name: 'echo', inputSchema: ECHO.inputSchema })
    expect(isCut).toBe(false)
    expect(found).toMatchObject({ name: 'echo', fingerprint: expect.stringMatching(/./) })
  })

  test('of megabytes is cut, and says so', async () => {
    await using w = await world('sessions', {}, { inputSchema: { type: 'object', description: 'x'.repeat(2_000_000) } })
    const { json, isCut, found } = await w.explorer.definition({ serverId: 'a', toolName: 'echo' })
    expect(json.length).toBe(600_000)
    expect(isCut).toBe(true)
    expect(found.problem).toMatch(/input schema has/)
  })

  test.each<[string, Partial<Server>, string]>([
    ['a server that is turned off', { enabled: false }, 'server-disabled'],
    ['a server that is gone', { deletedAt: 1 }, 'not-found'],
  ])('of %s is refused with the reason', async (_, change, code) => {
    await using w = await world('sessions', change)
    expect(await failureFrom(w.explorer.definition({ serverId: 'a', toolName: 'echo' }))).toMatchObject({ code })
  })

  test('of a tool that its server has no more is refused with the reason', async () => {
    await using w = await world('sessions')
    const failure = await failureFrom(w.explorer.definition({ serverId: 'a', toolName: 'other' }))
    expect(failure).toMatchObject({ code: 'tool-gone', message: expect.stringContaining('other') })
  })

  test('behind a vault that is locked is refused with the reason', async () => {
    await using w = await world('sessions', { authentication: { type: 'bearer' } })
    w.app.vault.isLocked = true
    expect(await failureFrom(w.explorer.definition({ serverId: 'a', toolName: 'echo' }))).toMatchObject({
      code: 'vault-locked',
    })
  })
})

describe('servers that are not ours', () => {
  let real: RealServers
  beforeAll(async () => {
    real = await startRealServers(['everything'])
  })
  afterAll(() => real.stop())

  test('server-everything answers the copied command line', async () => {
    await using app = await scenario([serverRecord('e', real.addresses.everything)])
    const explorer = await app.mcp.explore()
    const text = await explorer.curl({ serverId: 'e', toolName: 'echo', arguments: '{"message":"it\'s $me"}' })
    expect(text).toContain('MCP_SESSION_ID')
    expect(await inShell(text)).toContain("Echo: it's $me")
  })
})
