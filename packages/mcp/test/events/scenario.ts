import {
  createMCPClient,
  experimental_createMCPEventWebhook as createWebhook,
  type Experimental_MCPEventWebhookOptions as MCPEventWebhookOptions,
  type Experimental_SubscribeEventOptions as SubscribeEventOptions,
  type MCPClient,
  type MCPClientConfig,
} from '@switchboard/mcp'
import { onTestFinished } from 'vitest'
import { comment, EventServer, type Known } from './event-server.ts'
import { MemoryStore } from './memory-store.ts'
import { receiveWith } from './receiver.ts'

export interface Scenario {
  server: EventServer
  store: MemoryStore
  client: MCPClient
  /** What the handlers of the webhook were given, in order. */
  heard: any[]
  /** What was told to `onError` of the webhook. */
  errors: unknown[]
  /** What was told to `onUncaughtError` of the client. */
  warnings: Error[]
  /** The handlers; a test may change them. */
  handlers: MCPEventWebhookOptions
  /** What to subscribe to, at the webhook of this scenario. */
  wanted: SubscribeEventOptions
  subscribe(): Promise<Known>
}

/** A server with events, a client of it, and a webhook with the client's store. */
export async function scenario(
  given: { stateless?: boolean; fetch?: typeof fetch; config?: Partial<MCPClientConfig> } = {},
): Promise<Scenario> {
  const server = await new EventServer(given).start()
  const store = new MemoryStore()
  const [heard, errors, warnings]: [any[], unknown[], Error[]] = [[], [], []]
  const handlers: MCPEventWebhookOptions = {
    store,
    onEvent: async (one) => void heard.push(one),
    onGap: async (one) => void heard.push(one),
    onTerminated: async (one) => void heard.push(one),
    onError: (error) => void errors.push(error),
  }
  const url = await receiveWith((request) => createWebhook(handlers)(request))
  const client = await createMCPClient({
    transport: { type: 'http', url: server.url, ...(given.fetch && { fetch: given.fetch }) },
    onUncaughtError: (error) => void warnings.push(error as Error),
    experimental_events: { store },
    ...given.config,
  })
  onTestFinished(() => client.close())
  const wanted: SubscribeEventOptions = {
    name: comment.name,
    arguments: { document: 'doc_1' },
    delivery: { mode: 'webhook', url, allowInsecureLocalhost: true },
  }
  const subscribe = async (): Promise<Known> => {
    const { id } = await client.experimental_events.subscribe(wanted)
    return server.known.get(id)!
  }
  return { server, store, client, heard, errors, warnings, handlers, wanted, subscribe }
}

/** A promise that a test settles. */
export function later(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
