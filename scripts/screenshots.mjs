// Takes the pictures of the README anew: the built app, served by the companion, in the system's Chromium.
//   npm run build && npm run screenshots
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { chromiumFlags, findChromium } from './chromium.mjs'
import { root } from './run.mjs'

const WIDE = { width: 1180, height: 760 }
const PHONE = { width: 390, height: 780 }
const folder = mkdtempSync(join(tmpdir(), 'switchboard-pictures-'))
const config = join(folder, 'servers.json')
writeFileSync(
  config,
  JSON.stringify({ mcpServers: { memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] } } }),
)

// Specifiers in variables: both are built, and no part of the type-check of these scripts.
const companionModule = new URL('../apps/companion/dist/start-companion.js', import.meta.url).href
const { startCompanion } = await import(companionModule)
const companion = await startCompanion({ port: 0, app: join(root, 'apps/web/dist'), config })
const executablePath = findChromium()
const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: chromiumFlags })

/** @param {string} name */
const path = (name) => join(root, 'docs/images', `${name}.png`)

/**
 * @param {{ theme: 'light' | 'dark', size?: { width: number, height: number } }} look
 * @param {(page: import('playwright').Page, take: (name: string) => Promise<void>) => Promise<void>} visit
 */
async function withPage({ theme, size = WIDE }, visit) {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: theme,
    hasTouch: size === PHONE,
    isMobile: size === PHONE,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  const page = await context.newPage()
  await page.goto(companion.url)
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  await visit(page, async (name) => {
    await page.mouse.move(0, 0)
    await page.screenshot({ path: path(name), animations: 'disabled', caret: 'hide' })
    console.log(`docs/images/${name}.png`)
  })
  await context.close()
}

/** @param {import('playwright').Page} page */
async function askForWeather(page) {
  await page.getByRole('textbox', { name: 'Message' }).fill('What will the weather be in Lisbon for the next 3 days?')
  await page.keyboard.press('Enter')
  // It arms half a second after it is seen.
  await page.locator('button[aria-disabled=false]', { hasText: 'Allow once' }).waitFor()
}

/** @param {import('playwright').Page} page */
async function allow(page) {
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.getByRole('table').waitFor()
  await page.getByRole('button', { name: 'Got it' }).click()
  await page.getByRole('button', { name: 'Answer again' }).last().waitFor()
}

/**
 * A task at work, with its question answered or not.
 * @param {import('playwright').Page} page
 */
async function bake(page) {
  await page.getByRole('textbox', { name: 'Message' }).fill('Bake bread with 1500 milliseconds per step')
  await page.keyboard.press('Enter')
  await page.locator('button[aria-disabled=false]', { hasText: 'Allow once' }).waitFor()
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.getByText('when it is done.').waitFor()
  await page.getByLabel('Crust').waitFor()
}

/**
 * @param {import('playwright').Page} page
 * @param {string} route
 */
const go = (page, route) => page.goto(`${companion.origin}/#${route}`)

try {
  for (const theme of /** @type {const} */ (['light', 'dark'])) {
    await withPage({ theme }, async (page, take) => {
      await askForWeather(page)
      await take(`approval-${theme}`)
      await allow(page)
      await take(`chat-${theme}`)
      await go(page, '/servers')
      await page.getByText('Programs on this computer').waitFor()
      await take(`servers-${theme}`)
      await go(page, '/gpts')
      await page.getByRole('button', { name: /What to do with/ }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      const tools = page.getByText(/^\d+ tools$/).first()
      await tools.click()
      await page.getByRole('heading', { name: 'Tools', exact: true }).scrollIntoViewIfNeeded()
      await page.getByRole('heading', { name: 'Tools', exact: true }).evaluate((heading) => heading.scrollIntoView())
      await take(`gpt-editor-${theme}`)
      await go(page, '/settings/vault')
      await page.getByRole('heading', { name: 'What it does not protect' }).waitFor()
      await take(`vault-${theme}`)
    })
    await withPage({ theme }, async (page, take) => {
      await go(page, '/servers/new')
      await page.getByLabel('Address').fill(`${companion.origin}/demo/mcp`)
      await page.getByRole('heading', { name: 'What it offers' }).waitFor()
      await take(`add-server-${theme}`)
      await go(page, '/tools')
      await page
        .getByRole('link', { name: /Weather forecast|forecast/i })
        .first()
        .click()
      await page.getByLabel('City').selectOption('Lisbon')
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByText('done', { exact: true }).first().waitFor()
      await take(`explorer-${theme}`)
      await go(page, '/')
      await bake(page)
      await take(`task-${theme}`)
      await go(page, '/tasks')
      await page.getByText('At work (1)').waitFor()
      await take(`tasks-${theme}`)
    })
    await withPage({ theme, size: PHONE }, async (page, take) => {
      await askForWeather(page)
      await take(`approval-phone-${theme}`)
      await allow(page)
      await take(`chat-phone-${theme}`)
    })
    await withPage({ theme, size: PHONE }, async (page, take) => {
      await bake(page)
      await take(`task-phone-${theme}`)
    })
  }
} finally {
  await browser.close()
  await companion.close()
  rmSync(folder, { recursive: true, force: true })
}
