import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Driver } from './driver.ts'
import { type RotatingServer, startRotatingServer } from './rotating-server.ts'
import { launchChromium, type Site, startSite } from './site.ts'
import { signInWith } from './stored-sign-in.ts'
import { outcomeOf, visit } from './visit.ts'

// What the page of driver.ts has.
declare const driver: Driver

/** At most. */
const POINTS = 20

let site: Site
let browser: Browser
let server: RotatingServer
let trap: Server
let trapped: () => void = () => {}

beforeAll(async () => {
  site = await startSite()
  browser = await launchChromium()
  server = await startRotatingServer()
  // Whoever asks here stands still.
  trap = createServer(() => trapped())
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  await browser?.close()
  trap?.closeAllConnections()
  trap?.close()
  await server?.close()
  await site?.close()
})

/** A tab in which a call begins that has to refresh, with what stops it at a step. */
async function beginCall(page: Page, step: number): Promise<void> {
  await page.goto(`${site.origin}/driver.html`)
  await signInWith(page, server)
  server.expire()
  server.refreshes.length = 0
  await page.evaluate(
    ({ at, address, serverUrl }) => {
      driver.stopAt(at, address)
      driver.outcome = driver.call({ serverUrl })
    },
    { at: step, address: `http://127.0.0.1:${(trap.address() as AddressInfo).port}/`, serverUrl: server.url },
  )
}

describe('a tab that ends between the answer of the token endpoint and the end of storing it', () => {
  it('[R-32] at any step: the next tab goes on or people sign in, and a spent token is shown once more at most', {
    timeout: 180_000,
  }, async () => {
    const { page: first, context } = await visit(browser, `${site.origin}/empty.html`)
    let page = first
    await beginCall(page, -1)
    expect(await outcomeOf(page)).toEqual({ text: 'somebody who is signed in' })
    const steps = await page.evaluate(() => driver.steps)

    const ends: string[] = []
    for (let step = 1; step <= Math.min(steps, POINTS); step++) {
      const stopped = new Promise<boolean>((resolve) => (trapped = () => resolve(true)))
      const session = await context.newCDPSession(page)
      await beginCall(page, step)
      // An answer that comes in fewer pieces takes fewer steps.
      const whole = outcomeOf(page).then(
        () => false,
        () => true,
      )
      if (!(await Promise.race([stopped, whole]))) continue
      expect(server.refreshes).toHaveLength(1)
      const next = await context.newPage()
      // It calls by itself; nothing is run in it, which would count as a click and open a window.
      const answered = next.waitForEvent('console', (message) => message.text().startsWith('outcome: '))
      const open = () =>
        next.goto(`${site.origin}/driver.html?call=${encodeURIComponent(server.url)}`, { waitUntil: 'commit' })
      // Every other time it waits for its turn already.
      if (step % 2 === 1) await open()
      const crashed = page.waitForEvent('crash')
      // The process ends at once; nobody answers.
      void session.send('Page.crash').catch(() => {})
      await crashed
      await page.close()
      if (step % 2 === 0) await open()
      ends.push((await answered).text())
      expect(server.refreshes.filter(({ reused }) => reused).length).toBeLessThanOrEqual(1)
      expect(server.refreshes.length).toBeLessThanOrEqual(2)
      page = next
    }
    expect(ends.length).toBeGreaterThanOrEqual(10)
    // A window to sign in was wanted, or nothing.
    expect(new Set(ends)).toEqual(new Set(['outcome: window-blocked', 'outcome: somebody who is signed in']))
  })
})
