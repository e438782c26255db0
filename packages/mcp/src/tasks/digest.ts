import { isObject } from '../jsonrpc.ts'

/**
 * SHA-256 of an input request, to tell whether a request under a known key is the same one. The order of keys doesn't
 * matter, because stores change it, and `_meta` isn't part of the request.
 */
export async function digestOf(question: unknown): Promise<string> {
  const { method, params } = isObject(question) ? question : {}
  const asked = isObject(params) ? { ...params, _meta: undefined } : params
  const text = JSON.stringify([method, asked], sortKeys)
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle
  // Pages on plain HTTP have no Web Crypto. The text itself identifies the request as well, only at greater length.
  if (!subtle) return text
  const hash = await subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const sortKeys = (_key: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value
