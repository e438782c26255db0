import { afterEach, expect, test } from 'vitest'
import { secretId } from '#domain/sealed.ts'
import { Database } from '#storage/db.ts'
import { createSecrets } from '#storage/secrets.ts'
import { createVault } from './vault.ts'
import type { VaultRecord } from './vault-record.ts'

const KEY = secretId('modelConnections', 'm', 'key')
const name = () => `vault-${crypto.randomUUID()}`

const opened: Database[] = []
afterEach(async () => {
  for (const db of opened.splice(0)) await db.delete()
})

/** A tab of its own: another connection to the database, another channel. */
const tab = (profile: string) => {
  const db = new Database(profile)
  opened.push(db)
  return createVault({ store: createSecrets(db), channel: new BroadcastChannel(profile) })
}

test('the key of the device survives in the database, and nobody can take it out', async () => {
  const profile = name()
  await (await tab(profile)).seal(KEY, 'sk-1')
  const db = new Database(profile)
  opened.push(db)
  const row = await db.settings.get('vault')
  const key = (row?.value as VaultRecord | undefined)?.slots.device?.key
  if (!key) throw new Error('no device slot')
  expect(key.extractable).toBe(false)
  await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow()
  expect(await (await tab(profile)).open(KEY)).toBe('sk-1')
})

test('a passphrase set in one tab locks the other, and opens it with all its rounds', async () => {
  const profile = name()
  const [one, two] = [await tab(profile), await tab(profile)]
  await one.seal(KEY, 'sk-1')
  const locked = new Promise<void>((resolve) => {
    two.onChange(() => two.state().state === 'locked' && resolve())
  })
  await one.setPassphrase('correct horse battery')
  await locked
  await expect(two.open(KEY)).rejects.toMatchObject({ failure: { code: 'vault-locked' } })
  await two.unlock({ passphrase: 'correct horse battery' })
  expect(await two.open(KEY)).toBe('sk-1')
})

test('a passkey opens the vault with what it answered', async () => {
  const profile = name()
  const prf = crypto.getRandomValues(new Uint8Array(32))
  const first = await tab(profile)
  await first.seal(KEY, 'sk-1')
  await first.setPasskey({ credentialId: new Uint8Array([1]), salt: new Uint8Array([2]), prf })
  const next = await tab(profile)
  expect(next.state()).toMatchObject({ state: 'locked', protection: 'passkey' })
  await next.unlock({ prf })
  expect(await next.open(KEY)).toBe('sk-1')
})
