import type { BrowserContext, Page } from '@playwright/test'
import { expect, openSettings } from './chat-fixtures.ts'
import { connectModel, test } from './keyed-fixtures.ts'

/** A device that knows its user and keeps passkeys; returns what makes it refuse. */
async function giveAuthenticator(context: BrowserContext, page: Page): Promise<() => Promise<void>> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf: true,
    },
  })
  return async () => void (await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }))
}

test('a passkey protects the vault: it locks, opens with it, and is given up with it', async ({
  app,
  context,
  keyedModel,
  secrets,
}) => {
  await giveAuthenticator(context, app)
  await connectModel(app, keyedModel.url, secrets.modelKey)
  await openSettings(app, 'Vault')
  await app.getByRole('button', { name: 'Protect with a passkey' }).click()
  await expect(app.getByText('Protected by your passkey')).toBeVisible()
  await app.getByRole('button', { name: 'Lock now' }).click()
  await expect(app.getByText('The vault is locked. Chats can be read')).toBeVisible()

  // What the passkey yields is nowhere but in it.
  await app.reload()
  await app.getByRole('button', { name: 'Unlock with the passkey' }).click()
  await expect(app.getByRole('button', { name: 'Lock now' })).toBeVisible()
  await app.getByRole('button', { name: 'Remove the protection' }).click()
  await expect(app.getByText('Obfuscated on this device, not protected')).toBeVisible()
})

test('without its passkey a vault stays locked, and the next step is said', async ({ app, context }) => {
  const takeAway = await giveAuthenticator(context, app)
  await openSettings(app, 'Vault')
  await app.getByRole('button', { name: 'Protect with a passkey' }).click()
  await app.getByRole('button', { name: 'Lock now' }).click()
  await takeAway()
  await giveAuthenticator(context, app)
  await app.getByRole('button', { name: 'Unlock with the passkey' }).click()
  await expect(app.getByText('The passkey was not given')).toBeVisible()
  await expect(app.getByRole('button', { name: 'Unlock with the passkey' })).toBeEnabled()
})

test('a model that was removed comes back with its key when that is undone', async ({ app, keyedModel, secrets }) => {
  await connectModel(app, keyedModel.url, secrets.modelKey)
  await openSettings(app, 'Models')
  const line = app.getByRole('listitem').filter({ hasText: keyedModel.url })
  await line.getByRole('button', { name: 'Remove' }).click()
  await expect(line).toHaveCount(0)
  await app.getByRole('button', { name: 'Undo' }).click()
  await expect(line).toContainText('key stored')
})

test('“Delete everything” wants its words, and leaves the app as on the first day', async ({ app, openGpt }) => {
  await openGpt({ name: 'Doomed' })
  await openSettings(app, 'Data')
  await app.getByRole('button', { name: 'Delete everything…' }).click()
  const dialog = app.getByRole('dialog', { name: 'Delete everything?' })
  const confirm = dialog.getByRole('button', { name: 'Delete everything' })
  await expect(confirm).toBeDisabled()
  await dialog.getByRole('textbox').fill('delete everything')
  await confirm.click()
  await expect(app.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await expect(app.getByRole('link', { name: 'Demo assistant' }).first()).toBeVisible()
  await expect(app.getByText('Doomed')).toHaveCount(0)
})

test('Settings, About leads to the licence texts of everything in the app', async ({ app, context }) => {
  await openSettings(app, 'About')
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    app.getByRole('link', { name: 'their licences' }).click(),
  ])
  const text = opened.locator('pre')
  for (const name of ['react', 'dexie', 'zod', 'oauth4webapi', 'highlight.js', '@ai-sdk/openai'])
    await expect(text).toContainText(new RegExp(`\\n${name} \\d+\\.\\d+`))
  await expect(text).toContainText('Permission is hereby granted, free of charge')
  await opened.close()
})

test('the title of a chat is not in the tab, and what the browser keeps is said', async ({ app, openGpt }) => {
  await openGpt({ name: 'Confidential' })
  await expect(app.getByText('Confidential').first()).toBeVisible()
  expect(await app.title()).toBe('Switchboard')
  const chat = app.url()
  await openSettings(app, 'Data')
  await expect(app.getByText('The files you downloaded')).toBeVisible()
  await app.getByRole('switch', { name: 'Show the chat’s title in the tab' }).check()
  await app.goto(chat)
  await expect(app).toHaveTitle('Confidential · Switchboard')
})
