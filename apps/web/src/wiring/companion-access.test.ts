import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { Database } from '#storage/db.ts'
import { createSecrets } from '#storage/secrets.ts'
import { quickDerivation } from '#vault/quick-derivation.ts'
import { createVault } from '#vault/vault.ts'
import { createCompanionAccess } from './companion-access.ts'

quickDerivation()

const PROOF = { passphrase: 'correct horse battery' }

/** An engine's vault and its way to the companion; the next one finds what the last has kept. */
function profile() {
  const db = new Database(crypto.randomUUID())
  return async () => {
    const vault = await createVault({ store: createSecrets(db), channel: new BroadcastChannel(db.name) })
    return { vault, companion: createCompanionAccess('http://localhost:1', vault) }
  }
}

test("the companion's token is there after a reload", async () => {
  const start = profile()
  await (await start()).companion.take('t0ken')
  expect(await (await start()).companion.token()).toBe('t0ken')
})

test('a token that comes while the vault is locked is used at once, and kept when the vault is opened', async () => {
  const start = profile()
  await (await start()).vault.setPassphrase(PROOF.passphrase)
  const { vault, companion } = await start()
  await companion.take('t0ken')
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
  await companion.take('t0ken')
  await vault.lock()
  await expect(companion.token()).rejects.toMatchObject({ failure: { code: 'vault-locked' } })
})
