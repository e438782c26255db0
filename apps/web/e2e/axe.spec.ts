import type { Page } from '@playwright/test'
import { startOidcServers } from '@switchboard/testkit/oidc-server'
import { approval, call, callLine, expect, gate, lastAnswer, openSettings, press, say, test } from './chat-fixtures.ts'
import { expectNoFaults } from './expect-no-faults.ts'

// The browser itself notes a request that failed.
// Noting which of its lines run would make axe half as slow again.
test.use({ expectedProblems: /Failed to load resource|blocked by CORS policy/, isCovered: false })

const go = (page: Page, to: string) => page.goto(`${new URL(page.url()).origin}/#${to}`)
async function choose(page: Page, button: string, path: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).click(),
  ])
  await chooser.setFiles(path)
}
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first()

const ANSWER = `A heading and more:

## What it says
| city | rain |
|---|---:|
| Lisbon | 3 mm |

1. A [link](https://example.com/a) and \`code\`
2. ~~Struck~~ and **strong**, ![a picture](https://example.com/a.png)

> A quotation

\`\`\`js
const greeting = 'hello' // a comment
\`\`\`
`

test.slow()

test('axe finds nothing in a chat, whatever state its calls are in', async ({ app, model, server, openGpt }) => {
  await expectNoFaults(app, 'a new chat')

  const held = gate()
  model.follow([
    {
      reasoning: 'Let me see.',
      text: 'I will keep both.',
      calls: [call('note', { text: 'a' }), call('look', { text: 'b' })],
    },
    { calls: [call('slow', { mark: 'one' })] },
    { calls: [call('broken')] },
    { text: ANSWER, hold: { afterEvents: 4, until: held.opened } },
  ])
  await openGpt()
  await say(app, 'Keep both')
  await expect(approval(app)).toContainText('2 tools ask for your permission')
  await approval(app).getByLabel('Answer for look').selectOption('deny')
  await expectNoFaults(app, 'a question about two calls')
  await approval(app).getByLabel('Answer for look').selectOption('once')
  await press(app, 'Allow all 2 once')

  await expect(approval(app)).toContainText('slow of Notes')
  await approval(app).getByRole('button', { name: 'Allow for longer' }).click()
  await expectNoFaults(app, 'the menu of a question')
  await app.keyboard.press('Escape')
  await approval(app).getByRole('button', { name: 'Edit' }).click()
  await approval(app).getByRole('textbox', { name: 'Arguments, as JSON' }).fill('{"mark')
  await approval(app).getByRole('button', { name: 'Deny with a reason' }).click()
  await expectNoFaults(app, 'a question with changed arguments and a reason')
  await approval(app).getByRole('button', { name: 'Undo changes' }).click()
  await press(app, 'Allow once')
  await server.ledger.until(() => server.ledger.executionsOf('slow') === 1, 'the call')
  await expectNoFaults(app, 'a call that runs')

  server.release()
  await expect(approval(app)).toContainText('broken of Notes')
  await press(app, 'Allow once')
  await expect(lastAnswer(app)).toContainText('A heading')
  await expectNoFaults(app, 'an answer that streams')
  held.open()
  await expect(lastAnswer(app).getByRole('table')).toBeVisible()
  await lastAnswer(app).locator('summary').filter({ hasText: 'tools ·' }).click()
  for (const name of ['note', 'broken']) await callLine(app, name).first().click()
  await app.getByRole('button', { name: 'Raw messages' }).first().click()
  await expect(app.getByRole('heading', { name: 'Raw messages' })).toBeVisible()
  await expectNoFaults(app, 'calls, opened, and an answer in Markdown')

  await app.getByRole('button', { name: 'This chat' }).click()
  await expectNoFaults(app, 'the menu of a chat')
  await app.getByRole('menuitem', { name: 'Rename' }).click()
  await expectNoFaults(app, 'the dialog to rename')
  await app.keyboard.press('Escape')
  await app.getByRole('button', { name: 'Edit', exact: true }).click()
  await expectNoFaults(app, 'a message that is edited')
  await app.keyboard.press('Escape')

  model.follow(() => ({ refusal: { status: 401, message: 'No', code: 'invalid_api_key' } }))
  await say(app, 'And now')
  await expect(lastAnswer(app).getByRole('alert')).toBeVisible()
  await expectNoFaults(app, 'an answer that failed')

  await app.keyboard.press('Control+k')
  await app.getByRole('combobox').fill('note')
  await expect(app.getByRole('option', { name: /note of Notes/ })).toBeVisible()
  await expectNoFaults(app, 'the search')
  await app.getByRole('combobox').fill('nothing has these words')
  await expect(app.getByText('No matches')).toBeVisible()
  await expectNoFaults(app, 'a search without a find')
  await app.keyboard.press('Escape')

  await app.setViewportSize({ width: 390, height: 780 })
  await expectNoFaults(app, 'a chat on a phone')
  await app.getByRole('button', { name: 'Open the menu' }).click()
  await expect(app.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  await expectNoFaults(app, 'the drawer of a phone')
  await app.getByRole('dialog').getByRole('link', { name: 'New chat' }).click()
  await expect(app.getByRole('dialog')).toHaveCount(0)
  await expectNoFaults(app, 'a new chat on a phone')
})

test('axe finds nothing among the GPTs, servers and settings', async ({ app, server, openGpt }) => {
  await openGpt()
  await go(app, '/gpts')
  // What was stored past the engine is seen by those who begin anew.
  await app.reload()
  await app.getByRole('button', { name: 'What to do with Keeper' }).click()
  await expectNoFaults(app, 'GPTs, with the menu of one')
  await app.keyboard.press('Escape')
  await go(app, '/gpts/gpt-Keeper')
  await app.getByText('tools', { exact: false }).and(app.locator('summary')).first().click()
  await app.getByRole('switch', { name: 'Long work as tasks' }).check()
  await app.getByLabel('Model', { exact: true }).fill('')
  await expectNoFaults(app, 'a GPT that is edited')

  await go(app, '/servers')
  await expect(heading(app, 'Notes')).toBeVisible()
  await expectNoFaults(app, 'servers')
  await go(app, '/servers/new')
  await app.getByLabel('Address').fill('ftp://nowhere')
  await app.getByText('Details').click()
  await app.getByLabel('Authentication').selectOption('basic')
  await expectNoFaults(app, 'the form of a server, with a wrong address')
  await app.getByLabel('Address').fill(server.url)
  await app.getByRole('button', { name: 'Test connection' }).click()
  await expect(heading(app, 'What it offers')).toBeVisible()
  await expectNoFaults(app, 'a test that succeeded')
  await app.getByLabel('Address').fill('http://127.0.0.1:9/mcp')
  await app.getByRole('button', { name: 'Test connection' }).click()
  await expect(app.getByRole('list', { name: 'Steps of the test' })).toContainText('failed')
  await expectNoFaults(app, 'a test that failed')
  await go(app, '/servers/notes-server')
  await expectNoFaults(app, 'a server that is there')
  await app.getByRole('button', { name: 'Remove this server' }).click()
  await expect(app.getByRole('button', { name: 'Undo' })).toBeVisible()
  await expectNoFaults(app, 'servers, with a way back')

  await openSettings(app, 'Models')
  await expectNoFaults(app, 'settings: models')
  await app.getByRole('button', { name: 'Connect a model' }).click()
  await expectNoFaults(app, 'the menu of services')
  await app.getByRole('menuitem', { name: /Anthropic/ }).click()
  await expectNoFaults(app, 'the form of a service')
  await app.keyboard.press('Escape')
  await openSettings(app, 'Approvals')
  await expectNoFaults(app, 'settings: approvals')
  await openSettings(app, 'Data')
  await expectNoFaults(app, 'settings: data')
  await app.getByRole('button', { name: 'Delete everything…' }).click()
  await expectNoFaults(app, 'the question before everything is deleted')
  await app.keyboard.press('Escape')
  await openSettings(app, 'Appearance')
  await expectNoFaults(app, 'settings: appearance')
  await openSettings(app, 'About')
  await expectNoFaults(app, 'settings: about')
  await openSettings(app, 'Vault')
  await app.getByLabel('New passphrase').fill('abc')
  await expectNoFaults(app, 'settings: a vault without a passphrase')
  await app.getByLabel('New passphrase').fill('four words that nobody guesses')
  await app.getByRole('button', { name: 'Protect with this passphrase' }).click()
  await expect(app.getByText('Protected by your passphrase')).toBeVisible()
  await expectNoFaults(app, 'settings: a vault with a passphrase')
  await app.getByRole('button', { name: 'Lock now' }).click()
  await expect(app.getByText('The vault is locked.')).toBeVisible()
  await expectNoFaults(app, 'settings: a vault that is locked')
})

test('axe finds nothing on what few get to see: changed tools, messages, a full disk, no start', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  model.follow(({ step }) => (step === 0 ? { calls: [call('note', { text: 'a' })] } : { text: 'It is kept.' }))
  await openGpt()
  await say(app, 'Keep it')
  await press(app, 'Allow once')
  await expect(lastAnswer(app)).toContainText('It is kept.')
  const note = server.tools.get('note')
  server.tools.set('note', {
    ...note,
    description: 'Keeps a note, and tells others',
    annotations: { readOnlyHint: true },
  })
  server.tools.set('new', { description: 'Was not there before' })
  await say(app, 'Once more')
  await expect(app.getByText('of Notes changed since you last looked')).toBeVisible()
  await expectNoFaults(app, 'a chat whose tools changed')
  const chat = app.url()
  await app.getByRole('link', { name: 'See what is different' }).click()
  await expect(app.getByRole('article', { name: 'note, changed' })).toBeVisible()
  await expectNoFaults(app, 'what changed')

  await go(app, '/messages')
  const messages = app.getByRole('list', { name: 'Messages, newest first' }).getByRole('listitem')
  await messages.filter({ hasText: 'tools/call' }).first().locator('summary').click()
  await expectNoFaults(app, 'messages, with one open')

  await app.goto(chat)
  const held = gate()
  model.follow(() => ({ text: 'word '.repeat(20), hold: { afterEvents: 4, until: held.opened } }))
  await say(app, 'Fill the disk')
  await expect(lastAnswer(app)).toContainText('word')
  const engine = app.workers().find((worker) => worker.url().endsWith('/assets/engine.js'))
  await engine?.evaluate(() => {
    const full = () => {
      throw new DOMException('', 'QuotaExceededError')
    }
    Object.assign(IDBObjectStore.prototype, { add: full, put: full })
  })
  held.open()
  await expect(app.getByText('There is no room left')).toBeVisible()
  await expectNoFaults(app, 'a chat that cannot be stored')

  // Storage of an app to come, which this one cannot read.
  await app.goto(`${new URL(chat).origin}/oauth/callback`)
  await app.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('switchboard', 1_000_000)
        opening.onsuccess = () => resolve(opening.result.close())
        opening.onerror = () => reject(new Error(opening.error?.message))
      }),
  )
  await app.goto(new URL(chat).origin)
  await expect(app.getByText('newer version of the app')).toBeVisible()
  await expectNoFaults(app, 'an app that cannot start')
})

test('axe finds nothing in pasted servers, the doctor, a sign-in, backups and imports', async ({ app, openGpt }, {
  outputDir,
}) => {
  await openGpt({ name: 'Traveller' })
  await go(app, '/servers/new')
  const pasted = {
    mcpServers: {
      web: { url: 'https://a.example/mcp', alwaysAllow: ['x'] },
      program: { command: 'npx', args: ['-y', 'x'] },
    },
  }
  await app.getByLabel('Address, configuration file or command').fill(JSON.stringify(pasted))
  await expect(app.getByRole('checkbox', { name: 'program' })).toBeVisible()
  await expectNoFaults(app, 'several servers in a paste')

  await go(app, '/servers')
  await go(app, '/servers/new')
  await app.getByLabel('Address').fill('http://127.0.0.1:9/mcp')
  await app.getByRole('button', { name: 'Test connection' }).click()
  await expect(app.getByRole('region', { name: 'What is wrong' })).toBeVisible()
  await expectNoFaults(app, 'what the doctor says')

  const far = await startOidcServers()
  await app.getByLabel('Address').fill(far.mcpUrl)
  await app.getByRole('button', { name: 'Test connection' }).click()
  await expect(app.getByRole('region', { name: /^Sign in to / }).getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expectNoFaults(app, 'the card to sign in')
  await far.close()

  await openSettings(app, 'Data')
  await app.getByRole('button', { name: 'Make a backup…' }).click()
  await app.getByLabel('A passphrase for this file').fill('correct horse battery')
  await expectNoFaults(app, 'the dialog of a backup')
  const backup = `${outputDir}.backup`
  const [made] = await Promise.all([
    app.waitForEvent('download'),
    app.getByRole('button', { name: 'Make the backup' }).click(),
  ])
  await made.saveAs(backup)
  await choose(app, 'Restore a backup…', backup)
  await app.getByLabel('The passphrase of this file').fill('wrong')
  await app.getByRole('button', { name: 'Open it' }).click()
  await expect(app.getByRole('dialog')).toContainText('does not open the file')
  await expectNoFaults(app, 'a backup that does not open')
  await app.getByLabel('The passphrase of this file').fill('correct horse battery')
  await app.getByRole('button', { name: 'Open it' }).click()
  await expect(app.getByRole('button', { name: 'Replace everything with it' })).toBeVisible()
  await expectNoFaults(app, 'a backup that can be restored')
  await app.getByRole('button', { name: 'Cancel' }).click()

  await go(app, '/gpts')
  await app.reload()
  await app.getByRole('button', { name: 'What to do with Traveller' }).click()
  const [exported] = await Promise.all([
    app.waitForEvent('download'),
    app.getByRole('menuitem', { name: 'Export' }).click(),
  ])
  await exported.saveAs(`${outputDir}.gpt.json`)
  await choose(app, 'Import a GPT', `${outputDir}.gpt.json`)
  await expect(app.getByRole('button', { name: 'Import it' })).toBeVisible()
  await expectNoFaults(app, 'a GPT before it is imported')
})
