import type { Browser, BrowserContext, Page } from 'playwright'
import { expect, onTestFinished } from 'vitest'
import type { Driver, Outcome } from './driver.ts'

// What the page of driver.ts has.
declare const driver: Driver

export interface Visit {
  context: BrowserContext
  page: Page
  /** What its pages complain of; empty at the end, or the test fails. */
  complaints: string[]
}

/** Somebody with a browser that has never been here; what goes wrong unheard in their pages fails the test. */
export async function visit(browser: Browser, address: string): Promise<Visit> {
  const context = await browser.newContext()
  context.setDefaultTimeout(15_000)
  const complaints: string[] = []
  context.on('weberror', (error) => complaints.push(String(error.error())))
  context.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) complaints.push(message.text())
  })
  context.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  const page = await context.newPage()
  await page.goto(address)
  return { context, page, complaints }
}

/** Signs in with the pages of the authorization server, which remembers people. */
export async function signInAt(window: Page): Promise<void> {
  await window.locator('[type=submit]').waitFor()
  if ((await window.locator('[name=login]').count()) > 0) {
    await window.locator('[name=login]').fill('ada')
    await window.locator('[name=password]').fill('any')
    await window.getByRole('button', { name: 'Sign-in' }).click()
  }
  await window.getByRole('button', { name: 'Continue' }).click({ noWaitAfter: true })
}

/** Presses something and waits for the window that opens, filled. */
export async function pressForWindow(page: Page, selector: string): Promise<Page> {
  const [window] = await Promise.all([page.context().waitForEvent('page'), page.locator(selector).click()])
  await window.locator('[type=submit]').waitFor()
  return window
}

/** Waits until the page says so. */
export async function expectState(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('#state').filter({ hasText: text }).waitFor()
}

export const NOBODY = /^No page waits for this sign-in any more/

/** The page people come back to says so once it has waited for somebody; here its clock can be put forward. */
export async function expectNobody(page: Page): Promise<void> {
  await page.locator('#state').filter({ hasText: 'One moment…' }).waitFor()
  await page.clock.fastForward(5000)
  await expectState(page, NOBODY)
}

export const outcomeOf = (page: Page): Promise<Outcome | undefined> => page.evaluate(() => driver.outcome)

export const callOnPress = (page: Page, options: { serverUrl: string; timeoutMs?: number }): Promise<void> =>
  page.evaluate((given) => driver.callOnPress(given), options)

export const call = (page: Page, serverUrl: string): Promise<Outcome> =>
  page.evaluate((given) => driver.call({ serverUrl: given }), serverUrl)

/** Everything the library has stored, and `change` to change it. */
export function storedBy(page: Page, change: Record<string, string> = {}): Promise<Record<string, string>> {
  return page.evaluate(async (changes) => {
    const opening = indexedDB.open('mcp-oauth')
    await new Promise((resolve) => (opening.onsuccess = resolve))
    const transaction = opening.result.transaction('values', 'readwrite')
    const store = transaction.objectStore('values')
    for (const [key, value] of Object.entries(changes)) store.put(value, key)
    const [keys, values] = [store.getAllKeys(), store.getAll() as IDBRequest<string[]>]
    await new Promise((resolve) => (transaction.oncomplete = resolve))
    opening.result.close()
    return Object.fromEntries(keys.result.map((key, index) => [String(key), values.result[index] ?? '']))
  }, change)
}
