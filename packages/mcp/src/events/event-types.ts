import type { RequestOptions } from '../client/connection.ts'
import type { ListArguments } from '../client/list.ts'
import type { MCPClient } from '../client/mcp-client.ts'

type JsonValue = null | string | number | boolean | Readonly<EventArguments> | readonly JsonValue[]
/** Arguments as JSON has them: what a subscription is to tell, and what not. */
export type EventArguments = { [key: string]: JsonValue | undefined }

/** A kind of event that a server tells of; its words and schemas are claims of the server. */
export interface MCPEventDefinition {
  [more: string]: unknown
  name: string
  description?: string | null | undefined
  delivery: ('webhook' | 'poll' | 'push')[]
  /** Of the arguments of a subscription. */
  inputSchema: boolean | Record<string, unknown>
  /** Of the `data` of an event. */
  payloadSchema: boolean | Record<string, unknown>
}

/** One page of the events that a server has. */
export interface ListEventsResult {
  [more: string]: unknown
  events: MCPEventDefinition[]
  nextCursor?: string | null | undefined
  _meta?: Record<string, unknown> | undefined
}

/** What the server grants. */
export interface SubscribeEventResult {
  [more: string]: unknown
  id: string
  /** When the subscription ends unless it is refreshed before; null for never. */
  refreshBefore: string | null
  /** Where to go on from; null where the server keeps no past events. */
  cursor: string | null
  /** Some events between the cursor that was sent and this one are lost. */
  truncated: boolean
  _meta?: Record<string, unknown> | undefined
}

/** Something happened: signed by the server, but its `data` is a stranger's. */
export interface MCPEvent {
  [more: string]: unknown
  /** The same for every delivery of one event. */
  eventId: string
  name: string
  timestamp: string
  data: Record<string, unknown>
  cursor?: string | null | undefined
}

/** What a server says of a subscription: events are lost, or it is over. */
export type MCPEventControl =
  | { [more: string]: unknown; type: 'gap'; cursor: string; truncated: true }
  | {
      [more: string]: unknown
      type: 'terminated'
      error: { [more: string]: unknown; code: number; message: string; data?: unknown }
    }

/** A subscription as it is stored. It holds the secret: keep it where no page can read it. */
export interface MCPEventSubscription {
  /** Ours, in the address of the webhook; known before the server has named its `id`. */
  key: string
  id?: string
  name: string
  arguments: EventArguments
  definition: MCPEventDefinition
  delivery: { mode: 'webhook'; url: string; secret: string }
  refreshBefore?: string | null
  cursor: string | null
  truncated: boolean
  ttlMs?: number | null
  maxAgeMs?: number
  /** Pending until the server's answer is stored: until then deliveries are put off. */
  status: 'pending' | 'active'
}

/** A subscription without its secret, as handlers see it. */
export interface MCPEventSubscriptionInfo {
  id: string
  name: string
  arguments: EventArguments
  delivery: { mode: 'webhook'; url: string }
  refreshBefore: string | null
}

/**
 * Where subscriptions are kept, for the client and the webhook alike: lasting, private, and for one server and one user
 * of it. `update` changes the given fields and no other, in one step.
 */
export interface MCPEventStore {
  get(key: string): Promise<MCPEventSubscription | undefined>
  getById(id: string): Promise<MCPEventSubscription | undefined>
  set(subscription: MCPEventSubscription): Promise<void>
  update(key: string, patch: Partial<MCPEventSubscription>): Promise<void>
  delete(key: string): Promise<void>
}

/** Who keeps subscriptions: you, in a store, or a backend, behind an adapter. */
export type MCPEventsConfig =
  | {
      store: MCPEventStore
      adapter?: never
      /** Throws for arguments that are not to be sent. */
      validateArguments?:
        | ((args: { definition: MCPEventDefinition; arguments: EventArguments }) => void | PromiseLike<void>)
        | undefined
    }
  | { adapter: MCPEventAdapter; store?: never; validateArguments?: never }

/** What to subscribe to, and where its events go. */
export interface SubscribeEventOptions {
  name: string
  arguments?: EventArguments | undefined
  delivery: {
    mode: 'webhook'
    /** The https address of your webhook, which must answer by now: servers ask it before they agree. */
    url: string
    /** For development: plain http to 127.0.0.1 or [::1]. */
    allowInsecureLocalhost?: boolean | undefined
    /** `whsec_` and 24 to 64 bytes in base64; made for you where it is left out. */
    secret?: string | undefined
  }
  /** Where to begin; null or nothing for now. */
  cursor?: string | null | undefined
  /** How long it is to last, as a wish; null for ever. */
  ttlMs?: number | null | undefined
  /** Nothing older than this is told again. */
  maxAgeMs?: number | undefined
  options?: RequestOptions | undefined
}

/** Which subscription: by the id of the server, or by our key where the server's answer never came. */
export type SubscriptionChoice = ({ id: string; key?: never } | { key: string; id?: never }) & {
  options?: RequestOptions | undefined
}

/** The events of a server, and subscriptions to them that you keep in a store. */
export interface MCPEvents {
  /** One page of what the server has. */
  list(given?: ListArguments): Promise<ListEventsResult>
  subscribe(options: SubscribeEventOptions): Promise<SubscribeEventResult>
  /** Makes a subscription last longer; do it before `refreshBefore`. */
  refresh(choice: SubscriptionChoice): Promise<SubscribeEventResult>
  unsubscribe(choice: SubscriptionChoice): Promise<void>
}

/** A subscription that a backend keeps. */
export interface ManagedSubscription {
  /** The backend's, not the MCP server's. */
  id: string
  name: string
  arguments: EventArguments
  status: 'pending' | 'active' | 'needs_auth' | 'stopped' | 'expired' | 'failed'
  /** When it ends; null for when it is stopped. */
  expiresAt: string | null
  cleanupStatus?: 'pending' | 'complete' | 'exhausted'
}

/** What a backend is to subscribe to. */
export interface ManagedSubscribeInput {
  name: string
  arguments: EventArguments
  /** Notes of your own; they permit nothing. */
  context?: EventArguments
  /** The same again when it is not known whether the first attempt succeeded. */
  idempotencyKey: string
  /** How long; null for until it is stopped. */
  ttlMs: number | null
  options?: RequestOptions
}

/** What a backend does: it owns webhook, secrets, renewal and the end of a subscription. */
export interface MCPEventOperations {
  subscribe(input: ManagedSubscribeInput): Promise<ManagedSubscription>
  getSubscription(input: { id: string; options?: RequestOptions }): Promise<ManagedSubscription>
  listSubscriptions(input?: {
    cursor?: string
    limit?: number
    status?: ManagedSubscription['status']
    options?: RequestOptions
  }): Promise<{ subscriptions: ManagedSubscription[]; nextCursor?: string }>
  unsubscribe(input: { id: string; options?: RequestOptions }): Promise<ManagedSubscription>
}

/** Gives the operations of a backend, at once and once for each client, before anything is sent. */
export interface MCPEventAdapter {
  /** It is told where the server is, as configured, and no secret. */
  createAdapter(context: { transport: { type: 'http' | 'sse'; url: string } | { type: 'custom' } }): MCPEventOperations
}

/** The events of a server, and subscriptions to them that a backend keeps. */
export interface ManagedMCPEvents extends MCPEventOperations {
  /** One page of what the server has. */
  list: MCPEvents['list']
}

/** The client that `createMCPClient` gives where an adapter is configured. */
export type ManagedMCPClient = Omit<MCPClient, 'experimental_events'> & {
  readonly experimental_events: ManagedMCPEvents
}

/** What a webhook does with what arrives. A handler that throws has the server send it again. */
export interface MCPEventWebhookOptions {
  store: MCPEventStore
  /** Throws for data that is not to reach `onEvent`; the server does not send that again. */
  validatePayload?:
    | ((args: { definition: MCPEventDefinition; data: MCPEvent['data'] }) => void | PromiseLike<void>)
    | undefined
  /** Resolves when the event is safe with you. It may come twice and late: tell by subscription and `eventId`. */
  onEvent: (args: { subscription: MCPEventSubscriptionInfo; event: MCPEvent }) => Promise<void>
  /** Events are lost; the new cursor is stored when it resolves. */
  onGap?:
    | ((args: {
        subscription: MCPEventSubscriptionInfo
        messageId: string
        gap: Extract<MCPEventControl, { type: 'gap' }>
      }) => Promise<void>)
    | undefined
  /** The server has ended the subscription, which is forgotten when this resolves. */
  onTerminated?:
    | ((args: {
        subscription: MCPEventSubscriptionInfo
        messageId: string
        termination: Extract<MCPEventControl, { type: 'terminated' }>
      }) => Promise<void>)
    | undefined
  /** Why something was refused or put off by you or your store. */
  onError?: ((error: unknown) => void) | undefined
}
