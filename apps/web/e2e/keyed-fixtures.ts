import type { Page } from '@playwright/test'
import type { Exchange } from '@switchboard/testkit/fault-server'
import { canary } from './canaries.ts'
import { test as base, expect, openSettings } from './chat-fixtures.ts'
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts'
import { startToolServer, type ToolServer } from './tool-server.ts'

/** Everything that must stay in the vault, made anew for each test. */
const makeSecrets = () => ({
  passphrase: `${canary('pass')} "ü/&`,
  modelKey: canary('sk-model'),
  token: canary('bearer'),
  apiKey: canary('api'),
  password: `${canary('password')} "ü/&`,
})
export type Secrets = ReturnType<typeof makeSecrets>

export interface KeyedParts {
  secrets: Secrets
  /** A model that wants its key. */
  keyedModel: ScriptedModel
  /** A server that wants one of its three keys, and repeats a wrong one. */
  keyedServer: ToolServer
}

export const test = base.extend<KeyedParts>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
  secrets: async ({}, use) => use(makeSecrets()),
  keyedModel: async ({ secrets }, use) => {
    const model = await startScriptedModel({ key: secrets.modelKey, models: ['large'] })
    await use(model)
    await model.close()
  },
  keyedServer: async ({ secrets }, use) => {
    const server = await startToolServer()
    const usual = server.onRequest
    const basic = Buffer.from(`ann:${secrets.password}`).toString('base64')
    const right = [`Bearer ${secrets.token}`, `Basic ${basic}`, secrets.apiKey]
    server.onRequest = (exchange: Exchange) => {
      const given = exchange.header('authorization') ?? exchange.header('x-api-key') ?? 'nothing'
      if (exchange.httpMethod === 'OPTIONS' || right.includes(given)) return usual?.(exchange)
      exchange.json({ error: `Not with ${given}` }, 401)
    }
    await use(server)
    await server.close()
  },
})

export async function setPassphrase(page: Page, passphrase: string): Promise<void> {
  await openSettings(page, 'Vault')
  await page.getByLabel('New passphrase').fill(passphrase)
  // In the clear for a moment, as a careful user would have it.
  await page.getByRole('button', { name: 'Show it' }).click()
  await expect(page.getByLabel('New passphrase')).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Protect with this passphrase' }).click()
  await expect(page.getByText('Protected by your passphrase')).toBeVisible()
}

export async function unlock(page: Page, passphrase: string): Promise<void> {
  await openSettings(page, 'Vault')
  await page.getByLabel('Passphrase').fill(passphrase)
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expect(page.getByRole('button', { name: 'Lock now' })).toBeVisible()
}

export async function connectModel(page: Page, url: string, key: string): Promise<void> {
  await openSettings(page, 'Models')
  await page.getByRole('button', { name: 'Connect a model' }).click()
  await page.getByRole('menuitem', { name: /^Another/ }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Keyed')
  await form.getByLabel('Address').fill(url)
  await form.getByLabel('Key').fill(key)
  await form.getByRole('button', { name: 'Test' }).click()
  await expect(form).toContainText('1 model: large')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: url })).toContainText('key stored')
}

const ways = [
  { name: 'Bearer', type: 'bearer', field: 'Token', secret: 'token' },
  { name: 'Keyed', type: 'api-key', field: 'Key', secret: 'apiKey' },
  { name: 'Basic', type: 'basic', field: 'Password', secret: 'password' },
] as const
/** The servers of `connectServers`. */
export const keyedServers = ways.map(({ name }) => name)

export const openServers = (page: Page) =>
  page.getByRole('navigation', { name: 'Switchboard' }).getByRole('link', { name: 'Servers' }).click()

/** One server for each kind of key, all at one address or each at its own. */
export async function connectServers(
  page: Page,
  url: string | Record<(typeof ways)[number]['name'], string>,
  secrets: Secrets,
): Promise<void> {
  for (const { name, type, field, secret } of ways) {
    await openServers(page)
    await page.getByRole('link', { name: 'Add a server' }).click()
    await page.getByLabel('Address').fill(typeof url === 'string' ? url : url[name])
    await page.getByText('Details').click()
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByLabel('Authentication').selectOption(type)
    if (type === 'basic') await page.getByLabel('User').fill('ann')
    await page.getByLabel(field, { exact: true }).fill(secrets[secret])
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(page.getByRole('heading', { name: 'What it offers' })).toBeVisible()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('· connected ·')
  }
}

/** Lets the GPT of the first start use the model and the servers with keys, and opens a new chat with it. */
export async function useKeyed(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Make and edit GPTs' }).click()
  await page.getByRole('button', { name: 'What to do with Demo assistant' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByLabel('Service').selectOption('Keyed')
  await expect(page.getByLabel('Model', { exact: true })).toHaveValue('large')
  for (const name of keyedServers) await page.getByRole('checkbox', { name, exact: true }).check()
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await page.getByRole('link', { name: 'Try it' }).click()
}
