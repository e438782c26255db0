import 'fake-indexeddb/auto'
import { afterEach, describe, expect, test } from 'vitest'
import type { CustomToolInput } from '#domain/custom-tool.ts'
import { createCustomTools } from './custom-tools.ts'
import { Database } from './db.ts'
import { callsOfServer } from './live.ts'
import { purge, UNDO_MS } from './purge.ts'
import { callOf, serverInput } from './sample-rows.ts'
import { createServers } from './servers.ts'

let db: Database
const open = async () => {
  db = new Database(`custom-${crypto.randomUUID()}`)
  const servers = createServers(db)
  const { id } = await servers.add(serverInput({ transport: 'custom', url: '' }))
  return { tools: createCustomTools(db), servers, id }
}
afterEach(() => db.delete())

const tool = (name: string, change: Partial<CustomToolInput> = {}): CustomToolInput => ({
  name,
  description: 'Does it',
  inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
  method: 'GET',
  url: 'https://api.example/',
  places: { a: 'query' },
  annotations: {},
  ...change,
})

describe('custom tools', () => {
  test('are kept by collection, and come back as they were', async () => {
    const { tools, id } = await open()
    const [one] = await tools.add(id, [tool('one')])
    expect(await tools.toolsOf(id)).toEqual([one])
    await tools.remove(one!.id)
    expect(await tools.toolsOf(id)).toEqual([])
    await tools.restore(one!)
    expect(await tools.toolsOf(id)).toEqual([one])
    expect(await tools.toolsOf('another')).toEqual([])
  })

  test('have names of their own within a collection: all of a batch are added, or none', async () => {
    const { tools, id } = await open()
    await tools.add(id, [tool('one')])
    await expect(tools.add(id, [tool('two'), tool('one')])).rejects.toThrow(/has a tool called one already/)
    await expect(tools.add(id, [tool('two'), tool('two')])).rejects.toThrow(/called two already/)
    expect((await tools.toolsOf(id)).map(({ name }) => name)).toEqual(['one'])
  })

  test('may keep their own name when they are changed, and not take a neighbour’s', async () => {
    const { tools, id } = await open()
    const [one] = await tools.add(id, [tool('one'), tool('two')])
    expect(await tools.change(one!.id, tool('one', { method: 'POST' }))).toMatchObject({ id: one!.id, method: 'POST' })
    await expect(tools.change(one!.id, tool('two'))).rejects.toThrow(/called two already/)
    await expect(tools.change('gone', tool('x'))).rejects.toThrow(/not there any more/)
  })

  test('that are out of bounds, or belong to a server, are refused', async () => {
    const { tools, servers, id } = await open()
    await expect(tools.add(id, [tool('n'.repeat(51))])).rejects.toThrow(/name is too long, the most is 50/)
    await expect(tools.add(id, [tool('a', { description: 'd'.repeat(501) })])).rejects.toThrow(/the most is 500/)
    const { id: real } = await servers.add(serverInput())
    await expect(tools.add(real, [tool('a')])).rejects.toThrow(/tools of its own/)
    await expect(tools.add('nowhere', [tool('a')])).rejects.toThrow(/not there any more/)
    const many = Array.from({ length: 1001 }, (_, at) => tool(`t${at}`))
    await expect(tools.add(id, many)).rejects.toThrow(/up to 1000 tools/)
    expect(await tools.toolsOf(id)).toEqual([])
  })

  test('tell of every change, until nobody listens', async () => {
    const { tools, id } = await open()
    const seen: number[] = []
    let look = (): void => {}
    const until = (test: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        look = () => test() && resolve()
        look()
      })
    const end = tools.watch(id, () => {
      void tools.toolsOf(id).then(({ length }) => {
        seen.push(length)
        look()
      })
    })
    await until(() => seen.at(-1) === 0)
    const [one] = await tools.add(id, [tool('one')])
    await until(() => seen.at(-1) === 1)
    await tools.remove(one!.id)
    await until(() => seen.at(-1) === 0)
    end()
    expect(seen[0]).toBe(0)
  })

  test('go for good with their collection, and not before it cannot come back', async () => {
    const { tools, servers, id } = await open()
    await tools.add(id, [tool('one')])
    await servers.remove(id)
    await purge(db, Date.now())
    expect(await db.customTools.count()).toBe(1)
    await purge(db, Date.now() + UNDO_MS + 1000)
    expect(await db.customTools.count()).toBe(0)
  })
})

test('the log of a server is its calls that began, newest first, and no others', async () => {
  await open()
  const message = { id: 'm', conversationId: '' }
  await db.mcpToolCalls.bulkAdd([
    callOf(message, { id: 'a', serverId: 's', startedAt: 1, status: 'success' }),
    callOf(message, { id: 'b', serverId: 's', startedAt: 3, status: 'error' }),
    callOf(message, { id: 'c', serverId: 's', startedAt: 2, status: 'running' }),
    callOf(message, { id: 'd', serverId: 's', status: 'pending' }),
    callOf(message, { id: 'e', serverId: 't', startedAt: 4, status: 'success' }),
  ])
  expect((await callsOfServer(db, 's', 2)).map(({ id }) => id)).toEqual(['b', 'c'])
})
