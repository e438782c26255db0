import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCompanion } from '@switchboard/companion'
import { FaultServer } from '@switchboard/testkit/fault-server'
import { programOf } from '@switchboard/testkit/real-servers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Server } from '#domain/server.ts'
import { failureFrom, scenario, serverRecord } from './scenario.ts'

let folder: string
let config: string
const command = process.execPath
const mcpServers = {
  everything: { command, args: [programOf('@modelcontextprotocol/server-everything'), 'stdio'] },
  broken: { command, args: ['-e', 'process.exit(3)'] },
}
/** The program speaks the revision in a file of the folder. */
const withOld = () => {
  const script = fileURLToPath(new URL('../../../../companion/test/revision-server.mjs', import.meta.url))
  return { ...mcpServers, old: { command, args: [script, join(folder, 'revision')] } }
}
let far: FaultServer
let companion: Awaited<ReturnType<typeof startCompanion>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-mcp-'))
  far = await new FaultServer({ era: 'both' }).start()
  config = join(folder, 'servers.json')
  await allow(far.origin)
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  companion = await startCompanion({ port: 0, app: folder, config })
})
afterAll(async () => {
  await companion.close()
  await far.stop()
  await rm(folder, { recursive: true })
})

const allow = (...origins: string[]) =>
  writeFile(config, JSON.stringify({ mcpServers: withOld(), relay: { allow: origins } }), { mode: 0o600 })

const appWith = (records: Server[], companionToken: string | undefined = companion.token) =>
  scenario(records, { origin: companion.origin, ...(companionToken !== undefined && { companionToken }) })

const program = (name: string) =>
  serverRecord('local', '', { transport: 'stdio', companionName: name, timeoutSeconds: 30 })

describe('programs of this machine', () => {
  test('give their tools, and run them', async () => {
    await using app = await appWith([program('everything')])
    const { tools, missing } = await app.offers(['local'])
    expect(missing).toEqual([])
    expect(tools[0]?.endpoint).toMatch(/^companion:everything#sha256-[\w-]{43}$/)
    const echo = tools.find(({ toolName }) => toolName === 'echo')
    const outcome = await app.call(echo!, { message: 'hello there' })
    expect(JSON.stringify(outcome.content)).toContain('hello there')
  })

  test('pass the test of a connection', async () => {
    await using app = await appWith([])
    const report = await app.mcp.testServer({ server: program('everything'), secrets: {} })
    expect(report.failure).toBeUndefined()
    expect(report.steps[0]?.note).toContain('"everything"')
  })

  test('show the revision they speak themselves, and a new one after a restart', async () => {
    await writeFile(join(folder, 'revision'), '2025-03-26')
    await using app = await appWith([program('old')])
    const { tools } = await app.offers(['local'])
    expect(app.stateOf('local')).toMatchObject({ state: 'connected', protocolVersion: '2025-03-26' })
    await app.until(() => app.servers.get('local')?.found?.protocolVersion === '2025-03-26')

    const report = await app.mcp.testServer({ server: program('old'), secrets: {} })
    expect(report.found?.protocolVersion).toBe('2025-03-26')
    expect(report.steps.find(({ step }) => step === 'protocol')?.note).toBe('MCP 2025-03-26.')
    expect(report.era).toBeUndefined()

    await writeFile(join(folder, 'revision'), '2025-06-18')
    await app.mcp.companion.restart('old')
    await app.call(tools[0]!, {})
    expect(app.stateOf('local')).toMatchObject({ state: 'connected', protocolVersion: '2025-06-18' })
    await app.until(() => app.servers.get('local')?.found?.protocolVersion === '2025-06-18')
  })

  test('show no revision where the program names none', async () => {
    await writeFile(join(folder, 'revision'), '')
    await using app = await appWith([program('old')])
    await app.mcp.companion.restart('old')
    await app.mcp.connections.connect('local')
    expect(app.stateOf('local')).toMatchObject({ state: 'connected', protocolVersion: '' })
    const report = await app.mcp.testServer({ server: program('old'), secrets: {} })
    expect(report.steps.find(({ step }) => step === 'protocol')).toMatchObject({
      outcome: 'ok',
      note: 'It speaks MCP.',
    })
  })

  test.each(['none', '../../etc'])('one that is not in the file (%s) is told as that', async (name) => {
    await using app = await appWith([program(name)])
    const failure = await failureFrom(app.mcp.connections.connect('local'))
    expect(failure.code).toMatch(/protocol|companion|server-unreachable/)
  })

  test('without the companion there is a next step', async () => {
    await using alone = await scenario([program('everything')], { origin: companion.origin })
    expect(await failureFrom(alone.mcp.connections.connect('local'))).toMatchObject({
      code: 'companion',
      message: expect.stringContaining('npm start'),
    })
    await using stranger = await appWith([program('everything')], 'a-token-of-yesterday')
    const failure = await failureFrom(stranger.mcp.connections.connect('local'))
    expect(failure).toMatchObject({ code: 'companion', message: expect.stringContaining('started anew') })
    expect(failure.message).not.toContain('a-token-of-yesterday')
  })
})

describe('the list of programs', () => {
  test('tells each with its state, and restarts one', async () => {
    await using app = await appWith([program('everything')])
    await app.mcp.connections.connect('local')
    const report = await app.mcp.companion.servers()
    expect(report).toMatchObject({ present: true })
    expect(report.servers.map(({ name }) => name).toSorted()).toEqual(['broken', 'everything', 'old'])
    expect(report.servers.find(({ name }) => name === 'everything')).toMatchObject({ state: 'running' })
    await app.mcp.companion.restart('everything')
    expect(await failureFrom(app.mcp.companion.restart('none'))).toMatchObject({ code: 'companion' })
  })

  test('is empty, with a reason, where there is no companion', async () => {
    await using alone = await scenario([])
    expect(await alone.mcp.companion.servers()).toMatchObject({
      present: false,
      servers: [],
      failure: { code: 'companion' },
    })
    await using nobody = await scenario([], { origin: 'http://127.0.0.1:9', companionToken: 'x' })
    expect(await nobody.mcp.companion.servers()).toMatchObject({ present: false })
    await using page = await scenario([], { origin: far.origin, companionToken: 'x' })
    expect(await page.mcp.companion.servers()).toMatchObject({ present: false })
  })
})

describe('the relay', () => {
  test('reaches a server with the headers that are meant for it, and without the token of the companion', async () => {
    const record = serverRecord('a', far.url, {
      relay: true,
      authentication: { type: 'api-key', header: 'x-weather-key' },
      headerNames: ['x-tenant'],
    })
    await using app = await appWith([record])
    app.setSecret('a', 'key', 'canary-key')
    app.setSecret('a', 'headers', '{"X-Tenant":"blue"}')
    const before = far.ledger.entries.length
    const { tools } = await app.offers(['a'])
    expect(tools[0]?.endpoint).toBe(far.url)
    expect(await app.call(tools[0]!, { mark: 'x' })).toMatchObject({ content: [{ text: 'x' }] })
    const seen = far.ledger.entries.slice(before)
    expect(seen.length).toBeGreaterThan(2)
    for (const { headers } of seen) {
      expect(headers).toMatchObject({ 'x-weather-key': 'canary-key', 'x-tenant': 'blue' })
      expect(JSON.stringify(headers)).not.toContain(companion.token)
    }
  })

  test('is refused for an address of this network that is not in the file, with the reason', async () => {
    await using other = await new FaultServer().start()
    await using app = await appWith([serverRecord('a', other.url, { relay: true })])
    const failure = await failureFrom(app.mcp.connections.connect('a'))
    expect(failure).toMatchObject({ code: 'companion' })
    expect(failure.message).toContain('which only')
    expect(failure.message).toContain('servers.json')
    expect(other.ledger.entries).toEqual([])
  })

  test('says that nothing listens there, and that a call was not sent', async () => {
    const gone = await new FaultServer({ era: 'both' }).start()
    await allow(far.origin, gone.origin)
    await using app = await appWith([serverRecord('a', gone.url, { relay: true, retries: 0 })])
    const { tools } = await app.offers(['a'])
    await gone.stop()
    const called = await failureFrom(app.call(tools[0]!, { mark: 'x' }))
    const { host } = new URL(gone.url)
    const nothing = { code: 'server-unreachable', message: expect.stringContaining(`Nothing listens at ${host}`) }
    expect(called).toMatchObject(nothing)
    await using later = await appWith([serverRecord('a', gone.url, { relay: true, retries: 0 })])
    expect(await failureFrom(later.mcp.connections.connect('a'))).toMatchObject(nothing)
  })
})
