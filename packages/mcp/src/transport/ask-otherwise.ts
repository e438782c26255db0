import { beginListening } from './begin-listening.ts'
import type { Exchange, HttpLink } from './http-link.ts'
import { askLegacy } from './legacy-sse.ts'
import { renewSession } from './renew-session.ts'
import { resume } from './resume-stream.ts'

/** Does what has to be done before a request can be sent; true when it got its answer by that. */
export async function askOtherwise(link: HttpLink, exchange: Exchange): Promise<boolean> {
  const { message, stateless, options } = exchange
  const { resumptionToken } = options
  if (message.method === 'subscriptions/listen') exchange.release ??= await beginListening(link, exchange)
  if (resumptionToken) {
    await resume(link, exchange, link.streamFor(exchange), resumptionToken)
    return true
  }
  if (link.expired && message.method !== 'initialize' && !stateless) await renewSession(link, exchange)
  if (link.legacy) await askLegacy(link, exchange)
  return link.legacy
}
