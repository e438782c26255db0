import { decodeBase64, decodeSecret } from './event-secret.ts'

/** How far a delivery's own time may be off, so that nobody can repeat an old one. */
const WINDOW_SECONDS = 300
/** One for each secret of a rotation is enough; each costs a look at the whole body. */
const MAX_SIGNATURES = 8

/** Whether the holder of the secret sent exactly these bytes, and lately: Standard Webhooks, version 1. */
export async function verifySignature(
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
  secret: string,
): Promise<boolean> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => headers.get(`webhook-${name}`) ?? '',
  )
  if (!id || !signatures || !timestamp || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > WINDOW_SECONDS) return false
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', decodeSecret(secret), hmac, false, ['verify'])
  const signed = await new Blob([`${id}.${timestamp}.`, body]).arrayBuffer()
  for (const signature of signatures.split(' ', MAX_SIGNATURES)) {
    const [version, value = ''] = signature.split(',')
    const bytes = version === 'v1' ? decodeBase64(value) : undefined
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true
  }
  return false
}
