import { Failed } from '#domain/failure.ts'
import { ITERATIONS, keyFromPasskey, keyFromPassphrase, newDeviceKey } from './derive-key.ts'
import { damagedVault, type Slots, type VaultRecord } from './vault-record.ts'

/** What a person has to open the vault with. */
export type Proof = { passphrase: string } | { prf: Uint8Array }

export interface Passkey {
  credentialId: Uint8Array
  /** What the passkey was asked with. */
  salt: Uint8Array
}

const LEAST_CHARACTERS = 8

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))

type Bound = (string | number)[]
const ofDevice = (): Bound => ['device']
const ofPassphrase = ({ iterations, salt }: { iterations: number; salt: Uint8Array }): Bound => [
  'passphrase',
  'PBKDF2-SHA-256',
  iterations,
  hex(salt),
]
const ofPasskey = ({ credentialId, salt }: Passkey): Bound => ['passkey', 'HKDF-SHA-256', hex(credentialId), hex(salt)]

const wrapping = (iv: Uint8Array<ArrayBuffer>, keyId: string, bound: Bound) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(JSON.stringify(['switchboard-vault-slot', keyId, ...bound])),
})

async function wrap(dataKey: CryptoKey, keyId: string, key: CryptoKey, bound: Bound) {
  const iv = random(12)
  const wrapped = await crypto.subtle.wrapKey('raw', dataKey, key, wrapping(iv, keyId, bound))
  return { iv, wrapped: new Uint8Array(wrapped) }
}

/** A new data key. It can leave its object only so that slots can be made; the vault keeps one that cannot. */
export const newDataKey = () =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt', 'decrypt'])

export async function deviceSlot(dataKey: CryptoKey, keyId: string): Promise<Slots> {
  const key = await newDeviceKey()
  return { device: { key, ...(await wrap(dataKey, keyId, key, ofDevice())) } }
}

export async function passphraseSlot(passphrase: string, dataKey: CryptoKey, keyId: string): Promise<Slots> {
  if (Array.from(passphrase).length < LEAST_CHARACTERS)
    throw new Failed('bad-input', `The passphrase is too short: it needs at least ${LEAST_CHARACTERS} characters.`)
  const parameters = { salt: random(16), iterations: ITERATIONS }
  const key = await keyFromPassphrase(passphrase, parameters)
  return { passphrase: { ...parameters, ...(await wrap(dataKey, keyId, key, ofPassphrase(parameters))) } }
}

export async function passkeySlot(
  passkey: Passkey,
  prf: Uint8Array,
  dataKey: CryptoKey,
  keyId: string,
): Promise<Slots> {
  const credentialId = new Uint8Array(passkey.credentialId)
  const salt = new Uint8Array(passkey.salt)
  const key = await keyFromPasskey(prf, { salt })
  return { passkey: { credentialId, salt, ...(await wrap(dataKey, keyId, key, ofPasskey(passkey))) } }
}

const missing = (what: string) => new Failed('bad-input', `This vault has no ${what} to open it with.`)

async function keyOfSlot({ slots }: VaultRecord, proof: Proof | undefined) {
  if (!proof) {
    if (!slots.device) throw new Failed('vault-locked', 'The vault is locked. Unlock it to go on.')
    return { slot: slots.device, key: slots.device.key, bound: ofDevice() }
  }
  if ('passphrase' in proof) {
    if (!slots.passphrase) throw missing('passphrase')
    const key = await keyFromPassphrase(proof.passphrase, slots.passphrase)
    return { slot: slots.passphrase, key, bound: ofPassphrase(slots.passphrase) }
  }
  if (!slots.passkey) throw missing('passkey')
  return { slot: slots.passkey, key: await keyFromPasskey(proof.prf, slots.passkey), bound: ofPasskey(slots.passkey) }
}

function refusal(proof: Proof | undefined): Failed {
  if (!proof) return damagedVault()
  const what = 'passphrase' in proof ? 'passphrase' : 'passkey'
  return new Failed('wrong-passphrase', `This ${what} does not open the vault. Nothing was changed: try again.`)
}

/** The data key, by the slot that fits the proof; without one, by the device's. Only to make further slots it is `extractable`. */
export async function openSlot(record: VaultRecord, proof?: Proof, extractable = false): Promise<CryptoKey> {
  const { slot, key, bound } = await keyOfSlot(record, proof)
  const algorithm = wrapping(slot.iv, record.keyId, bound)
  try {
    return await crypto.subtle.unwrapKey('raw', slot.wrapped, key, algorithm, 'AES-GCM', extractable, [
      'encrypt',
      'decrypt',
    ])
  } catch {
    throw refusal(proof)
  }
}
