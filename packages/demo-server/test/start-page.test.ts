import { once } from 'node:events'
import { request } from 'node:http'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { explainStartFailure } from '../src/explain-start-failure.mjs'
import { buildLibrary, type Demo, launchChromium, startDemo } from './demo.ts'

let library: Awaited<ReturnType<typeof buildLibrary>>
let demo: Demo
let browser: Browser

beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  library = await buildLibrary()
  demo = await startDemo({ library: library.folder })
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await demo?.close()
  await library?.remove()
})

/** The page as a visitor has it, with everything it complains about. */
async function visit(options: { width?: number; scheme?: 'light' | 'dark' } = {}) {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: 900 },
    colorScheme: options.scheme ?? 'light',
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  onTestFinished(() => context.close())
  page.setDefaultTimeout(15_000)
  await page.goto(demo.url)
  await expectText(page, '#state', 'Switchboard demo')
  return { page, complaints }
}

/** Waits until something on the page says so; what is on it a moment later may be something else. */
async function expectText(page: Page, selector: string, text: string | RegExp): Promise<void> {
  await page.locator(selector).filter({ hasText: text }).first().waitFor()
}

const choose = (page: Page, name: string) =>
  page
    .locator('#catalog')
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click()
const press = (page: Page, name: string) => page.locator('#desk').getByRole('button', { name, exact: true }).click()

async function useEra(page: Page, era: 'newest' | 'sessions'): Promise<void> {
  await page.getByLabel('Era').selectOption(era)
  await expectText(page, '#state', era === 'newest' ? '2026-07-28, stateless' : '2025-11-25, sessions')
}

describe.each(['newest', 'sessions'] as const)('the page of npm start, era: %s', (era) => {
  test('[D1] it connects by itself and shows who answers, in which revision, and what is offered', async () => {
    const { page, complaints } = await visit()
    await useEra(page, era)
    expect(await page.locator('#state').textContent()).toMatch(era === 'newest' ? /stateless/ : /session [0-9a-f]{8}…/)
    await choose(page, 'Delete a note')
    await expectText(page, '.badge', 'claims: destructive')
    expect(complaints).toEqual([])
  })

  test('[D2] a slow tool shows its progress while it runs, and its result at the end', async () => {
    const { page } = await visit()
    await useEra(page, era)
    await choose(page, 'Make a backup')
    await page.getByLabel('Files').fill('4')
    await page.getByLabel('Milliseconds per file').fill('50')
    // Everything that is shown, also for a moment.
    const shown = await page.evaluateHandle(() => {
      const seen: string[] = []
      new MutationObserver((records) => {
        for (const { target, addedNodes } of records) {
          if (target instanceof HTMLProgressElement) seen.push(`bar to ${target.max}`)
          for (const node of addedNodes) seen.push(node.textContent ?? '')
        }
      }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['max', 'value'] })
      return seen
    })
    await press(page, 'Call')
    await expectText(page, '.outcome .notice', 'Copied 4 files.')
    expect(await shown.jsonValue()).toEqual(
      expect.arrayContaining(['Copied file 1 of 4', 'Copied file 2 of 4', 'Copied file 3 of 4', 'bar to 4']),
    )
    await expectText(page, '#log li', 'Copied file 4 of 4')
    await expectText(page, '#log li', 'A backup of 4 files begins')
  })

  test('[D3] a question of a tool is answered in the page; declining is an answer too', async () => {
    const { page } = await visit()
    await useEra(page, era)
    await choose(page, 'Book a table')
    await press(page, 'Call')
    await expectText(page, '.question', 'Switchboard demo asks')
    await page.locator('.question').getByLabel('Name').fill('Ada')
    await page.locator('.question').getByLabel('Guests').fill('3')
    await press(page, 'Submit')
    await expectText(page, '.outcome .notice', 'Ada, 3 at 19:30, outside')

    await press(page, 'Call')
    await press(page, 'Decline')
    await expectText(page, '.outcome .notice', 'you chose "decline"')
  })

  test('[D3] an address that a tool wants visited is shown whole, and opened only by the user', async () => {
    const { page } = await visit()
    await useEra(page, era)
    await choose(page, 'Confirm by link')
    await press(page, 'Call')
    await expectText(page, '.question .address', `${demo.url}confirm.html`)
    expect(page.context().pages()).toHaveLength(1)
    const [opened] = await Promise.all([page.waitForEvent('popup'), page.locator('.question a').click()])
    await opened.getByText('You are here').first().waitFor()
    await press(page, "I've done it")
    await expectText(page, '.outcome .notice', 'Thank you for looking.')
  })

  test('[D4] a running call can be cancelled, and another one made', async () => {
    const { page } = await visit()
    await useEra(page, era)
    await choose(page, 'Make a backup')
    await page.getByLabel('Files').fill('100')
    await press(page, 'Call')
    await expectText(page, '.running', /Copied file \d+ of 100/)
    await press(page, 'Cancel')
    await expectText(page, '.outcome [role=alert]', 'Cancelled')
    await page.getByLabel('Files').fill('1')
    await press(page, 'Call')
    await expectText(page, '.outcome .notice', 'Copied 1 files.')
  })

  test('[D5] failures are told apart and have a next step', async () => {
    const { page } = await visit()
    await useEra(page, era)
    await choose(page, 'Fail on purpose')
    const fail = async (how: string) => {
      await page.getByLabel('How').selectOption(how)
      await press(page, 'Call')
    }
    await fail('answer with an error')
    await expectText(page, '.outcome [role=alert]', 'the printer is out of paper')
    await fail('refuse the call')
    await expectText(page, '.outcome [role=alert]', 'The server says no')
    await fail('hang up in the middle')
    await expectText(page, '.outcome [role=alert]', 'Outcome unknown')
    expect(await page.locator('.outcome').getByRole('button', { name: 'Run again' }).count()).toBe(1)
    await fail('forget the session')
    await expectText(page, '.outcome [role=status]', 'The server forgot your session')
    if (era === 'sessions') await expectText(page, '#log li', 'session renewed')
  })

  test('[D6] structured data, an image, a resource and a prompt are shown as what they are', async () => {
    const { page } = await visit()
    await useEra(page, era)
    await choose(page, 'Forecast')
    await press(page, 'Call')
    await expectText(page, '.outcome pre.code', '"city": "Lisbon"')

    await choose(page, 'Draw a chart')
    await press(page, 'Call')
    const image = page.locator('.outcome img')
    await image.waitFor()
    expect(await image.evaluate(async (img: HTMLImageElement) => (await img.decode(), img.naturalWidth))).toBe(480)

    await choose(page, 'About this server')
    await press(page, 'Read')
    await expectText(page, '.panel:not([hidden]) .outcome', 'This server exists to be tried.')

    await choose(page, 'Plan a day')
    await page.locator('.panel:not([hidden]) input[name=city]').fill('Li')
    await page.locator('datalist option[value="Lisbon"]').waitFor({ state: 'attached' })
    await page.locator('.panel:not([hidden]) input[name=city]').fill('Lisbon')
    await press(page, 'Get')
    await expectText(page, '.panel:not([hidden]) .outcome', 'Plan a day in Lisbon.')
  })

  test('[D7] a watched resource is read again when it changes, and HTML in it stays text', async () => {
    const { page, complaints } = await visit()
    await useEra(page, era)
    await choose(page, 'Note: ideas')
    await press(page, 'Watch')
    await page.locator('#desk').getByRole('button', { name: 'Watching' }).waitFor()
    await choose(page, 'Write a note')
    const evil = `<img src=x onerror="document.title='owned'"> ${era} \u202e`
    await page.locator('.panel:not([hidden])').getByLabel('Text').fill(evil)
    await press(page, 'Call')
    await expectText(page, '#log li', 'note://ideas')
    await choose(page, 'Note: ideas')
    await expectText(page, '.panel:not([hidden]) .outcome pre', `onerror="document.title='owned'"> ${era} ⟨U+202E⟩`)
    expect(await page.title()).toMatch(/^Switchboard/)
    expect(complaints).toEqual([])
  })
})

describe('the page of npm start', () => {
  test('[D8] a server that is not there is said so, and the way back is one button', async () => {
    const { page } = await visit()
    const gone = await startDemo({ library: library.folder, allowedOrigins: [new URL(demo.url).origin] })
    const { mcpUrl, url } = gone
    await gone.close()
    await page.getByRole('textbox', { name: 'Server' }).fill(mcpUrl)
    await page.getByRole('button', { name: 'Connect' }).click()
    await expectText(page, '#panels [role=alert]', 'Not reached')
    const back = await startDemo({
      library: library.folder,
      port: Number(new URL(url).port),
      allowedOrigins: [new URL(demo.url).origin],
    })
    onTestFinished(() => back.close())
    await press(page, 'Try again')
    await expectText(page, '#state', 'Switchboard demo')
  })

  test('[D8] an address that is none is refused in words', async () => {
    const { page } = await visit()
    await page.getByRole('textbox', { name: 'Server' }).fill('ftp://localhost/mcp')
    await page.getByRole('button', { name: 'Connect' }).click()
    await expectText(page, '#panels [role=alert]', 'ftp:')
  })

  test('[D9] everything can be done with the keyboard alone', async () => {
    const { page } = await visit()
    await page.getByRole('button', { name: 'World clock' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Time zone').focus()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('Nowhere/None')
    await page.keyboard.press('Enter')
    await expectText(page, '.outcome [role=alert]', 'There is no time zone called "Nowhere/None"')
  })

  test('[D9] arguments can be written as JSON, and bad JSON is named', async () => {
    const { page } = await visit()
    await choose(page, 'World clock')
    await press(page, 'JSON')
    await page.getByLabel('Arguments as JSON').fill('{ "timeZone": ')
    await press(page, 'Call')
    await expectText(page, '.outcome [role=alert]', 'no JSON')
    await page.getByLabel('Arguments as JSON').fill('{ "timeZone": "Asia/Tokyo" }')
    await press(page, 'Call')
    await expectText(page, '.outcome .notice', 'In Asia/Tokyo it is')
  })

  test.each(['light', 'dark'] as const)('[D10] a phone shows it without sideways scrolling, %s', async (scheme) => {
    const { page } = await visit({ width: 390, scheme })
    await choose(page, 'Write a note')
    await page.locator('.panel:not([hidden])').getByLabel('Name').fill('x'.repeat(40))
    await page.locator('.panel:not([hidden])').getByLabel('Text').fill('y'.repeat(9000))
    await press(page, 'Call')
    await expectText(page, '.outcome .notice', 'Wrote 9000 characters.')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await choose(page, 'Delete a note')
    await page.locator('.panel:not([hidden])').getByLabel('Name').fill('x'.repeat(40))
    await press(page, 'Call')
    await expectText(page, '.panel:not([hidden]) .outcome .notice', 'Deleted')
  })

  /** An HTTP request with headers that a browser would not let a page choose. */
  async function ask(path: string, headers: Record<string, string> = {}): Promise<{ status: number; body: string }> {
    const { port } = new URL(demo.url)
    const asked = request({ host: '127.0.0.1', port, path, headers }).end()
    const [answer] = await once(asked, 'response')
    let body = ''
    for await (const part of answer) body += String(part)
    return { status: answer.statusCode, body }
  }

  test('[D11] only this machine’s own names and pages are answered', async () => {
    const { port } = new URL(demo.url)
    expect((await ask('/', { host: `localhost:${port}` })).status).toBe(200)
    expect((await ask('/', { host: `127.0.0.1:${port}`, origin: demo.url.slice(0, -1) })).status).toBe(200)
    expect((await ask('/', { host: `evil.example:${port}` })).status).toBe(403)
    expect((await ask('/', { host: 'localhost' })).status).toBe(403)
    expect((await ask('/mcp', { host: `localhost:${port}`, origin: 'https://evil.example' })).status).toBe(403)
    expect((await ask('/mcp', { host: `localhost:${port}`, origin: 'null' })).status).toBe(403)
  })

  test.each([
    '/../package.json',
    '/..%2fpackage.json',
    '/library/../../package.json',
    '/%00',
    '//etc/passwd',
    '/nothing',
  ])('[D11] %s leads nowhere', async (path) => {
    const { port } = new URL(demo.url)
    expect((await ask(path, { host: `localhost:${port}` })).status).toBe(404)
  })

  test('[D12] a port that is taken is named, with the next step', async () => {
    const port = Number(new URL(demo.url).port)
    const failure = await startDemo({ library: library.folder, port }).catch((error: unknown) => error)
    expect(explainStartFailure(failure, port)).toMatch(
      new RegExp(`Port ${port} is taken.*npm start -- --port ${port + 1}`, 's'),
    )
  })
})
