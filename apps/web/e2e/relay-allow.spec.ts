import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type Companion, startCompanion } from '@switchboard/companion'
import { FaultServer } from '@switchboard/testkit/fault-server'
import { builtApp, expect, test as base } from './fixtures.ts'
import { openServers } from './keyed-fixtures.ts'

interface Parts {
  /** Where the companion of this test looks for its file. */
  config: string
  /** A server of this machine that forbids pages, as the examples of the official SDKs do. */
  server: FaultServer
  /** What the person started the companion with. */
  relayLoopback: boolean
  local: Companion
}

const test = base.extend<Parts>({
  relayLoopback: [false, { option: true }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
  config: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-allow-'))
    await use(join(folder, 'servers.json'))
    rmSync(folder, { recursive: true })
  },
  // oxlint-disable-next-line no-empty-pattern -- as above
  server: async ({}, use) => {
    const server = await new FaultServer({ era: 'both' }).start()
    await use(server)
    await server.stop()
  },
  local: async ({ config, relayLoopback }, use) => {
    const companion = await startCompanion({ port: 0, app: builtApp, config, relayLoopback })
    await use(companion)
    await companion.close()
  },
})

async function testAddress(page: Page, companion: Companion, url: string) {
  await page.goto(companion.url)
  await openServers(page)
  await page.getByRole('link', { name: 'Add a server' }).click()
  await page.getByLabel('Address').fill(url)
  await page.getByRole('button', { name: 'Test connection' }).click()
  const diagnosis = page.getByRole('region', { name: 'What is wrong' })
  await expect(diagnosis).toHaveAttribute('data-layer', 'cors-headers')
  return diagnosis
}

test('a local server without CORS connects once the offered line is in the file', async ({
  page,
  context,
  local,
  config,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: local.origin })
  const diagnosis = await testAddress(page, local, server.url)
  await expect(diagnosis).toContainText(config)
  await expect(diagnosis).toContainText('--relay-loopback')
  await expect(diagnosis.getByRole('status').filter({ hasText: 'Waiting for the file' })).toBeVisible()
  await diagnosis.getByRole('button', { name: 'Copy the file' }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(JSON.parse(copied)).toEqual({ relay: { allow: [server.origin] } })
  // What the page does by itself changes nothing: the relay stays shut until a person writes the file.
  expect(existsSync(config)).toBe(false)
  expect(server.ledger.count('tools/list')).toBe(0)

  writeFileSync(config, copied, { mode: 0o600 })
  await expect(page.getByRole('heading', { name: 'What it offers' })).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  const line = page.getByRole('listitem').filter({ hasText: new URL(server.url).host })
  await expect(line.getByText('connected', { exact: false }).first()).toBeVisible()
  expect(server.ledger.count('tools/list')).toBeGreaterThan(0)
})

test('the line keeps what the file allows already, and a broken file is named', async ({
  page,
  local,
  config,
  server,
}) => {
  writeFileSync(config, '{ "mcpServers": {}, "relay": { "allow": ["https://a.example"] } }', { mode: 0o600 })
  const diagnosis = await testAddress(page, local, server.url)
  const line = diagnosis.locator('ol pre')
  await expect(line).toHaveText(`"relay": { "allow": ["https://a.example", "${server.origin}"] }`)
  const text = (await line.textContent()) ?? ''
  writeFileSync(config, `{ "mcpServers": {} ${text} }`)
  await expect(diagnosis.getByRole('alert')).toContainText('JSON')
  writeFileSync(config, `{ "mcpServers": {}, ${text} }`)
  await expect(page.getByRole('heading', { name: 'What it offers' })).toBeVisible()
})

test.describe('started with --relay-loopback', () => {
  test.use({ relayLoopback: true })
  test('a local server without CORS connects by one click', async ({ page, local, server }) => {
    const diagnosis = await testAddress(page, local, server.url)
    await diagnosis.getByRole('button', { name: "Use the companion's relay" }).click()
    await expect(page.getByRole('heading', { name: 'What it offers' })).toBeVisible()
  })
})

test('a local server that is reached by the relay and ends is not blamed for the answer of the relay', async ({
  page,
  local,
  config,
  server,
}) => {
  writeFileSync(config, JSON.stringify({ relay: { allow: [server.origin] } }), { mode: 0o600 })
  const diagnosis = await testAddress(page, local, server.url)
  await diagnosis.getByRole('button', { name: "Use the companion's relay" }).click()
  await expect(page.getByRole('heading', { name: 'What it offers' })).toBeVisible()
  await server.stop()
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByText(`Nothing listens at ${new URL(server.url).host}`).first()).toBeVisible()
  await expect(page.getByText('HTTP 502')).toHaveCount(0)
})
