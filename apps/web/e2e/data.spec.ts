import { readFile, writeFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import { canariesIn, canary } from './canaries.ts'
import { approval, call, expect, lastAnswer, openSettings, press, say, test } from './chat-fixtures.ts'

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
  await openGpt({ name: 'Mine' })
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
  await dialog.getByRole('button', { name: 'Replace everything with it' }).click()
  await other.getByRole('link', { name: said.slice(0, 20) }).click()
  await expect(other.getByRole('log')).toContainText(said)
  await other.context().close()
})

test('what was said to servers is found, and saved as a file without secrets', async ({ app, model, openGpt }) => {
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
