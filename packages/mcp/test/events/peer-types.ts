// Held by the compiler, never run: code for the events of @ai-sdk/mcp compiles with our import, and its objects fit ours.
import type * as ours from '@switchboard/mcp'
import { createMCPClient, experimental_createMCPEventWebhook } from '@switchboard/mcp'
import { createMCPClient as createSignedInClient } from '@switchboard/mcp/oauth'
import type * as peer from '@ai-sdk/mcp'
import { type Equal, holds } from '../ai/equal-types.ts'

/** Whether what one gives fits where the other takes it, both ways. */
type Fits<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

holds<Fits<ours.Experimental_ListEventsResult, peer.Experimental_ListEventsResult>>()
holds<Fits<ours.Experimental_MCPEvent, peer.Experimental_MCPEvent>>()
holds<Fits<ours.Experimental_MCPEventAdapter, peer.Experimental_MCPEventAdapter>>()
holds<Fits<ours.Experimental_MCPEventControl, peer.Experimental_MCPEventControl>>()
holds<Fits<ours.Experimental_MCPEventDefinition, peer.Experimental_MCPEventDefinition>>()
holds<Fits<ours.Experimental_MCPEventOperations, peer.Experimental_MCPEventOperations>>()
holds<Fits<ours.Experimental_MCPEventStore, peer.Experimental_MCPEventStore>>()
holds<Fits<ours.Experimental_MCPEventSubscription, peer.Experimental_MCPEventSubscription>>()
holds<Fits<ours.Experimental_MCPEventSubscriptionInfo, peer.Experimental_MCPEventSubscriptionInfo>>()
holds<Fits<ours.Experimental_MCPEvents, peer.Experimental_MCPEvents>>()
holds<Fits<ours.Experimental_ManagedMCPEvents, peer.Experimental_ManagedMCPEvents>>()
holds<Fits<ours.Experimental_ManagedSubscription, peer.Experimental_ManagedSubscription>>()
holds<Fits<ours.Experimental_SubscribeEventResult, peer.Experimental_SubscribeEventResult>>()
export const given = {
  input: (input: peer.Experimental_ManagedSubscribeInput): ours.Experimental_ManagedSubscribeInput => input,
  config: (config: peer.Experimental_MCPEventsConfig): ours.Experimental_MCPEventsConfig => config,
  options: (options: peer.Experimental_SubscribeEventOptions): ours.Experimental_SubscribeEventOptions => options,
  webhook: (options: peer.Experimental_MCPEventWebhookOptions): ours.Experimental_MCPEventWebhookOptions => options,
}

export async function uses(
  store: ours.Experimental_MCPEventStore,
  adapter: ours.Experimental_MCPEventAdapter,
  config: ours.MCPClientConfig,
): Promise<void> {
  const transport = { type: 'http', url: 'https://service.example/mcp' } as const
  for (const create of [createMCPClient, createSignedInClient]) {
    const client = await create({
      transport,
      experimental_events: { store, validateArguments: ({ definition }) => void definition.name },
    })
    holds<Equal<typeof client.experimental_events, ours.Experimental_MCPEvents>>()
    const { id, refreshBefore } = await client.experimental_events.subscribe({
      name: 'comment.created',
      arguments: { document_id: 'doc_123', tags: ['a', { b: null }] },
      delivery: { mode: 'webhook', url: 'https://my-app.example/hook' },
      ttlMs: 60 * 60 * 1000,
    })
    holds<Equal<typeof refreshBefore, string | null>>()
    await client.experimental_events.refresh({ id, options: { timeout: 1000 } })
    // @ts-expect-error: by id or by key, not both.
    await client.experimental_events.unsubscribe({ id, key: 'k' })

    const managed = await create({ transport, experimental_events: { adapter } })
    holds<Equal<typeof managed, ours.Experimental_ManagedMCPClient>>()
    const watch = await managed.experimental_events.subscribe({
      name: 'a',
      arguments: {},
      idempotencyKey: 'k',
      ttlMs: null,
    })
    holds<Equal<typeof watch.status, 'pending' | 'active' | 'needs_auth' | 'stopped' | 'expired' | 'failed'>>()
    // @ts-expect-error: a backend refreshes by itself.
    await managed.experimental_events.refresh({ id: 'x' })
    // @ts-expect-error: one or the other.
    await create({ transport, experimental_events: { adapter, store } })
  }
  const any: ours.MCPClient = await createMCPClient(config)
  await any.close()

  const handler: (request: Request) => Promise<Response> = experimental_createMCPEventWebhook({
    store,
    async onEvent({ subscription, event }) {
      holds<Equal<typeof event.data, Record<string, unknown>>>()
      // @ts-expect-error: handlers do not see the secret.
      console.log(subscription.delivery.secret)
    },
    async onGap({ gap }) {
      holds<Equal<typeof gap.truncated, true>>()
    },
    async onTerminated({ termination }) {
      holds<Equal<typeof termination.error.code, number>>()
    },
  })
  await handler(new Request('https://my-app.example/hook'))
}
