import { approval, expect, lastAnswer, openSettings, press, say } from './chat-fixtures.ts'
import { connectModel, connectServers, openServers, setPassphrase, test, unlock, useKeyed } from './keyed-fixtures.ts'

// A key that is refused, or a connection that is closed, is noted by the browser.
test.use({ expectedProblems: /Failed to load resource/ })
test.slow()

test('a locked vault leaves chats readable; models and servers with a key ask to unlock it, in every tab', async ({
  app,
  context,
  secrets,
  keyedModel,
  keyedServer,
}) => {
  await setPassphrase(app, secrets.passphrase)
  await connectModel(app, keyedModel.url, secrets.modelKey)
  await connectServers(app, keyedServer.url, secrets)
  keyedModel.follow([{ calls: [{ name: 'bearer__note', input: { text: 'a' } }] }, { text: 'It is kept.' }])
  await useKeyed(app)
  await say(app, 'Keep a')
  await expect(approval(app)).toBeVisible()
  await press(app, 'Allow once')
  await expect(lastAnswer(app)).toContainText('It is kept.')
  const chat = app.url()

  // A new tab has an engine of its own, and the passphrase is not in storage.
  const other = await context.newPage()
  await other.goto(chat)
  await expect(other.getByRole('button', { name: 'The vault is locked' })).toBeVisible()
  await expect(lastAnswer(other)).toContainText('It is kept.')
  await unlock(other, secrets.passphrase)
  await other.goto(chat)

  await app.getByRole('button', { name: 'Lock the vault' }).click()
  for (const tab of [app, other]) {
    await expect(tab.getByRole('button', { name: 'The vault is locked' })).toBeVisible()
    await expect(lastAnswer(tab)).toContainText('It is kept.')
    await expect(tab.getByText('The vault is locked, and the key for Keyed is in it.')).toBeVisible()
    await expect(tab.getByRole('link', { name: 'Unlock' })).toBeVisible()
  }
  const asked = keyedModel.requests.length
  await say(app, 'And now')
  await expect(app.getByRole('textbox', { name: 'Message' })).toHaveValue('And now')
  expect(keyedModel.requests).toHaveLength(asked)

  await openServers(app)
  const line = app.getByRole('listitem').filter({ hasText: 'Bearer' })
  await line.getByRole('button').click()
  await app.getByRole('menuitem', { name: 'Connect now' }).click()
  await expect(line).toContainText('vault locked')

  // A wrong passphrase opens nothing.
  await openSettings(app, 'Vault')
  await app.getByLabel('Passphrase').fill('something else')
  await app.getByRole('button', { name: 'Unlock' }).click()
  await expect(app.getByText('That passphrase does not fit')).toBeVisible()
  await unlock(app, secrets.passphrase)
  await app.goto(chat)
  await expect(app.getByRole('textbox', { name: 'Message' })).toHaveValue('And now')
  keyedModel.follow(() => ({ text: 'Here again.' }))
  await say(app, 'And now')
  await expect(lastAnswer(app)).toContainText('Here again.')
  // The other tab was not unlocked with it.
  await expect(other.getByRole('button', { name: 'The vault is locked' })).toBeVisible()
})

test('a vault that nobody used for as long as was set locks itself', async ({ app, secrets }) => {
  await setPassphrase(app, secrets.passphrase)
  await app.getByLabel('Lock by itself').selectOption('1')
  await expect(app.getByRole('button', { name: 'Lock now' })).toBeVisible()

  // The clock of the engine is set ahead, by less than a minute and then by more; all else is as it is.
  const engine = app.workers().find((worker) => worker.url().endsWith('/engine.js'))
  const setAhead = (seconds: number) =>
    engine?.evaluate((ahead) => {
      const now = Date.now()
      const began = performance.now()
      Date.now = () => now + ahead * 1000 + performance.now() - began
    }, seconds)
  await setAhead(30)
  await app.getByLabel('Lock by itself').selectOption('1')
  await expect(app.getByRole('button', { name: 'Lock now' })).toBeVisible()
  await setAhead(61)
  await expect(app.getByText('The vault is locked.')).toBeVisible()
})
