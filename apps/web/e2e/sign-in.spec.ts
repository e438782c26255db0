import type { Page } from '@playwright/test'
import { type OidcServers, startOidcServers } from '@switchboard/testkit/oidc-server'
import type { Gpt } from '#domain/gpt.ts'
import type { ModelConnection } from '#domain/model-connection.ts'
import { canariesIn } from './canaries.ts'
import { act, approval, expect, press, say, store } from './chat-fixtures.ts'
import {
  blockWindows,
  card,
  expectNoSecret,
  line,
  openForm,
  openSaved,
  openWindow,
  readable,
  signInAt,
  test,
} from './signing-in.ts'
import type { ScriptedModel } from './scripted-model.ts'

test('a server is signed in to from its form, shows its tools before it is saved, and stays signed in', async ({
  app,
  far,
}) => {
  await openForm(app, far.mcpUrl)
  await expect(card(app)).toContainText(new URL(far.issuer).host)
  await expect(card(app)).toContainText('notes')
  const window = await openWindow(app)
  expect(await window.evaluate(() => globalThis.opener === null)).toBe(true)
  const closed = window.waitForEvent('close')
  await signInAt(window)
  await closed
  await expect(app.getByRole('heading', { name: 'What it offers' })).toBeVisible()
  await expect(app.getByText('keep_note').first()).toBeVisible()
  await app.getByRole('button', { name: 'Save' }).click()
  await expect(line(app, 'protected-notes')).toContainText('· connected ·')
  const grants = far.grants.length
  await app.reload()
  await expect(line(app, 'protected-notes')).toContainText('· connected ·')
  expect(far.grants).toHaveLength(grants)
  expectNoSecret(far, await readable(app))
})

test('where windows are blocked the page is left, and comes back to the same form', async ({ app, far }) => {
  await openForm(app, far.mcpUrl)
  await blockWindows(app)
  await act(card(app).getByRole('button', { name: 'Sign in', exact: true }))
  await signInAt(app)
  await expect(app.getByLabel('Address')).toHaveValue(far.mcpUrl)
  expect(new URL(app.url()).hash).toBe('#/servers/new')
  expect(new URL(app.url()).search).toBe('')
  await expect(app.getByRole('heading', { name: 'What it offers' })).toBeVisible()
  await app.getByRole('button', { name: 'Save' }).click()
  await expect(line(app, 'protected-notes')).toContainText('· connected ·')
  expectNoSecret(far, await readable(app))
})

test('a window that is closed is noticed, and the sign-in is offered again', async ({ app, far }) => {
  await openSaved(app, far.mcpUrl)
  const window = await openWindow(app)
  await window.close()
  await app.bringToFront()
  await expect(card(app).getByRole('alert').last()).toHaveText('The window was closed before you were signed in.')
  const again = await openWindow(app, 'Try again')
  await signInAt(again)
  await expect(app.getByRole('heading', { name: 'Signed in', exact: true })).toBeVisible()
})

test('who says no is told so, and may change their mind', async ({ app, far }) => {
  await openSaved(app, far.mcpUrl)
  const window = await openWindow(app)
  await window.getByRole('link', { name: 'Cancel' }).click({ noWaitAfter: true })
  await expect(card(app).getByRole('alert').last()).toContainText('was declined')
  await signInAt(await openWindow(app, 'Try again'))
  await expect(app.getByRole('heading', { name: 'Signed in', exact: true })).toBeVisible()
})

test('signing out ends the tokens, and the server asks for a sign-in again', async ({ app, far }) => {
  await openSaved(app, far.mcpUrl)
  await signInAt(await openWindow(app))
  await app.getByRole('button', { name: 'Sign out' }).click()
  await expect(app.getByText('Signed out of Notes.')).toBeVisible()
  await expect(app.getByRole('heading', { name: 'Signed in', exact: true })).toHaveCount(0)
  expect(far.asked.some(({ path }) => path === '/token/revocation')).toBe(true)
  await app.getByRole('button', { name: 'Test connection' }).click()
  await expect(card(app)).toBeVisible()
})

test('a second tab hears of a sign-in and of its end', async ({ app, far, context }) => {
  await openSaved(app, far.mcpUrl)
  const other = await context.newPage()
  await other.goto(`${new URL(app.url()).origin}/#/servers`)
  await expect(card(other)).toBeVisible()
  await expect(line(other, 'Notes')).toContainText('sign-in needed')
  await signInAt(await openWindow(app))
  await expect(line(other, 'Notes')).toContainText('· connected ·')
  await expect(card(other)).toHaveCount(0)
  await app.getByRole('button', { name: 'Sign out' }).click()
  await expect(line(other, 'Notes')).toContainText('· not connected ·')
})

test('a window whose page was reloaded meanwhile becomes the app, and signs in there', async ({ app, far }) => {
  await openSaved(app, far.mcpUrl)
  const window = await openWindow(app)
  await app.reload()
  await signInAt(window)
  await expect(window.getByText('You are signed in.')).toBeVisible()
  await expect(line(window, 'Notes')).toContainText('· connected ·')
})

/** A saved server that somebody is signed in to, and a chat in which its tool was asked for that wants more rights. */
async function askForMore(app: Page, far: OidcServers, model: ScriptedModel): Promise<void> {
  await openSaved(app, far.mcpUrl)
  await signInAt(await openWindow(app))
  await expect(app.getByRole('heading', { name: 'Signed in', exact: true })).toBeVisible()
  const times = { createdAt: 1, updatedAt: 1 }
  const connection: ModelConnection = {
    ...times,
    id: 'scripted-model',
    kind: 'compatible',
    api: 'chat',
    name: 'Scripted',
    baseUrl: model.url,
    hasKey: false,
    models: ['one'],
  }
  const gpt: Gpt = {
    ...times,
    id: 'gpt-keeper',
    name: 'Keeper',
    description: '',
    icon: 'K',
    instructions: '',
    model: { connectionId: 'scripted-model', modelId: 'one' },
    settings: { maxToolCalls: 25 },
    starters: [],
    tools: {
      serverIds: ['notes-server'],
      disabledTools: [],
      approval: 'always-ask',
      trustedTools: [],
      pollSeconds: 5,
      asyncTasks: false,
    },
  }
  await store(app, { modelConnections: [connection], gpts: [gpt] })
  await app.goto(`${new URL(app.url()).origin}/#/gpt/gpt-keeper/new`)
  model.follow([{ calls: [{ name: 'notes__keep_note', input: { text: 'once' } }] }, { text: 'It is kept.' }])
  await say(app, 'Keep it')
  await expect(approval(app)).toBeVisible()
  await press(app, 'Allow once')
  // What is asked for beside what is allowed already.
  await expect(card(app).getByRole('listitem').filter({ hasText: 'write' })).toContainText('new')
  await expect(card(app).getByRole('listitem').filter({ hasText: 'notes' })).not.toContainText('new')
  expect(far.notes).toEqual([])
}

test('a call that needs more rights waits for them in the chat, and is made exactly once', async ({
  app,
  far,
  model,
}) => {
  await askForMore(app, far, model)
  await signInAt(await openWindow(app))
  await expect(app.getByText('It is kept.')).toBeVisible()
  expect(far.notes).toEqual(['once'])
})

test('where windows are blocked the chat is left, found again, and the call that waited is made exactly once', async ({
  app,
  far,
  model,
}) => {
  await askForMore(app, far, model)
  const chat = app.url()
  expect(new URL(chat).hash).toMatch(/^#\/chat\//)
  await blockWindows(app)
  await act(card(app).getByRole('button', { name: 'Sign in', exact: true }))
  await signInAt(app)
  await expect(app.getByText('It is kept.')).toBeVisible()
  expect(app.url()).toBe(chat)
  expect(far.notes).toEqual(['once'])
  await app.reload()
  await expect(app.getByText('It is kept.')).toBeVisible()
  expect(far.notes).toEqual(['once'])
  expect(model.requests).toHaveLength(2)
  expectNoSecret(far, await readable(app))
})

test('[A1.2] another house for signing in is asked about, and gets nothing of the one before', async ({ app, far }) => {
  const other = await startOidcServers()
  await openSaved(app, far.mcpUrl)
  await signInAt(await openWindow(app))
  await expect(app.getByRole('heading', { name: 'Signed in', exact: true })).toBeVisible()
  const before = Object.fromEntries([...far.secrets].map((secret, at) => [`of the first, ${at}`, secret]))
  far.handOver(other)
  await app.getByRole('button', { name: 'Test connection' }).click()
  const hosts = [far.issuer, other.issuer].map((issuer) => new URL(issuer).host)
  await expect(card(app)).toContainText(`Sign-in provider changed from ${hosts[0]} to ${hosts[1]}.`)
  expect(other.grants).toEqual([])
  expect(other.asked.map(({ path }) => path)).not.toContain('/auth')
  await signInAt(await openWindow(app, 'Sign in anyway'))
  await expect(app.getByRole('heading', { name: 'What it offers' })).toBeVisible()
  expect(other.grants).toMatchObject([{ type: 'authorization_code' }])
  const told = other.asked.map(({ path, query, headers }) => [path, String(query), headers])
  expect(canariesIn(JSON.stringify([told, other.grants]), before)).toEqual([])
  await other.close()
})
