import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { Refused } from '../bridge/refused.ts'
import { isPublic } from './is-public.ts'
import type { Target } from './judge-target.ts'

/** Looks a name up. */
export type Resolve = (host: string) => Promise<string[]>

const CONNECT_MS = 10_000

export interface Outgoing {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: Uint8Array | undefined
  readonly signal: AbortSignal
}

/** Sends a request to exactly the address that was judged: the name is looked up once, and never again on the way. */
export async function forward({ url, reach }: Target, outgoing: Outgoing, resolve: Resolve): Promise<IncomingMessage> {
  const { method, headers, body, signal } = outgoing
  const addresses = await pin(url, reach, resolve)
  return new Promise((done, fail) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = send(url, {
      method,
      headers: { ...headers, 'accept-encoding': 'identity' },
      signal,
      // No pool: a connection belongs to the address that was judged for this request.
      agent: false,
      lookup: (_host, options, found) => {
        const pinned = addresses.map((address) => ({ address, family: isIP(address) }))
        // All of them are tried in turn: many servers listen on only one of the two addresses of localhost.
        if (options.all) found(null, pinned)
        else found(null, pinned[0]?.address ?? '', pinned[0]?.family)
      },
    })
    const late = setTimeout(() => request.destroy(new Error(`no connection within ${CONNECT_MS} ms`)), CONNECT_MS)
    request.once('socket', (socket) => socket.once('connect', () => clearTimeout(late)))
    request.once('close', () => clearTimeout(late))
    request.once('response', done)
    request.once('error', (error) =>
      fail(new Refused(502, `${url.origin} could not be reached: ${reasonOf(error)}`, error)),
    )
    request.end(body)
  })
}

async function pin(url: URL, reach: Target['reach'], resolve: Resolve): Promise<string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await resolve(host).catch(() => [])
  if (addresses.length === 0) throw new Refused(502, `There is no address for ${url.origin}.`)
  // All of them: a name with one public and one private address is a trap.
  if (reach === 'public' && !addresses.every(isPublic))
    throw new Refused(
      403,
      `${url.origin} leads to an address of your own network. The relay reaches those only from the file.`,
    )
  return addresses
}

/** Where several addresses were tried, the reason for each. */
const reasonOf = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map(({ message }: Error) => message).join('; ') : error.message
