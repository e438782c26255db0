import type { ApprovalAnswer } from '#agent/answer-approvals.ts'
import type { QuestionAnswer } from '#agent/answer-question.ts'
import type { AppCallAnswer } from '#domain/app-call.ts'
import type { AppDomains } from '#domain/app-domains.ts'
import type { CustomTool, CustomToolInput } from '#domain/custom-tool.ts'
import type { Diagnosis } from '#domain/diagnosis.ts'
import type { Failure } from '#domain/failure.ts'
import type { GptEdit } from '#domain/edit-gpt.ts'
import type { Gpt } from '#domain/gpt.ts'
import type { Attachment } from '#domain/message.ts'
import type { ModelConnection } from '#domain/model-connection.ts'
import type {
  CompletionOf,
  FilledPrompt,
  Listed,
  ListedPrompt,
  ListedResource,
  ListedTemplate,
  ResourcePart,
} from '#domain/resource.ts'
import type { ConnectionState, FoundServer, Server, ServerSecrets, SignInOffer } from '#domain/server.ts'
import type { OpenApiReading } from '#domain/openapi/read-openapi.ts'
import type { SettingKey, Settings } from '#domain/setting.ts'
import type { RawMessage } from '#domain/tool-call.ts'
import type { RelayHelp } from '#mcp/companion.ts'
import type { Trial } from '#mcp/custom-tools/try-tool.ts'
import type { ToolDefinition } from '#mcp/explore/tool-definition.ts'
import type { FaultPlace } from '#mcp/place-fault.ts'
import type { BadRow } from '#storage/backup.ts'
import type { Prunable } from '#storage/prune.ts'
import type { TrustReset } from '#storage/without-trust.ts'

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
  Partial<Pick<Server, 'companionName' | 'requestsPerMinute' | 'sampling' | 'headerNames'>>

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
  era?: 'stateless' | 'sessions' | 'http+sse'
  failure?: Failure
  /** Where to sign in, where that is what it takes. */
  signIn?: SignInOffer
}
/** What became of each server of an import, in its order. */
export interface ImportReport {
  results: { name: string; serverId?: string; failure?: Failure }[]
}
export interface ModelReport {
  models: string[]
  failure?: Failure
}

export type { ApprovalAnswer, QuestionAnswer }
export type { FaultPlace, ToolDefinition }

/** A program in the companion's file. */
export interface CompanionServer {
  name: string
  state: 'stopped' | 'starting' | 'running' | 'failed'
  restarts: number
  lastError?: string
  stderrTail?: string
}

/** What a file says of a GPT, before it is taken. */
export interface GptPreview {
  name: string
  description: string
  icon: string
  instructions: string
  /** What it was made with. */
  model?: string
  servers: { name: string; place: string /** Otherwise it is added, switched off. */; isHere: boolean }[]
  /** Tools of these servers that the user allowed for every GPT, so for this one too. */
  allowedEverywhere: { serverName: string; toolName: string }[]
}

export interface BackupSummary {
  createdAt: string
  gpts: number
  conversations: number
  servers: number
  secrets: number
  /** Only what was sealed with a passphrase may bring trust. */
  isSealed: boolean
  /** Damaged rows, which are left out. */
  skipped: BadRow[]
  /** Model services of the file, and the hosts that chats would be sent to. */
  models: { id: string; name: string; host: string }[]
  /** What is reset unless the user asks for it. */
  reset: TrustReset
}

/**
 * Everything the page may ask of the engine. There is no command that gives a secret back, and none that runs a tool past
 * the approval of its call. A refused command throws `Failed`.
 */
export interface Commands {
  // conversations
  /** `takesDraft`: what was written in the new chat is not what is said, and goes on standing in the field. */
  startConversation(input: { gptId: string; text: string; attachments?: Attachment[]; takesDraft?: boolean }): {
    conversationId: string
  }
  /**
   * `after` is of a message that waited for an answer: the version in which that was made. Refused where it was not made to its end,
   * or leaves something to decide.
   */
  sendMessage(input: { conversationId: string; text: string; attachments?: Attachment[]; after?: string }): void
  editMessage(input: { conversationId: string; messageId: string; text: string; attachments?: Attachment[] }): void
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
  /** What goes with the words of a draft; those that were there before are replaced. */
  saveAttachments(input: { id: string; attachments: Attachment[] }): void

  // tools in a conversation
  answerApproval(input: { conversationId: string; answers: ApprovalAnswer[] }): void
  cancelCall(input: { toolCallId: string }): void
  /** Makes the same call again, because the user says so: after an outcome that is not known, or a failure. */
  runAgain(input: { toolCallId: string }): void
  rawMessages(input: { toolCallId: string }): RawMessage[]
  /** Asks the server now how a task stands. It is cancelled, as every call, by `cancelCall`: when its server says so. */
  lookAtTask(input: { taskId: string }): void
  /** Nobody looks at it any more; what becomes of it, nobody will know. */
  leaveTask(input: { taskId: string }): void
  /** Forgets the tasks that are over. What came of them stays in their conversations. */
  clearTasks(): void

  // tools by hand
  /** A tool as its server has it now. */
  toolDefinition(input: { serverId: string; toolName: string }): ToolDefinition
  /** What keeps these arguments, as JSON text, from being sent, each at its field. Nothing is sent to the tool. */
  checkArguments(input: { serverId: string; toolName: string; arguments: string }): FaultPlace[]
  /** The call as a command line, without any secret. */
  curlOf(input: { serverId: string; toolName: string; arguments: string }): { text: string }
  /** The user runs a tool: that is the approval, of this definition and these arguments. Resolves when it is written down. */
  tryTool(input: { serverId: string; toolName: string; fingerprint: string; arguments: string }): { toolCallId: string }
  /** Of those made by hand, and not while it runs. */
  deleteCall(input: { toolCallId: string }): void
  clearCalls(input: { serverId: string; toolName: string }): void

  // screens that tools bring along
  /** Reads the screen of a call from its server, and says where it wants to go. Nothing of it runs. */
  readApp(input: { toolCallId: string }): { wishes: AppDomains; refused: string[] }
  /** Where the screen that was read can be shown, once. Only with `isAllowed` it may go where it wants to. */
  openApp(input: { toolCallId: string; isAllowed: boolean }): { screenId: string; url: string }
  closeApp(input: { screenId: string }): void
  /** A screen wants a tool of its own server called. */
  requestAppCall(input: { screenId: string; toolName: string; arguments: string }): AppCallAnswer
  /** The user's word on the call that was asked about. */
  answerAppCall(input: { screenId: string; requestId: string; reply: 'once' | 'screen' | 'deny' }): {
    toolCallId?: string
  }

  // questions of servers in the middle of a call
  /** Accept sends what was entered, where it is what the form asks for: else the faults are told, and nothing is sent. */
  answerQuestion(input: QuestionAnswer): { faults: { path: string; message: string }[] }
  /**
   * Lets the model answer what a server wants a model to read; the answer is kept with the question until it is sent or not.
   * `seen` is the answer on the screen: where another is there already, no new one is made.
   */
  draftSample(input: { questionId: string; seen?: string | undefined }): void

  // GPTs
  createGpt(input: Partial<Omit<Gpt, 'id' | 'createdAt' | 'updatedAt'>>): { gptId: string }
  updateGpt(input: { gptId: string; change: GptEdit }): void
  duplicateGpt(input: { gptId: string }): { gptId: string }
  /** Its conversations go with it, and come back with it. */
  deleteGpt(input: { gptId: string }): { conversations: number }
  restoreGpt(input: { gptId: string }): void
  /** Trusts a tool as it is now, or no longer. */
  trustTool(input: { gptId: string; serverId: string; toolName: string; trusted: boolean }): void

  // servers
  /** With a `testId` it can be stopped. */
  testServer(input: {
    server: ServerInput
    secrets: ServerSecrets
    serverId?: string
    /** The id that a new server will have: who signs in while trying it is signed in when it is saved. */
    draftId?: string
    testId?: string
  }): ServerReport
  stopTest(input: { testId: string }): void
  saveServer(input: { server: ServerInput; secrets: ServerSecrets; serverId?: string; draftId?: string }): {
    serverId: string
  }
  /** Each by itself, without trust: what cannot be added is told, and keeps none of the others out. */
  importServers(input: { servers: { server: ServerInput; secrets: ServerSecrets }[] }): ImportReport
  /** Without its secrets, which `copySecrets` brings along where the user wants that. */
  duplicateServer(input: { serverId: string }): { serverId: string; hasSecrets: boolean }
  /** Only between two servers of one origin. */
  copySecrets(input: { from: string; to: string }): void
  /** The user has seen these tools as they are: what had changed can be used again, and asks anew. */
  seeTools(input: { serverId: string; shown: { toolName: string; fingerprint: string }[] }): void
  enableServer(input: { serverId: string; enabled: boolean }): void
  /** Believes what a server says about its tools, and lets its content into chats without asking; or no longer. */
  trustServer(input: { serverId: string; trusted: boolean }): void
  connectServer(input: { serverId: string }): void
  deleteServer(input: { serverId: string }): { gpts: number; grants: number }
  restoreServer(input: { serverId: string }): void
  /** Why a server cannot be used: looks, with a few harmless questions and no credential, for the layer that failed. */
  diagnoseServer(input: ({ serverId: string } | { server: ServerInput }) & { failure: Failure }): {
    diagnosis?: Diagnosis
  }
  /** Whether the companion's relay may reach an origin, and how to allow it where no page can. */
  relayReach(input: { origin: string }): { isAllowed: boolean; help?: RelayHelp }
  companionServers(): {
    present: boolean
    /** Not present, although it serves this page, which has no code of it. */
    isServing?: true
    servers: CompanionServer[]
    hint?: string
    failure?: Failure
  }
  restartCompanionServer(input: { name: string }): void

  // resources and prompts
  listResources(input: { serverId: string; isFresh?: boolean }): Listed<ListedResource> & { canWatch: boolean }
  listResourceTemplates(input: {
    serverId: string
    isFresh?: boolean
  }): Listed<ListedTemplate> & { canComplete: boolean }
  /** Reads it from its own server, now. Only the user asks for that: nothing that is listed or linked is read by itself. */
  readResource(input: { serverId: string; uri: string }): { parts: ResourcePart[]; leftOut: number }
  /** Changes count up in `news` under `resourceNews(…)`, until as many have unwatched as have watched. */
  watchResource(input: { serverId: string; uri: string }): void
  unwatchResource(input: { serverId: string; uri: string }): void
  completeArgument(input: {
    serverId: string
    of: CompletionOf
    argument: string
    value: string
    others: Record<string, string>
  }): { values: string[]; hasMore: boolean }
  listPrompts(input: { serverId: string; isFresh?: boolean }): Listed<ListedPrompt> & { canComplete: boolean }
  getPrompt(input: { serverId: string; name: string; values: Record<string, string> }): FilledPrompt

  // custom tools
  saveCustomTool(input: { serverId: string; tool: CustomToolInput; toolId?: string }): { toolId: string }
  deleteCustomTool(input: { toolId: string }): void
  /** Puts one back as it was, which the page still knows. */
  restoreCustomTool(input: { tool: CustomTool }): void
  /** Calls a tool as it was entered, once, because the user says so; written down like every call. */
  testCustomTool(input: { serverId: string; tool: CustomToolInput; arguments: string; testId: string }): Trial
  stopCustomToolTest(input: { testId: string }): void
  /** What a document offers. Nothing is fetched for it, and nothing is kept. */
  readOpenApi(input: { text: string }): OpenApiReading
  /** Makes tools of the operations that were chosen, each under the name that it was given. */
  importOpenApi(input: { serverId: string; text: string; base: string; chosen: { id: string; name: string }[] }): {
    added: number
  }
  /** Only when the user asked for it. */
  fetchDocument(input: { url: string }): { text: string }

  // signing in
  /** A fresh offer, with what the server wanted last. */
  prepareSignIn(input: { serverId: string }): SignInOffer
  /** `answer`: the query of the page that people come back to. */
  finishSignIn(input: { answer: string }): { serverId: string }
  /** The tokens are forgotten in any case; `revoked` says whether they were also ended where they came from. */
  signOut(input: { serverId: string }): { revoked: boolean }

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

  // data
  /** For others: without secrets, trust, grants or chats. */
  exportGpt(input: { gptId: string }): { name: string; text: string }
  readGptFile(input: { text: string }): GptPreview
  importGpt(input: { text: string }): { gptId: string }
  importConversation(input: { text: string; gptId: string }): { conversationId: string }
  /** Everything, sealed with a passphrase of its own. */
  makeBackup(input: { passphrase: string; withSecrets: boolean }): {
    name: string
    bytes: Uint8Array
    skipped: BadRow[]
  }
  readBackup(input: { bytes: Uint8Array; passphrase: string }): BackupSummary
  /** In the place of everything that is here. */
  restoreBackup(input: { bytes: Uint8Array; passphrase: string; withTrust: boolean }): BackupSummary

  /** The last messages with servers as one file, for a report of a fault. */
  exportRecordings(input: { serverId?: string }): { name: string; text: string }
  clearRecordings(): void

  // where storage fails
  /** Whether there is room again: what could not be stored is tried once more. Throws `storage-full` where there is none. */
  tryStorage(): void
  /** What could go without being missed, with its count and the characters it takes. */
  prunable(): { [Kind in Prunable]: { count: number; characters: number } }
  prune(input: { kinds: Prunable[] }): void
  /** Of an engine without a database: puts what was done here into it. Throws where it still cannot be opened. */
  leaveMemory(): { withKeys: boolean }

  // the rest
  saveSetting<Key extends SettingKey>(input: { key: Key; value: Settings[Key] }): void
  wipe(): void
}
export type CommandName = keyof Commands

export type StorageState =
  | { state: 'stored' }
  /** Something could not be written, and `what` names it: the disk is full, or the data is gone. */
  | { state: 'failing'; failure: Failure; what: string }
  /** Nothing is written at all, because of this; all there is lies in the memory of this tab. */
  | { state: 'memory'; failure: Failure }

/** What the engine of this tab is in, beside what is stored. */
export interface EngineState {
  /** `starting` until storage is open and what a crash left behind has been put in order. */
  phase: 'starting' | 'ready' | 'failed'
  failure?: Failure
  /** There was nothing in the database when this engine began. */
  isNew?: boolean
  vault: {
    state: 'open' | 'locked'
    protection: 'device' | 'passphrase' | 'passkey'
    /** To ask the browser for the passkey. */
    passkey?: { credentialId: Uint8Array; salt: Uint8Array }
  }
  storage: StorageState
  servers: { [serverId: string]: ConnectionState }
  /** Conversations whose turn runs in this tab; one that runs in another tab is `elsewhere`. */
  turns: { [conversationId: string]: 'running' | 'elsewhere' }
  companion: 'absent' | 'present'
  /** How often what is looked at has changed, by the topics of domain/news: lists that were asked for, resources that are watched. */
  news?: { [topic: string]: number }
}
