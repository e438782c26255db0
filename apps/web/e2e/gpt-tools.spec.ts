import type { Page } from '@playwright/test'
import { startFaultServer } from '@switchboard/testkit/fault-server'
import { type RealServers, startRealServers } from '@switchboard/testkit/real-servers'
import { expect, lastAnswer, say, test as base, toldIn } from './chat-fixtures.ts'

const test = base.extend<object, { real: RealServers }>({
  real: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
    async ({}, use) => {
      const real = await startRealServers(['everything'])
      await use(real)
      await real.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const go = (page: Page, to: string) => page.goto(`${new URL(page.url()).origin}/#${to}`)
const serverItem = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Servers', exact: true })
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox', { name, exact: true }) })
const budget = (page: Page) => page.getByRole('status').filter({ hasText: 'tokens of definitions' })

async function addServer(page: Page, name: string, url: string, tools: number): Promise<void> {
  await go(page, '/servers/new')
  await page.getByLabel('Address, configuration file or command').fill(url)
  await page.getByText('Details').click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: url.replace(/^https?:..|\/mcp$/g, '') })).toContainText(
    `connected · ${tools} tools`,
  )
}

test('[2.8-3] a server that is ticked in a GPT brings its tools, with icons and annotations, and the model gets them', async ({
  app,
  model,
  openGpt,
  real,
}) => {
  const pictured = await startFaultServer({
    era: 'stateless',
    cors: true,
    tools: {
      draw: { description: 'Draws', definition: { icons: [{ src: PNG }] }, annotations: { destructiveHint: true } },
      wipe: { description: 'Wipes', annotations: { readOnlyHint: true } },
    },
  })
  try {
    await openGpt({ approval: 'auto' })
    await say(app, 'Hello')
    await expect(lastAnswer(app)).toContainText('Nothing to say.')
    await addServer(app, 'Everything', real.addresses.everything, 15)
    await addServer(app, 'Pictured', pictured.url, 2)
    await go(app, '/gpts/gpt-Keeper')
    await app.getByRole('checkbox', { name: 'Everything', exact: true }).check()
    await app.getByRole('checkbox', { name: 'Pictured', exact: true }).check()
    const everything = serverItem(app, 'Everything')
    await expect(everything).toContainText('15 of 15')
    await everything.getByText('15 tools').click()
    const lines = everything.getByRole('listitem')
    await expect(lines).toHaveCount(15)
    // One that brings no picture has ours.
    await expect(lines.locator('label').locator('svg, img')).toHaveCount(15)
    const sum = lines.filter({ has: app.getByRole('switch', { name: 'Get Sum Tool' }) })
    await expect(sum).toContainText('claims: read-only')
    const drawing = serverItem(app, 'Pictured')
    await drawing.getByText('2 tools').click()
    await expect(drawing.getByRole('listitem').filter({ hasText: 'Draws' }).locator('img')).toHaveAttribute('src', PNG)
    await expect(drawing.getByRole('listitem').filter({ hasText: 'Draws' })).toContainText('claims: destructive')
    await drawing.getByRole('switch', { name: 'wipe' }).uncheck()
    await expect(drawing).toContainText('1 of 2')
    await expect(budget(app)).toContainText(/^20 tools · about [\d,]+ tokens of definitions with every message$/)
    await expect(app.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()

    // Many are found by a word.
    await app.getByLabel('Find a tool').fill('sum')
    await expect(everything.getByRole('listitem')).toHaveCount(1)
    await expect(drawing).toHaveCount(0)

    model.follow([{ calls: [{ name: 'everything__get-sum', input: { a: 2, b: 40 } }] }, { text: 'It is 42.' }])
    await app.getByRole('link', { name: 'Try it' }).click()
    await say(app, 'How much?')
    await expect(lastAnswer(app)).toContainText('It is 42.')
    expect(toldIn(model.requests.at(-1))).toContain('The sum of 2 and 40 is 42.')
    const offered = model.requests[1]?.tools ?? []
    expect(offered).toHaveLength(20)
    expect(offered).toContain('pictured__draw')
    expect(offered).not.toContain('pictured__wipe')
  } finally {
    await pictured.stop()
  }
})
