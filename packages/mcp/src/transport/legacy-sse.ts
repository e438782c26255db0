import { closingSignal } from '../closing-signal.ts'
import { satisfies } from './authorize.ts'
import { failureOf } from './describe-failure.ts'
import { getHeaders } from './get-headers.ts'
import { isStream } from './is-stream.ts'
import { discard } from './response.ts'
import { unlessAborted } from './retry-law.ts'
import type { Exchange, HttpLink } from './http-link.ts'

/** How long a server of the first revision may take to name its endpoint. */
const ENDPOINT_MS = 10_000

/** Opens the one stream on which such a server answers everything; false when there is none. */
export async function openLegacy(link: HttpLink, exchange: Exchange): Promise<boolean> {
  const { options, exchanges } = link
  const { url } = options
  // Until the server has named its endpoint, whoever waits for it may leave.
  const opening = new AbortController()
  let timer = setTimeout(() => opening.abort(), ENDPOINT_MS)
  const signal = AbortSignal.any([closingSignal(link), opening.signal])
  const open = (): Promise<Response> =>
    unlessAborted(link.fetch('GET', getHeaders(link), signal), exchange.abort.signal)
  let response = await open()
  // Signing in may take a person longer than a server to name its endpoint.
  clearTimeout(timer)
  const again = await satisfies(link, response, exchange)
  timer = setTimeout(() => opening.abort(), ENDPOINT_MS)
  if (again) {
    discard(response)
    response = await open()
  }
  if (!isStream(response)) {
    clearTimeout(timer)
    discard(response)
    return false
  }
  return new Promise((resolve) => {
    let refused = false
    const stream = link.streamFor(undefined, (event, data) => {
      if (event !== 'endpoint') return
      // On another origin it would receive our headers.
      refused = !URL.canParse(data, url) || new URL(data, url).origin !== new URL(url).origin
      if (refused) return
      link.endpoint = new URL(data, url).href
      clearTimeout(timer)
      resolve(true)
    })
    const ended = (): void => {
      clearTimeout(timer)
      resolve(false)
      if (!link.endpoint) return
      link.endpoint = undefined
      link.expired = true
      for (const { abort } of exchanges) abort.abort()
    }
    stream.read(response, () => refused).then(ended, ended)
  })
}

/** Sends a request to the endpoint; its answer comes on the stream. */
export async function askLegacy(link: HttpLink, exchange: Exchange): Promise<void> {
  const { message, abort, body } = exchange
  if (!link.endpoint && !(await openLegacy(link, exchange)))
    throw failureOf(link, exchange, 'found no HTTP+SSE stream', 'protocol')
  const settled = new Promise<void>((resolve, reject) => {
    exchange.wake = resolve
    abort.signal.addEventListener('abort', reject)
  })
  settled.catch(() => {})
  const post = (): Promise<Response> => link.fetch('POST', link.headersFor(message), abort.signal, body, link.endpoint)
  let response = await post()
  discard(response)
  if (await satisfies(link, response, exchange)) {
    response = await post()
    discard(response)
  }
  const { ok, status } = response
  const details = { statusCode: status, lost: status > 499 }
  if (!ok)
    throw failureOf(link, exchange, `failed with HTTP ${status}`, status === 401 ? 'unauthorized' : 'http', details)
  await settled
}
