import type { BrowserContext, Page } from '@playwright/test'
import { AuthorizationServer } from '@switchboard/testkit/authorization-server'
import { FaultServer } from '@switchboard/testkit/fault-server'
import { protect } from '@switchboard/testkit/protected-server'
import { canariesUnder } from './canaries.ts'
import { command, engineOf } from './chaos-faults.ts'
import { act, store } from './chat-fixtures.ts'
import { expect, test as base } from './fixtures.ts'
import { startKillableBrowser } from './killable-browser.ts'
import { storedServer } from './stored-server.ts'

const TABS = 5
const EXPIRIES = 20

/** A server that takes nothing but the tokens of an authorization server whose refresh tokens are good once. */
interface Far {
  as: AuthorizationServer
  url: string
  /** How many requests were let in. */
  readonly letIn: number
  refreshes(): number
}

const test = base.extend<{ far: Far }>({
  expectedProblems: /status of (400|401|403|404)|ERR_|crashed/,
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
  far: async ({}, use) => {
    const as = await new AuthorizationServer().start()
    const mcp = await new FaultServer({ era: 'stateless', cors: true }).start()
    let letIn = 0
    protect(mcp, as, {
      onRequest: ({ method }) => {
        if (method === 'tools/list') letIn += 1
      },
    })
    const refreshes = () => as.tokenRequests.filter((form) => form.get('grant_type') === 'refresh_token').length
    await use({
      as,
      url: mcp.url,
      get letIn() {
        return letIn
      },
      refreshes,
    })
    await mcp.stop()
    await as.close()
  },
})
test.slow()

const record = (url: string) => storedServer({ id: 'notes', name: 'Notes', url, authentication: { type: 'auto' } })

const card = (page: Page) => page.getByRole('region', { name: /^Sign in to / })
const line = (page: Page) => page.getByRole('listitem').filter({ hasText: 'Notes' })
const isConnected = (page: Page) => line(page).getByText('connected', { exact: true })
const connected = (page: Page) => expect(isConnected(page)).toBeVisible()

/** Signs in where that is wanted: the authorization server agrees to everything at once. */
async function signIn(page: Page): Promise<void> {
  const [window] = await Promise.all([
    page.context().waitForEvent('page'),
    act(card(page).getByRole('button', { name: 'Sign in', exact: true })),
  ])
  if (!window.isClosed()) await window.waitForEvent('close')
  await connected(page)
}

async function openServers(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${new URL(address).origin}/#/servers`)
  return page
}

/** Lets the engine of a tab ask the server something. */
const ask = (page: Page) => command(page, 'toolDefinition', { serverId: 'notes', toolName: 'echo' })

/** Asks as well, and waits for the answer. Who asks while the server is being listed shares that list: this lets it end. */
async function askAndHear(page: Page): Promise<void> {
  const heard = engineOf(page)?.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const say = postMessage
        globalThis.postMessage = (message: { id?: number }) => {
          say(message)
          if (message.id !== -1) return
          globalThis.postMessage = say
          resolve()
        }
      }),
  )
  await ask(page)
  await heard
}

test(`[R-30] ${TABS} tabs, ${EXPIRIES} expiries, a token that is good once: one refresh each, and no token is used twice`, async ({
  app,
  context,
  far,
}) => {
  await store(app, { mcpServers: [record(far.url)] })
  await app.reload()
  await app.goto(`${new URL(app.url()).origin}/#/servers`)
  await signIn(app)
  const tabs = [app]
  while (tabs.length < TABS) tabs.push(await openServers(context, app.url()))
  for (const tab of tabs) await connected(tab)
  await Promise.all(tabs.map(askAndHear))
  const before = far.refreshes()
  for (let expiry = 1; expiry <= EXPIRIES; expiry += 1) {
    const { letIn } = far
    far.as.expireTokens()
    await Promise.all(tabs.map(askAndHear))
    expect(far.letIn - letIn, `expiry ${expiry}`).toBeGreaterThanOrEqual(TABS)
    expect(far.refreshes() - before, `expiry ${expiry}`).toBe(expiry)
  }
  expect(far.as.reuses).toBe(0)
  for (const tab of tabs) await connected(tab)
})

test('[R-31] an answer that is lost after the token was changed ends in a sign-in, not in a loop, and that mends it', async ({
  app,
  far,
}) => {
  await store(app, { mcpServers: [record(far.url)] })
  await app.reload()
  await app.goto(`${new URL(app.url()).origin}/#/servers`)
  await signIn(app)
  await askAndHear(app)
  const before = far.refreshes()
  let lost = 0
  far.as.faults.set('/token', (asked, usual) => {
    if (asked.form.get('grant_type') !== 'refresh_token' || lost++ > 0) return undefined
    usual()
    return 'drop'
  })
  far.as.expireTokens()
  await ask(app)
  await expect(card(app)).toBeVisible()
  // Once more with the same token, by us or by the browser itself, and no more.
  const asked = far.refreshes() - before
  expect(asked).toBeGreaterThanOrEqual(2)
  expect(asked).toBeLessThanOrEqual(3)
  await signIn(app)
  await askAndHear(app)
  const { letIn } = far
  await askAndHear(app)
  expect(far.letIn).toBeGreaterThan(letIn)
  expect(far.refreshes() - before).toBe(asked)
})

test('[R-32] a tab that is killed between the answer and its storing costs a sign-in at worst, and no token is ever plain on the disk', async ({
  companion,
  far,
}) => {
  const browser = await startKillableBrowser()
  const { context, profile } = browser
  let page = context.pages()[0] ?? (await context.newPage())
  await page.goto(companion.url)
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await store(page, { mcpServers: [record(far.url)] })
  const { origin } = new URL(page.url())
  await page.reload()
  await page.goto(`${origin}/#/servers`)
  await signIn(page)

  const ends: string[] = []
  // Before the answer has left, and so long after it.
  for (const afterMs of [undefined, 0, 1, 2, 4, 8, 16]) {
    const dying = page
    const session = await context.newCDPSession(dying)
    const crashed = dying.waitForEvent('crash')
    const crash = () => void session.send('Page.crash').catch(() => {})
    await askAndHear(dying)
    let refreshed = 0
    far.as.faults.set('/token', async (asked, usual) => {
      if (asked.form.get('grant_type') !== 'refresh_token' || refreshed++ > 0) return undefined
      const answer = usual()
      if (afterMs === undefined) {
        crash()
        await crashed
        return answer
      }
      setTimeout(crash, afterMs)
      return answer
    })
    const before = far.refreshes()
    far.as.expireTokens()
    await ask(dying)
    await crashed
    far.as.faults.delete('/token')
    await dying.close()
    page = await openServers(context, origin)
    await expect(isConnected(page).or(card(page))).toBeVisible()
    const isSignIn = await card(page).isVisible()
    ends.push(isSignIn ? 'sign-in' : 'connected')
    // Shown once more at most: it may have been spent, and nobody here could know.
    expect(far.refreshes() - before).toBeLessThanOrEqual(2)
    if (isSignIn) await signIn(page)
  }
  expect(ends[0]).toBe('sign-in')
  console.log(`Killed at ${ends.length} points: ${ends.join(', ')}.`)
  // A code is in an address, which browsers remember; it is spent, and good for nobody without what only the tab knew.
  const tokens = far.as.secrets.filter((secret) => !secret.startsWith('canary-code'))
  const secrets = Object.fromEntries(tokens.map((secret, at) => [`${secret.slice(0, 14)} ${at}`, secret]))
  expect(Object.keys(secrets).length).toBeGreaterThan(10)
  await browser.kill()
  expect(canariesUnder(profile, secrets)).toEqual([])
  browser.remove()
})
