import type { ConnectionState, Server } from '#domain/server.ts'

/** What is learnt of a server by connecting to it. */
export type Learnt = Partial<Pick<Server, 'found' | 'lastConnectedAt' | 'sessionId'>>

/** What this folder needs of storage. */
export interface ServerStorage {
  server(id: string): Promise<Server | undefined>
  /** Keeps what was learnt; nothing else of the record changes, and one that is gone stays gone. */
  learn(id: string, learnt: Learnt): Promise<void>
}

/** What this folder needs of the vault. */
export interface SecretSource {
  /** By `secretId(…)`; undefined where there is none. Rejects with `Failed` (`vault-locked`). */
  open(id: string): Promise<string | undefined>
}

/** Where the app was loaded from, which is the companion where there is one, and what lets us in there. */
export interface CompanionAccess {
  readonly origin: string
  /** Undefined where this page was not opened by the companion. Rejects with `Failed` (`vault-locked`). */
  token: () => Promise<string | undefined>
}

export interface McpNeeds {
  servers: ServerStorage
  secrets: SecretSource
  companion: CompanionAccess
  fetch: (url: string, init: RequestInit) => Promise<Response>
  now: () => number
  /** Hears what the engine tells the page of each connection. */
  onState: (serverId: string, state: ConnectionState) => void
}
