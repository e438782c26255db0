import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { Database } from './db.ts'
import { createGpts } from './gpts.ts'
import { listGpts, models, servers, setting } from './live.ts'
import { purge, UNDO_MS } from './purge.ts'
import { allRows } from './sample-rows.ts'
import { seed } from './seed.ts'
import { createServers } from './servers.ts'

const ORIGIN = 'http://localhost:4400'

test('the app begins with a practice model, the demo server and a GPT that uses both', async () => {
  const db = new Database(crypto.randomUUID())
  await seed(db, ORIGIN)
  const [server] = await servers(db)
  const [gpt] = await listGpts(db)
  expect(await models(db)).toMatchObject([{ id: 'practice', kind: 'practice', hasKey: false }])
  expect(server).toMatchObject({
    name: 'Demo tools',
    url: `${ORIGIN}/demo/mcp`,
    builtIn: true,
    enabled: true,
    trusted: false,
  })
  expect(gpt).toMatchObject({
    name: 'Demo assistant',
    model: { connectionId: 'practice' },
    tools: { approval: 'always-ask' },
  })
  expect(gpt?.tools.serverIds).toEqual([server?.id])
  expect(gpt?.starters).toHaveLength(3)
  expect(await setting(db, 'defaultGptId')).toBe(gpt?.id)
})

test('two tabs that begin at once, and every start after, add nothing', async () => {
  const db = new Database(crypto.randomUUID())
  await Promise.all([seed(db, ORIGIN), seed(new Database(db.name), ORIGIN)])
  const before = await allRows(db)
  await seed(db, ORIGIN)
  expect(await allRows(db)).toEqual(before)
  expect(before['gpts']).toHaveLength(1)
})

test('what the user deleted does not come back', async () => {
  const db = new Database(crypto.randomUUID())
  await seed(db, ORIGIN)
  const [server] = await servers(db)
  const [gpt] = await listGpts(db)
  await createServers(db).remove(server?.id ?? '')
  await createGpts(db).remove(gpt?.id ?? '')
  await seed(db, ORIGIN)
  await purge(db, Date.now() + UNDO_MS)
  await seed(db, ORIGIN)
  expect(await servers(db)).toEqual([])
  expect(await listGpts(db)).toEqual([])
  expect(await models(db)).toHaveLength(1)
})

test('a host without the demo server gets an assistant, and no server that fails', async () => {
  const db = new Database(crypto.randomUUID())
  expect(await seed(db, ORIGIN, async () => false)).toBe(true)
  expect(await servers(db)).toEqual([])
  const [gpt] = await listGpts(db)
  expect(gpt).toMatchObject({ name: 'Assistant', starters: [], tools: { serverIds: [] } })
  // It is not looked for again.
  expect(await seed(db, ORIGIN, () => Promise.reject(new Error('asked again')))).toBe(false)
})
