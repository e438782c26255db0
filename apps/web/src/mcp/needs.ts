import type { CustomTool } from '#domain/custom-tool.ts'
import type { OAuthTokens } from '#domain/sealed.ts'
import type { ConnectionState, Server } from '#domain/server.ts'
import type { QuestionStorage } from './questions/needs.ts'
import type { ListedDefinition } from '#domain/tool-ledger.ts'
import type { FlightRecorder } from './flight-recorder.ts'
import type { TaskNeeds } from './tasks/needs.ts'

/** What is learnt of a server by connecting to it. `trusted: false`: it is not what the user trusted. */
export type Learnt = Partial<Pick<Server, 'found' | 'lastConnectedAt' | 'sessionId'>> & { trusted?: false }

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
  /** What servers themselves gave us to keep. */
  seal(id: string, text: string): Promise<void>
  remove(id: string): Promise<void>
}

/** What may be seen of tokens without the vault. */
export interface SignInNotes {
  note(row: OAuthTokens): Promise<void>
  forget(serverId: string): Promise<void>
}

/** Where the app was loaded from, which is the companion where there is one, and what lets us in there. */
export interface CompanionAccess {
  readonly origin: string
  /** Undefined where this page was not opened by the companion. Rejects with `Failed` (`vault-locked`). */
  token: () => Promise<string | undefined>
}

/** The tools of a collection as they are stored. */
export interface CustomTools {
  toolsOf(serverId: string): Promise<CustomTool[]>
  /** Hears when one was added, changed or removed, in whichever tab; returns what ends it. */
  watch(serverId: string, onChange: () => void): () => void
}

/** What this folder needs of the record of tools. */
export interface ToolLedger {
  note(serverId: string, endpoint: string, listed: readonly ListedDefinition[]): Promise<void>
  changed(serverId: string): Promise<ReadonlySet<string>>
}

export interface McpNeeds {
  servers: ServerStorage
  secrets: SecretSource
  signIns: SignInNotes
  companion: CompanionAccess
  fetch: (url: string, init: RequestInit) => Promise<Response>
  now: () => number
  /** The tools that the user described; loaded where there are any. */
  customTools: () => Promise<CustomTools>
  /** Where questions to the user are kept. Without it servers are told that nobody can be asked. */
  questions?: QuestionStorage
  /** Where tasks are kept. Without it every call is waited for. */
  tasks?: TaskNeeds
  /** Remembers what tools were: one that changed is not used before the user has seen it. */
  ledger?: ToolLedger
  /** Listens to everything that travels. */
  recorder?: Pick<FlightRecorder, 'watch'>
  /** The length of a minute, for tests that cannot wait for one. */
  minuteMs?: number
  /** Hears what the engine tells the page of each connection. */
  onState: (serverId: string, state: ConnectionState) => void
}
