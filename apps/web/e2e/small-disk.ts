import type { Page } from '@playwright/test'
import { test as base } from './chat-fixtures.ts'

const QUOTA_BYTES = 12_000_000

/** As `test`, in a browser that allows this app 12 MB. It is told before the app is opened: Chromium remembers what it allowed. */
export const smallDisk = base.extend({
  page: async ({ page, companion }, use) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Storage.overrideQuotaForOrigin', { origin: companion.origin, quotaSize: QUOTA_BYTES })
    await use(page)
  },
})

/** Fills the disk until not even a few bytes go in. */
export const fillDisk = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('filling', 1)
      opening.onupgradeneeded = () => opening.result.createObjectStore('rows', { autoIncrement: true })
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(new Error(opening.error?.message))
    })
    const add = (bytes: number) =>
      new Promise<boolean>((resolve) => {
        const row = new Uint8Array(bytes)
        for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(row.subarray(at, at + 65_536))
        const writing = database.transaction('rows', 'readwrite')
        writing.objectStore('rows').add(row)
        writing.oncomplete = () => resolve(true)
        writing.onabort = () => resolve(false)
      })
    for (const bytes of [500_000, 60_000, 8_000, 1_000, 100]) while (await add(bytes));
    database.close()
  })

/** There is room again. */
export const emptyDisk = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const deleting = indexedDB.deleteDatabase('filling')
        deleting.onsuccess = () => resolve()
        deleting.onerror = () => reject(new Error(deleting.error?.message))
      }),
  )
