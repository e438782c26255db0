import type { Page } from '@playwright/test'
import { type OidcOptions, type OidcServers, startOidcServers } from '@switchboard/testkit/oidc-server'
import { canariesIn } from './canaries.ts'
import { act, test as base, expect, store } from './chat-fixtures.ts'
import { storedServer } from './stored-server.ts'

/** What signing in is tried with: `oidc-provider` before a server that takes nothing but its tokens. */
export const test = base.extend<{ clients: OidcOptions; far: OidcServers }>({
  clients: [{}, { option: true }],
  far: async ({ clients }, use) => {
    const far = await startOidcServers(clients)
    await use(far)
    await far.close()
  },
  // A refusal is the beginning of every sign-in; the pages of the authorization server want a font of the network.
  expectedProblems: /status of (401|403|404)|ERR_NAME_NOT_RESOLVED/,
})

export const card = (page: Page) => page.getByRole('region', { name: /^Sign in to / })

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

/** Presses the button of the card, and gives the window that opens. */
export async function openWindow(page: Page, name = 'Sign in'): Promise<Page> {
  const button = card(page).getByRole('button', { name, exact: true })
  const [window] = await Promise.all([page.context().waitForEvent('page'), act(button)])
  await window.locator('[type=submit]').waitFor()
  return window
}

export async function openForm(page: Page, url: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/#/servers/new`)
  await page.getByLabel('Address').fill(url)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(card(page)).toBeVisible()
}

/** Browsers that open no windows do so without a word. */
export const blockWindows = (page: Page) => page.evaluate(() => void (window.open = () => null))

/** A saved server that wants a sign-in, on its own page. */
export async function openSaved(page: Page, url: string): Promise<void> {
  await store(page, { mcpServers: [protectedServer(url)] })
  await page.reload()
  await page.goto(`${new URL(page.url()).origin}/#/servers/notes-server`)
  await expect(card(page)).toBeVisible()
}

const protectedServer = (url: string) =>
  storedServer({ id: 'notes-server', name: 'Notes', url, authentication: { type: 'auto' } })

export const line = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name }) })

/** Everything that a script of the page could read, as text. */
export async function readable(page: Page): Promise<string> {
  const stored = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('switchboard')
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(new Error(opening.error?.message))
    })
    const all: unknown[] = []
    for (const name of database.objectStoreNames) {
      const asked = database.transaction(name).objectStore(name).getAll()
      await new Promise((resolve) => (asked.onsuccess = resolve))
      all.push(
        (asked.result as unknown[]).map((row) =>
          JSON.stringify(row, (_, value: unknown) =>
            value instanceof Uint8Array ? [...value].map((byte) => String.fromCharCode(byte)).join('') : value,
          ),
        ),
      )
    }
    database.close()
    return JSON.stringify([
      all,
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      location.href,
      performance.getEntries(),
    ])
  })
  return stored + (await page.content())
}

/** `own`: what somebody entered for the sign-in. */
export function expectNoSecret(far: OidcServers, text: string, own: Record<string, string> = {}): void {
  const given = Object.fromEntries([...far.secrets].map((secret, at) => [`secret ${at}`, secret]))
  expect(Object.keys(given).length).toBeGreaterThan(0)
  expect(canariesIn(text, { ...given, ...own })).toEqual([])
}
