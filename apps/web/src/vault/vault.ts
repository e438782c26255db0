import { Failed } from '#domain/failure.ts'
import type { Sealed } from '#domain/sealed.ts'
import { createIdleWatch } from './idle-watch.ts'
import { deviceSlot, newDataKey, openSlot, type Passkey, type Proof, passkeySlot, passphraseSlot } from './key-slots.ts'
import { open, seal } from './seal.ts'
import { readVaultRecord, type Slots, type VaultRecord } from './vault-record.ts'
import type { VaultStore } from './vault-store.ts'

export interface VaultState {
  state: 'open' | 'locked'
  protection: 'device' | 'passphrase' | 'passkey'
  /** To ask the browser for the passkey. */
  passkey?: Passkey
}

/** What the vaults of all tabs tell each other. Never a key: whoever runs in the page could listen. */
type Word = 'lock' | 'changed' | 'touch'

interface Held {
  keyId: string
  key: CryptoKey
}

type Change = { keyId: string; slots: Slots; put?: Sealed[]; remove?: string[] }

const MOST_TRIES = 20
const TOUCH_WORD_MS = 5_000

const locked = () => new Failed('vault-locked', 'The vault is locked. Unlock it to go on.')

function protectionOf({ passphrase, passkey }: Slots): VaultState['protection'] {
  if (passphrase) return 'passphrase'
  return passkey ? 'passkey' : 'device'
}

async function proven(record: VaultRecord, current: Proof | undefined): Promise<CryptoKey> {
  if (!current)
    throw new Failed(
      'bad-input',
      'The vault is protected already: to change that, give the current passphrase or passkey.',
    )
  return openSlot(record, current, true)
}

/** One after the other: a secret sealed while the data key changes would be sealed with the wrong one. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(deed: () => Promise<T>): Promise<T> => {
    const next = last.then(deed)
    last = next.catch(() => undefined)
    return next
  }
}

/** The vault: everything secret, sealed with one data key that never leaves it. */
export async function createVault({ store, channel }: { store: VaultStore; channel: BroadcastChannel }) {
  const inTurn = createQueue()
  const listeners = new Set<() => void>()
  /** The highest version of each secret that was seen: a lower one is an old copy that somebody put back. */
  const seen = new Map<string, number>()
  let record: VaultRecord | undefined
  let held: Held | undefined
  let touchWordAt = 0

  const say = (word: Word) => channel.postMessage(word)
  const tell = () => {
    for (const listener of listeners) listener()
  }

  const letGo = () => {
    held = undefined
    watch.stop()
    tell()
  }
  const watch = createIdleWatch(letGo)

  const take = (next: VaultRecord) => {
    // What another key sealed does not open anyway, and after a wipe the versions begin anew.
    if (record?.keyId !== next.keyId) seen.clear()
    record = next
  }

  const hold = (next: VaultRecord, key: CryptoKey) => {
    take(next)
    held = { keyId: next.keyId, key }
    if (next.slots.device) watch.stop()
    else watch.start()
    tell()
  }

  /** Takes over what is stored; a vault that is protected is closed until it is unlocked here. */
  const adopt = async (next: VaultRecord) => {
    take(next)
    if (next.slots.device) hold(next, await openSlot(next))
    else letGo()
  }

  const begin = async (): Promise<VaultRecord> => {
    const key = await newDataKey()
    const keyId = crypto.randomUUID()
    const fresh = { revision: 1, keyId, slots: await deviceSlot(key, keyId) }
    await store.commit(0, { record: fresh })
    const { record: stored } = await store.read([])
    return readVaultRecord(stored) ?? fresh
  }

  const read = async (ids?: readonly string[]): Promise<{ record: VaultRecord; sealed: Sealed[] }> => {
    const { record: stored, sealed } = await store.read(ids)
    return { record: readVaultRecord(stored) ?? (await begin()), sealed }
  }

  /** The data key that goes with this record. */
  const keyFor = async (current: VaultRecord): Promise<CryptoKey> => {
    watch.check()
    // A vault that stays locked has nothing to tell: whoever heard that it is locked and looked would look for ever.
    if (held ? held.keyId !== current.keyId : current.slots.device) await adopt(current)
    if (!held) throw locked()
    return held.key
  }

  /** Reads, decides, and stores, again where another tab has stored something in between. */
  const update = async (
    ids: readonly string[] | undefined,
    decide: (current: VaultRecord, sealed: Sealed[], version: number) => Promise<Change>,
    commit: VaultStore['commit'] = (expected, change) => store.commit(expected, change),
  ): Promise<VaultRecord> => {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const { record: current, sealed } = await read(ids)
      const revision = current.revision + 1
      const { keyId, slots, put = [], remove = [] } = await decide(current, sealed, revision)
      const next = { revision, keyId, slots }
      if (await commit(current.revision, { record: next, put, remove })) return next
    }
    throw new Failed(
      'storage',
      `Other tabs changed the vault ${MOST_TRIES} times in between. Close some and try again.`,
    )
  }

  const openOne = async (key: CryptoKey, sealed: Sealed, { revision }: VaultRecord): Promise<string> => {
    if (sealed.version < (seen.get(sealed.id) ?? 0) || sealed.version > revision)
      throw new Failed(
        'storage',
        `The stored secret ${sealed.id} is not the last one that was saved: an old copy was put back. Enter it again.`,
      )
    const text = await open(key, sealed)
    seen.set(sealed.id, sealed.version)
    return text
  }

  /** Seals all secrets with another key. One that is damaged stays as it is, and says so when it is wanted. */
  const sealAnew = async (
    from: CryptoKey,
    to: CryptoKey,
    all: readonly Sealed[],
    current: VaultRecord,
    version: number,
  ) => {
    const anew = all.map(async (sealed) => {
      const text = await openOne(from, sealed, current).catch(() => undefined)
      return text === undefined ? [] : [await seal(to, { id: sealed.id, version }, text)]
    })
    return (await Promise.all(anew)).flat()
  }

  /**
   * The first protection takes a new data key: the device's key and what it wraps may stay readable in old files of the
   * profile, and must open nothing that is sealed from now on.
   */
  const rotate = async (
    found: VaultRecord,
    all: readonly Sealed[],
    version: number,
    makeSlot: (key: CryptoKey, keyId: string) => Promise<Slots>,
  ): Promise<Change> => {
    const key = await newDataKey()
    const keyId = crypto.randomUUID()
    return {
      keyId,
      slots: await makeSlot(key, keyId),
      put: await sealAnew(await keyFor(found), key, all, found, version),
    }
  }

  /** Adds or replaces a slot. */
  const protect = async (
    makeSlot: (key: CryptoKey, keyId: string) => Promise<Slots>,
    proof: Proof,
    current?: Proof,
  ) => {
    let key: CryptoKey | undefined
    const next = await update(undefined, async (found, all, version) => {
      const change = found.slots.device
        ? await rotate(found, all, version, makeSlot)
        : {
            keyId: found.keyId,
            slots: { ...found.slots, ...(await makeSlot(await proven(found, current), found.keyId)) },
          }
      // Tried before it is stored: a slot that does not open would lock the user out.
      key = await openSlot({ revision: version, ...change }, proof)
      return change
    })
    if (key) hold(next, key)
    say('changed')
  }

  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === 'touch') watch.touch()
    if (data === 'lock' && !record?.slots.device) letGo()
    if (data === 'changed') void inTurn(async () => adopt((await read([])).record)).catch(letGo)
  })

  await inTurn(async () => adopt((await read([])).record)).catch(letGo)

  return {
    state: (): VaultState => {
      const slots = record?.slots ?? {}
      const passkey = slots.passkey && { credentialId: slots.passkey.credentialId, salt: slots.passkey.salt }
      return { state: held ? 'open' : 'locked', protection: protectionOf(slots), ...(passkey && { passkey }) }
    },

    onChange: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    unlock: (proof: Proof): Promise<void> =>
      inTurn(async () => {
        const { record: current } = await read([])
        hold(current, await openSlot(current, current.slots.device ? undefined : proof))
      }),

    /** Closes the vault in all tabs. */
    lock: (): Promise<void> =>
      inTurn(async () => {
        if (record?.slots.device)
          throw new Failed(
            'bad-input',
            'The vault has no passphrase and no passkey, so it cannot be locked. Set one first.',
          )
        letGo()
        say('lock')
      }),

    /** Protects the vault, or changes its passphrase; then `current` is what opens it now. */
    setPassphrase: (passphrase: string, current?: Proof): Promise<void> =>
      inTurn(() => protect((key, keyId) => passphraseSlot(passphrase, key, keyId), { passphrase }, current)),

    setPasskey: ({ prf, ...passkey }: Passkey & { prf: Uint8Array }, current?: Proof): Promise<void> =>
      inTurn(() => protect((key, keyId) => passkeySlot(passkey, prf, key, keyId), { prf }, current)),

    /** Back to the device's key, which protects nothing. */
    removeProtection: (proof: Proof): Promise<void> =>
      inTurn(async () => {
        const next = await update([], async (found) => {
          const key = await openSlot(found, proof, true)
          return { keyId: found.keyId, slots: await deviceSlot(key, found.keyId) }
        })
        await adopt(next)
        say('changed')
      }),

    seal: (id: string, text: string): Promise<void> =>
      inTurn(async () => {
        const { revision } = await update([], async (current, _, version) => ({
          ...current,
          put: [await seal(await keyFor(current), { id, version }, text)],
        }))
        seen.set(id, revision)
      }),

    /** The text of a secret; undefined where there is none. */
    open: (id: string): Promise<string | undefined> =>
      inTurn(async () => {
        const { record: current, sealed } = await read([id])
        const [found] = sealed
        return found && openOne(await keyFor(current), found, current)
      }),

    /** Needs no key: a locked vault forgets as well. */
    remove: (id: string): Promise<void> =>
      inTurn(async () => {
        const { revision } = await update([], async (current) => ({ ...current, remove: [id] }))
        seen.set(id, revision)
      }),

    /**
     * Replaces all secrets with these, except those that stay. A `commit` that stores more along with them makes both one
     * step: either everything is stored or nothing.
     */
    replaceAll: (
      texts: Readonly<Record<string, string>>,
      stays: (id: string) => boolean,
      commit?: VaultStore['commit'],
    ): Promise<void> =>
      inTurn(async () => {
        const ids = new Set(Object.keys(texts))
        const { revision } = await update(
          undefined,
          async (current, sealed, version) => {
            const key = await keyFor(current)
            return {
              ...current,
              put: await Promise.all(Object.entries(texts).map(([id, text]) => seal(key, { id, version }, text))),
              remove: sealed.map(({ id }) => id).filter((id) => !stays(id) && !ids.has(id)),
            }
          },
          commit,
        )
        for (const id of ids) seen.set(id, revision)
      }),

    /** The user is there: in all tabs the time until the vault locks begins anew. */
    touch: (): void => {
      watch.touch()
      if (Date.now() - touchWordAt < TOUCH_WORD_MS) return
      touchWordAt = Date.now()
      say('touch')
    },

    setIdleMinutes: watch.setMinutes,
  }
}
export type Vault = Awaited<ReturnType<typeof createVault>>
