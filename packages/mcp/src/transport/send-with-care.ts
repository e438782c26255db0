import { MCPError } from '../errors.ts'
import { encodeHeaderValue } from '../wire/header-value.ts'
import { addToken } from './authorize.ts'
import type { Exchange, HttpLink } from './http-link.ts'
import { discard } from './response.ts'

/** Sends a request with its token, and a call so that the browser cannot repeat it, where that is possible. */
export async function sendWithCare(
  link: HttpLink,
  address: string,
  init: RequestInit,
  exchange: Exchange | undefined,
): Promise<Response> {
  const { fetch = globalThis.fetch } = link.options
  // Nothing leaves while offline; afterwards nobody could tell.
  if (globalThis.navigator?.onLine === false) throw new MCPError('was not sent: there is no network', 'network')
  // Where a redirect leads is told, which is worth more here than a tenth of the time.
  init.redirect = 'manual'
  const headers = init.headers as Record<string, string>
  if (headers['mcp-name']) init.headers = { ...headers, 'mcp-name': encodeHeaderValue(headers['mcp-name']) }
  let remember = await addToken(link, address, init)
  if (exchange?.message.method === 'tools/list' && link.uploads === undefined) {
    const response = await probeUploads(link, address, init, remember)
    if (response) return response
    // A proof is good for one request.
    remember = await addToken(link, address, init)
  }
  const streamed = link.uploads && exchange && !exchange.repeatable
  const response = await fetch(address, streamed ? asStream(init) : init)
  await remember(response)
  return response
}

/**
 * A browser sends a POST again by itself when the connection it reused dies before the answer begins, but never one whose
 * body is a stream. That takes HTTP/2, and a server that bears bodies of unknown length: a list, which does no harm when it
 * is sent twice, shows whether both are there.
 */
async function probeUploads(
  link: HttpLink,
  address: string,
  init: RequestInit,
  remember: (response: Response) => Promise<void>,
): Promise<Response | undefined> {
  const { fetch = globalThis.fetch } = link.options
  link.uploads = false
  if (!globalThis.location || !address.startsWith('https:') || !knowsStreams()) return undefined
  try {
    const response = await fetch(address, asStream(init))
    await remember(response)
    if (response.ok) {
      link.uploads = true
      return response
    }
    discard(response)
  } catch {
    init.signal?.throwIfAborted()
  }
  return undefined
}

/** Whether requests with streams as bodies exist here: those who know them read `duplex` and give no content type. */
function knowsStreams(): boolean {
  let asked = false
  const init = {
    method: 'POST',
    body: new ReadableStream(),
    get duplex() {
      asked = true
      return 'half'
    },
  }
  const typed = new Request('https://example.com', init as RequestInit).headers.has('content-type')
  return asked && !typed
}

const asStream = (init: RequestInit): RequestInit =>
  ({ ...init, body: new Blob([init.body as string]).stream(), duplex: 'half' }) as RequestInit
