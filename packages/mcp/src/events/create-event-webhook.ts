import { guard, must } from '../errors.ts'
import { loadOnce } from '../load-once.ts'
import type { MCPEventWebhookOptions } from './event-types.ts'

/** Not with the deeds of a client: who bundles only those does not pay for it. */
// Pure, so that who has no webhook does not carry it.
const load = /* @__PURE__ */ loadOnce(() => import('./receive-delivery.ts'))

/**
 * Makes the handler of a webhook to which servers send events: it takes a `Request` and gives its `Response`. Serve it
 * before you subscribe, with the store of the client, and hand it the request as it came.
 *
 * @example
 * export const POST = experimental_createMCPEventWebhook({
 *   store,
 *   onEvent: async ({ event }) => queue.add(event),
 * })
 */
export function createMCPEventWebhook(options: MCPEventWebhookOptions): (request: Request) => Promise<Response> {
  must(options?.store && typeof options.onEvent === 'function', 'A webhook needs a store and onEvent')
  return async (request) => {
    try {
      return await (await load()).receiveDelivery(options, request)
    } catch (error) {
      guard(undefined, options.onError, error)
      // The server tries again later.
      return new Response(null, { status: 503 })
    }
  }
}
