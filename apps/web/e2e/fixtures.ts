import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, type BrowserContext, expect, type Page } from '@playwright/test'
import { type Companion, startCompanion } from '@switchboard/companion'
import { collectCoverage } from './collect-coverage.ts'

export { expect }

/** The built app; `SWITCHBOARD_APP_DIST` names another build. */
export const builtApp = process.env['SWITCHBOARD_APP_DIST'] ?? fileURLToPath(new URL('../dist', import.meta.url))

/** A companion with no programs in its file, on a port of its own, for all tests of one worker. */
interface WorkerParts {
  companion: Companion
}
interface TestParts {
  /** Off where a test measures what the page costs: noting what runs costs too. */
  isCovered: boolean
  /** Complaints of the page that a test brings about, such as a request that it lets fail. */
  expectedProblems: RegExp | undefined
  /** The app as the companion opens it, once its engine is ready. */
  app: Page
}

export const test = base.extend<TestParts, WorkerParts>({
  companion: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'switchboard-e2e-'))
      const config = join(folder, 'servers.json')
      writeFileSync(config, '{}')
      const companion = await startCompanion({ port: 0, app: builtApp, config })
      await use(companion)
      await companion.close()
      rmSync(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],
  isCovered: [true, { option: true }],
  context: async ({ context, isCovered }, use) => {
    const folder = process.env['SWITCHBOARD_COVERAGE']
    const stop = isCovered && folder && collectCoverage(context, folder)
    if (process.env['SWITCHBOARD_LATE'] === 'news') await hearNewsLate(context)
    if (process.env['SWITCHBOARD_LATE'] === 'answers') await hearAnswersLate(context)
    await use(context)
    if (stop) await stop()
  },
  expectedProblems: [undefined, { option: true }],
  app: async ({ page, companion, expectedProblems }, use) => {
    const problems = watchProblems(page)
    await page.goto(companion.url)
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
    await use(page)
    const unexpected = problems.filter((problem) => !expectedProblems?.test(problem))
    expect(unexpected, 'errors and violations of the page policy').toEqual([])
  },
})

/** Pages hear half a second late that rows have changed: it comes by another way than what the engine says, at any time. */
export const hearNewsLate = (where: BrowserContext | Page): Promise<unknown> =>
  where.addInitScript(() => {
    const { set } = Object.getOwnPropertyDescriptor(BroadcastChannel.prototype, 'onmessage') ?? {}
    Object.defineProperty(BroadcastChannel.prototype, 'onmessage', {
      set(this: BroadcastChannel, hear: ((event: MessageEvent) => void) | null) {
        const late = (event: MessageEvent) => void setTimeout(() => hear?.call(this, event), 500)
        set?.call(this, this.name === 'x-storagemutated-1' ? late : hear)
      },
    })
  })

/** Pages hear half a second late what their workers say. */
export const hearAnswersLate = (where: BrowserContext | Page): Promise<unknown> =>
  where.addInitScript(() => {
    const listen = Worker.prototype.addEventListener
    Worker.prototype.addEventListener = function (this: Worker, type: string, hear: (event: Event) => void) {
      listen.call(this, type, type === 'message' ? (event) => void setTimeout(() => hear(event), 500) : hear)
    }
  })

const GONE = /^Failed to load resource: net::ERR_(CONNECTION|EMPTY|INCOMPLETE)/

/** A server that is gone, as at the end of every test: the browser writes it down, and the page has done nothing wrong. */
const isOfOneGone = (page: Page, text: string, url: string): boolean =>
  GONE.test(text) && !url.startsWith(new URL(page.url()).origin)

/** What the page itself complains about: uncaught errors, and anything its policy had to stop. */
export function watchProblems(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    const text = message.text()
    const { url } = message.location()
    if (message.type() === 'error' && !isOfOneGone(page, text, url)) problems.push(`${text} (${url})`)
  })
  return problems
}

/** Types a message and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.keyboard.press('Enter')
}

/** The same right after a reload, while the engine may still be starting: until then nothing is sent. */
export async function sayOnceReady(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled()
  await page.keyboard.press('Enter')
}
