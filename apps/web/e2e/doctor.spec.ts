import { chromium, type Locator, type Page } from '@playwright/test'
import type { Layer } from '../src/domain/diagnosis.ts'
import { chromiumFlags, findChromium } from '../../../scripts/chromium.mjs'
import { type BrokenServers, startBrokenServers } from './broken-servers.ts'
import { expect, test as base } from './fixtures.ts'
import { openServers } from './keyed-fixtures.ts'

const test = base.extend<object, { broken: BrokenServers }>({
  broken: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
    async ({}, use) => {
      const broken = await startBrokenServers()
      await use(broken)
      await broken.close()
    },
    { scope: 'worker' },
  ],
})
// What is broken here is noted by the browser too.
test.use({ expectedProblems: /Failed to load resource|blocked by CORS policy|ERR_|Permission was denied/ })

async function openForm(page: Page): Promise<void> {
  await openServers(page)
  await page.getByRole('link', { name: 'Add a server' }).click()
  await expect(page.getByLabel('Address')).toBeVisible()
}

async function unfold(page: Page): Promise<void> {
  const details = page.locator('details').filter({ has: page.getByText('Details', { exact: true }) })
  if ((await details.getAttribute('open')) === null) await page.getByText('Details', { exact: true }).click()
  await expect(details).toHaveAttribute('open')
}

/** Tests an address as a person does, and gives what the doctor says. */
async function diagnose(page: Page, url: string): Promise<Locator> {
  await page.getByLabel('Address').fill(url)
  await unfold(page)
  // So that a server that says nothing is given up soon.
  await page.getByLabel('Time-out in seconds').fill('2')
  await page.getByLabel('Retries').fill('0')
  await page.getByRole('button', { name: 'Test connection' }).click()
  const said = page.getByRole('region', { name: 'What is wrong' })
  await expect(said).toBeVisible({ timeout: 60_000 })
  return said
}

const patients: {
  who: string
  url: (urls: BrokenServers['urls']) => string
  layer: Layer
  words: RegExp
  /** Where a page alone knows less. */
  alone?: { layer: Layer; words: RegExp }
}[] = [
  { who: 'what is no address', url: () => 'mcp dot example', layer: 'address', words: /no address/ },
  {
    who: 'a name that nobody knows',
    url: () => 'https://nowhere.invalid/mcp',
    layer: 'dns',
    words: /No address is known for the name nowhere\.invalid/,
    alone: {
      layer: 'unreachable',
      words: /the name is unknown, nothing listens there or its certificate is not valid/,
    },
  },
  {
    who: 'a port where nothing listens',
    url: ({ refused }) => refused,
    layer: 'unreachable',
    words: /Nothing listens at localhost:\d+/,
    alone: { layer: 'unreachable', words: /Nobody answers at localhost:\d+: nothing listens there/ },
  },
  {
    who: 'a certificate that it signed itself',
    url: ({ selfSigned }) => selfSigned,
    layer: 'tls',
    words: /no certificate that can be trusted: self-signed certificate/,
    alone: { layer: 'unreachable', words: /nothing listens there or its certificate is not valid/ },
  },
  { who: 'no CORS headers', url: ({ noCors }) => noCors, layer: 'cors-headers', words: /sends no CORS headers/ },
  {
    who: 'a preflight that is refused',
    url: ({ preflightRefused }) => preflightRefused,
    layer: 'cors-preflight',
    words: /refuses when the browser asks/,
  },
  {
    who: 'a session whose id is not exposed',
    url: ({ sessionNotExposed }) => sessionNotExposed,
    layer: 'cors-headers',
    words: /mcp-session-id is not among the headers that it exposes/,
  },
  {
    who: 'headers of a session that may not be sent',
    url: ({ headerRefused }) => headerRefused,
    layer: 'cors-headers',
    words: /does not let pages send it the headers mcp-protocol-version, mcp-session-id/,
  },
  {
    who: 'an address that is not encrypted',
    url: () => 'http://mcp.example.com/mcp',
    layer: 'mixed-content',
    words: /not encrypted/,
  },
  { who: 'a redirect', url: ({ redirect }) => redirect, layer: 'redirect', words: /leads elsewhere/ },
  {
    who: 'a redirect that pages are not told of',
    url: ({ hiddenRedirect }) => hiddenRedirect,
    layer: 'redirect',
    words: /leads elsewhere, to localhost:\d+/,
    alone: { layer: 'cors-headers', words: /sends no CORS headers/ },
  },
  {
    who: 'an authorization server without CORS headers',
    url: ({ signIn }) => signIn,
    layer: 'authorization',
    words: /wants a sign-in at localhost:\d+, and that does not let pages read how/,
  },
  { who: 'a web page', url: ({ page }) => page, layer: 'protocol', words: /web page.* It is spoken at \/mcp/ },
  { who: 'silence', url: ({ hanging }) => hanging, layer: 'time-out', words: /does not answer in time/ },
  { who: 'an error of the server', url: ({ error }) => error, layer: 'server-error', words: /HTTP 500/ },
]

for (const isAlone of [false, true]) {
  test.describe(isAlone ? 'a page alone' : 'with the companion', () => {
    for (const { who, url, alone, ...told } of patients) {
      // Alone, those are asked again of which a page knows less, and one that it knows all about.
      if (isAlone && !alone && told.layer !== 'authorization') continue
      const { layer, words } = (isAlone && alone) || told
      test(`${who}: the layer is ${layer}`, async ({ page, companion, broken }) => {
        await page.goto(isAlone ? companion.origin : companion.url)
        await openForm(page)
        const said = await diagnose(page, url(broken.urls))
        await expect(said).toHaveAttribute('data-layer', layer)
        await expect(said).toContainText(words)
      })
    }
  })
}

test('what was found is applied by a click, and the server is there', async ({ app, broken }) => {
  await openForm(app)
  const said = await diagnose(app, broken.urls.page)
  await said.getByRole('button', { name: /^Use http/ }).click()
  await expect(app.getByLabel('Address')).toHaveValue(`${broken.urls.page}mcp`)
  await app.getByRole('button', { name: 'Test connection' }).click()
  await expect(app.getByRole('heading', { name: 'What it offers' })).toBeVisible()
})

test('the header block that is offered names this origin and the session, and can be copied', async ({
  app,
  broken,
  companion,
}) => {
  await openForm(app)
  const said = await diagnose(app, broken.urls.noCors)
  const block = said.locator('pre').first()
  await expect(block).toContainText(`Access-Control-Allow-Origin: ${companion.origin}`)
  await expect(block).toContainText('Access-Control-Expose-Headers: mcp-session-id')
  await expect(said.getByRole('button', { name: 'Copy the headers' })).toBeVisible()
})

test('no question of the doctor carries what the user entered', async ({ app, broken }) => {
  await openForm(app)
  const secret = 'canary-of-the-doctor-4711'
  await unfold(app)
  await app.getByLabel('Authentication').selectOption('bearer')
  await app.getByLabel('Token', { exact: true }).fill(secret)
  const before = broken.heard.length
  const said = await diagnose(app, broken.urls.closedIssuer)
  await expect(said).toHaveAttribute('data-layer', 'cors-headers')
  expect(broken.heard.length).toBeGreaterThan(before)
  expect(JSON.stringify(broken.heard.slice(before))).not.toContain(secret)
})

test('a server in the list says what is wrong when it is asked', async ({ app, broken }) => {
  await openForm(app)
  await app.getByLabel('Address').fill(broken.urls.error)
  await app.getByRole('button', { name: 'Save' }).click()
  const line = app.getByRole('listitem').filter({ hasText: new URL(broken.urls.error).host })
  await expect(line).toContainText('HTTP 500')
  const before = broken.heard.length
  await line.getByRole('button', { name: 'What is wrong?' }).click()
  await expect(line.getByRole('region', { name: 'What is wrong' })).toHaveAttribute('data-layer', 'server-error')
  expect(broken.heard.length).toBeGreaterThan(before)
})

test('a browser that keeps pages from the local network is told from a server that is down', async ({
  companion,
  broken,
}) => {
  const { port } = new URL(companion.origin)
  const executablePath = findChromium()
  // The app as if it came from the internet.
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [...chromiumFlags, `--ip-address-space-overrides=127.0.0.1:${port}=public,[::1]:${port}=public`],
  })
  const page = await browser.newPage()
  await page.goto(companion.url)
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await openForm(page)
  const said = await diagnose(page, broken.urls.fine)
  await expect(said).toHaveAttribute('data-layer', 'local-network')
  await expect(said.getByRole('list', { name: 'What helps' })).toContainText('allow')
  await browser.close()
})
