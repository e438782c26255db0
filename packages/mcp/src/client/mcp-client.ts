import { MCPError } from '../errors.ts'
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
  ServerCapabilities,
} from '../model.ts'
import { callTool, summarize } from './call-tool.ts'
import { connect, leaveAll } from './connect.ts'
import {
  type Connection,
  type ElicitationHandler,
  type ListKind,
  type MCPClientConfig,
  must,
  onDemand,
  type RequestOptions,
  type Roots,
  report,
  type SamplingHandler,
} from './connection.ts'
import { createConnection } from './create-connection.ts'
import { type ListArguments, list } from './list.ts'
import { readResource } from './read-resource.ts'
import { notify, request } from './request.ts'
import type { Subscription } from './subscribe.ts'

type WithOptions<T> = T & { options?: RequestOptions | undefined }

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

  constructor(target: string | URL | MCPClientConfig) {
    this.#connection = createConnection(target)
  }

  /** Connects, which every other call does by itself. A failed attempt is tried anew by the next. */
  async connect(): Promise<void> {
    await this.#open()
  }

  #open(): Promise<Connection> {
    return (this.#connected ??= this.#connect())
  }

  async #connect(): Promise<Connection> {
    const connection = this.#connection
    try {
      if (connection.closing.signal.aborted) throw new MCPError(`The client of ${connection.place} is closed`, 'closed')
      await connect(connection)
      return connection
    } catch (error) {
      this.#connected = undefined
      throw error
    }
  }

  // ─── the server ───

  get serverInfo(): Implementation {
    return this.#connection.server.serverInfo
  }
  get instructions(): string | undefined {
    return this.#connection.server.instructions
  }
  /** What the server can do. */
  get capabilities(): ServerCapabilities {
    return this.#connection.server.capabilities
  }
  get initializeResult(): InitializeResult {
    return this.#connection.server
  }
  getProtocolVersion(): string | undefined {
    return this.#connection.server.protocolVersion || undefined
  }
  getSessionId(): string | undefined {
    return this.#connection.transport.sessionId
  }
  /** What is needed to go on elsewhere; undefined before the first connection. Close with `terminateSessionOnClose: false`. */
  saveSession(): SavedSession | undefined {
    const sessionId = this.getSessionId()
    const { server } = this.#connection
    return server.protocolVersion === ''
      ? undefined
      : { ...(sessionId !== undefined && { sessionId }), initializeResult: server }
  }
  async ping(options?: RequestOptions): Promise<void> {
    const connection = await this.#open()
    await request(connection, connection.era.stateless ? 'server/discover' : 'ping', undefined, options)
  }

  // ─── tools ───

  /** All tools, or the page of a cursor. `listTools(true)` goes past the cache. */
  async listTools(given?: boolean | ListArguments): Promise<ListToolsResult> {
    return list(await this.#open(), 'tools/list', 'tools', given)
  }
  /** Calls a tool. A tool that failed answers with `isError`; a call that failed throws. */
  async callTool(
    args: WithOptions<{ name: string; arguments?: Record<string, unknown> | undefined }>,
  ): Promise<CallToolResult> {
    return callTool(await this.#open(), args.name, args.arguments, args.options)
  }
  /** Calls a tool, for consoles and plain pages: `(await client.call('add', { a: 1, b: 2 })).text`. */
  async call(name: string, args?: Record<string, unknown>, options?: RequestOptions): Promise<CallOutcome> {
    return summarize(await callTool(await this.#open(), name, args, options))
  }

  // ─── resources and prompts ───

  async listResources(given?: boolean | ListArguments): Promise<ListResourcesResult> {
    return list(await this.#open(), 'resources/list', 'resources', given)
  }
  async listResourceTemplates(given?: boolean | ListArguments): Promise<ListResourceTemplatesResult> {
    return list(await this.#open(), 'resources/templates/list', 'resourceTemplates', given)
  }
  async readResource({ uri, options }: WithOptions<{ uri: string }>): Promise<ReadResourceResult> {
    return readResource(await this.#open(), uri, options)
  }
  /** Hears of every change of a resource until closed. */
  async subscribe(uri: string, handler: () => void): Promise<Subscription> {
    const connection = await this.#open()
    return (await onDemand()).subscribe(connection, uri, handler)
  }
  async listPrompts(given?: boolean | ListArguments): Promise<ListPromptsResult> {
    return list(await this.#open(), 'prompts/list', 'prompts', given)
  }
  async getPrompt(
    args: WithOptions<{ name: string; arguments?: Record<string, unknown> | undefined }>,
  ): Promise<GetPromptResult> {
    const { options, name, arguments: given = {} } = args
    must('string', name, 'The name of the prompt')
    return (await request(
      await this.#open(),
      'prompts/get',
      { name, arguments: given },
      options,
    )) as unknown as GetPromptResult
  }
  /** What a prompt's argument or a template's variable could be. */
  async complete({ options, ...params }: WithOptions<CompleteParams>): Promise<CompleteResult> {
    return (await request(
      await this.#open(),
      'completion/complete',
      { ...params },
      options,
    )) as unknown as CompleteResult
  }

  // ─── what the server says unasked ───

  /** Hears every notification; returns what ends it. */
  onNotification(handler: (notification: Notification) => void): () => void {
    const { notificationListeners } = this.#connection
    must('function', handler, 'The handler')
    notificationListeners.add(handler)
    return () => void notificationListeners.delete(handler)
  }
  /** Hears that a list changed; returns what ends it. */
  onListChanged(kind: ListKind, handler: () => void): () => void {
    const connection = this.#connection
    const listeners = connection.listListeners[kind]
    if (!listeners) throw new TypeError('Lists are tools, resources and prompts')
    must('function', handler, 'The handler')
    listeners.add(handler)
    this.#open()
      .then(onDemand)
      .then(({ listen, openStream }) => (connection.era.stateless ? listen : openStream)(connection))
      .catch(report(connection))
    return () => void listeners.delete(handler)
  }
  /** Opens the way on which the server speaks unasked; resolves when it is open or the server has none. */
  async openStream(): Promise<void> {
    const connection = await this.#open()
    return (await onDemand()).openStream(connection)
  }
  /** From which level on the server's log messages arrive as `notifications/message`. */
  async setLogLevel(level: LogLevel): Promise<void> {
    const connection = await this.#open()
    if (!connection.era.stateless) await request(connection, 'logging/setLevel', { level })
    connection.logLevel = level
    connection.meta = undefined
  }

  // ─── what the server asks ───

  /** Who answers the server's questions to the user; the schema that `@ai-sdk/mcp` wants first may be given or left out. */
  onElicitationRequest(...given: [ElicitationHandler] | [unknown, ElicitationHandler]): void {
    this.#answer('elicit', given.at(-1) as ElicitationHandler)
  }
  onSamplingRequest(handler: SamplingHandler): void {
    this.#answer('sample', handler)
  }
  #answer<K extends 'elicit' | 'sample'>(kind: K, handler: Connection[K] & object): void {
    must('function', handler, 'The handler')
    this.#connection[kind] = handler
    this.#connection.meta = undefined
  }
  async setRoots(roots: Roots): Promise<void> {
    const connection = this.#connection
    const declared = connection.roots !== undefined
    connection.roots = roots
    connection.meta = undefined
    if (declared && this.#connected && !connection.era.stateless)
      await notify(await this.#open(), 'notifications/roots/list_changed')
  }

  /** Ends every call, every stream and the session. Can be called twice. */
  async close(): Promise<void> {
    const { closing, listening, cache, transport } = this.#connection
    if (closing.signal.aborted) return
    this.#connected = undefined
    closing.abort()
    listening?.abort()
    cache.forget()
    await transport.close()
    leaveAll(this.#connection)
  }
  async [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
