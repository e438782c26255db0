import { closedError, must } from '../errors.ts'
import type {
  CallOutcome,
  CallToolResult,
  CompleteParams,
  CompleteResult,
  GetPromptResult,
  Implementation,
  InitializeResult,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  LogLevel,
  Notification,
  ReadResourceResult,
  SavedSession,
  ResumeTaskOptions,
  SavedTask,
  ServerCapabilities,
  StartTaskArguments,
  Task,
  Tool,
} from '../model.ts'
import { callTool } from './call-tool.ts'
import { connect } from './connect.ts'
import {
  type Connection,
  type ElicitationHandler,
  type ListKind,
  loaded,
  type MCPClientConfig,
  onDemand,
  type RequestOptions,
  type Roots,
  report,
  type SamplingHandler,
  type WithOptions,
} from './connection.ts'
import { createConnection } from './create-connection.ts'
import type { MCPEvents } from './events-later.ts'
import { leaveAll } from './leave-all.ts'
import { type ListArguments, list } from './list.ts'
import type * as OnDemand from './on-demand.ts'
import type { ToolSchemas, ToolSetOf, ToolsOptions } from './on-demand.ts'
import type { Subscription } from './subscribe.ts'

type Demand = typeof OnDemand
type Later =
  | 'call'
  | 'complete'
  | 'getPrompt'
  | 'listPrompts'
  | 'listResources'
  | 'listResourceTemplates'
  | 'readResource'
  | 'onListChanged'
  | 'openStream'
  | 'ping'
  | 'resumeTask'
  | 'setLogLevel'
  | 'startTask'
  | 'subscribe'
  | 'tools'
type Given<K extends Later> = Parameters<Demand[K]> extends [unknown, ...infer Rest] ? Rest : never

/** The official clients take options as an argument of their own: without a word, a signal or a time-out would be lost. */
const mustTakeOne = (method: string, given: IArguments): void =>
  must(
    given.length < 2 || [...given].slice(1).every((value) => value === undefined),
    `${method} takes one object: put the options of the call into it, as { options: { … } }`,
  )

/** Clients whose lists are plain objects, as those of the AI SDK. */
const plainLists = new WeakSet<MCPClient>()
export const keepListShape = (client: MCPClient): void => void plainLists.add(client)

/** The tools of a page as an array that has the fields of the page as well. */
function asArray(page: ListToolsResult): ListToolsResult {
  const { tools } = page
  // By name: a server may send a field called "length" or "map". Not enumerable: it stays an array to everybody else.
  for (const name of ['tools', 'nextCursor', '_meta'] as const)
    Object.defineProperty(tools, name, { value: page[name], configurable: true })
  return tools as unknown as ListToolsResult
}

/**
 * A client of one MCP server, of any revision. It connects on first use.
 *
 * @example
 * const client = new MCPClient('https://example.com/mcp')
 * const { text } = await client.call('search', { query: 'weather' })
 */
export class MCPClient {
  readonly #connection: Connection
  #connected: Promise<Connection> | undefined

  /** With the server's address, or with options. Nothing is sent yet. */
  constructor(target: string | URL | MCPClientConfig) {
    this.#connection = createConnection(target)
  }

  /** Connects, which every other call does by itself. A failed attempt is tried anew by the next. */
  async connect(): Promise<void> {
    await this.#open()
  }

  #open(): Promise<Connection> {
    // Not in #connect(): what it throws before it waits would be kept as the connection.
    if (this.#connection.closed) return Promise.reject(closedError())
    return (this.#connected ??= this.#connect())
  }

  async #connect(): Promise<Connection> {
    const connection = this.#connection
    try {
      await (connection.config.initializationOptions ? (await onDemand()).connectInTime : connect)(connection)
      return connection
    } catch (error) {
      this.#connected = undefined
      throw error
    }
  }

  /** Does what is not in the first chunk. */
  async #later<K extends Later>(deed: K, ...given: Given<K>): Promise<Awaited<ReturnType<Demand[K]>>> {
    const connection = await this.#open()
    const deeds = (await onDemand()) as unknown as Record<string, (...given: unknown[]) => unknown>
    return deeds[deed]!(connection, ...given) as Awaited<ReturnType<Demand[K]>>
  }

  // ─── the server ───

  /** The server's name and version. */
  get serverInfo(): Implementation {
    return this.#connection.server.serverInfo
  }
  /** How the server wants to be used, in its own words: untrusted text. */
  get instructions(): string | undefined {
    return this.#connection.server.instructions
  }
  /** What the server can do. */
  get capabilities(): ServerCapabilities {
    return this.#connection.server.capabilities
  }
  /** All that the server said of itself when connecting, in either era. */
  get initializeResult(): InitializeResult {
    return this.#connection.server
  }
  /** The protocol revision in use; undefined before the first connection. */
  getProtocolVersion(): string | undefined {
    return this.#connection.server.protocolVersion || undefined
  }
  /** The id of the session; undefined where the server keeps none. */
  getSessionId(): string | undefined {
    return this.#connection.transport.sessionId
  }
  /** What is needed to go on elsewhere; undefined before the first connection. Close with `terminateSessionOnClose: false`. */
  saveSession(): SavedSession | undefined {
    const { era, server, transport } = this.#connection
    if (!server.protocolVersion) return undefined
    return { sessionId: transport.sessionId, initializeResult: server, stateless: era.stateless }
  }
  /** Asks for a sign of life; in the stateless era with `server/discover`. */
  ping(options?: RequestOptions): Promise<void> {
    return this.#later('ping', options)
  }

  // ─── tools ───

  /**
   * All tools, or the page of a cursor. `listTools(true)` goes past the cache. The result of a client made with
   * `new MCPClient(…)` is also the array of the tools, for consoles: `(await client.listTools()).map(({ name }) => name)`.
   */
  async listTools(given?: boolean | ListArguments): Promise<ListToolsResult> {
    mustTakeOne('listTools', arguments)
    const page = await list<ListToolsResult>(await this.#open(), 'tools/list', 'tools', given)
    return plainLists.has(this) ? page : asArray(page)
  }
  /** Calls a tool. A tool that failed answers with `isError`; a call that failed throws. */
  async callTool(
    args: WithOptions<{ name: string; arguments?: Record<string, unknown> | undefined }>,
  ): Promise<CallToolResult> {
    mustTakeOne('callTool', arguments)
    return callTool(await this.#open(), args.name, args.arguments, args.options)
  }
  /** Calls a tool, for consoles and plain pages: `(await client.call('add', { a: 1, b: 2 })).text`. */
  call(name: string, args?: Record<string, unknown>, options?: RequestOptions): Promise<CallOutcome> {
    return this.#later('call', name, args, options)
  }

  /** Calls a tool that may take long, as a task where the server can: a handle to watch, leave, save and come back to. */
  async startTask(args: WithOptions<StartTaskArguments>): Promise<Task> {
    mustTakeOne('startTask', arguments)
    return this.#later('startTask', args)
  }
  /** Goes on with a task of another page or process, by what its `save()` returned. */
  resumeTask(saved: SavedTask, options?: ResumeTaskOptions): Promise<Task> {
    return this.#later('resumeTask', saved, options)
  }

  /** The tools for `generateText`, `streamText` and agents of the AI SDK; with `schemas` only those, and typed. */
  tools<S extends ToolSchemas = 'automatic'>(options?: ToolsOptions<S>): Promise<ToolSetOf<S>> {
    return this.#later('tools', this, options) as Promise<ToolSetOf<S>>
  }
  /** The same from definitions that are there already, such as those of {@link listTools}. */
  toolsFromDefinitions<S extends ToolSchemas = 'automatic'>(
    definitions: { tools: readonly Tool[] },
    options?: ToolsOptions<S>,
  ): ToolSetOf<S> {
    must(loaded.deeds, 'Needs connect() before')
    return loaded.deeds.toolsFromDefinitions(this.#connection, this, definitions, options)
  }

  // ─── resources and prompts ───

  /** All resources, or the page of a cursor. `listResources(true)` goes past the cache. */
  async listResources(given?: boolean | ListArguments): Promise<ListResourcesResult> {
    mustTakeOne('listResources', arguments)
    return this.#later('listResources', given)
  }
  /** All resource templates, or the page of a cursor. `listResourceTemplates(true)` goes past the cache. */
  async listResourceTemplates(given?: boolean | ListArguments): Promise<ListResourceTemplatesResult> {
    mustTakeOne('listResourceTemplates', arguments)
    return this.#later('listResourceTemplates', given)
  }
  /** The contents of a resource, by its address. */
  async readResource(args: WithOptions<{ uri: string }>): Promise<ReadResourceResult> {
    mustTakeOne('readResource', arguments)
    return this.#later('readResource', args)
  }
  /** Hears of every change of a resource until closed. */
  subscribe(uri: string, handler: () => void): Promise<Subscription> {
    return this.#later('subscribe', uri, handler)
  }
  /** All prompts, or the page of a cursor. `listPrompts(true)` goes past the cache. */
  async listPrompts(given?: boolean | ListArguments): Promise<ListPromptsResult> {
    mustTakeOne('listPrompts', arguments)
    return this.#later('listPrompts', given)
  }
  /** {@link listPrompts}, as older versions of `@ai-sdk/mcp` call it. */
  experimental_listPrompts(given?: boolean | ListArguments): Promise<ListPromptsResult> {
    return this.#later('listPrompts', given)
  }
  /** The messages of a prompt, filled in with arguments. */
  async getPrompt(
    args: WithOptions<{ name: string; arguments?: Record<string, unknown> | undefined }>,
  ): Promise<GetPromptResult> {
    mustTakeOne('getPrompt', arguments)
    return this.#later('getPrompt', args)
  }
  /** {@link getPrompt}, likewise. */
  experimental_getPrompt(args: Parameters<MCPClient['getPrompt']>[0]): Promise<GetPromptResult> {
    return this.#later('getPrompt', args)
  }
  /** What a prompt's argument or a template's variable could be. */
  async complete(args: WithOptions<CompleteParams>): Promise<CompleteResult> {
    mustTakeOne('complete', arguments)
    return this.#later('complete', args)
  }

  // ─── what the server says unasked ───

  /** Events of the server, which it tells a webhook of yours; with an adapter what its backend can do. */
  get experimental_events(): MCPEvents {
    must(loaded.deeds, 'Needs connect() before')
    return loaded.deeds.eventsOf(this.#connection, this)
  }

  /** Hears every notification; returns what ends it. */
  onNotification(handler: (notification: Notification) => void): () => void {
    const { notificationListeners } = this.#connection
    must(typeof handler === 'function', 'The handler must be a function')
    notificationListeners.add(handler)
    return () => void notificationListeners.delete(handler)
  }
  /** Hears that a list changed; returns what ends it. */
  onListChanged(kind: ListKind, handler: () => void): () => void {
    const listeners = this.#connection.listListeners[kind]
    must(listeners && typeof handler === 'function', 'Needs tools, resources or prompts, and a function')
    listeners.add(handler)
    this.#later('onListChanged', kind).catch(report(this.#connection))
    return () => void listeners.delete(handler)
  }
  /** Opens the way on which the server speaks unasked; resolves when it is open or the server has none. */
  openStream(): Promise<void> {
    return this.#later('openStream')
  }
  /** From which level on the server's log messages arrive as `notifications/message`. */
  setLogLevel(level: LogLevel): Promise<void> {
    return this.#later('setLogLevel', level)
  }

  // ─── what the server asks ───

  /**
   * Who answers the server's questions to the user. With the schema that `@ai-sdk/mcp` wants first, the handler gets forms only,
   * as there; without it, addresses to visit too.
   */
  onElicitationRequest(handler: ElicitationHandler): void
  /** As in `@ai-sdk/mcp`: the handler gets forms only. */
  onElicitationRequest(schema: object, handler: ElicitationHandler): void
  onElicitationRequest(...given: unknown[]): void {
    this.#answer('elicit', given.at(-1) as ElicitationHandler)
    this.#connection.elicits = given[1] ? { form: {} } : undefined
  }
  /** Answers the server's requests for a message of your model. */
  onSamplingRequest(handler: SamplingHandler): void {
    this.#answer('sample', handler)
  }
  #answer<K extends 'elicit' | 'sample'>(kind: K, handler: Connection[K] & object): void {
    must(typeof handler === 'function', 'The handler must be a function')
    this.#connection[kind] = handler
    this.#connection.meta = undefined
  }
  /** What the server may look at. */
  async setRoots(roots: Roots): Promise<void> {
    return (await onDemand()).setRoots(this.#connection, roots)
  }

  /** Ends every call, every stream and the session. Can be called twice. */
  async close(): Promise<void> {
    const connection = this.#connection
    if (connection.closed) return
    connection.closed = true
    this.#connected = undefined
    connection.closing?.abort(closedError())
    connection.listening?.abort()
    connection.cache.forget()
    const closing = connection.transport.close()
    // A program may take seconds to end, and not every transport tells that it is closed.
    leaveAll(connection)
    await closing
  }
  /** {@link close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
