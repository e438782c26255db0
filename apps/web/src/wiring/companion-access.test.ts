import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { secretId } from '#domain/sealed.ts'
import { Database } from '#storage/db.ts'
import { createSecrets } from '#storage/secrets.ts'
import { quickDerivation } from '#vault/quick-derivation.ts'
import { createVault } from '#vault/vault.ts'
import { createCompanionAccess } from './companion-access.ts'

quickDerivation()

const PROOF = { passphrase: 'correct horse battery' }

/** A companion that lets in by one code, once, and again by its proof: real cookies are tested in a real browser. */
function companionWith(code: string) {
  let left: string | undefined = code
  return (_url: string, init: RequestInit): Promise<Response> => {
    const given = JSON.parse(init.body as string) as { code?: string; proof?: string }
    if (given.proof !== undefined)
      return Promise.resolve(
        given.proof === 'pr00f' ? Response.json({ token: 't0ken' }) : Response.json({ error: '?' }, { status: 410 }),
      )
    const isRight = given.code === left
    if (isRight) left = undefined
    return Promise.resolve(
      isRight ? Response.json({ token: 't0ken', proof: 'pr00f' }) : Response.json({ error: 'used' }, { status: 410 }),
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

test('the vault never holds the token, and forgets one that an earlier version stored', async () => {
  const { vault, companion } = await profile()()
  const former = secretId('mcpServers', 'companion', 'token')
  await vault.seal(former, 'old')
  await companion.enter('c0de')
  expect(await companion.token()).toBe('t0ken')
  expect(await vault.open(former)).toBeUndefined()
  expect(await vault.open(secretId('mcpServers', 'companion', 'proof'))).toBe('pr00f')
})

test('a token that is wanted many times after a reload is asked for once', async () => {
  const answer = companionWith('c0de')
  let asked = 0
  const start = profile((url, init) => {
    asked += 1
    return answer(url, init)
  })
  await (await start()).companion.enter('c0de')
  asked = 0
  const { companion } = await start()
  expect(await Promise.all([companion.token(), companion.token(), companion.token()])).toEqual(
    Array.from({ length: 3 }, () => 't0ken'),
  )
  expect(asked).toBe(1)
})

test('a companion that was started anew says so, and is asked again the next time', async () => {
  let isKnown = true
  const answer = companionWith('c0de')
  const start = profile((url, init) =>
    isKnown ? answer(url, init) : Promise.resolve(Response.json({ error: '?' }, { status: 410 })),
  )
  await (await start()).companion.enter('c0de')
  isKnown = false
  const { companion } = await start()
  await expect(companion.token()).rejects.toThrow('started anew')
  isKnown = true
  expect(await companion.token()).toBe('t0ken')
})
