import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { Database } from './db.ts'
import { createGpts, newGpt } from './gpts.ts'
import { createGrants } from './grants.ts'
import { grantOf, serverInput } from './sample-rows.ts'
import { createServers, type NewServer } from './servers.ts'

const found = { title: 'T', version: '1', protocolVersion: '', instructions: '', tools: [], resources: 0, prompts: 0 }

async function begin(given: Partial<NewServer> = {}) {
  const db = new Database(crypto.randomUUID())
  const servers = createServers(db)
  const server = await servers.add(serverInput(given))
  const seal = (id: string) =>
    db.secrets.put({ id, version: 2, iv: new Uint8Array(12), ciphertext: new Uint8Array(20), updatedAt: 1 })
  await db.settings.put({ key: 'vault', value: { revision: 2, kept: true } })
  await Promise.all([seal(`mcpServers:${server.id}:token`), seal('mcpServers:other:token')])
  return { db, servers, server, secretIds: async () => (await db.secrets.toArray()).map(({ id }) => id) }
}

test('what was learnt of a server is kept beside what the user said', async () => {
  const { servers, server } = await begin()
  await servers.learn(server.id, { found, sessionId: 's', lastConnectedAt: 9 })
  expect(await servers.server(server.id)).toEqual({ ...server, found, sessionId: 's', lastConnectedAt: 9 })
  await servers.learn(server.id, { sessionId: undefined })
  expect(await servers.server(server.id)).not.toHaveProperty('sessionId')
})

test('a server that was deleted meanwhile is not brought back by what was learnt', async () => {
  const { servers, server } = await begin()
  await servers.remove(server.id)
  await servers.learn(server.id, { lastConnectedAt: 9 })
  await servers.learn('nobody', { lastConnectedAt: 9 })
  expect(await servers.servers()).toEqual([])
})

test('[I1] a server at another origin does not inherit the secrets of the old one', async () => {
  const { db, servers, server, secretIds } = await begin()
  await servers.learn(server.id, { found, sessionId: 's' })
  await servers.change(server.id, { url: 'https://example.com/other', name: 'Renamed' })
  expect(await secretIds()).toHaveLength(2)
  for (const change of [{ url: 'https://example.com:444/mcp' }, { transport: 'stdio', companionName: 'x' }] as const) {
    await db.secrets.put({
      id: `mcpServers:${server.id}:token`,
      version: 2,
      iv: new Uint8Array(12),
      ciphertext: new Uint8Array(9),
      updatedAt: 1,
    })
    const changed = await servers.change(server.id, change)
    expect(changed).not.toHaveProperty('found')
    expect(changed).not.toHaveProperty('sessionId')
    expect(await secretIds()).toEqual(['mcpServers:other:token'])
  }
})

test('a vault that is sealing everything anew hears that secrets were taken away', async () => {
  const { db, servers, server } = await begin()
  await servers.change(server.id, { url: 'https://elsewhere.example/mcp' })
  expect((await db.settings.get('vault'))?.value).toEqual({ revision: 3, kept: true })
})

test('whoever deletes a server is told what uses it', async () => {
  const { db, servers, server } = await begin()
  const { tools } = newGpt({})
  await createGpts(db).create({ tools: { ...tools, serverIds: [server.id] } })
  await createGpts(db).create({})
  await createGrants(db).addGrant(grantOf({ serverId: server.id }))
  expect(await servers.remove(server.id)).toEqual({ gpts: 1, grants: 1 })
  expect(await servers.server(server.id)).toBeUndefined()
  await servers.restore(server.id)
  expect(await servers.server(server.id)).toEqual(server)
})

test('a time-out beyond its bounds is refused', async () => {
  const { servers, server } = await begin()
  await expect(servers.change(server.id, { timeoutSeconds: 301 })).rejects.toMatchObject({
    failure: {
      code: 'bad-input',
      message: 'The server was not saved: its timeoutSeconds is too large, the most is 300.',
    },
  })
})

test('an address that is none is told apart by its text', async () => {
  const { servers, server, secretIds } = await begin({ url: 'not an address' })
  await servers.change(server.id, { url: 'not an address', name: 'x' })
  expect(await secretIds()).toHaveLength(2)
  await servers.change(server.id, { url: 'nor this' })
  expect(await secretIds()).toHaveLength(1)
})
