import type { Page } from '@playwright/test'
import { type OidcServers, startOidcServers } from '@switchboard/testkit/oidc-server'
import { canariesIn } from './canaries.ts'
import { approval, expect, press, say, store, test as base } from './chat-fixtures.ts'

/** What signing in is tried with: `oidc-provider` before a server that takes nothing but its tokens. */
const test = base.extend<{ far: OidcServers }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
  far: async ({}, use) => {
    const far = await startOidcServers()
    await use(far)
    await far.close()
  },
  // A refusal is the beginning of every sign-in; the pages of the authorization server want a font of the network.
  expectedProblems: /status of (401|403|404)|ERR_NAME_NOT_RESOLVED/,
})

const card = (page: Page) => page.getByRole('region', { name: /^Sign in to / })

/** Signs in with the pages of the authorization server, which remembers people. */
async function signInAt(window: Page): Promise<void> {
  await window.locator('[type=submit]').waitFor()
  if ((await window.locator('[name=login]').count()) > 0) {
    await window.locator('[name=login]').fill('ada')
    await window.locator('[name=password]').fill('any')
    await window.getByRole('button', { name: 'Sign-in' }).click()
  }
  await window.getByRole('button', { name: 'Continue' }).click({ noWaitAfter: true })
}

/** Presses the button of the card, and gives the window that opens. */
async function openWindow(page: Page, name = 'Sign in'): Promise<Page> {
  const button = card(page).getByRole('button', { name, exact: true })
  const [window] = await Promise.all([page.context().waitForEvent('page'), button.click()])
  await window.locator('[type=submit]').waitFor()
  return window
}

async function openForm(page: Page, url: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/#/servers/new`)
  await page.getByLabel('Address').fill(url)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(card(page)).toBeVisible()
}

/** Browsers that open no windows do so without a word. */
const blockWindows = (page: Page) => page.evaluate(() => void (window.open = () => null))

/** A saved server that wants a sign-in, on its own page. */
async function openSaved(page: Page, url: string): Promise<void> {
  await store(page, { mcpServers: [protectedServer(url)] })
  await page.reload()
  await page.goto(`${new URL(page.url()).origin}/#/servers/notes-server`)
  await expect(card(page)).toBeVisible()
}

const protectedServer = (url: string) => ({
  id: 'notes-server',
  name: 'Notes',
  description: '',
  transport: 'streamable-http',
  url,
  headerNames: [],
  authentication: { type: 'auto' },
  timeoutSeconds: 60,
  retries: 0,
  relay: false,
  trusted: false,
  enabled: true,
  createdAt: 1,
  updatedAt: 1,
})

const line = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

/** Everything that a script of the page could read, as text. */
async function readable(page: Page): Promise<string> {
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

function expectNoSecret(far: OidcServers, text: string): void {
  const secrets = Object.fromEntries([...far.secrets].map((secret, at) => [`secret ${at}`, secret]))
  expect(Object.keys(secrets).length).toBeGreaterThan(1)
  expect(canariesIn(text, secrets)).toEqual([])
}

test('a server is signed in to from its form, shows its tools before it is saved, and stays signed in', async ({
  app,
  far,
}) => {
  await openForm(app, far.mcpUrl)
  await expect(card(app)).toContainText(new URL(far.issuer).host)
  await expect(card(app)).toContainText('notes')
  const window = await openWindow(app)
  expect(await window.evaluate(() => globalThis.opener === null)).toBe(true)
  await signInAt(window)
  await window.waitForEvent('close')
  await expect(app.getByRole('heading', { name: 'What it offers' })).toBeVisible()
  await expect(app.getByText('keep_note').first()).toBeVisible()
  await app.getByRole('button', { name: 'Save' }).click()
  await expect(line(app, 'protected-notes')).toContainText('connected')
  const grants = far.grants.length
  await app.reload()
  await expect(line(app, 'protected-notes')).toContainText('connected')
  expect(far.grants).toHaveLength(grants)
  expectNoSecret(far, await readable(app))
})

test('where windows are blocked the page is left, and comes back to the same form', async ({ app, far }) => {
  await openForm(app, far.mcpUrl)
  await blockWindows(app)
  await card(app).getByRole('button', { name: 'Sign in', exact: true }).click()
  await signInAt(app)
  await expect(app.getByLabel('Address')).toHaveValue(far.mcpUrl)
  expect(new URL(app.url()).hash).toBe('#/servers/new')
  expect(new URL(app.url()).search).toBe('')
  await expect(app.getByRole('heading', { name: 'What it offers' })).toBeVisible()
  await app.getByRole('button', { name: 'Save' }).click()
  await expect(line(app, 'protected-notes')).toContainText('connected')
  expectNoSecret(far, await readable(app))
})

test('a window that is closed is noticed, and the sign-in is offered again', async ({ app, far }) => {
  await openSaved(app, far.mcpUrl)
  const window = await openWindow(app)
  await window.close()
  await app.bringToFront()
  await expect(card(app).getByRole('alert')).toHaveText('The window was closed before you were signed in.')
  const again = await openWindow(app, 'Try again')
  await signInAt(again)
  await expect(app.getByRole('heading', { name: 'Signed in', exact: true })).toBeVisible()
})

test('who says no is told so, and may change their mind', async ({ app, far }) => {
  await openSaved(app, far.mcpUrl)
  const window = await openWindow(app)
  await window.getByRole('link', { name: 'Cancel' }).click({ noWaitAfter: true })
  await expect(card(app).getByRole('alert')).toContainText('was declined')
  await signInAt(await openWindow(app, 'Try again'))
  await expect(app.getByRole('heading', { name: 'Signed in', exact: true })).toBeVisible()
})

test('signing out ends the tokens, and the server asks for a sign-in again', async ({ app, far }) => {
  await openSaved(app, far.mcpUrl)
  await signInAt(await openWindow(app))
  await app.getByRole('button', { name: 'Sign out' }).click()
  await expect(app.getByText('Signed out of Notes.')).toBeVisible()
  await expect(app.getByRole('heading', { name: 'Signed in', exact: true })).toHaveCount(0)
  expect(far.asked.some(({ path }) => path === '/token/revocation')).toBe(true)
  await app.getByRole('button', { name: 'Test connection' }).click()
  await expect(card(app)).toBeVisible()
})

test('a second tab hears of a sign-in and of its end', async ({ app, far, context }) => {
  await openSaved(app, far.mcpUrl)
  const other = await context.newPage()
  await other.goto(`${new URL(app.url()).origin}/#/servers`)
  await expect(card(other)).toBeVisible()
  await signInAt(await openWindow(app))
  await expect(line(other, 'Notes')).toContainText('connected')
})

test('a window whose page was reloaded meanwhile becomes the app, and signs in there', async ({ app, far }) => {
  await openSaved(app, far.mcpUrl)
  const window = await openWindow(app)
  await app.reload()
  await signInAt(window)
  await expect(window.getByText('You are signed in.')).toBeVisible()
  await expect(line(window, 'Notes')).toContainText('connected')
})

test('a call that needs more rights waits for them in the chat, and is made exactly once', async ({
  app,
  far,
  model,
}) => {
  const times = { createdAt: 1, updatedAt: 1 }
  await openSaved(app, far.mcpUrl)
  await signInAt(await openWindow(app))
  await expect(app.getByRole('heading', { name: 'Signed in', exact: true })).toBeVisible()
  const connection = {
    ...times,
    id: 'scripted-model',
    kind: 'compatible',
    api: 'chat',
    name: 'Scripted',
    baseUrl: model.url,
    hasKey: false,
    models: ['one'],
  }
  const tools = {
    serverIds: ['notes-server'],
    disabledTools: [],
    approval: 'always-ask',
    trustedTools: [],
    pollSeconds: 5,
    asyncTasks: false,
  }
  const gpt = {
    ...times,
    id: 'gpt-keeper',
    name: 'Keeper',
    description: '',
    icon: 'K',
    instructions: '',
    model: { connectionId: 'scripted-model', modelId: 'one' },
    settings: { maxToolCalls: 25 },
    starters: [],
    tools,
  }
  await store(app, { modelConnections: [connection], gpts: [gpt] })
  await app.goto(`${new URL(app.url()).origin}/#/gpt/gpt-keeper/new`)
  model.follow([{ calls: [{ name: 'notes__keep_note', input: { text: 'once' } }] }, { text: 'It is kept.' }])
  await say(app, 'Keep it')
  await expect(approval(app)).toBeVisible()
  await press(app, 'Allow once')
  await expect(card(app)).toContainText('write')
  await expect(card(app)).toContainText('new')
  expect(far.notes).toEqual([])
  await signInAt(await openWindow(app))
  await expect(app.getByText('It is kept.')).toBeVisible()
  expect(far.notes).toEqual(['once'])
})
