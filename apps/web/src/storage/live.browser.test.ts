import { afterEach, expect, test } from 'vitest'
import { Database } from './db.ts'
import { listConversations, listGpts, shownWindow } from './live.ts'
import { observe } from './observe.ts'
import { openDatabase } from './open.ts'
import { startedConversation } from './sample-rows.ts'
import { createTurnStorage } from './turn-storage.ts'

const opened: Database[] = []
afterEach(async () => {
  for (const db of opened.splice(0)) await db.delete()
})
const database = (name = `live-${crypto.randomUUID()}`) => {
  const db = new Database(name)
  opened.push(db)
  return db
}

function later<T>() {
  let [resolve, reject] = [(_: T) => {}, (_: unknown) => {}]
  const promise = new Promise<T>((done, fail) => {
    ;[resolve, reject] = [done, fail]
  })
  return { promise, resolve, reject }
}

/** Waits until a live query finds this. */
const found = <T>(query: () => Promise<T>, isIt: (value: T) => boolean) =>
  new Promise<T>((resolve, reject) => {
    const end = observe(query, {
      next: (value) => {
        if (!isIt(value)) return
        end()
        resolve(value)
      },
      error: (error) => reject(error as Error),
    })
  })

test('what a worker writes is seen by the page, without a word between them', async () => {
  const db = database()
  expect(await listConversations(db, { limit: 9 })).toEqual([])
  const worker = new Worker(new URL('./write-in-worker.ts', import.meta.url), { type: 'module' })
  const seen = found(
    async () => {
      const [conversation] = await listConversations(db, { limit: 9 })
      return conversation && shownWindow(db, conversation.id, 60)
    },
    // The question is done from the beginning: it is the answer that is waited for.
    (shown) => shown?.messages[1]?.status === 'done',
  )
  worker.postMessage(db.name)
  expect((await seen)?.messages.map(({ parts }) => parts[0])).toEqual([
    { type: 'text', text: 'Hello' },
    { type: 'text', text: 'All of it' },
  ])
  worker.terminate()
})

test('growing a message does not run the list of messages again', async () => {
  const db = database()
  const { id } = await startedConversation(db)
  const storage = createTurnStorage(db)
  const { id: messageId } = await storage.append({
    id: crypto.randomUUID(),
    conversationId: id,
    role: 'assistant',
    parts: [],
    status: 'streaming',
  })
  let runs = 0
  const first = later<void>()
  const end = observe(() => shownWindow(db, id, 60), {
    next: () => {
      runs += 1
      first.resolve()
    },
    error: (error) => first.reject(error),
  })
  await first.promise
  const grown = found(
    () => db.streams.get(messageId),
    (stream) => stream?.parts.length === 1 && stream.parts[0]?.type === 'text' && stream.parts[0].text === '20',
  )
  for (let at = 1; at <= 20; at += 1)
    await storage.grow({ messageId, conversationId: id, parts: [{ type: 'text', text: `${at}` }], arriving: [] })
  await grown
  expect(runs).toBe(1)
  end()
})

test('[R-36] a page reads what is stored, not what it showed a moment ago: the word of a new beginning may come later', async () => {
  const db = database()
  await startedConversation(db)
  const gpts = (from: Database) => () => listGpts(from)
  await found(gpts(db), ({ length }) => length > 0)
  // Behind the back of Dexie, which would tell this page of it at once.
  const clearing = db.backendDB().transaction('gpts', 'readwrite')
  clearing.objectStore('gpts').clear()
  await new Promise((resolve) => clearing.addEventListener('complete', resolve))
  expect(await found(gpts(database(db.name)), () => true)).toEqual([])
})

test('[R-34] an older tab that will not let go is named after five seconds', async () => {
  const name = `live-${crypto.randomUUID()}`
  const old = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('no database'))
  })
  await expect(openDatabase(() => undefined, name)).rejects.toMatchObject({
    failure: { code: 'storage-blocked', message: expect.stringContaining(`begins with ${location.origin}`) as string },
  })
  old.close()
})

test('[R-34] a newer version gets the database from an open tab, which is told', async () => {
  const name = `live-${crypto.randomUUID()}`
  const told = later<string>()
  const db = await openDatabase(({ message }) => told.resolve(message), name)
  const newer = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name, 990)
    request.onsuccess = () => resolve(request.result)
    request.onblocked = () => reject(new Error('blocked'))
  })
  expect(await told.promise).toBe('A newer version of the app was opened in another tab. Reload this one.')
  await expect(db.gpts.count()).rejects.toThrow()
  newer.close()
  indexedDB.deleteDatabase(name)
})

test('[R-35] a database that must be there and is not is not made, also where it goes while it is opened', async () => {
  const name = crypto.randomUUID()
  const names = async () => (await indexedDB.databases()).map((database) => database.name)
  const opened = () => openDatabase(() => undefined, name, { mustExist: true })
  await expect(opened()).rejects.toThrow()
  expect(await names()).not.toContain(name)

  const db = await openDatabase(() => undefined, name)
  expect((await opened()).isOpen()).toBe(true)
  // Closed by the word of the deletion; what is opened meanwhile waits for it.
  const deleting = indexedDB.deleteDatabase(name)
  await expect(opened()).rejects.toThrow()
  await expect.poll(() => deleting.readyState).toBe('done')
  expect(db.isOpen()).toBe(false)
  expect(await names()).not.toContain(name)
})
