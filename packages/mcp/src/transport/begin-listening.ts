import type { Exchange, HttpLink } from './http-link.ts'
import { takeStreamSlot } from './stream-slots.ts'

/** Makes ready for an answer that stays open: it takes one of the few connections of a page, and may be dead unsaid. */
export function beginListening({ options }: HttpLink, exchange: Exchange): Promise<() => void> {
  exchange.idleMs = options.streamIdleMs
  return takeStreamSlot(new URL(options.url).origin, exchange.abort.signal, exchange.options.onwait ?? (() => {}))
}
