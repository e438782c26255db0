import 'fake-indexeddb/auto'
import { FaultServer } from '@switchboard/testkit/fault-server'
import { afterEach, expect, test } from 'vitest'
import { secretId } from '#domain/sealed.ts'
import { Database } from '#storage/db.ts'
import { createSecrets } from '#storage/secrets.ts'
import { createServers } from '#storage/servers.ts'
import { quickDerivation } from '#vault/quick-derivation.ts'
import { createVault } from '#vault/vault.ts'
import { createMcp } from '#mcp/create-mcp.ts'
import type { ServerInput } from './commands.ts'
import type { EngineParts } from './engine-parts.ts'
import { serverCommands } from './server-commands.ts'

quickDerivation()

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Storage, vault and connections as in the app; what commands for servers do not use is not there. */
async function begin() {
  const db = new Database(crypto.randomUUID())
  const servers = createServers(db)
  const channel = new BroadcastChannel(db.name)
  const vault = await createVault({ store: createSecrets(db), channel })
  const mcp = createMcp(
    {
      servers,
      secrets: vault,
      signIns: { note: async () => {}, forget: async () => {} },
      customTools: () => Promise.resolve({ toolsOf: () => Promise.resolve([]), watch: () => () => {} }),
      companion: { origin: 'http://localhost:4114', token: () => Promise.resolve(undefined) },
      fetch: (url, init) => fetch(url, init),
      now: Date.now,
      onState: () => {},
    },
    () => {
      throw new Error('Nothing is checked here.')
    },
  )
  ends.push(() => {
    mcp.connections.closeAll()
    channel.close()
  })
  const commands = serverCommands({ servers, vault, mcp } as EngineParts)
  const headersOf = async (serverId: string) => vault.open(secretId('mcpServers', serverId, 'headers'))
  return { db, servers, vault, mcp, commands, headersOf }
}

const input = (url: string, change: Partial<ServerInput> = {}): ServerInput => ({
  name: 'One',
  description: '',
  transport: 'streamable-http',
  url,
  authentication: { type: 'auto' },
  timeoutSeconds: 5,
  retries: 0,
  relay: false,
  trusted: false,
  enabled: false,
  ...change,
})
const URL_A = 'https://a.example/mcp'

test('headers are kept: their names in the record, their values in the vault, and both are sent', async () => {
  await using far = await new FaultServer().start()
  const { servers, commands, mcp } = await begin()
  const { serverId } = await commands.saveServer({
    server: input(far.url, { headerNames: ['X-Tenant', 'x-region'], enabled: true }),
    secrets: { headers: '{"X-Tenant":"canary-tenant","x-region":"north"}' },
  })
  const record = await servers.server(serverId)
  expect(record?.headerNames).toEqual(['x-tenant', 'x-region'])
  expect(JSON.stringify(record)).not.toContain('canary')
  await mcp.connections.connect(serverId)
  expect(far.ledger.entries.at(-1)?.headers).toMatchObject({ 'x-tenant': 'canary-tenant', 'x-region': 'north' })
})

test('a header that is not entered anew stays, one that is named no more goes, one that is new is added', async () => {
  const { commands, headersOf } = await begin()
  const { serverId } = await commands.saveServer({
    server: input(URL_A, { headerNames: ['x-a', 'x-b'] }),
    secrets: { headers: '{"x-a":"1","x-b":"2"}' },
  })
  await commands.saveServer({
    serverId,
    server: input(URL_A, { headerNames: ['x-b', 'x-c'] }),
    secrets: { headers: '{"x-c":"3"}' },
  })
  expect(JSON.parse((await headersOf(serverId)) ?? '')).toEqual({ 'x-b': '2', 'x-c': '3' })
  await commands.saveServer({ serverId, server: input(URL_A, { headerNames: [] }), secrets: {} })
  expect(await headersOf(serverId)).toBeUndefined()
})

test('[I1] headers do not go on to another origin', async () => {
  const { commands, headersOf, mcp } = await begin()
  const { serverId } = await commands.saveServer({
    server: input(URL_A, { headerNames: ['x-a'] }),
    secrets: { headers: '{"x-a":"canary"}' },
  })
  await commands.saveServer({
    serverId,
    server: input('https://b.example/mcp', { headerNames: ['x-a'], enabled: true }),
    secrets: {},
  })
  expect(await headersOf(serverId)).toBe('{}')
  await expect(mcp.connections.connect(serverId)).rejects.toMatchObject({
    failure: { code: 'sign-in-needed', message: expect.stringContaining('"x-a"') },
  })
})

test.each([
  ['cookie', '{}'],
  ['x y', '{}'],
  ['x-a', '{"Mcp-Session-Id":"1"}'],
  ['x-a', 'no JSON'],
])('a header %j with %s is refused, and nothing is saved', async (name, headers) => {
  const { commands, servers } = await begin()
  await expect(
    commands.saveServer({ server: input(URL_A, { headerNames: [name] }), secrets: { headers } }),
  ).rejects.toMatchObject({ failure: { code: 'bad-input' } })
  expect(await servers.servers()).toEqual([])
})

test('[A3.9] what is imported has no trust, no permission and no way around the browser, whatever it says', async () => {
  const { commands, servers } = await begin()
  const claims = { trusted: true, sampling: true, relay: true }
  const { results } = await commands.importServers({ servers: [{ server: input(URL_A, claims), secrets: {} }] })
  expect(results).toMatchObject([{ name: 'One', serverId: expect.any(String) }])
  expect(await servers.servers()).toMatchObject([{ trusted: false, sampling: false, relay: false }])
})

test('a server that cannot be imported is told by its name, and keeps no other out; names that are taken get a number', async () => {
  const { commands, servers, vault } = await begin()
  const { results } = await commands.importServers({
    servers: [
      { server: input(URL_A, { authentication: { type: 'bearer' } }), secrets: { token: 'canary-1' } },
      { server: input('ftp://nowhere', { name: 'Bad' }), secrets: {} },
      { server: input('https://b.example/mcp'), secrets: {} },
    ],
  })
  expect(results.map(({ name, failure }) => [name, failure?.code])).toEqual([
    ['One', undefined],
    ['Bad', 'bad-input'],
    ['One (2)', undefined],
  ])
  expect((await servers.servers()).map(({ name }) => name)).toEqual(['One', 'One (2)'])
  expect(await vault.open(secretId('mcpServers', results[0]?.serverId ?? '', 'token'))).toBe('canary-1')
})

test('more than a hundred at once are refused whole', async () => {
  const { commands, servers } = await begin()
  const many = Array.from({ length: 101 }, () => ({ server: input(URL_A), secrets: {} }))
  await expect(commands.importServers({ servers: many })).rejects.toMatchObject({ failure: { code: 'bad-input' } })
  expect(await servers.servers()).toEqual([])
})

test('a duplicate has the settings of the first, and neither its secrets nor its trust', async () => {
  const { commands, servers, vault } = await begin()
  const { serverId } = await commands.saveServer({
    server: input(URL_A, {
      authentication: { type: 'bearer' },
      trusted: true,
      sampling: true,
      requestsPerMinute: 7,
      headerNames: ['x-a'],
    }),
    secrets: { token: 'canary-1', headers: '{"x-a":"2"}' },
  })
  const copy = await commands.duplicateServer({ serverId })
  expect(copy.hasSecrets).toBe(true)
  expect(await servers.server(copy.serverId)).toMatchObject({
    name: 'One copy',
    url: URL_A,
    requestsPerMinute: 7,
    headerNames: ['x-a'],
    trusted: false,
    sampling: false,
  })
  const tokenOf = (id: string) => vault.open(secretId('mcpServers', id, 'token'))
  expect(await tokenOf(copy.serverId)).toBeUndefined()
  await commands.copySecrets({ from: serverId, to: copy.serverId })
  expect(await tokenOf(copy.serverId)).toBe('canary-1')
})

test('[I1] secrets are copied to no server of another origin', async () => {
  const { commands, vault } = await begin()
  const bearer = { authentication: { type: 'bearer' } } as const
  const { serverId: from } = await commands.saveServer({ server: input(URL_A, bearer), secrets: { token: 'canary' } })
  const { serverId: to } = await commands.saveServer({ server: input('https://b.example/mcp', bearer), secrets: {} })
  await expect(commands.copySecrets({ from, to })).rejects.toMatchObject({ failure: { code: 'bad-input' } })
  expect(await vault.open(secretId('mcpServers', to, 'token'))).toBeUndefined()
})

test('a client that proves itself another way from now on has only the proof that was chosen', async () => {
  const { commands, vault } = await begin()
  const oauth = (algorithm?: 'ES256') =>
    input(URL_A, { authentication: { type: 'oauth2', clientId: 'me', ...(algorithm && { algorithm }) } })
  const { serverId } = await commands.saveServer({ server: oauth('ES256'), secrets: { privateKey: 'canary-key' } })
  const kept = (field: string) => vault.open(secretId('mcpServers', serverId, field))
  // A change of something else takes nothing.
  await commands.saveServer({ serverId, server: { ...oauth('ES256'), name: 'Two' }, secrets: {} })
  expect(await kept('privateKey')).toBe('canary-key')
  await commands.saveServer({ serverId, server: oauth(), secrets: { clientSecret: 'canary-secret' } })
  expect(await kept('privateKey')).toBeUndefined()
  expect(await kept('clientSecret')).toBe('canary-secret')
  await commands.saveServer({ serverId, server: oauth('ES256'), secrets: { privateKey: 'canary-key' } })
  expect(await kept('clientSecret')).toBeUndefined()
})

test('a limit that is taken back is gone', async () => {
  const { commands, servers } = await begin()
  const { serverId } = await commands.saveServer({ server: input(URL_A, { requestsPerMinute: 5 }), secrets: {} })
  await commands.saveServer({ serverId, server: input(URL_A, { requestsPerMinute: undefined }), secrets: {} })
  expect(await servers.server(serverId)).not.toHaveProperty('requestsPerMinute')
})

test('a test can be stopped by its id, and one that is over by then minds nothing', async () => {
  await using far = await new FaultServer({ onRequest: (exchange) => void exchange.take() }).start()
  const { commands } = await begin()
  const report = commands.testServer({ server: input(far.url), secrets: {}, testId: 't' })
  await far.ledger.until(() => far.ledger.entries.length > 0, 'a request')
  await commands.stopTest({ testId: 't' })
  expect((await report).failure).toMatchObject({ code: 'stopped' })
  await commands.stopTest({ testId: 't' })
})
