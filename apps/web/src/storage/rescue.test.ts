import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { checkEverything } from './backup.ts'
import { Database } from './db.ts'
import { rescue } from './rescue.ts'
import { startedConversation } from './sample-rows.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

async function damaged() {
  const name = crypto.randomUUID()
  const db = new Database(name)
  await startedConversation(db)
  await db.settings.bulkPut([
    { key: 'vault', value: { revision: 1 } },
    { key: 'theme', value: 'dark' },
  ])
  await db.secrets.put({ id: 'mcpServers:one:token' } as never)
  db.close()
  return name
}

test('[R-36] what a newer version has stored is read as it is, without secrets, and nothing is changed', async () => {
  const name = await damaged()
  await new Promise<void>((resolve) => {
    const opening = indexedDB.open(name, 990)
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore('future', { keyPath: 'id' }).put({ id: 'unheard of' })
    opening.onsuccess = () => {
      opening.result.close()
      resolve()
    }
  })
  const before = await indexedDB.databases()
  const { tables, unreadable } = await rescue(name)
  expect(tables['future']).toEqual([{ id: 'unheard of' }])
  expect(tables['messages']).toHaveLength(1)
  expect(tables['settings']).toEqual([{ key: 'theme', value: 'dark' }])
  expect(Object.keys(tables)).not.toContain('secrets')
  expect(unreadable).toBe(0)
  expect(await indexedDB.databases()).toEqual(before)
})

test('[R-36] one row that cannot be read does not keep the others', async () => {
  const name = await damaged()
  const get = IDBObjectStore.prototype.get
  vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(() => {
    throw new DOMException('', 'DataError')
  })
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, key) {
    if (this.name === 'gpts') throw new DOMException('', 'DataError')
    return get.call(this, key)
  })
  const { tables, unreadable } = await rescue(name)
  expect(tables['gpts']).toEqual([])
  expect(tables['messages']).toHaveLength(1)
  expect(unreadable).toBe(1)
})

test('[R-36] where there is nothing, it is said, and nothing is made', async () => {
  const name = crypto.randomUUID()
  await expect(rescue(name)).rejects.toMatchObject({ failure: { code: 'not-found' } })
  expect((await indexedDB.databases()).map((one) => one.name)).not.toContain(name)
})

test('[R-36] of what was rescued, the rows that fit come back', async () => {
  const { tables } = await rescue(await damaged())
  const { rows, bad } = checkEverything({
    ...tables,
    gpts: [...(tables['gpts'] ?? []), { id: 'no GPT' }, 7],
    future: [{}],
  })
  expect(rows.gpts).toHaveLength(1)
  expect(rows.messages).toHaveLength(1)
  expect(rows.drafts).toEqual([])
  expect(bad.map(({ table, id }) => ({ table, id }))).toEqual([
    { table: 'gpts', id: 'no GPT' },
    { table: 'gpts', id: '' },
  ])
  expect(checkEverything('nonsense').rows.gpts).toEqual([])
})
