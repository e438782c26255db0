import { readFileSync } from 'node:fs'
import { type OidcServers, startOidcServers } from '@switchboard/testkit/oidc-server'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Driver } from './driver.ts'
import { launchChromium, type Site, startSite } from './site.ts'
import {
  callOnPress,
  expectNobody,
  expectState,
  NOBODY,
  outcomeOf,
  pressForWindow,
  signInAt,
  storedBy,
  visit,
} from './visit.ts'

// What the page of driver.ts has.
declare const driver: Driver

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
  servers.secrets.clear()
  for (const list of [servers.asked, servers.grants, servers.called, site.asked]) list.length = 0
})

const pageUrl = (more = ''): string =>
  `${site.origin}/oauth-page.html?server=${encodeURIComponent(servers.mcpUrl)}${more}`
const callbackUrl = (query: string): string => `${site.origin}/oauth-callback.html?${query}`
/** The state of the last person who was sent to sign in. */
const lastState = (): string => servers.asked.findLast(({ path }) => path === '/auth')?.query.get('state') ?? ''
/** The address the last person came back to. */
const lastCallback = (): string => site.origin + (site.asked.findLast(({ url }) => url.includes('code='))?.url ?? '')

/** A page that waits for somebody in a window. */
async function waiting(): Promise<{ page: Page; window: Page; state: string }> {
  const { page } = await visit(browser, `${site.origin}/driver.html`)
  await callOnPress(page, { serverUrl: servers.mcpUrl })
  const window = await pressForWindow(page, 'button')
  return { page, window, state: lastState() }
}

/** Nothing came of what was tried; the person in the window still gets through. */
async function expectUnmoved({ page, window }: { page: Page; window: Page }): Promise<void> {
  expect(servers.grants).toEqual([])
  expect(await page.evaluate(() => Promise.race([driver.outcome, Promise.resolve('still waiting')]))).toBe(
    'still waiting',
  )
  await signInAt(window)
  expect(await outcomeOf(page)).toEqual({ text: 'somebody who is signed in' })
  expect(servers.grants).toHaveLength(1)
}

describe('an answer nobody asked for', () => {
  it('[A1.8] without a state, or with another, is told that nobody waits, and moves nothing', async () => {
    const flow = await waiting()
    const queries = ['code=stolen', 'code=stolen&state=', `code=stolen&state=${'x'.repeat(43)}`]
    await Promise.all(
      queries.map(async (query) => {
        const stranger = await flow.page.context().newPage()
        await stranger.goto(callbackUrl(query))
        await expectState(stranger, NOBODY)
      }),
    )
    await expectUnmoved(flow)
  })

  it('[A1.8] used again, in any tab, it moves nothing', async () => {
    const { page, window } = await waiting()
    await signInAt(window)
    expect(await outcomeOf(page)).toEqual({ text: 'somebody who is signed in' })
    await page.clock.install()
    await page.goto(lastCallback())
    await expectNobody(page)
    expect(servers.grants).toHaveLength(1)
  })

  it('[A1.8] what one tab was left for is not ended in another, nor twice', async () => {
    const { page, context } = await visit(browser, pageUrl('&display=redirect'))
    await page.locator('#sign-in').click()
    await page.locator('[name=login]').waitFor()
    const stolen = callbackUrl(`code=stolen&state=${lastState()}&iss=${servers.issuer}`)
    const other = await context.newPage()
    await other.goto(pageUrl('&display=redirect'))
    await other.locator('#sign-in').click()
    await other.locator('[name=login]').waitFor()
    await other.goto(stolen)
    await expectState(other, NOBODY)
    expect(servers.grants).toEqual([])
    await signInAt(page)
    await expectState(page, /^Signed in$/)
    expect(servers.grants).toHaveLength(1)
    await page.clock.install()
    await page.goto(lastCallback())
    await expectNobody(page)
    expect(servers.grants).toHaveLength(1)
  })
})

describe('a hostile answer', () => {
  const markup = `<img src=x onerror="document.title='owned'"></p><script>document.title='owned'</script>`
  const hostile = new URLSearchParams({
    error: `access_denied${markup}`,
    error_description: markup,
    error_uri: 'javascript:document.title="owned"',
    state: `x${markup}`,
  })

  it('[A1.9] on the page people come back to nothing of it is shown, run or left in the address', async () => {
    const { page } = await visit(browser, `${site.origin}/empty.html`)
    await page.clock.install()
    await page.goto(callbackUrl(String(hostile)))
    await expectNobody(page)
    expect(await page.title()).toBe('Signing in')
    expect(page.url()).toBe(`${site.origin}/oauth-callback.html`)
    expect(await page.content()).not.toMatch(/owned|onerror|access_denied/)
    const session = await page.context().newCDPSession(page)
    const { entries } = await session.send('Page.getNavigationHistory')
    expect(entries.map(({ url }) => url).at(-1)).toBe(`${site.origin}/oauth-callback.html`)
  })

  it('[A1.9] in the page that waits nothing of it is shown', async () => {
    const { page } = await visit(browser, pageUrl())
    const window = await pressForWindow(page, '#sign-in')
    site.meddle = (answer) => {
      for (const [name, value] of hostile) if (name !== 'state') answer.set(name, value)
      answer.delete('code')
    }
    await signInAt(window)
    await expectState(page, /^Not signed in \(denied\)/)
    expect(await page.content()).not.toMatch(/owned|onerror|script>document/)
    expect(await page.title()).not.toBe('owned')
  })

  it('[A1.9] the page people come back to has no script in it and allows none', async () => {
    const html = readFileSync(new URL('../../examples/oauth-callback.html', import.meta.url), 'utf8')
    for (const [tag, content] of html.matchAll(/<script\b[^>]*>([^<]*)/g)) {
      expect(tag).toContain('src="oauth-callback.js"')
      expect(content).toBe('')
    }
    expect(html).not.toMatch(/\son\w+=|style=|<style/)
    expect(html).toContain(`content="default-src 'none'; script-src 'self'; `)
    const { page, complaints } = await visit(browser, callbackUrl('code=x'))
    const blocked = await page.evaluate(async () => {
      const script = document.createElement('script')
      script.textContent = 'globalThis.ran = true'
      const violation = new Promise<SecurityPolicyViolationEvent>((resolve) =>
        document.addEventListener('securitypolicyviolation', resolve, { once: true }),
      )
      document.body.append(script)
      return (await violation).effectiveDirective
    })
    expect(blocked).toBe('script-src-elem')
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false)
    expect(complaints.splice(0).length).toBeGreaterThan(0)
  })
})

describe('a page of another origin', () => {
  it('[A1.10] that has a hand on the waiting page and knows the state is not heard', async () => {
    const { page: foreign, context } = await visit(browser, `${site.origin}/empty.html`)
    await context.route('http://127.0.0.1:9/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<p>foreign' }),
    )
    await foreign.goto('http://127.0.0.1:9/')
    const [page] = await Promise.all([
      context.waitForEvent('page'),
      foreign.evaluate(
        (url) => Object.assign(globalThis, { opened: open(url) }) && undefined,
        `${site.origin}/driver.html`,
      ),
    ])
    // With its scripts, not its words alone.
    await page.waitForLoadState()
    await callOnPress(page, { serverUrl: servers.mcpUrl })
    const window = await pressForWindow(page, 'button')
    const heard = page.evaluate(() => new Promise((resolve) => addEventListener('message', () => resolve('heard'))))
    await foreign.evaluate((state) => {
      const { opened } = globalThis as unknown as { opened: Window }
      const query = `?code=stolen&state=${state}`
      const channel = new BroadcastChannel('mcp-oauth')
      for (const message of [{ code: 'stolen', state }, { state, query }, { taken: state }]) {
        channel.postMessage(message)
        opened.postMessage(message, '*')
      }
    }, lastState())
    // They arrived; nobody took them for an answer.
    expect(await heard).toBe('heard')
    await expectUnmoved({ page, window })
  })

  it('[A1.10] that signs people in has no hand on the page that sent them', async () => {
    const { window } = await waiting()
    expect(await window.evaluate(() => opener as unknown)).toBeNull()
  })
})

describe('when all is done', () => {
  it.each(['popup', 'redirect'])(
    '[A1.15] nothing secret is left in addresses, histories or stores of the tab: %s',
    async (display) => {
      const { page } = await visit(browser, pageUrl(`&display=${display}`))
      if (display === 'popup') await signInAt(await pressForWindow(page, '#sign-in'))
      else {
        await page.locator('#sign-in').click()
        await signInAt(page)
      }
      await expectState(page, /^Signed in$/)
      const { code_verifier: verifier } = servers.grants[0]?.parameters ?? {}
      const [state, code] = [lastState(), new URL(lastCallback()).searchParams.get('code') ?? '']
      const tokens = [...servers.secrets].filter((secret) => secret !== code)
      expect(tokens.length).toBeGreaterThanOrEqual(2)
      const secrets = [String(verifier), state, code, ...tokens]
      expect(secrets.every((secret) => secret.length > 20)).toBe(true)

      const session = await page.context().newCDPSession(page)
      const { entries } = await session.send('Page.getNavigationHistory')
      const tab = await page.evaluate(() =>
        [JSON.stringify([sessionStorage, localStorage, history.state]), location.href, document.cookie].join(' '),
      )
      // Of what was sent, the person's own history may show the spent state at the sign-in page.
      const ours = entries.filter(({ url }) => url.startsWith(site.origin)).map(({ url }) => url)
      for (const secret of secrets) expect(tab + ours.join('\n')).not.toContain(secret)
      for (const secret of [code, ...tokens]) expect(entries.map(({ url }) => url).join('\n')).not.toContain(secret)
      const stored = JSON.stringify(await storedBy(page))
      expect(tokens.filter((token) => stored.includes(token)).length).toBeGreaterThanOrEqual(2)
      for (const secret of [String(verifier), state, code]) expect(stored).not.toContain(secret)

      const requests = [...servers.asked, ...servers.called]
      expect(
        requests.map(({ headers }) => headers.referer).filter((from) => from && !from.startsWith(servers.issuer)),
      ).toEqual([])
      expect(
        site.asked
          .map(({ referer }) => referer)
          .filter((from) => from && secrets.some((secret) => from.includes(secret))),
      ).toEqual([])
      const addresses = requests.map(({ path, query }) => `${path}?${query}`)
      for (const secret of [String(verifier), code, ...tokens]) expect(addresses.join('\n')).not.toContain(secret)
      expect(site.asked.filter(({ url }) => secrets.some((secret) => url.includes(secret)))).toHaveLength(1)
    },
  )
})
