import { Failed } from '#domain/failure.ts'
import type { Sealed } from '#domain/sealed.ts'

const utf8 = new TextEncoder()

/** Bound to its place and its version: moved to another row, or given another number, it does not open. */
const boundTo = ({ id, version }: { id: string; version: number }) =>
  utf8.encode(JSON.stringify(['switchboard-secret', id, version]))

export async function seal(key: CryptoKey, place: { id: string; version: number }, text: string): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const algorithm = { name: 'AES-GCM', iv, additionalData: boundTo(place) }
  const ciphertext = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, utf8.encode(text)))
  return { ...place, iv, ciphertext, updatedAt: Date.now() }
}

export async function open(key: CryptoKey, sealed: Sealed): Promise<string> {
  const algorithm = { name: 'AES-GCM', iv: sealed.iv, additionalData: boundTo(sealed) }
  try {
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, sealed.ciphertext))
  } catch {
    throw new Failed(
      'storage',
      `The stored secret ${sealed.id} was changed outside the app or belongs elsewhere, so it was not used. Enter it again.`,
    )
  }
}
