import type { Page } from '@playwright/test'
import { type RealServers, startRealServers } from '@switchboard/testkit'
import type { Server } from '#domain/server.ts'
import { act, test as base, expect, store, typedIsKept } from './chat-fixtures.ts'
import { storedServer } from './stored-server.ts'

// What servers ask in the middle of a call that somebody makes by hand.

interface Deeds {
  /** Opens a tool of the server at this address, and runs it. */
  run: (url: string, tool: string, change?: Partial<Server>) => Promise<void>
}

const test = base.extend<Deeds, { real: RealServers }>({
  real: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
    async ({}, use) => {
      const real = await startRealServers(['everything', 'twoEras'])
      await use(real)
      await real.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  run: async ({ app }, use) => {
    await use(async (url, tool, change = {}) => {
      await store(app, {
        mcpServers: [storedServer({ id: 'asker', name: 'Asker', url, timeoutSeconds: 30, ...change })],
      })
      await app.goto(`${new URL(app.url()).origin}/#/tools/asker/${tool}`)
      // What was stored past the engine is seen by those who begin anew.
      await app.reload()
      const button = app.getByRole('region', { name: 'Arguments' }).getByRole('button', { name: 'Run', exact: true })
      await button.click()
    })
  },
})
// The browser itself notes a request that failed.
test.use({ expectedProblems: /Failed to load resource|blocked by CORS policy/ })

const question = (page: Page) => page.getByRole('region', { name: /^Asker (asks|wants)/ })
const result = (page: Page) => page.getByRole('region', { name: 'Result', exact: true })
const press = (page: Page, name: string | RegExp) => act(question(page).getByRole('button', { name }))

test('a form of a server without sessions is under its call, checked, and answered after a reload', async ({
  app,
  run,
  real,
}) => {
  await run(real.addresses.twoEras, 'book-table')
  await expect(question(app)).toContainText('Which table?')
  await question(app).getByRole('textbox', { name: /^Name/ }).fill('')
  await press(app, 'Submit')
  await expect(question(app)).toContainText('Nothing was sent')
  await question(app).getByRole('textbox', { name: /^Name/ }).fill('Grace')
  await typedIsKept(app, 'Grace')
  await app.reload()
  await expect(question(app).getByRole('textbox', { name: /^Name/ })).toHaveValue('Grace')
  await press(app, 'Submit')
  await expect(result(app)).toContainText('Grace')
  await expect(question(app)).toHaveCount(0)
})

test('a form of server-everything, with sessions, is answered after a reload', async ({ app, run, real }) => {
  await run(real.addresses.everything, 'trigger-elicitation-request')
  await question(app)
    .getByRole('textbox', { name: /^String(?! with)/ })
    .fill('Grace')
  await typedIsKept(app, 'Grace')
  await app.reload()
  await press(app, 'Submit')
  await expect(result(app)).toContainText('Grace')
})

test('what is declined is told to the server', async ({ app, run, real }) => {
  await run(real.addresses.twoEras, 'book-table')
  await press(app, 'Decline')
  await expect(result(app)).toContainText('decline')
})

test('a page to visit is opened in the click, and the call goes on', async ({ app, run, context, companion }) => {
  await run(`${companion.origin}/demo/mcp`, 'confirm_by_link')
  await expect(question(app)).toContainText('wants you to visit a page')
  const [visited] = await Promise.all([context.waitForEvent('page'), press(app, /^Open/)])
  expect(await visited.evaluate(() => window.opener)).toBeNull()
  await visited.close()
  await press(app, /done it/)
  await expect(question(app)).toHaveCount(0)
  await expect(result(app)).toContainText('Thank you for looking.')
})

test('an answer of a model is made by the model of the default GPT, and sent when the user says so', async ({
  app,
  run,
  real,
}) => {
  await run(real.addresses.twoEras, 'summarise', { sampling: true })
  await expect(question(app)).toContainText('Summarise: all is well.')
  await press(app, 'Let the model answer')
  await press(app, 'Send to Asker')
  await expect(result(app)).toContainText('assistant')
})
