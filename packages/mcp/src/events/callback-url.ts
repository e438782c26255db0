import { must } from '../errors.ts'

/** Tells the webhook which subscription a delivery is for; the name that `@ai-sdk/mcp` has for it. */
const PARAMETER = 'mcp_event_subscription'

/** The address for one subscription. */
export function callbackUrl(webhook: string, key: string, allowInsecureLocalhost = false): string {
  const url = new URL(webhook)
  const isLocal = url.protocol === 'http:' && ['127.0.0.1', '[::1]'].includes(url.hostname)
  must(
    (url.protocol === 'https:' || (allowInsecureLocalhost && isLocal)) && !url.username && !url.password && !url.hash,
    'delivery.url must be https, without credentials and fragment; http to 127.0.0.1 takes allowInsecureLocalhost',
  )
  // A bare # counts as none, but would follow what is added.
  url.hash = ''
  url.searchParams.set(PARAMETER, key)
  return url.href
}

/** The key of the subscription that such an address is for; keys of another shape never reach a store. */
export function keyIn(address: string): string | undefined {
  const key = new URL(address).searchParams.get(PARAMETER) ?? ''
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(key) ? key : undefined
}
