import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { Database } from '#storage/db.ts'
import { createSecrets } from '#storage/secrets.ts'
import { quickDerivation } from '#vault/quick-derivation.ts'
import { createVault } from '#vault/vault.ts'
import { createCompanionAccess } from './companion-access.ts'

quickDerivation()

const PROOF = { passphrase: 'correct horse battery' }

/** A companion that lets in by one code, once. */
function companionWith(code: string) {
  let left: string | undefined = code
  return (_url: string, init: RequestInit): Promise<Response> => {
    const isRight = (JSON.parse(init.body as string) as { code: string }).code === left
    if (isRight) left = undefined
    return Promise.resolve(
      Response.json(isRight ? { token: 't0ken' } : { error: 'used' }, { status: isRight ? 200 : 410 }),
    )
  }
}

/** An engine's vault and its way to the companion; the next one finds what the last has kept. */
function profile(fetch = companionWith('c0de')) {
  const db = new Database(crypto.randomUUID())
  return async () => {
    const vault = await createVault({ store: createSecrets(db), channel: new BroadcastChannel(db.name) })
    return { vault, companion: createCompanionAccess({ origin: 'http://localhost:1', vault, fetch }) }
  }
}

test("the companion's token is there after a reload", async () => {
  const start = profile()
  await (await start()).companion.enter('c0de')
  expect(await (await start()).companion.token()).toBe('t0ken')
})

test('a token that comes while the vault is locked is used at once, and kept when the vault is opened', async () => {
  const start = profile()
  await (await start()).vault.setPassphrase(PROOF.passphrase)
  const { vault, companion } = await start()
  await companion.enter('c0de')
  expect(await companion.token()).toBe('t0ken')
  await vault.unlock(PROOF)
  await companion.keep()

  const next = await start()
  await expect(next.companion.token()).rejects.toMatchObject({ failure: { code: 'vault-locked' } })
  await next.vault.unlock(PROOF)
  expect(await next.companion.token()).toBe('t0ken')
})

test('[A8.4] a vault that is locked takes the token with it', async () => {
  const { vault, companion } = await profile()()
  await vault.setPassphrase(PROOF.passphrase)
  await companion.enter('c0de')
  await vault.lock()
  await expect(companion.token()).rejects.toMatchObject({ failure: { code: 'vault-locked' } })
})

test('a code that was used before, or a companion that is gone, leaves the token that is known', async () => {
  const start = profile()
  await (await start()).companion.enter('c0de')
  const again = (await start()).companion
  await again.enter('c0de')
  expect(await again.token()).toBe('t0ken')

  const { companion } = await profile(() => Promise.reject(new TypeError('Failed to fetch')))()
  await companion.enter('c0de')
  expect(await companion.token()).toBeUndefined()
})
