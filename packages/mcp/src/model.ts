import type { JsonObject } from './jsonrpc.ts'

/** A JSON Schema as the server sent it. */
export type JsonSchema = JsonObject

/** A picture of a server, tool, resource or prompt; its address is of the server's choosing. */
export interface Icon {
  src: string
  mimeType?: string
  sizes?: string[]
  theme?: 'light' | 'dark'
}

/** The name and version that a client or server gives itself. */
export interface Implementation {
  name: string
  version: string
  title?: string
  description?: string
  websiteUrl?: string
  icons?: Icon[]
  [key: string]: unknown
}

/** For whom a content is meant, how much it matters and how old it is: claims of the server. */
export interface Annotations {
  audience?: ('user' | 'assistant')[]
  priority?: number
  lastModified?: string
}

/** What a server claims of its tool: claims, not facts. */
export interface ToolAnnotations {
  title?: string
  readOnlyHint?: boolean
  destructiveHint?: boolean
  idempotentHint?: boolean
  openWorldHint?: boolean
}

/** A tool as its server describes it. */
export interface Tool {
  name: string
  title?: string
  description?: string
  icons?: Icon[]
  inputSchema: JsonSchema & { type: 'object' }
  outputSchema?: JsonSchema
  annotations?: ToolAnnotations
  /** In the session era: whether a call of it may or must become a task. */
  execution?: { taskSupport?: 'forbidden' | 'optional' | 'required' }
  _meta?: JsonObject
}

/** Text. */
export interface TextContent {
  type: 'text'
  text: string
  annotations?: Annotations
  _meta?: JsonObject
}
/** A picture, in base64. */
export interface ImageContent {
  type: 'image'
  data: string
  mimeType: string
  annotations?: Annotations
  _meta?: JsonObject
}
/** Sound, in base64. */
export interface AudioContent {
  type: 'audio'
  data: string
  mimeType: string
  annotations?: Annotations
  _meta?: JsonObject
}
/** A resource that an answer only names: read it with `readResource`. */
export interface ResourceLink extends Resource {
  type: 'resource_link'
}
/** A resource that comes whole with an answer. */
export interface EmbeddedResource {
  type: 'resource'
  resource: ResourceContents
  annotations?: Annotations
  _meta?: JsonObject
}
/** One piece of what a tool or prompt says. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource

/** What a tool answered: `content` for people and models, `structuredContent` for programs. */
export interface CallToolResult {
  content: ContentBlock[]
  /** Any JSON value; an object in the session era. */
  structuredContent?: unknown
  /** The tool ran and failed: something for the model to read, not an exception. */
  isError?: boolean
  _meta?: JsonObject
  [key: string]: unknown
}

/** Something that can be read from a server, by its `uri`. */
export interface Resource {
  uri: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  size?: number
  icons?: Icon[]
  annotations?: Annotations
  _meta?: JsonObject
}
/** An address with variables, for resources too many to list. */
export interface ResourceTemplate {
  uriTemplate: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  icons?: Icon[]
  annotations?: Annotations
  _meta?: JsonObject
}
/** Contents of a resource that are text. */
export interface TextResourceContents {
  uri: string
  mimeType?: string
  text: string
  _meta?: JsonObject
}
/** Contents of a resource that are not text, in base64. */
export interface BlobResourceContents {
  uri: string
  mimeType?: string
  /** Base64. */
  blob: string
  _meta?: JsonObject
}
/** One part of a resource, text or not. */
export type ResourceContents = TextResourceContents | BlobResourceContents

/** A prompt that a server offers, and the arguments it takes. */
export interface Prompt {
  name: string
  title?: string
  description?: string
  arguments?: { name: string; title?: string; description?: string; required?: boolean }[]
  icons?: Icon[]
  _meta?: JsonObject
}
/** One message of a prompt. */
export interface PromptMessage {
  role: 'user' | 'assistant'
  content: ContentBlock
}

/** A page of a list, or all of it: then without `nextCursor`. */
export interface Page {
  nextCursor?: string
  /** How long the server says the list stays true. */
  ttlMs?: number
  _meta?: JsonObject
  [key: string]: unknown
}
/** Tools; `nextCursor` only where one page was asked for. */
export interface ListToolsResult extends Page {
  tools: Tool[]
}
/** Resources; `nextCursor` only where one page was asked for. */
export interface ListResourcesResult extends Page {
  resources: Resource[]
}
/** Templates of resources; `nextCursor` only where one page was asked for. */
export interface ListResourceTemplatesResult extends Page {
  resourceTemplates: ResourceTemplate[]
}
/** Prompts; `nextCursor` only where one page was asked for. */
export interface ListPromptsResult extends Page {
  prompts: Prompt[]
}
/** What a resource holds, in one or several parts. */
export interface ReadResourceResult {
  contents: ResourceContents[]
  _meta?: JsonObject
  [key: string]: unknown
}
/** A prompt, filled in: messages for a model. */
export interface GetPromptResult {
  description?: string
  messages: PromptMessage[]
  _meta?: JsonObject
  [key: string]: unknown
}
/** Which argument of a prompt, or variable of a template, to complete, and what is typed so far. */
export interface CompleteParams {
  ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }
  argument: { name: string; value: string }
  context?: { arguments?: Record<string, string> }
}
/** What could be meant by what is typed so far. */
export interface CompleteResult {
  completion: { values: string[]; total?: number; hasMore?: boolean }
  _meta?: JsonObject
  [key: string]: unknown
}

/** How grave a log message is, from `debug` to `emergency`. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency'

/** A place that a server may look at. */
export interface Root {
  uri: string
  name?: string
  _meta?: JsonObject
}

/** What a client tells a server that it can do. */
export interface ClientCapabilities {
  elicitation?: JsonObject
  sampling?: JsonObject
  roots?: JsonObject
  extensions?: { [name: string]: JsonObject }
  experimental?: JsonObject
  [key: string]: unknown
}
/** What a server says that it can do. */
export interface ServerCapabilities {
  tools?: { listChanged?: boolean }
  resources?: { listChanged?: boolean; subscribe?: boolean }
  prompts?: { listChanged?: boolean }
  logging?: JsonObject
  completions?: JsonObject
  extensions?: { [name: string]: JsonObject }
  experimental?: JsonObject
  [key: string]: unknown
}

/** What the server said of itself when we met, in either era. */
export interface InitializeResult {
  protocolVersion: string
  capabilities: ServerCapabilities
  serverInfo: Implementation
  instructions?: string
  [key: string]: unknown
}

/** How far a call is; `total` where the server knows it. */
export interface Progress {
  progress: number
  total?: number
  message?: string
}

/** What a server says without wanting an answer. */
export interface Notification {
  method: string
  params?: JsonObject | undefined
}

/** A question of the server to the user. */
export interface ElicitationRequest {
  method: 'elicitation/create'
  params: {
    message: string
    /** Absent means a form. */
    mode?: 'form' | 'url'
    requestedSchema?: JsonSchema
    /** Where the user has to go; show it whole, open it only when the user says so. */
    url?: string
    elicitationId?: string
    [key: string]: unknown
  }
}
/** What a person answered: `content` only where they accepted. */
export interface ElicitResult {
  action: 'accept' | 'decline' | 'cancel'
  content?: { [key: string]: unknown }
  [key: string]: unknown
}
/** What a stateless server wants to know before it goes on with a call; plain JSON. `requestState` is the server's own: keep it as a secret. */
export interface InputRound {
  /** The questions, each by a key of the server's: untrusted. */
  inputRequests: { [key: string]: unknown }
  requestState?: unknown
}
/** How a call is made whose questions somebody answers much later, perhaps in another page. */
export interface Rounds {
  /** Gets a round in place of the handlers. The call ends with what this throws. */
  onInputRequired: (round: InputRound) => never
  /** The answers to a round of the same call with the same arguments, by the same keys: it goes on from there. */
  answers?: { inputResponses: { [key: string]: unknown }; requestState?: unknown } | undefined
}
/** A server asks for the answer of a model: let a person see it before and after. */
export interface SamplingRequest {
  method: 'sampling/createMessage'
  params: JsonObject
}
/** What the model answered, as the protocol wants it: `role`, `content`, `model`. */
export type SamplingResult = JsonObject

/** What is needed to go on in another page or process; plain JSON. The session id in it is a secret. */
export interface SavedSession {
  sessionId?: string | undefined
  initializeResult: InitializeResult
  /** False if the server was met with `initialize`, whatever revision it answered. */
  stateless?: boolean | undefined
}

/** A tool's answer in short. */
export interface CallOutcome {
  raw: CallToolResult
  /** The text parts, joined by new lines. */
  text: string
  /** `structuredContent`, else the text parsed where it looks like JSON. */
  data: unknown
  isError: boolean
}

/** Where a task is; `expired` when the server has forgotten it. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled' | 'expired'

/** A call that takes its time. The server works on whether or not anybody looks. */
export interface Task {
  /** The server's id; undefined where it answered at once and made no task of the call. */
  readonly id: string | undefined
  /** The tool. */
  readonly name: string
  /** As the server last told; `expired` when it does not know the task any more. */
  readonly status: TaskStatus
  readonly statusMessage: string | undefined
  readonly progress: Progress | undefined
  /** {@link cancel} was called. Until `status` says `cancelled`, the work may go on and may yet succeed. */
  readonly cancelRequested: boolean
  readonly createdAt: string | undefined
  /** How long the server keeps the task, from its creation; undefined where it says nothing. */
  readonly ttlMs: number | undefined
  /** What the server has for the model to read until the result is there. */
  readonly immediateResponse: string | undefined
  /** The tool's result, as often as you ask. Throws an `MCPError` when there is none; the signal ends only this wait. */
  result(options?: { signal?: AbortSignal | undefined }): Promise<CallToolResult>
  /** Asks the server to stop; resolves when it has heard. */
  cancel(): Promise<void>
  /** Hears of every change, and of every question before it is asked; returns what ends it. */
  onUpdate(listener: (task: Task) => void): () => void
  /** What is needed to go on in another page or process; undefined where there is no task. */
  save(): SavedTask | undefined
  /** Stops looking. The server works on. */
  detach(): void
}

/** Which tool to run as a task, and how to watch it. */
export interface StartTaskArguments {
  name: string
  arguments?: Record<string, unknown> | undefined
  /** How long the server shall keep the task; servers may choose otherwise. */
  ttlMs?: number | undefined
  /** At least so long between two looks; the server's own pace counts where it is slower. */
  pollIntervalMs?: number | undefined
  /** Hears of the task as soon as it is known, before anything else is asked: the moment to save it. Then of every change. */
  onUpdate?: ((task: Task) => void) | undefined
}

/** How to go on with a task; `onUpdate` hears of it before the first look, then of every change. */
export interface ResumeTaskOptions extends Pick<StartTaskArguments, 'onUpdate' | 'pollIntervalMs'> {
  /** Ends the wait for the first look, with its own reason; the task is left, as by `detach()`. */
  signal?: AbortSignal | undefined
}

/** A task for another page or process; plain JSON. Whoever has it can read and end the task: keep it as a secret. */
export interface SavedTask {
  version: 1
  place: string
  protocolVersion: string
  taskId: string
  name: string
  status: TaskStatus
  createdAt?: string | undefined
  /** When we first saw it, by our clock. */
  seenAt: number
  ttlMs?: number | undefined
  pollIntervalMs?: number | undefined
  /** The questions that were answered, and what they were. */
  answered: { [key: string]: string }
  cancelRequested: boolean
  progressToken?: string | undefined
  /** In the session era the task lives in it: give it to `createMCPClient`. */
  session?: SavedSession | undefined
  /** In the session era, the open questions: the server does not ask twice. */
  questions?: { id: string | number; method: string; params?: JsonObject | undefined }[] | undefined
}
