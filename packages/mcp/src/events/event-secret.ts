import { must } from '../errors.ts'

/** Bytes of base64; undefined for what is none. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** A new secret, as Standard Webhooks spells it. */
export const createSecret = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`

/** The bytes of a secret; throws without showing it. */
export function decodeSecret(secret: unknown): Uint8Array<ArrayBuffer> {
  const encoded = /^whsec_([\w+/]+=*)$/.exec(typeof secret === 'string' ? secret : '')?.[1]
  const bytes = decodeBase64(encoded ?? '')
  const fits = bytes && bytes.length >= 24 && bytes.length <= 64
  must(fits, 'The secret of a webhook must be whsec_ and 24 to 64 bytes in base64')
  return bytes
}

/** Takes a secret out of a text that a stranger may have written, also where it was cut. */
export const withoutSecret = (text: string, secret: string): string =>
  text.replaceAll(secret.slice(6), '•••').replace(/whsec_[\w+/=]+/g, 'whsec_•••')
