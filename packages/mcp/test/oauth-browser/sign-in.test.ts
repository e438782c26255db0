import { type OidcServers, startOidcServers } from '@switchboard/testkit/oidc-server'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Driver } from './driver.ts'
import { launchChromium, type Site, startSite } from './site.ts'
import {
  call,
  callOnPress,
  expectNobody,
  expectState,
  outcomeOf,
  pressForWindow,
  signInAt,
  storedBy,
  visit,
} from './visit.ts'

// What the page of driver.ts has.
declare const driver: Driver & { looksClosed(): boolean }

let servers: OidcServers
let site: Site
let browser: Browser

beforeAll(async () => {
  servers = await startOidcServers()
  site = await startSite()
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
  await servers?.close()
})

beforeEach(() => {
  servers.settings.pageHeaders = {}
  for (const list of [servers.asked, servers.grants, servers.called, site.asked]) list.length = 0
})

const grantTypes = (): string[] => servers.grants.map(({ type, refused }) => type + (refused ? ` ${refused}` : ''))
const timesAsked = (path: string): number =>
  servers.asked.filter((seen) => seen.path === path && seen.method !== 'OPTIONS').length
const pageUrl = (more = ''): string =>
  `${site.origin}/oauth-page.html?server=${encodeURIComponent(servers.mcpUrl)}${more}`
const driverUrl = (): string => `${site.origin}/driver.html`
/** A page that calls before anybody presses anything. */
const hastyUrl = (more = ''): string => `${driverUrl()}?call=${encodeURIComponent(servers.mcpUrl)}${more}`

/** The page of the example, with somebody signed in who pressed its button. */
async function signedIn(): Promise<{ page: Page }> {
  const { page } = await visit(browser, pageUrl())
  await signInAt(await pressForWindow(page, '#sign-in'))
  await expectState(page, /^Signed in$/)
  servers.grants.length = 0
  servers.asked.length = 0
  return { page }
}

describe('signing in at oidc-provider from a page in Chromium', () => {
  it('[O14] [O10] a window opens in the click; when the person has agreed there, the call goes on by itself', async () => {
    const { page } = await visit(browser, pageUrl())
    const window = await pressForWindow(page, '#sign-in')
    await expectState(page, /^Connecting…$/)
    await Promise.all([window.waitForEvent('close'), signInAt(window)])
    await expectState(page, /^Signed in$/)
    expect(await page.locator('li').allTextContents()).toEqual([
      'whoami: Says who is signed in',
      'keep_note: Keeps a note',
    ])
    expect(grantTypes()).toEqual(['authorization_code'])
    expect(timesAsked('/reg')).toBe(1)
    expect(timesAsked('/auth')).toBe(1)
    const sent = servers.asked.find((seen) => seen.path === '/auth')?.query
    expect(sent?.get('code_challenge_method')).toBe('S256')
    expect(sent?.get('resource')).toBe(servers.mcpUrl)
    expect(servers.grants[0]?.parameters['resource']).toBe(servers.mcpUrl)
  })

  it('[O4] the answer of the sign-in page names its issuer; in the name of another it is refused', async () => {
    const { page } = await visit(browser, pageUrl())
    let issuer: string | null = null
    site.meddle = (answer) => {
      issuer = answer.get('iss')
      answer.set('iss', 'http://127.0.0.1:9')
    }
    await signInAt(await pressForWindow(page, '#sign-in'))
    await expectState(page, /\(foreign-answer\)/)
    expect(issuer).toBe(servers.issuer)
    expect(grantTypes()).toEqual([])
  })

  it('[O14] the page is left and found again at the same place, signed in', async () => {
    const { page } = await visit(browser, pageUrl('&display=redirect#the-place'))
    await page.locator('#sign-in').click()
    await signInAt(page)
    await page.waitForURL(pageUrl('&display=redirect#the-place'))
    await expectState(page, /^Signed in$/)
    expect(page.context().pages()).toHaveLength(1)
    expect(grantTypes()).toEqual(['authorization_code'])
  })

  it('[O14] where windows are blocked the page is left instead', async () => {
    const { page } = await visit(browser, hastyUrl('&open'))
    // Not by looking into the page: what Playwright runs there counts as a click.
    await page.waitForURL(`${servers.issuer}/**`)
    expect(page.context().pages()).toHaveLength(1)
    await signInAt(page)
    await page.waitForURL(hastyUrl('&open'))
    expect(await call(page, servers.mcpUrl)).toEqual({ text: 'somebody who is signed in' })
    expect(grantTypes()).toEqual(['authorization_code'])
  })

  it('[O14] where nobody asked for a window nobody is sent away', async () => {
    const { page } = await visit(browser, driverUrl())
    const said = page.waitForEvent('console', (message) => message.text().startsWith('outcome: '))
    await page.goto(hastyUrl())
    expect((await said).text()).toBe('outcome: window-blocked')
    expect(page.url()).toBe(hastyUrl())
    expect(timesAsked('/auth')).toBe(0)
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([])
  })

  it('[O14] whoever says no there is not signed in, and the page knows it was a no', async () => {
    const { page } = await visit(browser, pageUrl())
    const window = await pressForWindow(page, '#sign-in')
    await window.getByText('[ Cancel ]').click({ noWaitAfter: true })
    await expectState(page, /^Not signed in \(denied\): .*access_denied$/)
    expect(grantTypes()).toEqual([])
    expect(timesAsked('/auth')).toBe(1)
  })

  it('[O14] a no after leaving the page is told on the page people come back to', async () => {
    const { page } = await visit(browser, pageUrl('&display=redirect'))
    await page.locator('#sign-in').click()
    await page.getByText('[ Cancel ]').click()
    await expectState(page, /^You are not signed in: .*access_denied$/)
    expect(grantTypes()).toEqual([])
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([])
  })

  it('[O14] a window that is closed ends the waiting, and the next click begins anew', async () => {
    const { page } = await visit(browser, pageUrl())
    const window = await pressForWindow(page, '#sign-in')
    await window.close()
    await expectState(page, /^Not signed in \(window-closed\)/)
    await signInAt(await pressForWindow(page, '#sign-in'))
    await expectState(page, /^Signed in$/)
    expect(timesAsked('/reg')).toBe(1)
    expect(grantTypes()).toEqual(['authorization_code'])
  })

  it('[O14] who comes back by the back button has not signed in; the call ends, the next one begins anew', async () => {
    const { page, context } = await visit(browser, driverUrl())
    const left = new Promise<void>((resolve) => {
      // The page stays as it is, as a page does that the browser keeps to go back to.
      void context.route(`${servers.issuer}/auth?*`, (route) => route.fulfill({ status: 204 }).then(resolve))
    })
    await page.goto(hastyUrl('&open'))
    await left
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toHaveLength(1)
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    expect(await outcomeOf(page)).toMatchObject({ fault: 'sign-in-needed' })
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([])
    await context.unroute(`${servers.issuer}/auth?*`)
    await callOnPress(page, { serverUrl: servers.mcpUrl })
    await signInAt(await pressForWindow(page, 'button'))
    expect(await outcomeOf(page)).toEqual({ text: 'somebody who is signed in' })
  })

  it('[O14] waiting ends after its time; whoever is done later is told that nobody waits', async () => {
    const { page } = await visit(browser, driverUrl())
    await page.clock.install()
    await callOnPress(page, { serverUrl: servers.mcpUrl, timeoutMs: 60_000 })
    const window = await pressForWindow(page, 'button')
    await page.clock.runFor(60_000)
    expect(await outcomeOf(page)).toMatchObject({ fault: 'timeout' })
    await signInAt(window)
    await expectNobody(window)
    expect(grantTypes()).toEqual([])
  })

  it('[O10] calls that begin together wait for one window', async () => {
    const { page } = await visit(browser, driverUrl())
    await callOnPress(page, { serverUrl: servers.mcpUrl })
    const window = await pressForWindow(page, 'button')
    const others = Promise.all([call(page, servers.mcpUrl), call(page, servers.mcpUrl)])
    await signInAt(window)
    expect([await outcomeOf(page), ...(await others)]).toEqual(
      Array.from({ length: 3 }, () => ({ text: 'somebody who is signed in' })),
    )
    expect(timesAsked('/auth')).toBe(1)
  })

  it('[O14] a window that was not needed is closed again', async () => {
    const { page } = await signedIn()
    const [window] = await Promise.all([page.waitForEvent('popup'), page.locator('#sign-in').click()])
    if (!window.isClosed()) await window.waitForEvent('close')
    await expectState(page, /^Signed in$/)
    expect(servers.asked).toEqual([])
  })
})

describe('signed in at oidc-provider', () => {
  it('[R-14] [O9] a token that has ended is renewed without anybody', async () => {
    const { page } = await signedIn()
    servers.expireAccessTokens()
    await page.reload()
    await expectState(page, /^Signed in$/)
    expect(grantTypes()).toEqual(['refresh_token'])
    servers.expireAccessTokens()
    await page.reload()
    await expectState(page, /^Signed in$/)
    // The first one was good once only.
    expect(grantTypes()).toEqual(['refresh_token', 'refresh_token'])
    expect(timesAsked('/auth')).toBe(0)
  })

  it('[O9] a token that is about to end is renewed before the server says so', async () => {
    const { page } = await signedIn()
    const [key = '', value = ''] =
      Object.entries(await storedBy(page)).find(([name]) => name.startsWith('tokens ')) ?? []
    const tokens = JSON.parse(value) as { obtained_at: number }
    await storedBy(page, { [key]: JSON.stringify({ ...tokens, obtained_at: tokens.obtained_at - 3_580_000 }) })
    servers.called.length = 0
    await page.reload()
    await expectState(page, /^Signed in$/)
    expect(grantTypes()).toEqual(['refresh_token'])
    const posts = servers.called.filter(({ method }) => method === 'POST')
    expect(new Set(posts.map(({ headers }) => headers.authorization)).size).toBe(1)
  })

  it('[R-14] what was revoked is asked for once, and a person once; then it goes on', async () => {
    const { page } = await signedIn()
    servers.revokeAll()
    await signInAt(await pressForWindow(page, '#sign-in'))
    await expectState(page, /^Signed in$/)
    expect(grantTypes()).toEqual(['refresh_token invalid_grant', 'authorization_code'])
    expect(timesAsked('/auth')).toBe(1)
  })

  it('[R-14] what was revoked and not given again ends in one failure, not in a loop', async () => {
    const { page } = await signedIn()
    servers.revokeAll()
    await (await pressForWindow(page, '#sign-in')).close()
    await expectState(page, /^Not signed in \(window-closed\)/)
    expect(grantTypes()).toEqual(['refresh_token invalid_grant'])
    expect(timesAsked('/auth')).toBe(1)
    await page.reload()
    await page.locator('#state', { hasText: /^$/ }).waitFor({ state: 'attached' })
    expect(grantTypes()).toHaveLength(1)
  })

  it('[O19] signing out ends the tokens there and forgets them here', async () => {
    const { page } = await signedIn()
    const { authorization = '' } = servers.called.at(-1)?.headers ?? {}
    const ask = (): Promise<Response> => fetch(servers.mcpUrl, { method: 'POST', headers: { authorization } })
    expect((await ask()).status).not.toBe(401)
    await page.locator('#sign-out').click()
    await expectState(page, /^Signed out$/)
    expect(timesAsked('/token/revocation')).toBe(1)
    expect((await ask()).status).toBe(401)
    expect(Object.keys(await storedBy(page)).filter((key) => key.startsWith('tokens'))).toEqual([])
  })
})

describe('a window whose page cuts all ties (COOP)', () => {
  beforeEach(() => {
    servers.settings.pageHeaders = { 'cross-origin-opener-policy': 'same-origin' }
  })

  /** A call that waits for a window which looks closed and is not. */
  async function callInWindow(timeoutMs?: number): Promise<{ page: Page; window: Page }> {
    const { page } = await visit(browser, driverUrl())
    await page.clock.install()
    await haveOneFocus(page)
    await callOnPress(page, { serverUrl: servers.mcpUrl, ...(timeoutMs && { timeoutMs }) })
    const window = await pressForWindow(page, 'button')
    await page.waitForFunction(() => driver.looksClosed())
    // As long as the library takes to know that it cannot know.
    await page.clock.runFor(2000)
    return { page, window }
  }

  it('[A1.10] the call goes on when the person is done, also one who looked back meanwhile', async () => {
    const { page, window } = await callInWindow()
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    // Longer than a window that was closed is waited for.
    await page.clock.runFor(2000)
    await signInAt(window)
    expect(await outcomeOf(page)).toEqual({ text: 'somebody who is signed in' })
    expect(grantTypes()).toEqual(['authorization_code'])
  })

  it('[A1.10] who closed it gets it again with the next click, and the call goes on', async () => {
    const { page, window } = await callInWindow()
    await window.close()
    const first = await page.evaluateHandle(() => ({ outcome: driver.outcome }))
    await signInAt(await pressForWindow(page, 'button'))
    expect(await first.evaluate(({ outcome }) => outcome)).toEqual({ text: 'somebody who is signed in' })
    expect(await outcomeOf(page)).toEqual({ text: 'somebody who is signed in' })
    expect(grantTypes()).toEqual(['authorization_code'])
  })

  it('[A1.10] who closed it and does nothing ends with the time', async () => {
    const { page, window } = await callInWindow(60_000)
    await window.close()
    await page.clock.runFor(60_000)
    expect(await outcomeOf(page)).toMatchObject({ fault: 'timeout' })
    expect(grantTypes()).toEqual([])
  })
})

/** On a desk one window has the focus; in a browser without a screen all have. */
async function haveOneFocus(page: Page): Promise<void> {
  await page.evaluate(() => {
    let focused = true
    const { open } = window
    window.open = (...given) => {
      focused = false
      const opened = open.apply(window, given)
      driver.looksClosed = () => opened?.closed === true
      return opened
    }
    window.addEventListener('focus', () => (focused = true))
    document.hasFocus = () => focused
  })
}
