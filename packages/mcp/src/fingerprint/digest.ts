import { must } from '../errors.ts'

/** SHA-256 of a text as base64url. */
export async function digest(text: string): Promise<string> {
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle
  must(subtle, 'Fingerprints need Web Crypto, which a page has over https and on localhost')
  const hash = await subtle.digest('SHA-256', new TextEncoder().encode(text))
  return btoa(String.fromCharCode(...new Uint8Array(hash)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
}
