import { Failed } from '#domain/failure.ts'
import { newDataKey, openSlot, passphraseSlot } from './key-slots.ts'

// A file that opens with a passphrase, wherever it ends up: "SWITCHBOARD-LOCKED-1", a line of JSON with what the passphrase is
// derived with, and the content, compressed and sealed with a key of its own. The line is authenticated with the content.

const MAGIC = 'SWITCHBOARD-LOCKED-1'
const LONGEST_HEAD = 2_000
/** Of the file, and of what comes out of it: a small file may hold a very large nothing. */
const MOST_BYTES = 1_000_000_000

const utf8 = new TextEncoder()
const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))

interface Head {
  keyId: string
  iterations: number
  salt: string
  slotIv: string
  wrapped: string
  iv: string
}

/** More than `openLockedFile` takes. */
export const tooLarge = () =>
  new Failed('bad-input', 'This is more than one backup can hold (1 GB). Free some space under Settings, Data, first.')

/** Seals a text with a passphrase. Rejects with `Failed` where that is too short. */
export async function lockFile(text: string, passphrase: string): Promise<Uint8Array> {
  const key = await newDataKey()
  const keyId = crypto.randomUUID()
  const { passphrase: slot } = await passphraseSlot(passphrase, key, keyId)
  if (!slot) throw new Failed('internal', 'The passphrase could not be used.')
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const head: Head = {
    keyId,
    iterations: slot.iterations,
    salt: toBase64(slot.salt),
    slotIv: toBase64(slot.iv),
    wrapped: toBase64(slot.wrapped),
    iv: toBase64(iv),
  }
  const opening = utf8.encode(`${MAGIC}\n${JSON.stringify(head)}\n`)
  const bytes = utf8.encode(text)
  // Noticed now, and not when it has to be opened.
  if (bytes.length > MOST_BYTES) throw tooLarge()
  const compressed = await pass(bytes, new CompressionStream('gzip'))
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: opening }, key, compressed)
  const file = new Uint8Array(opening.length + sealed.byteLength)
  file.set(opening)
  file.set(new Uint8Array(sealed), opening.length)
  return file
}

/** The text of such a file. Rejects with `Failed`: `bad-input` where it is none, `wrong-passphrase`. */
export async function openLockedFile(file: Uint8Array, passphrase: string): Promise<string> {
  if (file.length > MOST_BYTES) throw new Failed('bad-input', 'This file is larger than any backup can be.')
  const { keyId, slot, iv, opening } = readHead(file)
  const record = { revision: 1, keyId, slots: { passphrase: slot } }
  const key = await openSlot(record, { passphrase }).catch((error: unknown) => {
    if (error instanceof Failed && error.failure.code === 'wrong-passphrase')
      throw new Failed('wrong-passphrase', 'This passphrase does not open the file. Nothing was changed: try again.')
    throw error
  })
  let compressed: ArrayBuffer
  try {
    const algorithm = { name: 'AES-GCM', iv, additionalData: opening }
    compressed = await crypto.subtle.decrypt(algorithm, key, file.slice(opening.length))
  } catch {
    throw damaged()
  }
  const text = await pass(new Uint8Array(compressed), new DecompressionStream('gzip')).catch((error: unknown) => {
    throw error instanceof Failed ? error : damaged()
  })
  return new TextDecoder().decode(text)
}

const damaged = () => new Failed('bad-input', 'This file was damaged or changed since it was made. Try another copy.')

function readHead(file: Uint8Array) {
  const none = () => new Failed('bad-input', 'This is no backup of this app.')
  const start = new TextDecoder().decode(file.subarray(0, LONGEST_HEAD))
  const [magic, line, rest] = start.split('\n', 3)
  if (magic !== MAGIC || line === undefined || rest === undefined) throw none()
  try {
    const { keyId, iterations, salt, slotIv, wrapped, iv } = JSON.parse(line) as Head
    if (typeof keyId !== 'string' || !Number.isInteger(iterations)) throw none()
    const slot = { iterations, salt: fromBase64(salt), iv: fromBase64(slotIv), wrapped: fromBase64(wrapped) }
    return { keyId, slot, iv: fromBase64(iv), opening: utf8.encode(`${magic}\n${line}\n`) }
  } catch {
    throw none()
  }
}

async function pass(bytes: Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream) {
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > MOST_BYTES) {
      await reader.cancel()
      throw new Failed('bad-input', 'This file holds more than any backup can.')
    }
    parts.push(value)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}
