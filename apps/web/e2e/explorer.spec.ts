import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { type RealServers, startRealServers } from '@switchboard/testkit'
import type { Server } from '#domain/server.ts'
import { test as base, expect, openSettings, store } from './chat-fixtures.ts'
import { expectNoFaults } from './expect-no-faults.ts'
import { storedServer } from './stored-server.ts'

interface ExplorerParts {
  real: RealServers
}
interface ExplorerDeeds {
  /** Stores servers, and opens the explorer once they have shown their tools. */
  explore: (servers: Partial<Server>[], to?: string) => Promise<void>
}

const test = base.extend<ExplorerDeeds, ExplorerParts>({
  real: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
    async ({}, use) => {
      const real = await startRealServers(['everything'])
      await use(real)
      await real.stop()
    },
    { scope: 'worker' },
  ],
  explore: async ({ app }, use) => {
    await use(async (servers, to = '/tools') => {
      await store(app, { mcpServers: servers.map((one, index) => record(index, one)) })
      await app.goto(`${new URL(app.url()).origin}/#${to}`)
      // What was stored past the engine is seen by those who begin anew.
      await app.reload()
    })
  },
})

// The browser itself notes a request that failed.
test.use({ expectedProblems: /Failed to load resource|blocked by CORS policy/ })

const record = (index: number, change: Partial<Server>) =>
  storedServer({
    id: `server-${index}`,
    name: `Server ${index}`,
    createdAt: index + 10,
    updatedAt: index + 10,
    ...change,
  })

const tools = (page: Page) => page.getByRole('navigation', { name: 'Tools' })
const open = (page: Page, name: string | RegExp) => tools(page).getByRole('link', { name }).click()
const form = (page: Page) => page.getByRole('region', { name: 'Arguments' })
const result = (page: Page) => page.getByRole('region', { name: 'Result', exact: true })
const history = (page: Page) => page.getByRole('region', { name: 'History' })
const run = (page: Page) => form(page).getByRole('button', { name: 'Run', exact: true }).click()

test('the tools of server-everything are listed, found by their words, and run from a form', async ({
  app,
  real,
  explore,
}) => {
  await explore([{ name: 'Everything', url: real.addresses.everything }])
  await expect(tools(app).getByRole('link', { name: /Echo Tool/ })).toBeVisible()
  await app.getByRole('searchbox', { name: 'Search tools' }).fill('sum everything')
  await expect(tools(app).getByRole('link')).toHaveCount(1)
  await expect(tools(app)).toContainText('claims: read-only')
  await open(app, /Get Sum/)
  await app.getByText('Parameters').click()
  await expect(app.getByRole('region', { name: 'Fields', exact: true })).toContainText('First number')

  await form(app).getByLabel(/^a/).fill('2')
  await form(app).getByLabel(/^b/).fill('40')
  await run(app)
  await expect(result(app)).toContainText('The sum of 2 and 40 is 42.')
  await expect(history(app)).toContainText('{"a":2,"b":40}')
  await result(app).getByRole('button', { name: 'Raw messages' }).click()
  await expect(result(app)).toContainText('"method":"tools/call"')
  await expect(result(app)).toContainText('received at')
})

test('what does not fit is said at its field, and nothing is sent', async ({ app, server, explore }) => {
  await explore([{ name: 'Notes', url: server.url }], '/tools/server-0/note')
  await run(app)
  await expect(form(app).getByText('This is needed.')).toBeVisible()
  await expect(form(app).getByLabel(/^text/)).toHaveAttribute('aria-invalid', 'true')
  await expect(form(app).getByLabel(/^text/)).toBeFocused()
  await expect(form(app)).toContainText('Nothing was sent')
  expect(server.ledger.count('tools/call')).toBe(0)

  await form(app).getByLabel(/^text/).fill('milk')
  await run(app)
  await expect(result(app)).toContainText('Kept the note "milk".')
  expect(server.ledger.executionsOf('note')).toBe(1)
})

test('a long tool tells how far it is, and can be cancelled', async ({ app, real, explore }) => {
  await explore(
    [{ name: 'Everything', url: real.addresses.everything }],
    '/tools/server-0/trigger-long-running-operation',
  )
  await form(app)
    .getByLabel(/^duration/)
    .fill('60')
  await form(app)
    .getByLabel(/^steps/)
    .fill('300')
  await run(app)
  await expect(result(app)).toContainText(/\d of 300/)
  await expect(result(app).getByRole('progressbar')).toBeVisible()
  await result(app).getByRole('button', { name: 'Cancel' }).click()
  await expect(result(app)).toContainText('cancelled')
  await expect(history(app)).toContainText('cancelled')
})

test('a picture, structured content and a failure are each shown as what they are', async ({
  app,
  real,
  server,
  explore,
}) => {
  await explore([
    { name: 'Everything', url: real.addresses.everything },
    { name: 'Notes', url: server.url },
  ])
  await open(app, /Get Tiny Image/)
  await run(app)
  await expect(result(app).getByRole('img', { name: 'Made by the tool' })).toBeVisible()

  await open(app, /Get Structured Content/)
  await form(app)
    .getByLabel(/^location/)
    .selectOption('Chicago')
  await run(app)
  await expect(result(app)).toContainText('temperature')

  await open(app, /broken/)
  await run(app)
  await expect(result(app)).toContainText('failed')
  await expect(result(app)).toContainText('The shelf is full: 12 of 12 places are taken.')
})

test('the history keeps what was run: it can be replayed, edited, deleted and cleared', async ({
  app,
  server,
  explore,
}) => {
  await explore([{ name: 'Notes', url: server.url }], '/tools/server-0/note')
  for (const text of ['one', 'two']) {
    await form(app).getByLabel(/^text/).fill(text)
    await run(app)
    await expect(result(app)).toContainText(`Kept the note "${text}".`)
  }
  await app.reload()
  const rows = history(app).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('{"text":"two"}')

  await rows.last().getByRole('button', { name: 'Replay' }).click()
  await expect(result(app)).toContainText('Kept the note "one".')
  await expect(form(app).getByLabel(/^text/)).toHaveValue('one')
  await expect(rows).toHaveCount(3)
  expect(server.ledger.executionsOf('note')).toBe(3)

  await rows.nth(1).getByRole('button', { name: 'Edit' }).click()
  await expect(form(app).getByLabel(/^text/)).toHaveValue('two')
  expect(server.ledger.executionsOf('note')).toBe(3)

  await rows.first().getByRole('button', { name: 'Delete this call' }).click()
  await expect(rows).toHaveCount(2)
  await history(app).getByRole('button', { name: 'Clear…' }).click()
  await history(app).getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(rows).toHaveCount(0)
})

test('a call that ran during a reload has an unknown outcome, and runs again only by the user’s word', async ({
  app,
  server,
  explore,
}) => {
  await explore([{ name: 'Notes', url: server.url }], '/tools/server-0/slow')
  await form(app).getByLabel(/^mark/).fill('only')
  await run(app)
  await server.untilRun('slow', 1)
  await expect(result(app)).toContainText('runs')
  await app.reload()
  const row = history(app).getByRole('listitem')
  await expect(row).toContainText('outcome unknown')
  await row.locator('summary').click()
  await expect(row).toContainText('It may have run')
  expect(server.ledger.executionsOf('slow')).toBe(1)

  server.release()
  await row.getByRole('button', { name: 'Run again' }).click()
  await expect(result(app).first()).toContainText('Slowly did only.')
  expect(server.ledger.executionsOf('slow')).toBe(2)
})

test('a call goes on in a tab that stays, while another is opened', async ({ app, server, explore, context }) => {
  await explore([{ name: 'Notes', url: server.url }], '/tools/server-0/slow')
  await form(app).getByLabel(/^mark/).fill('kept')
  await run(app)
  await server.untilRun('slow', 1)
  const other = await context.newPage()
  await other.goto(app.url())
  await expect(result(other)).toContainText('runs')
  server.release()
  await expect(result(app)).toContainText('Slowly did kept.')
  await expect(history(other)).toContainText('done')
  expect(server.ledger.executionsOf('slow')).toBe(1)
})

test('the copied command line makes the same call in a shell', async ({ app, real, explore }) => {
  await explore([{ name: 'Everything', url: real.addresses.everything }], '/tools/server-0/echo')
  await form(app)
    .getByLabel(/^message/)
    .fill(`it's "me" & $HOME`)
  await form(app).getByRole('button', { name: 'Copy as curl' }).click()
  const command = await form(app).getByRole('region', { name: 'As curl' }).innerText()
  const { stdout } = await promisify(execFile)('sh', ['-c', command])
  expect(stdout).toContain(JSON.stringify(`Echo: it's "me" & $HOME`).slice(1, -1))
})

test('a tool that claims to be destructive is asked about once more', async ({ app, server, explore }) => {
  server.tools.set('drop', { annotations: { destructiveHint: true }, inputSchema: { type: 'object' } })
  await explore([{ name: 'Notes', url: server.url }], '/tools/server-0/drop')
  await run(app)
  await expect(form(app)).toContainText('Notes claims: destructive. Run it?')
  expect(server.ledger.executionsOf('drop')).toBe(0)
  await form(app).getByRole('button', { name: 'Don’t' }).click()
  await run(app)
  await form(app).getByRole('button', { name: 'Run it' }).click()
  await expect(result(app)).toContainText('done')
  expect(server.ledger.executionsOf('drop')).toBe(1)
})

test('a tool that changed, went, or whose server is off or locked says so and how to go on', async ({
  app,
  server,
  explore,
}) => {
  await explore([{ name: 'Notes', url: server.url }], '/tools/server-0/note')
  await form(app).getByLabel(/^text/).fill('milk')
  const before = server.tools.get('note')
  server.tools.set('note', { ...before, description: 'Keeps a note for ever' })
  await run(app)
  await expect(result(app)).toContainText('has changed since')
  expect(server.ledger.executionsOf('note')).toBe(0)
  await result(app).getByRole('button', { name: 'Load it anew' }).click()
  await expect(app.getByText('Keeps a note for ever', { exact: true })).toBeVisible()
  await expect(tools(app).getByRole('link', { name: /^note Notes/ })).toContainText('changed')
  await expect(form(app)).toHaveCount(0)
  await app.getByRole('link', { name: 'See what is different' }).click()
  await expect(app.getByRole('article', { name: 'note, changed' })).toContainText('Keeps a note for ever')
  await app.getByRole('button', { name: 'I have seen it: use it again' }).click()
  await expect(app.getByText('Nothing has changed')).toBeVisible()
  await app.getByText(/^History/).click()
  await app.getByText('What was different').first().click()
  await expect(app.getByRole('deletion').first()).toContainText('Keeps a note')
  await app.goBack()
  await form(app).getByLabel(/^text/).fill('milk')
  await run(app)
  await expect(result(app)).toContainText('Kept the note "milk".')

  server.tools.delete('note')
  await app.reload()
  await expect(app.getByRole('alert')).toContainText('does not have note any more')

  await app.goto(`${new URL(app.url()).origin}/#/servers`)
  await app.getByRole('button', { name: 'What to do with Notes' }).click()
  await app.getByRole('menuitem', { name: 'Switch off' }).click()
  await expect(app.getByRole('listitem').filter({ hasText: 'Notes' })).toContainText('switched off')
  await app.goto(`${new URL(app.url()).origin}/#/tools/server-0/look`)
  await expect(app.getByText('Notes is switched off')).toBeVisible()
  await app.getByRole('button', { name: 'Switch it on' }).click()
  await form(app).getByLabel(/^text/).fill('milk')
  await run(app)
  await expect(result(app)).toContainText('Read the note "milk".')
})

test('behind a locked vault the explorer says so, and goes on when it is opened', async ({ app, server, explore }) => {
  await explore([{ name: 'Notes', url: server.url, authentication: { type: 'auto' } }])
  await openSettings(app, 'Vault')
  await app.getByLabel('New passphrase').fill('four words that nobody guesses')
  await app.getByRole('button', { name: 'Protect with this passphrase' }).click()
  await expect(app.getByText('Protected by your passphrase')).toBeVisible()
  await app.goto(`${new URL(app.url()).origin}/#/servers/server-0`)
  await app.getByLabel('Authentication').selectOption('bearer')
  await app.getByLabel('Token', { exact: true }).fill('a-token')
  await app.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Servers' })).toBeVisible()
  await openSettings(app, 'Vault')
  await app.getByRole('button', { name: 'Lock now' }).click()
  await expect(app.getByText('The vault is locked.')).toBeVisible()
  await app.goto(`${new URL(app.url()).origin}/#/tools/server-0/note`)
  await expect(app.getByRole('alert')).toContainText('The vault is locked')
  await expect(app.getByRole('link', { name: 'Unlock' })).toBeVisible()
})

test('the keyboard alone finds a tool, fills it in, runs it and runs it again', async ({ app, real, explore }) => {
  await explore([{ name: 'Everything', url: real.addresses.everything }])
  await expect(tools(app).getByRole('link', { name: /Echo Tool/ })).toBeVisible()
  await app.getByRole('searchbox', { name: 'Search tools' }).focus()
  await app.keyboard.type('tool')
  await expect(app.getByRole('status').filter({ hasText: / of \d+ tools/ })).toBeVisible()
  await app.keyboard.press('ArrowDown')
  await app.keyboard.press('ArrowDown')
  await app.keyboard.press('ArrowUp')
  await app.keyboard.press('ArrowUp')
  await expect(app.getByRole('searchbox', { name: 'Search tools' })).toBeFocused()
  await app.keyboard.press('Control+a')
  await app.keyboard.type('echo')
  await app.keyboard.press('Enter')
  await expect(form(app)).toBeVisible()
  const field = form(app).getByLabel(/^message/)
  for (let presses = 0; presses < 40; presses++) {
    if (await field.evaluate((element) => element === document.activeElement)) break
    await app.keyboard.press('Tab')
  }
  await app.keyboard.type('by hand')
  await app.keyboard.press('Control+Enter')
  await expect(result(app)).toContainText('Echo: by hand')
  await expect(form(app).getByRole('button', { name: 'Run' })).toBeEnabled()
  const replay = history(app).getByRole('button', { name: 'Replay' }).first()
  for (let presses = 0; presses < 40; presses++) {
    if (await replay.evaluate((element) => element === document.activeElement)) break
    await app.keyboard.press('Tab')
  }
  await app.keyboard.press('Enter')
  await expect(history(app).getByRole('listitem')).toHaveCount(2)
})

test('who stands on a row that is found no more goes on from the search, and Enter opens what the search says', async ({
  app,
  real,
  explore,
}) => {
  await explore([{ name: 'Everything', url: real.addresses.everything }])
  const search = app.getByRole('searchbox', { name: 'Search tools' })
  const row = tools(app).getByRole('link', { name: /Echo Tool/ })
  await row.focus()
  // Typed by no hand of this page: the focus stays on the row until that is gone.
  await search.evaluate((field: HTMLInputElement) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'sum')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await expect(row).toHaveCount(0)
  await expect(search).toBeFocused()
  await app.keyboard.press('Enter')
  await expect(app.getByRole('heading', { level: 2, name: /Sum/ })).toBeVisible()
})

test('of a thousand tools of twenty servers only what is in sight is drawn, and any is found', async ({
  app,
  explore,
}) => {
  const found = (server: number): NonNullable<Server['found']> => ({
    title: 'Many',
    version: '1',
    protocolVersion: '1',
    instructions: '',
    resources: 0,
    prompts: 0,
    tools: Array.from({ length: 50 }, (_, tool) => ({
      name: `tool_${server}_${tool}`,
      title: `Tool ${tool} of ${server}`,
      description: 'Does what it does. '.repeat(20),
      schemaSize: 100,
      fingerprint: `f${server}-${tool}`,
      annotations: { readOnly: tool % 2 === 0, destructive: tool % 7 === 0 },
    })),
  })
  await explore(
    Array.from({ length: 20 }, (_, server) => ({ name: `Many ${server}`, enabled: false, found: found(server) })),
  )
  const demo = app.getByRole('status').filter({ hasText: /^1,?0\d\d tools$|^10\d\d tools$/ })
  await expect(demo).toBeVisible()
  expect(await tools(app).getByRole('link').count()).toBeLessThan(400)
  await app.getByRole('searchbox', { name: 'Search tools' }).fill('tool_13_37')
  await expect(tools(app).getByRole('link')).toHaveCount(1)
  await expect(tools(app)).toContainText('Many 13')
  await app.getByRole('searchbox', { name: 'Search tools' }).fill('')
  await app.getByLabel('Server').selectOption('Many 19')
  await expect(tools(app).getByRole('link')).toHaveCount(50)
  await app.getByLabel('Server').selectOption('All servers')
  const last = tools(app).getByRole('link', { name: /Tool 49 of 19/ })
  await expect
    .poll(async () => {
      await tools(app).evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
      return last.count()
    })
    .toBe(1)
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport()
})

test.slow()

test('axe finds nothing in the explorer', async ({ app, real, server, explore }) => {
  server.tools.set('drop', { annotations: { destructiveHint: true }, inputSchema: { type: 'object' } })
  await explore([
    { name: 'Everything', url: real.addresses.everything },
    { name: 'Notes', url: server.url },
  ])
  await expect(tools(app).getByRole('link', { name: /Echo Tool/ })).toBeVisible()
  await expectNoFaults(app, 'a list without a choice')
  await open(app, /Get Structured Content/)
  await expect(form(app)).toBeVisible()
  for (const summary of ['Parameters', 'What it gives', 'Definition as JSON'])
    await app.locator('summary', { hasText: summary }).click()
  await form(app)
    .getByLabel(/^location/)
    .selectOption('Chicago')
  await run(app)
  await expect(result(app)).toContainText('temperature')
  await result(app).getByRole('button', { name: 'Raw messages' }).click()
  await form(app).getByRole('button', { name: 'Copy as curl' }).click()
  await expect(form(app).getByRole('region', { name: 'As curl' })).toBeVisible()
  await expectNoFaults(app, 'a tool that has run, with everything open')
  await open(app, /^note Notes/)
  await run(app)
  await expect(form(app).getByText('This is needed.')).toBeVisible()
  await expectNoFaults(app, 'a fault at a field')
  await open(app, /drop/)
  await run(app)
  await expect(form(app)).toContainText('claims: destructive')
  await expectNoFaults(app, 'the question about a destructive tool')
  await open(app, /^slow Notes/)
  await form(app).getByLabel(/^mark/).fill('x')
  await run(app)
  await server.untilRun('slow', 1)
  await expectNoFaults(app, 'a call that runs')
  await app.setViewportSize({ width: 390, height: 780 })
  await expectNoFaults(app, 'a tool on a phone')
  await app.getByRole('link', { name: 'All tools' }).click()
  await expectNoFaults(app, 'the list on a phone')
})
