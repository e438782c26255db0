import type { Page } from '@playwright/test'
import { type OidcServers, startOidcServers } from '@switchboard/testkit/oidc-server'
import { SIGN_IN_CHANNEL } from '#lib/sign-in-names.ts'
import { act, expect, store, test as base } from './chat-fixtures.ts'
import { watchProblems } from './fixtures.ts'
import { storedServer } from './stored-server.ts'

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

const HOSTILE = [
  '<img src=x onerror="globalThis.pwned=1">',
  '</script><script>globalThis.pwned=1</script>',
  '"><svg onload=globalThis.pwned=1>',
  'javascript:globalThis.pwned=1',
  '\u202Egnp.exe {{constructor.constructor("globalThis.pwned=1")()}}',
]

const originOf = (page: Page) => new URL(page.url()).origin
const card = (page: Page) => page.getByRole('region', { name: /^Sign in to / })

/** What the browser remembers of where a page has been. */
async function historyOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { entries } = await session.send('Page.getNavigationHistory')
  await session.detach()
  return entries.map(({ url }) => url)
}

/** A page on which nothing but its text may come of what it was told. */
async function expectInert(page: Page, problems: readonly string[] = []): Promise<void> {
  expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false)
  expect(await page.locator('img[src=x], svg[onload]').count()).toBe(0)
  expect(problems).toEqual([])
}

/** A saved server that wants a sign-in, with its window open: the window, and the state that it was given. */
async function beginSignIn(app: Page, far: OidcServers, name = 'Sign in'): Promise<{ window: Page; state: string }> {
  if (!app.url().includes('/servers/notes-server')) {
    await store(app, {
      mcpServers: [
        storedServer({ id: 'notes-server', name: 'Notes', url: far.mcpUrl, authentication: { type: 'auto' } }),
      ],
    })
    await app.reload()
    await app.goto(`${originOf(app)}/#/servers/notes-server`)
  }
  const button = card(app).getByRole('button', { name, exact: true })
  const [window] = await Promise.all([app.context().waitForEvent('page'), act(button)])
  await window.locator('[name=login]').waitFor()
  const state = far.asked.findLast(({ path }) => path === '/auth')?.query.get('state') ?? ''
  expect(state).not.toBe('')
  return { window, state }
}

async function signInAt(window: Page): Promise<void> {
  await window.locator('[name=login]').fill('ada')
  await window.locator('[name=password]').fill('any')
  await window.getByRole('button', { name: 'Sign-in' }).click()
  await window.getByRole('button', { name: 'Continue' }).click({ noWaitAfter: true })
}

const signedIn = (page: Page) => page.getByRole('heading', { name: 'Signed in', exact: true })

test('[A1.9] the page that people come back to says nothing of what it was told, runs none of it, and keeps it in no history', async ({
  app,
  context,
}) => {
  for (const words of HOSTILE) {
    const page = await context.newPage()
    const problems = watchProblems(page)
    const query = new URLSearchParams({ error: words, error_description: words, code: 'secret-code' })
    const response = await page.goto(`${originOf(app)}/oauth/callback?${query.toString()}`)
    expect(response?.headers()).toMatchObject({ 'referrer-policy': 'no-referrer' })
    expect(response?.headers()['content-security-policy']).toContain("script-src 'self'")
    await expect(page.getByRole('heading', { name: 'Nobody was signing in' })).toBeVisible()
    await expect(page.locator('body')).not.toContainText('pwned')
    await expectInert(page, problems)
    expect((await historyOf(page)).join()).not.toContain('secret-code')
    await page.close()
  }
})

test('[A1.9] an answer that nobody waits for leads to the app, which refuses it in words of its own', async ({
  app,
  context,
  far,
}) => {
  const page = await context.newPage()
  const problems = watchProblems(page)
  const words = HOSTILE.join('')
  const query = new URLSearchParams({
    error: 'access_denied',
    error_description: words,
    state: words,
    code: 'secret-code',
  })
  await page.goto(`${originOf(app)}/oauth/callback?${query.toString()}`)
  await expect(page.getByText('You are not signed in')).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
  await expectInert(page, problems)
  expect((await historyOf(page)).join()).not.toContain('secret-code')
  expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain('secret-code')
  expect(far.grants).toEqual([])
})

test('[A1.9] what a sign-in is refused with is shown as text, or not at all', async ({ app, far }) => {
  for (const [at, words] of HOSTILE.entries()) {
    const { window, state } = await beginSignIn(app, far, at === 0 ? 'Sign in' : 'Try again')
    const query = new URLSearchParams({ error: 'access_denied', error_description: words, state, iss: far.issuer })
    await window.goto(`${originOf(app)}/oauth/callback?${query.toString()}`, { waitUntil: 'commit' }).catch(() => {})
    await expect(card(app).getByRole('alert').last()).toContainText('was declined')
    await expectInert(app)
  }
  expect(far.grants).toEqual([])
})

test('[A1.10] an answer from a page of another origin is not heard, however it is sent', async ({ app, far }) => {
  const { window, state } = await beginSignIn(app, far)
  const answer = { state, query: `?code=stolen&state=${state}&iss=${encodeURIComponent(far.issuer)}`, code: 'stolen' }
  const sent = await window.evaluate(
    ([message, channel]) => {
      const sends = new BroadcastChannel(channel)
      sends.postMessage(message)
      for (const to of [globalThis.opener as Window | null, parent, top]) to?.postMessage(message, '*')
      try {
        localStorage.setItem(channel, JSON.stringify(message))
        sessionStorage.setItem(channel, JSON.stringify(message))
      } catch {
        // It has no storage.
      }
      return { hasOpener: globalThis.opener !== null, origin: location.origin }
    },
    [answer, SIGN_IN_CHANNEL] as const,
  )
  expect(sent).toEqual({ hasOpener: false, origin: far.issuer })
  // As if somebody had a hand on the app after all.
  await app.evaluate((data) => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    for (const origin of ['https://evil.example', location.origin])
      globalThis.dispatchEvent(new MessageEvent('message', { data, origin, source: frame.contentWindow }))
    globalThis.postMessage(data, '*')
    frame.remove()
  }, answer)
  // A right channel with another attempt's state is none of ours either.
  await app.evaluate((channel) => {
    const sends = new BroadcastChannel(channel)
    for (const message of [null, 5, {}, { state: 'other', query: '?code=x' }, { state: 'other' }])
      sends.postMessage(message)
    sends.close()
  }, SIGN_IN_CHANNEL)
  // Nothing but the announcement of the card itself, which interrupts nobody.
  await expect(card(app).getByRole('status').first()).toContainText('wants you to sign in')
  await expect(card(app).getByRole('alert')).toHaveCount(0)
  await signInAt(window)
  await expect(signedIn(app)).toBeVisible()
  expect(far.grants.map(({ parameters }) => parameters['code'])).not.toContain('stolen')
  expect(far.grants.map(({ type }) => type)).toEqual(['authorization_code'])
})

test('[A1.10] an answer is good once: who sends it again gets nothing', async ({ app, far, context }) => {
  const { window, state } = await beginSignIn(app, far)
  const back = context.waitForEvent('request', (request) => request.url().includes('/oauth/callback?'))
  await signInAt(window)
  const url = (await back).url()
  expect(url).toContain(state)
  await expect(signedIn(app)).toBeVisible()
  const grants = far.grants.length
  const again = await context.newPage()
  await again.goto(url)
  await expect(again.getByText('You are not signed in')).toBeVisible()
  expect(far.grants).toHaveLength(grants)
})

test('[A1.10] a window that its pages cut off, or that is closed, ends the wait with a way to try again', async ({
  app,
  far,
}) => {
  const first = await beginSignIn(app, far)
  await first.window.close()
  await expect(card(app).getByRole('alert').last()).toHaveText('The window was closed before you were signed in.')

  far.settings.pageHeaders = { 'cross-origin-opener-policy': 'same-origin' }
  const { window } = await beginSignIn(app, far, 'Try again')
  await app.bringToFront()
  await expect(card(app).getByRole('alert').last()).toHaveText('The window was closed before you were signed in.')
  await expect(card(app).getByRole('button', { name: 'Try again' })).toBeVisible()
  expect(far.grants).toEqual([])
  // It is still there, and whoever goes on in it is signed in all the same.
  await signInAt(window)
  await expect(window.getByText('You are signed in.')).toBeVisible()
})
