import 'fake-indexeddb/auto'
import { Dexie } from 'dexie'
import { afterEach, expect, test, vi } from 'vitest'
import type { Failed } from '#domain/failure.ts'
import { openDatabase } from './open.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** An open database, and what it says when it is taken away. */
async function openAndListen(name: string) {
  let tell: (failure: Failed) => void = () => undefined
  const told = new Promise<Failed>((resolve) => {
    tell = resolve
  })
  return { db: await openDatabase(tell, name), told }
}

test('a database opens with all its tables', async () => {
  const db = await openDatabase(() => undefined, crypto.randomUUID())
  expect(db.tables.map(({ name }) => name).sort()).toContain('mcpToolCalls')
  db.close()
})

test('[R-36] what a newer version has written is not touched', async () => {
  const name = crypto.randomUUID()
  const newer = new Dexie(name)
  newer.version(99).stores({ future: 'id' })
  await newer.open()
  newer.close()
  const before = await indexedDB.databases()
  await expect(openDatabase(() => undefined, name)).rejects.toMatchObject({
    failure: { code: 'storage-newer', message: expect.stringContaining('newer version of the app') as string },
  })
  expect(await indexedDB.databases()).toEqual(before)
})

test('[R-35] a browser that stores nothing is said as such', async () => {
  vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  await expect(openDatabase(() => undefined, crypto.randomUUID())).rejects.toMatchObject({
    failure: { code: 'storage-denied', message: expect.stringContaining('allow site data') as string },
  })
})

test('[R-34] a newer version in another tab gets the database, and this tab is told', async () => {
  const name = crypto.randomUUID()
  const { db, told } = await openAndListen(name)
  const newer = new Dexie(name)
  newer.version(99).stores({ gpts: 'id' })
  await newer.open()
  expect((await told).failure.message).toBe('A newer version of the app was opened in another tab. Reload this one.')
  expect(db.isOpen()).toBe(false)
  await expect(db.gpts.count()).rejects.toThrow()
  newer.close()
})

test('[R-35] a database that is deleted under this tab is not silently begun anew', async () => {
  const name = crypto.randomUUID()
  const { db, told } = await openAndListen(name)
  await Dexie.delete(name)
  expect((await told).failure.message).toMatch(/^The data of this app was deleted/)
  await expect(db.gpts.count()).rejects.toThrow()
})
