import { guard } from '../errors.ts'
import { keyIn } from './callback-url.ts'
import type {
  MCPEventControl,
  MCPEvent,
  MCPEventSubscription,
  MCPEventSubscriptionInfo,
  MCPEventWebhookOptions,
} from './event-types.ts'
import { readBody } from './read-body.ts'
import { type Message, readMessage } from './read-message.ts'
import { verifySignature } from './verify-signature.ts'

const answer = (status: number, headers: Record<string, string> = {}): Response =>
  new Response(null, { status, headers })

/** Answers what was sent to a webhook. What throws in the store or a handler is put off: the server tries again. */
export async function receiveDelivery(options: MCPEventWebhookOptions, request: Request): Promise<Response> {
  const { headers } = request
  if (request.method !== 'POST') return answer(405, { Allow: 'POST' })
  if (!/^\s*application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')) return answer(415)
  const key = keyIn(request.url)
  const id = headers.get('x-mcp-subscription-id')
  if (!key || !id) return answer(401)
  const subscription = await options.store.get(key)
  if (!subscription || (subscription.id ?? id) !== id) return answer(401)
  const body = await readBody(request)
  if (!body) return answer(413)
  // Nothing of it is read before this holds.
  if (!(await verifySignature(headers, body, subscription.delivery.secret))) return answer(401)
  const message = readMessage(body)
  if (!message) return answer(400)
  if (message.kind === 'verification') return Response.json({ challenge: message.challenge })
  return answer(await take(options, subscription, message, headers.get('webhook-id') ?? ''))
}

/** Gives a signed message to its handler; says the status of the answer. */
async function take(
  options: MCPEventWebhookOptions,
  stored: MCPEventSubscription,
  message: Exclude<Message, { kind: 'verification' }>,
  messageId: string,
): Promise<number> {
  const isEnd = message.kind === 'control' && message.control.type === 'terminated'
  // The answer of the server to subscribe or refresh is not stored yet. Only an end need not wait for it.
  if (stored.id == null || (stored.status !== 'active' && !isEnd)) return 503
  const { id, name, arguments: args, delivery } = stored
  const refreshBefore = stored.refreshBefore ?? null
  const subscription = {
    id,
    name,
    arguments: args,
    delivery: { mode: delivery.mode, url: delivery.url },
    refreshBefore,
  }
  if (message.kind === 'control') return takeControl(options, stored.key, subscription, message.control, messageId)
  if (refreshBefore !== null && Date.parse(refreshBefore) <= Date.now()) return 410
  const { event } = message
  if (event.name !== name || event.eventId !== messageId) return 400
  return takeEvent(options, stored, subscription, event)
}

async function takeControl(
  { store, onGap, onTerminated }: MCPEventWebhookOptions,
  key: string,
  subscription: MCPEventSubscriptionInfo,
  control: MCPEventControl,
  messageId: string,
): Promise<number> {
  if (control.type === 'gap') {
    await onGap?.({ subscription, messageId, gap: control })
    await store.update(key, { cursor: control.cursor, truncated: true })
  } else {
    await onTerminated?.({ subscription, messageId, termination: control })
    await store.delete(key)
  }
  return 204
}

async function takeEvent(
  { store, validatePayload, onEvent, onError }: MCPEventWebhookOptions,
  { key, definition }: MCPEventSubscription,
  subscription: MCPEventSubscriptionInfo,
  event: MCPEvent,
): Promise<number> {
  try {
    await validatePayload?.({ definition, data: event.data })
  } catch (error) {
    guard(undefined, onError, error)
    return 400
  }
  await onEvent({ subscription, event })
  if (event.cursor !== undefined) await store.update(key, { cursor: event.cursor })
  return 204
}
