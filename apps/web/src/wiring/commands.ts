import type { ApprovalAnswer } from '#agent/answer-approvals.ts'
import type { Failure } from '#domain/failure.ts'
import type { Gpt } from '#domain/gpt.ts'
import type { ModelConnection } from '#domain/model-connection.ts'
import type { ConnectionState, FoundServer, Server, ServerSecrets } from '#domain/server.ts'
import type { SettingKey, Settings } from '#domain/setting.ts'
import type { RawMessage } from '#domain/tool-call.ts'

/** What a person fills in of a server; the rest of the record is the engine's. */
export type ServerInput = Pick<
  Server,
  | 'name'
  | 'description'
  | 'transport'
  | 'url'
  | 'authentication'
  | 'timeoutSeconds'
  | 'retries'
  | 'relay'
  | 'trusted'
  | 'enabled'
> &
  Partial<Pick<Server, 'companionName'>>

export type ModelInput = Pick<ModelConnection, 'kind' | 'name' | 'baseUrl' | 'api'>

/** A step of testing a connection, in the order they are taken. */
export type TestStep = {
  step: 'address' | 'reach' | 'protocol' | 'authorization' | 'lists'
  outcome: 'ok' | 'failed' | 'skipped'
  note: string
}
export interface ServerReport {
  steps: TestStep[]
  found?: FoundServer
  sessionId?: string
  failure?: Failure
}
export interface ModelReport {
  models: string[]
  failure?: Failure
}

export type { ApprovalAnswer }

/** A program in the companion's file. */
export interface CompanionServer {
  name: string
  state: 'stopped' | 'starting' | 'running' | 'failed'
  restarts: number
  lastError?: string
  stderrTail?: string
}

/**
 * Everything the page may ask of the engine. There is no command that gives a secret back, and none that runs a tool past
 * the approval of its call. A refused command throws `Failed`.
 */
export interface Commands {
  // conversations
  startConversation(input: { gptId: string; text: string }): { conversationId: string }
  sendMessage(input: { conversationId: string; text: string }): void
  editMessage(input: { conversationId: string; messageId: string; text: string }): void
  regenerate(input: { conversationId: string; messageId: string }): void
  /** Goes on with a turn that was stopped, failed, or that an earlier session left in the middle. */
  continueTurn(input: { conversationId: string }): void
  stop(input: { conversationId: string }): void
  switchBranch(input: { conversationId: string; branchId: string }): void
  renameConversation(input: { conversationId: string; title: string }): void
  deleteConversation(input: { conversationId: string }): void
  restoreConversation(input: { conversationId: string }): void
  exportConversation(input: { conversationId: string; format: 'markdown' | 'json' }): { name: string; text: string }
  saveDraft(input: { id: string; text: string }): void

  // tools in a conversation
  answerApproval(input: { conversationId: string; answers: ApprovalAnswer[] }): void
  cancelCall(input: { toolCallId: string }): void
  /** Makes the same call again, because the user says so: after an outcome that is not known, or a failure. */
  runAgain(input: { toolCallId: string }): void
  rawMessages(input: { toolCallId: string }): RawMessage[]

  // GPTs
  createGpt(input: Partial<Omit<Gpt, 'id' | 'createdAt' | 'updatedAt'>>): { gptId: string }
  updateGpt(input: { gptId: string; change: Partial<Omit<Gpt, 'id' | 'createdAt' | 'updatedAt'>> }): void
  duplicateGpt(input: { gptId: string }): { gptId: string }
  /** Its conversations go with it, and come back with it. */
  deleteGpt(input: { gptId: string }): { conversations: number }
  restoreGpt(input: { gptId: string }): void
  /** Trusts a tool as it is now, or no longer. */
  trustTool(input: { gptId: string; serverId: string; toolName: string; trusted: boolean }): void

  // servers
  testServer(input: { server: ServerInput; secrets: ServerSecrets; serverId?: string }): ServerReport
  saveServer(input: { server: ServerInput; secrets: ServerSecrets; serverId?: string }): { serverId: string }
  enableServer(input: { serverId: string; enabled: boolean }): void
  connectServer(input: { serverId: string }): void
  deleteServer(input: { serverId: string }): { gpts: number; grants: number }
  restoreServer(input: { serverId: string }): void
  companionServers(): { present: boolean; servers: CompanionServer[]; hint?: string; failure?: Failure }
  restartCompanionServer(input: { name: string }): void

  // models
  testModel(input: { model: ModelInput; key?: string; connectionId?: string }): ModelReport
  saveModel(input: { model: ModelInput; key?: string; connectionId?: string }): { connectionId: string }
  deleteModel(input: { connectionId: string }): { gpts: number }
  restoreModel(input: { connectionId: string }): void

  // grants
  revokeGrant(input: { grantId: string }): void
  revokeAllGrants(): void

  // vault
  unlock(input: { passphrase: string } | { prf: Uint8Array }): void
  lock(): void
  /** Protects the vault, or changes the passphrase (then with the current one). */
  setPassphrase(input: { passphrase: string; current?: string }): void
  /** Back to "obfuscated, not protected". */
  removeProtection(input: { passphrase: string } | { prf: Uint8Array }): void
  setPasskey(input: { credentialId: Uint8Array; salt: Uint8Array; prf: Uint8Array; current?: string }): void
  /** The user is there: the idle lock begins anew, in all tabs. */
  touch(): void

  // the rest
  saveSetting<Key extends SettingKey>(input: { key: Key; value: Settings[Key] }): void
  wipe(): void
}
export type CommandName = keyof Commands

/** What the engine of this tab is in, beside what is stored. */
export interface EngineState {
  /** `starting` until storage is open and what a crash left behind has been put in order. */
  phase: 'starting' | 'ready' | 'failed'
  failure?: Failure
  vault: {
    state: 'open' | 'locked'
    protection: 'device' | 'passphrase' | 'passkey'
    /** To ask the browser for the passkey. */
    passkey?: { credentialId: Uint8Array; salt: Uint8Array }
  }
  /** `failing`: something could not be written, because the disk is full or the data is gone. */
  storage: { state: 'stored' } | { state: 'failing'; failure: Failure }
  servers: { [serverId: string]: ConnectionState }
  /** Conversations whose turn runs in this tab; one that runs in another tab is `elsewhere`. */
  turns: { [conversationId: string]: 'running' | 'elsewhere' }
  companion: 'absent' | 'present'
}
