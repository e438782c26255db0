import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { Database } from './db.ts'
import { writing } from './in-transaction.ts'
import { fillReserve, releaseReserve } from './reserve.ts'
import { callOf, startedConversation } from './sample-rows.ts'
import { createToolCalls } from './tool-calls.ts'
import { tryRoom } from './try-room.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const names = async () => (await indexedDB.databases()).map(({ name }) => name)

/** A disk that has no room while the reserve is taken, as far as puts and adds go. */
async function fullDisk() {
  const db = new Database(crypto.randomUUID())
  const { id } = await startedConversation(db)
  await fillReserve(db.name)
  const reserve = `${db.name}-reserve`
  for (const deed of ['put', 'add'] as const) {
    const original = IDBObjectStore.prototype[deed]
    vi.spyOn(IDBObjectStore.prototype, deed).mockImplementation(function (this: IDBObjectStore, ...row) {
      if (isTaken) throw new DOMException('', 'QuotaExceededError')
      return original.apply(this, row)
    })
  }
  let isTaken = true
  const remove = indexedDB.deleteDatabase.bind(indexedDB)
  vi.spyOn(indexedDB, 'deleteDatabase').mockImplementation((name) => {
    if (name === reserve) isTaken = false
    return remove(name)
  })
  return { db, id, reserve }
}

test('a reserve is taken once, and given up once', async () => {
  const name = crypto.randomUUID()
  await fillReserve(name)
  await fillReserve(name)
  expect(await names()).toContain(`${name}-reserve`)
  expect(await releaseReserve(name)).toBe(true)
  expect(await names()).not.toContain(`${name}-reserve`)
  expect(await releaseReserve(name)).toBe(false)
})

test('[R-33] how a call ended is written even on a full disk, from the reserve', async () => {
  const { db, id, reserve } = await fullDisk()
  const calls = createToolCalls(db)
  await calls.addCalls([callOf({ id: 'message', conversationId: id }, { id: 'call', status: 'running' })])
  expect(await names()).not.toContain(reserve)
  await calls.changeCall('call', ['running'], { status: 'success' })
  expect((await db.mcpToolCalls.get('call'))?.status).toBe('success')
  db.close()
})

test('[R-33] what can be said again does not touch the reserve', async () => {
  const { db, reserve } = await fullDisk()
  const full = { failure: { code: 'storage-full' } }
  await expect(
    writing(db, [db.drafts], async () => void (await db.drafts.put({ id: 'x', text: 'y', updatedAt: 1 }))),
  ).rejects.toMatchObject(full)
  await expect(tryRoom(db)).rejects.toMatchObject(full)
  expect(await names()).toContain(reserve)
  await releaseReserve(db.name)
  await tryRoom(db)
  expect(await db.drafts.count()).toBe(0)
  db.close()
})
