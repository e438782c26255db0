import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Driver, Outcome } from './driver.ts'
import { startRotatingServer } from './rotating-server.ts'
import { launchChromium, type Site, startSite } from './site.ts'
import { signInWith } from './stored-sign-in.ts'
import { visit } from './visit.ts'

// What the page of driver.ts has.
declare const driver: Driver

const TABS = 5
const EXPIRIES = 200

let site: Site
let browser: Browser

beforeAll(async () => {
  site = await startSite()
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

describe('five tabs with one refresh token that is good once', () => {
  // Web Locks do not order localStorage: a tab that gets the lock may still see there what was before.
  it(`[R-30] over ${EXPIRIES} expiries each is refreshed once, no token is used twice, and every call succeeds`, {
    timeout: 300_000,
  }, async () => {
    const server = await startRotatingServer()
    onTestFinished(() => server.close())
    const { page: first, context } = await visit(browser, `${site.origin}/driver.html`)
    await signInWith(first, server)
    const open = async (): Promise<Page> => {
      const page = await context.newPage()
      await page.goto(`${site.origin}/driver.html`)
      return page
    }
    const tabs = [first, ...(await Promise.all(Array.from({ length: TABS - 1 }, open)))]
    const callInAll = (): Promise<Outcome[]> =>
      Promise.all(tabs.map((tab) => tab.evaluate((serverUrl) => driver.call({ serverUrl }), server.url)))
    await callInAll()
    expect(server.refreshes).toEqual([])
    for (let expiry = 1; expiry <= EXPIRIES; expiry++) {
      // The server says that it has ended; or, every other time, its age does.
      if (expiry % 2 === 1) server.expire()
      else await first.evaluate(makeOld, server.url)
      const outcomes = await callInAll()
      expect(outcomes, `expiry ${expiry}`).toEqual(tabs.map(() => ({ text: 'somebody who is signed in' })))
      expect(
        server.refreshes.filter(({ reused }) => reused),
        `expiry ${expiry}`,
      ).toEqual([])
      expect(server.refreshes, `expiry ${expiry}`).toHaveLength(expiry)
    }
  })
})

async function makeOld(serverUrl: string): Promise<void> {
  const provider = driver.provide({ serverUrl })
  const tokens = await provider.tokens()
  if (tokens) await provider.saveTokens({ ...tokens, obtained_at: (tokens.obtained_at ?? 0) - 3_600_000 })
}
