import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { secretId } from '#domain/sealed.ts'
import { Database } from '#storage/db.ts'
import { allRows } from '#storage/sample-rows.ts'
import { createSecrets } from '#storage/secrets.ts'
import { quickDerivation } from './quick-derivation.ts'
import { createVault } from './vault.ts'
import type { VaultRecord } from './vault-record.ts'

const KEY = secretId('modelConnections', 'm', 'key')
const TOKEN = secretId('mcpServers', 's', 'token')
const PASSPHRASE = 'correct horse battery'

const derivations = quickDerivation()

const open: BroadcastChannel[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const channel of open.splice(0)) channel.close()
})

/** A profile, whose tabs each have a vault over the same database. */
function profile() {
  const db = new Database(crypto.randomUUID())
  const store = createSecrets(db)
  const tab = () => {
    const channel = new BroadcastChannel(db.name)
    open.push(channel)
    return createVault({ store, channel })
  }
  const record = async () => (await store.read([])).record as VaultRecord
  const tamper = async (change: (record: VaultRecord) => void) => {
    const found = await record()
    change(found)
    await db.settings.put({ key: 'vault', value: found })
  }
  return { db, store, tab, record, tamper }
}

const becomes = (vault: Awaited<ReturnType<typeof createVault>>, state: 'open' | 'locked') =>
  new Promise<void>((resolve) => {
    const look = () => vault.state().state === state && resolve()
    vault.onChange(look)
    look()
  })

const code = (expected: string) => ({ failure: { code: expected } })

test('a secret that was sealed is opened again, also by the next start', async () => {
  const { tab } = profile()
  const vault = await tab()
  expect(vault.state()).toEqual({ state: 'open', protection: 'device' })
  await vault.seal(KEY, 'sk-ü-1')
  expect(await vault.open(KEY)).toBe('sk-ü-1')
  expect(await (await tab()).open(KEY)).toBe('sk-ü-1')
  expect(await vault.open(TOKEN)).toBeUndefined()
})

test('two tabs that begin at once agree on one key', async () => {
  const { tab } = profile()
  const [one, two] = await Promise.all([tab(), tab()])
  await one.seal(KEY, 'a')
  expect(await two.open(KEY)).toBe('a')
})

test('secrets that two tabs seal at once are all kept', async () => {
  const { tab } = profile()
  const [one, two] = [await tab(), await tab()]
  const ids = Array.from({ length: 8 }, (_, at) => secretId('mcpServers', `s${at}`, 'token'))
  await Promise.all(ids.map((id, at) => (at % 2 ? one : two).seal(id, id)))
  expect(await Promise.all(ids.map((id) => one.open(id)))).toEqual(ids)
})

test('a secret that was removed is gone', async () => {
  const { tab, db } = profile()
  const vault = await tab()
  await vault.seal(KEY, 'a')
  await vault.remove(KEY)
  expect(await vault.open(KEY)).toBeUndefined()
  expect(await db.secrets.count()).toBe(0)
})

test('[A8.1] with a passphrase the device has no key any more, and everything is sealed with another', async () => {
  const { tab, db, record } = profile()
  const vault = await tab()
  await vault.seal(KEY, 'a')
  const before = { record: await record(), sealed: await db.secrets.get(KEY) }
  await vault.setPassphrase(PASSPHRASE)
  const after = await record()
  expect(Object.keys(after.slots)).toEqual(['passphrase'])
  expect(after.keyId).not.toBe(before.record.keyId)
  expect((await db.secrets.get(KEY))?.ciphertext).not.toEqual(before.sealed?.ciphertext)
  expect(vault.state()).toEqual({ state: 'open', protection: 'passphrase' })
  expect(await vault.open(KEY)).toBe('a')
})

test('[A8.1] the key of the device, as an old file has it, opens nothing that is sealed later', async () => {
  const { tab, db, record } = profile()
  const vault = await tab()
  await vault.seal(KEY, 'a')
  const stolen = await record()
  await vault.setPassphrase(PASSPHRASE)
  await vault.seal(TOKEN, 'b')
  const { revision } = await record()
  await db.settings.put({ key: 'vault', value: { ...stolen, revision } })
  const thief = await tab()
  await expect(thief.open(KEY)).rejects.toMatchObject(code('storage'))
  await expect(thief.open(TOKEN)).rejects.toMatchObject(code('storage'))
})

test('a protected vault is locked after a start until the passphrase is given', async () => {
  const { tab } = profile()
  const first = await tab()
  await first.seal(KEY, 'a')
  await first.setPassphrase(PASSPHRASE)
  const vault = await tab()
  expect(vault.state()).toEqual({ state: 'locked', protection: 'passphrase' })
  await expect(vault.open(KEY)).rejects.toMatchObject(code('vault-locked'))
  await expect(vault.seal(TOKEN, 'b')).rejects.toMatchObject(code('vault-locked'))
  expect(await vault.open(TOKEN)).toBeUndefined()
  await expect(vault.unlock({ passphrase: 'wrong horse battery' })).rejects.toMatchObject(code('wrong-passphrase'))
  await expect(vault.unlock({ prf: new Uint8Array(32) })).rejects.toMatchObject(code('bad-input'))
  await vault.unlock({ passphrase: PASSPHRASE })
  expect(await vault.open(KEY)).toBe('a')
})

test('a locked vault that is asked for a secret has nothing new to tell', async () => {
  const { tab } = profile()
  await (await tab()).setPassphrase(PASSPHRASE)
  const vault = await tab()
  const told = vi.fn()
  vault.onChange(told)
  await expect(vault.open(KEY)).resolves.toBeUndefined()
  await expect(vault.seal(KEY, 'a')).rejects.toMatchObject(code('vault-locked'))
  expect(told).not.toHaveBeenCalled()
})

test('a locked vault still forgets', async () => {
  const { tab, db } = profile()
  const vault = await tab()
  await vault.seal(KEY, 'a')
  await vault.setPassphrase(PASSPHRASE)
  await vault.lock()
  await vault.remove(KEY)
  expect(await db.secrets.count()).toBe(0)
})

test('the same passphrase in another spelling of Unicode opens the vault', async () => {
  const { tab } = profile()
  await (await tab()).setPassphrase('caf\u00e9 caf\u00e9')
  const vault = await tab()
  await vault.unlock({ passphrase: 'cafe\u0301 cafe\u0301' })
  expect(vault.state().state).toBe('open')
})

test('a passphrase of seven characters is refused, and nothing has changed', async () => {
  const { tab, db } = profile()
  const vault = await tab()
  const before = await allRows(db)
  await expect(vault.setPassphrase('1234567')).rejects.toMatchObject({
    failure: { code: 'bad-input', message: 'The passphrase is too short: it needs at least 8 characters.' },
  })
  expect(await allRows(db)).toEqual(before)
})

test('a changed passphrase wraps the key anew and touches no secret; the old one opens nothing', async () => {
  const { tab, db } = profile()
  const vault = await tab()
  await vault.seal(KEY, 'a')
  await vault.setPassphrase(PASSPHRASE)
  const sealed = await db.secrets.toArray()
  await expect(vault.setPassphrase('another passphrase')).rejects.toMatchObject(code('bad-input'))
  const wrong = { passphrase: 'not the passphrase' }
  await expect(vault.setPassphrase('another passphrase', wrong)).rejects.toMatchObject(code('wrong-passphrase'))
  await vault.setPassphrase('another passphrase', { passphrase: PASSPHRASE })
  expect(await db.secrets.toArray()).toEqual(sealed)
  const next = await tab()
  await expect(next.unlock({ passphrase: PASSPHRASE })).rejects.toMatchObject(code('wrong-passphrase'))
  await next.unlock({ passphrase: 'another passphrase' })
  expect(await next.open(KEY)).toBe('a')
})

test('a passkey protects alone, or beside a passphrase', async () => {
  const { tab } = profile()
  const prf = crypto.getRandomValues(new Uint8Array(32))
  const passkey = { credentialId: new Uint8Array([1, 2, 3]), salt: new Uint8Array([4, 5, 6]) }
  const vault = await tab()
  await vault.seal(KEY, 'a')
  await expect(vault.setPasskey({ ...passkey, prf: new Uint8Array(31) })).rejects.toMatchObject(code('bad-input'))
  await vault.setPasskey({ ...passkey, prf })
  expect(vault.state()).toEqual({ state: 'open', protection: 'passkey', passkey })
  const next = await tab()
  await expect(next.unlock({ prf: new Uint8Array(32) })).rejects.toMatchObject(code('wrong-passphrase'))
  await expect(next.unlock({ passphrase: PASSPHRASE })).rejects.toMatchObject(code('bad-input'))
  await next.unlock({ prf })
  expect(await next.open(KEY)).toBe('a')
  await next.setPassphrase(PASSPHRASE, { prf })
  expect(next.state()).toEqual({ state: 'open', protection: 'passphrase', passkey })
  for (const proof of [{ passphrase: PASSPHRASE }, { prf }]) {
    const another = await tab()
    await another.unlock(proof)
    expect(await another.open(KEY)).toBe('a')
  }
})

test('protection is removed by who can open it, and the next start asks nothing', async () => {
  const { tab } = profile()
  const vault = await tab()
  await vault.seal(KEY, 'a')
  await vault.setPassphrase(PASSPHRASE)
  await expect(vault.removeProtection({ passphrase: 'not the passphrase' })).rejects.toMatchObject(
    code('wrong-passphrase'),
  )
  await vault.removeProtection({ passphrase: PASSPHRASE })
  expect(vault.state()).toEqual({ state: 'open', protection: 'device' })
  expect(await (await tab()).open(KEY)).toBe('a')
})

test('[A8.1] a vault that asks for one round of derivation is refused before the passphrase is used', async () => {
  const { tab, tamper } = profile()
  const vault = await tab()
  await vault.setPassphrase(PASSPHRASE)
  expect(derivations.mock.lastCall?.[0]).toMatchObject({ name: 'PBKDF2', hash: 'SHA-256', iterations: 600_000 })
  derivations.mockClear()
  for (const iterations of [1, 599_999, 1e12]) {
    await tamper(({ slots }) => Object.assign(slots.passphrase ?? {}, { iterations }))
    await expect(vault.unlock({ passphrase: PASSPHRASE })).rejects.toMatchObject(code('storage'))
  }
  expect(derivations).not.toHaveBeenCalled()
})

test('[A8.1] the parameters of a slot are authenticated with it', async () => {
  const { tab, tamper } = profile()
  const vault = await tab()
  await vault.setPassphrase(PASSPHRASE)
  await tamper((record) => Object.assign(record, { keyId: 'another' }))
  await expect((await tab()).unlock({ passphrase: PASSPHRASE })).rejects.toMatchObject(code('wrong-passphrase'))
})

test('[A8.3] two ciphertexts that changed places do not open', async () => {
  const { tab, db } = profile()
  const vault = await tab()
  await vault.seal(KEY, 'a')
  await vault.seal(TOKEN, 'b')
  const [one, two] = await Promise.all([db.secrets.get(KEY), db.secrets.get(TOKEN)])
  if (!one || !two) throw new Error('not sealed')
  await db.secrets.bulkPut([
    { ...two, id: KEY },
    { ...one, id: TOKEN },
  ])
  const next = await tab()
  for (const id of [KEY, TOKEN])
    await expect(next.open(id)).rejects.toMatchObject({
      failure: { code: 'storage', message: expect.stringContaining('changed outside the app') as string },
    })
})

test('[A8.3] an old copy of a secret is not used in place of the new one', async () => {
  const { tab, db, record } = profile()
  const vault = await tab()
  await vault.seal(KEY, 'old')
  const old = await db.secrets.get(KEY)
  if (!old) throw new Error('not sealed')
  await vault.seal(KEY, 'new')
  await db.secrets.put(old)
  await expect(vault.open(KEY)).rejects.toMatchObject({
    failure: { code: 'storage', message: expect.stringContaining('an old copy was put back') as string },
  })
  await db.secrets.put({ ...old, version: (await record()).revision })
  await expect(vault.open(KEY)).rejects.toMatchObject(code('storage'))
  await vault.remove(KEY)
  await db.secrets.put(old)
  await expect(vault.open(KEY)).rejects.toMatchObject(code('storage'))
})

test('a secret that is damaged does not keep the others from being protected', async () => {
  const { tab, db } = profile()
  const vault = await tab()
  await vault.seal(KEY, 'a')
  await vault.seal(TOKEN, 'b')
  const sealed = await db.secrets.get(KEY)
  if (!sealed) throw new Error('not sealed')
  await db.secrets.put({ ...sealed, ciphertext: sealed.ciphertext.toReversed() })
  await vault.setPassphrase(PASSPHRASE)
  await expect(vault.open(KEY)).rejects.toMatchObject(code('storage'))
  expect(await vault.open(TOKEN)).toBe('b')
})

test('a record that cannot be read keeps the vault closed and says so', async () => {
  const { tab, db, tamper } = profile()
  const vault = await tab()
  await vault.seal(KEY, 'a')
  await tamper(({ slots }) => slots.device?.wrapped.reverse())
  const unwrapped = await tab()
  expect(unwrapped.state().state).toBe('locked')
  await expect(unwrapped.open(KEY)).rejects.toMatchObject(code('storage'))
  await db.settings.put({ key: 'vault', value: { revision: 9, slots: 'none' } })
  const unread = await tab()
  await expect(unread.open(KEY)).rejects.toMatchObject({
    failure: { code: 'storage', message: expect.stringContaining('damaged or changed') as string },
  })
})

test('[A8.4] whoever locks one tab locks them all', async () => {
  const { tab } = profile()
  const one = await tab()
  await one.setPassphrase(PASSPHRASE)
  const two = await tab()
  await two.unlock({ passphrase: PASSPHRASE })
  await one.lock()
  await becomes(two, 'locked')
  expect(one.state().state).toBe('locked')
})

test('without protection there is nothing to lock with', async () => {
  const vault = await profile().tab()
  await expect(vault.lock()).rejects.toMatchObject(code('bad-input'))
  expect(vault.state().state).toBe('open')
})

test('a tab that held the key is locked when another sets a passphrase, and open when it is removed', async () => {
  const { tab } = profile()
  const [one, two] = [await tab(), await tab()]
  await one.seal(KEY, 'a')
  await one.setPassphrase(PASSPHRASE)
  await becomes(two, 'locked')
  expect(two.state()).toEqual({ state: 'locked', protection: 'passphrase' })
  await one.removeProtection({ passphrase: PASSPHRASE })
  await becomes(two, 'open')
  expect(await two.open(KEY)).toBe('a')
})

test('a tab that heard nothing of a new key notices it when it seals', async () => {
  const { tab, store } = profile()
  const one = await tab()
  const deaf = new BroadcastChannel('nobody speaks here')
  open.push(deaf)
  const two = await createVault({ store, channel: deaf })
  await one.setPassphrase(PASSPHRASE)
  await expect(two.seal(KEY, 'a')).rejects.toMatchObject(code('vault-locked'))
  expect(two.state().state).toBe('locked')
})

test('a secret that another tab seals while a passphrase is set is sealed anew with the rest', async () => {
  const { store, tab } = profile()
  const other = await tab()
  const channel = new BroadcastChannel('own')
  open.push(channel)
  let isFirst = true
  const read: typeof store.read = async (ids) => {
    const found = await store.read(ids)
    if (ids === undefined && isFirst) {
      isFirst = false
      await other.seal(TOKEN, 'in between')
    }
    return found
  }
  const vault = await createVault({ store: { ...store, read }, channel })
  await vault.setPassphrase(PASSPHRASE)
  expect(await vault.open(TOKEN)).toBe('in between')
})

test('secrets that are sealed while a passphrase is set are not lost', async () => {
  const { tab } = profile()
  const vault = await tab()
  const two = await tab()
  const ids = Array.from({ length: 6 }, (_, at) => secretId('mcpServers', `s${at}`, 'token'))
  const sealing = ids.map((id, at) =>
    (at % 2 ? vault : two).seal(id, id).then(
      () => id,
      () => undefined,
    ),
  )
  await vault.setPassphrase(PASSPHRASE)
  for (const id of await Promise.all(sealing)) if (id) expect(await vault.open(id)).toBe(id)
  expect(await vault.open(ids[1] ?? '')).toBe(ids[1])
})

test('[A8.4] a vault that nobody touches locks after its minutes, and a touch in any tab counts for all', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  const { tab } = profile()
  const one = await tab()
  await one.setPassphrase(PASSPHRASE)
  const two = await tab()
  await two.unlock({ passphrase: PASSPHRASE })
  one.setIdleMinutes(5)
  two.setIdleMinutes(5)
  vi.advanceTimersByTime(4 * 60_000)
  const heard = new Promise((resolve) => open[1]?.addEventListener('message', resolve))
  one.touch()
  await heard
  vi.advanceTimersByTime(4 * 60_000)
  expect([one.state().state, two.state().state]).toEqual(['open', 'open'])
  vi.advanceTimersByTime(70_000)
  expect([one.state().state, two.state().state]).toEqual(['locked', 'locked'])
})

test('[A8.4] after an hour of sleep the vault is locked, whether a secret or the user comes first', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  const { tab } = profile()
  const vault = await tab()
  await vault.seal(KEY, 'a')
  await vault.setPassphrase(PASSPHRASE)
  vault.setIdleMinutes(1_440)
  vi.setSystemTime(Date.now() + 61 * 60_000)
  await expect(vault.open(KEY)).rejects.toMatchObject(code('vault-locked'))
  await vault.unlock({ passphrase: PASSPHRASE })
  vi.setSystemTime(Date.now() + 61 * 60_000)
  vault.touch()
  expect(vault.state().state).toBe('locked')
})

test('without protection an idle vault stays open', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  const vault = await profile().tab()
  vi.advanceTimersByTime(24 * 3_600_000)
  expect(vault.state().state).toBe('open')
})

test('after a wipe the vault begins anew, in every tab', async () => {
  const { tab, db } = profile()
  const [vault, other] = [await tab(), await tab()]
  for (const text of ['a', 'b', 'c']) await vault.seal(KEY, text)
  await other.open(KEY)
  await Promise.all([db.secrets.clear(), db.settings.clear()])
  await vault.seal(KEY, 'new')
  expect(await vault.open(KEY)).toBe('new')
  expect(await other.open(KEY)).toBe('new')
  expect(vault.state().protection).toBe('device')
})

test('where the store never takes it, the vault says so in the end', async () => {
  const { store, tab } = profile()
  await tab()
  const channel = new BroadcastChannel('stuck')
  open.push(channel)
  const vault = await createVault({ store: { ...store, commit: async () => false }, channel })
  await expect(vault.seal(KEY, 'a')).rejects.toMatchObject({
    failure: { code: 'storage', message: expect.stringContaining('20 times') as string },
  })
})
