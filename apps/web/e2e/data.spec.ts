import { readFile, writeFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import { startFaultServer } from '@switchboard/testkit/fault-server'
import { canariesIn, canary } from './canaries.ts'
import { act, approval, call, expect, lastAnswer, openSettings, press, say, test } from './chat-fixtures.ts'
import { connectModel, openServers } from './keyed-fixtures.ts'
import { startScriptedModel } from './scripted-model.ts'

async function downloaded(page: Page, deed: () => Promise<void>): Promise<{ name: string; path: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), deed()] as const)
  return { name: (download as Download).suggestedFilename(), path: await (download as Download).path() }
}

/** Chooses a file for the button of this name. */
async function choose(page: Page, button: string, path: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).click(),
  ])
  await chooser.setFiles(path)
}

const openGpts = (page: Page) => page.goto(`${new URL(page.url()).origin}/#/gpts`)

/** The app in another browser, which knows nothing yet. */
async function elsewhere(page: Page, url: string): Promise<Page> {
  const context = await page.context().browser()?.newContext()
  const other = await context?.newPage()
  if (!other) throw new Error('no other browser')
  await other.goto(url)
  await expect(other.getByRole('textbox', { name: 'Message' })).toBeVisible()
  return other
}

test('a GPT goes to somebody else as a file, without trust, and its unknown server stays off', async ({
  app,
  companion,
  openGpt,
}, { outputDir }) => {
  await openGpt({ name: 'Traveller', approval: 'auto', isServerTrusted: true })
  await openGpts(app)
  await app.getByRole('button', { name: 'What to do with Traveller' }).click()
  const file = await downloaded(app, () => app.getByRole('menuitem', { name: 'Export' }).click())
  expect(file.name).toBe('Traveller.gpt.json')
  expect(await readFile(file.path, 'utf8')).not.toMatch(/auto|trusted/)

  const other = await elsewhere(app, companion.url)
  await openGpts(other)
  await choose(other, 'Import a GPT', file.path)
  const dialog = other.getByRole('dialog')
  await expect(dialog).toContainText('Notes')
  await expect(dialog).toContainText('added, switched off')
  await dialog.getByRole('button', { name: 'Import it' }).click()
  await expect(other.getByRole('textbox', { name: 'Name' })).toHaveValue('Traveller')
  await expect(other.getByRole('radio', { name: 'Always ask' })).toBeChecked()
  await other.getByRole('link', { name: 'Servers' }).click()
  await expect(other.getByRole('listitem').filter({ hasText: 'Notes' })).toContainText('switched off')

  const broken = `${outputDir}.json`
  await writeFile(broken, '{"format":"switchboard-gpt","version":9}')
  await openGpts(other)
  await choose(other, 'Import a GPT', broken)
  await expect(other.getByRole('dialog')).toContainText('newer version')
  await other.context().close()
})

test('a chat that was exported is read again, and nothing in it runs', async ({ app, model, server, openGpt }) => {
  model.follow([{ calls: [call('note', { text: 'milk' })] }, { text: 'It is kept.' }])
  await openGpt()
  await say(app, 'Keep milk')
  await press(app, 'Allow once')
  await expect(lastAnswer(app)).toContainText('It is kept.')
  await app.getByRole('button', { name: 'This chat' }).click()
  const file = await downloaded(app, () => app.getByRole('menuitem', { name: 'Export as JSON' }).click())

  await openSettings(app, 'Data')
  await choose(app, 'Choose the file…', file.path)
  await expect(app.getByRole('log')).toContainText('Keep milk')
  await expect(lastAnswer(app)).toContainText('It is kept.')
  await expect(approval(app)).toHaveCount(0)
  expect(server.ledger.executionsOf('note')).toBe(1)
})

test('everything is backed up behind a passphrase and comes back in another browser', async ({
  app,
  companion,
  model,
  openGpt,
}) => {
  const said = canary('said')
  model.follow([{ text: 'Noted.' }])
  await openGpt({ name: 'Mine', approval: 'auto', isServerTrusted: true })
  await say(app, said)
  await expect(lastAnswer(app)).toContainText('Noted.')
  await openSettings(app, 'Data')
  await app.getByRole('button', { name: 'Make a backup…' }).click()
  await app.getByLabel('A passphrase for this file').fill('correct horse battery')
  await app.getByText('With keys and sign-ins').click()
  const file = await downloaded(app, () => app.getByRole('button', { name: 'Make the backup' }).click())
  expect(canariesIn((await readFile(file.path)).toString('latin1'), { said })).toEqual([])

  const other = await elsewhere(app, companion.url)
  await openSettings(other, 'Data')
  await choose(other, 'Restore a backup…', file.path)
  const dialog = other.getByRole('dialog')
  await dialog.getByLabel('The passphrase of this file').fill('wrong horse battery')
  await dialog.getByRole('button', { name: 'Open it' }).click()
  await expect(dialog).toContainText('does not open the file')
  await dialog.getByLabel('The passphrase of this file').fill('correct horse battery')
  await dialog.getByRole('button', { name: 'Open it' }).click()
  await expect(dialog).toContainText('2 GPTs, 1 conversation')
  await expect(dialog).toContainText('GPTs set to “Always ask”: Mine')
  await expect(dialog.getByText(/switched off and not trusted/)).toContainText('Notes')
  await expect(dialog.getByRole('checkbox', { name: /I made this backup myself/ })).not.toBeChecked()
  await dialog.getByRole('button', { name: 'Replace everything with it' }).click()
  await other.getByRole('link', { name: said.slice(0, 20) }).click()
  await expect(other.getByRole('log')).toContainText(said)
  await other.getByRole('link', { name: 'Servers' }).click()
  for (const name of ['Notes', 'Demo tools'])
    await expect(other.getByRole('listitem').filter({ hasText: name })).toContainText('switched off')
  await other.context().close()
})

test('what was said to servers is found, and saved as a file', async ({ app, model, openGpt }) => {
  model.follow([{ calls: [call('note', { text: 'a needle' })] }, { text: 'It is kept.' }])
  await openGpt()
  await say(app, 'Keep it')
  await press(app, 'Allow once')
  await expect(lastAnswer(app)).toContainText('It is kept.')
  await openSettings(app, 'Data')
  await app.getByRole('link', { name: 'Look at them, or save them as a file' }).click()
  const messages = app.getByRole('list', { name: 'Messages, newest first' }).getByRole('listitem')
  await expect(messages.filter({ hasText: 'Notes tools/list' }).first()).toBeVisible()
  await app.getByRole('searchbox', { name: 'Search' }).fill('needle tools/call')
  await expect(messages).toHaveCount(2)
  await messages.last().locator('summary').click()
  await expect(messages.last()).toContainText('"text": "a needle"')
  const file = await downloaded(app, () => app.getByRole('button', { name: 'Save as a file' }).click())
  const [head, ...lines] = (await readFile(file.path, 'utf8')).trim().split('\n')
  expect(JSON.parse(head ?? '')).toMatchObject({ format: 'switchboard-messages' })
  expect(lines.some((line) => line.includes('a needle'))).toBe(true)
  await app.getByRole('button', { name: 'Clear' }).click()
  await expect(app.getByText('No message is like that')).toBeVisible()
})

/** A server that wants a token and a header, repeats both, asks a form with a state, and makes a task of a call. */
async function startRepeatingServer(secrets: Record<'token' | 'header' | 'state' | 'task', string>) {
  return startFaultServer({
    era: 'stateless',
    cors: true,
    tools: {
      repeat: {
        description: 'Repeats what it was sent',
        run: (_given, exchange) => ({
          resultType: 'complete',
          content: [
            { type: 'text', text: `${exchange.header('authorization')} and ${exchange.header('x-tenant')} came.` },
          ],
          _meta: { 'io.modelcontextprotocol/related-task': { taskId: secrets.task } },
        }),
      },
      survey: {
        description: 'Asks something',
        run: (_given, { params }) =>
          params['inputResponses'] === undefined
            ? {
                resultType: 'input_required',
                requestState: secrets.state,
                inputRequests: {
                  one: {
                    method: 'elicitation/create',
                    params: {
                      mode: 'form',
                      message: 'Where do you live?',
                      requestedSchema: { type: 'object', properties: { town: { type: 'string', title: 'Town' } } },
                    },
                  },
                },
              }
            : { resultType: 'complete', content: [{ type: 'text', text: 'Thank you.' }] },
      },
    },
    onRequest: (exchange) => {
      if (exchange.httpMethod !== 'OPTIONS' && exchange.header('authorization') !== `Bearer ${secrets.token}`)
        exchange.json({ error: 'Who are you?' }, 401)
    },
  })
}

test('[I1] no key, header, answer, state or task id is in any file that the app writes', async ({ app }) => {
  test.slow()
  const secrets = {
    modelKey: canary('sk-model'),
    token: canary('bearer'),
    header: canary('tenant'),
    state: canary('state'),
    task: canary('task'),
    answer: canary('answer'),
  }
  const { answer: town, ...rest } = secrets
  const model = await startScriptedModel({ key: secrets.modelKey, models: ['large'] })
  const server = await startRepeatingServer(secrets)
  await connectModel(app, model.url, secrets.modelKey)
  await openServers(app)
  await app.getByRole('link', { name: 'Add a server' }).click()
  await app.getByLabel('Address').fill(server.url)
  await app.getByText('Details').click()
  await app.getByRole('textbox', { name: 'Name', exact: true }).fill('Secretive')
  await app.getByLabel('Authentication').selectOption('bearer')
  await app.getByLabel('Token', { exact: true }).fill(secrets.token)
  await app.getByRole('button', { name: 'Add a header' }).click()
  await app.getByLabel('Name of header 1').fill('x-tenant')
  await app.getByLabel('Value of header 1').fill(secrets.header)
  await app.getByRole('button', { name: 'Save' }).click()
  await expect(app.getByRole('listitem').filter({ hasText: 'Secretive' })).toContainText('· connected ·')
  await app.getByRole('link', { name: 'Make and edit GPTs' }).click()
  await app.getByRole('button', { name: 'What to do with Demo assistant' }).click()
  await app.getByRole('menuitem', { name: 'Edit' }).click()
  await app.getByLabel('Service').selectOption('Keyed')
  await app.getByRole('checkbox', { name: 'Secretive', exact: true }).check()
  await expect(app.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await app.getByRole('link', { name: 'Try it' }).click()

  model.follow([
    { calls: ['repeat', 'survey'].map((name) => ({ name: `secretive__${name}`, input: {} })) },
    { text: 'That is all.' },
  ])
  await say(app, 'Begin')
  await press(app, 'Allow all 2 once')
  const question = app.getByRole('region', { name: /^Secretive asks/ })
  await question.getByRole('textbox', { name: 'Town' }).fill(town)
  await act(question.getByRole('button', { name: 'Submit' }))
  await expect(lastAnswer(app)).toContainText('That is all.')

  // All of them were in use: what is looked for could have been found.
  const sent = JSON.stringify(server.ledger.entries.map(({ headers, message }) => [headers, message]))
  expect(canariesIn(sent, { token: rest.token, header: rest.header, state: rest.state, town })).not.toEqual([])
  expect(canariesIn(JSON.stringify(model.requests.map(({ body }) => body)), rest)).toEqual([])

  const files: Record<string, string> = {}
  const take = async (what: string, deed: () => Promise<void>) => {
    const { path } = await downloaded(app, deed)
    files[what] = await readFile(path, 'utf8')
  }
  for (const format of ['JSON', 'Markdown']) {
    await app.getByRole('button', { name: 'This chat' }).click()
    await take(`the chat as ${format}`, () => app.getByRole('menuitem', { name: `Export as ${format}` }).click())
  }
  await openGpts(app)
  await app.getByRole('button', { name: 'What to do with Demo assistant' }).click()
  await take('the GPT', () => app.getByRole('menuitem', { name: 'Export' }).click())
  await openServers(app)
  await app.getByRole('button', { name: 'What to do with Secretive' }).click()
  await app.getByRole('menuitem', { name: 'Export…' }).click()
  for (const style of ['mcp.json', 'VS Code']) {
    await app.getByRole('dialog').getByLabel('Format').selectOption({ label: style })
    await take(`${style}`, () => app.getByRole('dialog').getByRole('button', { name: 'Download' }).click())
  }
  await app.keyboard.press('Escape')
  await openSettings(app, 'Data')
  await app.getByRole('link', { name: 'Look at them, or save them as a file' }).click()
  await expect(app.getByText('a chat that you delete leaves them here')).toBeVisible()
  await expect(app.getByRole('list', { name: 'Messages, newest first' })).toContainText('tools/call')
  await take('the messages', () => app.getByRole('button', { name: 'Save as a file' }).click())
  files['the table of messages'] = await rowsOf(app, 'recordings')

  for (const [what, text] of Object.entries(files)) {
    expect(text.length, what).toBeGreaterThan(50)
    expect(canariesIn(text, rest), what).toEqual([])
  }
  // What somebody answered is theirs: it is in their chat, and in no record of what travelled.
  for (const what of ['the messages', 'the table of messages', 'the GPT', 'mcp.json'])
    expect(canariesIn(files[what] ?? '', { town }), what).toEqual([])
  expect(files['the messages']).toMatch(/requestState.{0,6}‹state \w+›/)
  expect(files['the messages']).toMatch(/taskId.{0,6}‹task \w+›/)
  await server.close()
  await model.close()
})

/** All rows of a table, as text. */
const rowsOf = (page: Page, table: string) =>
  page.evaluate(async (name) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('switchboard')
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(new Error(opening.error?.message))
    })
    const asked = database.transaction(name).objectStore(name).getAll()
    await new Promise((resolve) => (asked.onsuccess = resolve))
    database.close()
    return JSON.stringify(asked.result)
  }, table)
