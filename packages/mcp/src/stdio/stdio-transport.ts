import { type ChildProcess, type IOType, spawn } from 'node:child_process'
import { PassThrough, type Readable, type Stream } from 'node:stream'
import { type FailureDetails, guard, MCPError, must, type Reason } from '../errors.ts'
import { failure, quote } from '../failure.ts'
import {
  asMessage,
  isRequest,
  type JsonRpcMessage,
  type JsonRpcRequest,
  JsonTooDeep,
  parseJson,
  type RequestId,
} from '../jsonrpc.ts'
import { mayRepeat } from '../transport/may-repeat.ts'
import type { Transport, TransportSendOptions } from '../transport/transport.ts'
import { declaredRevision } from '../wire/http-headers.ts'
import { childEnvironment } from './child-environment.ts'
import { idAtEnd } from './id-at-end.ts'
import { LineReader } from './line-reader.ts'
import { endGroup, endWithUs, hasGroups, signalGroup } from './process-group.ts'

/** Which program to run as a server, and how. */
export interface StdioOptions {
  /** The program that is the server; run without a shell. */
  command: string
  args?: string[] | undefined
  /** Beside what programs need to run (`PATH`, `HOME` and the like) it sees only this. */
  env?: Record<string, string> | undefined
  cwd?: string | undefined
  /** Where the server's log goes: into ours (default), nowhere, into `stderr` of the transport, or into a stream. */
  stderr?: IOType | Stream | number | undefined
  /**
   * Run by a shell, which then reads command and arguments as its own language: for your own words only. Windows needs it for
   * programs that are scripts, such as `npx`.
   */
  shell?: boolean | string | undefined
  /** Bound of one message in bytes. Default 16 MiB. */
  maxMessageBytes?: number | undefined
  /** How long a server may take to end, before it is made to, and so what it leaves behind. Default 2 s, twice. */
  graceMs?: number | undefined
}

const KNOWN = new Set(['command', 'args', 'env', 'cwd', 'stderr', 'shell', 'maxMessageBytes', 'graceMs'])
const MESSAGE_BYTES = 16 << 20
/** What is kept of a log that nobody reads: a server must not stand still for it. */
const LOG_BYTES = 1 << 16
/** How long the output of a program that has ended may be silent before it counts as over: others may hold it open. */
const QUIET_MS = 200
/** How long the end of a program is waited for when its pipe is broken. */
const PIPE_MS = 2000
/** How often it may turn out not to be silent: an answer has come by then, and the others may talk for ever. */
const MAX_ROUNDS = 10

/** The program runs, and does not read. */
class Deaf extends Error {}

interface Waiting {
  message: JsonRpcRequest
  repeatable: boolean
  /** It was written whole. */
  taken: boolean
  /** Stops listening to its caller. */
  release(): void
}

/**
 * A server that runs as a program of this machine and speaks through its standard input and output. Node only.
 *
 * @example
 * const transport = new StdioTransport({ command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] })
 * const client = await createMCPClient({ transport })
 */
export class StdioTransport implements Transport {
  onmessage?: (message: unknown, extra?: unknown) => void
  onerror?: (error: Error) => void
  onclose?: () => void
  readonly supportsProtocolVersionDiscovery = true
  readonly place: string
  readonly #options: StdioOptions
  readonly #log: PassThrough | undefined
  readonly #graceMs: number
  readonly #waiting = new Map<RequestId, Waiting>()
  #child: ChildProcess | undefined
  /** Why nothing can be sent any more. */
  #end: string | undefined
  #over = false
  #heard = false
  readonly #ended: Promise<void>
  #resolveEnded = (): void => {}
  #closing: Promise<void> | undefined
  /** The end of what it started and left behind. */
  #alone: Promise<void> | undefined

  constructor(options: StdioOptions) {
    must(options?.command, 'A command is needed')
    must(!/[\0\r\n]/.test(options.command), 'command must be a program, one line; what follows it belongs into args')
    for (const key in options) must(KNOWN.has(key), `StdioTransport has no option ${key}: ${[...KNOWN].join(', ')}`)
    this.#options = options
    this.#graceMs = options.graceMs ?? 2000
    this.place = options.command
    if (options.stderr === 'pipe') this.#log = new PassThrough({ highWaterMark: LOG_BYTES })
    this.#ended = new Promise((resolve) => {
      this.#resolveEnded = resolve
    })
  }

  /** The log of the server, with `stderr: 'pipe'`; there before it is started. */
  get stderr(): Readable | null {
    return this.#log ?? null
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Starts the program; resolves when it runs, which does not mean that it speaks. */
  async start(): Promise<void> {
    must(!this.#child && !this.#closing, 'The transport was started or closed already')
    const { command, args = [], env, cwd, shell = false, stderr = 'inherit' } = this.#options
    try {
      const child = spawn(command, args, {
        env: childEnvironment(env),
        ...(cwd !== undefined && { cwd }),
        shell,
        stdio: ['pipe', 'pipe', stderr],
        detached: hasGroups,
        windowsHide: true,
      })
      this.#child = child
      await this.#watch(child)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      this.#finish('did not start')
      const why = code === 'ENOENT' ? 'there is no such program, or no such folder' : (code ?? (error as Error).message)
      throw new MCPError(`${command} did not start: ${why}`, 'network', { cause: error })
    }
  }

  async send(message: JsonRpcMessage, { signal, abort, repeatable }: TransportSendOptions = {}): Promise<void> {
    const stdin = this.#child?.stdin
    const { maxMessageBytes = MESSAGE_BYTES } = this.#options
    // Before anybody waits for the answer: it may throw.
    const line = `${JSON.stringify(message)}\n`
    let waiting: Waiting | undefined
    if (isRequest(message)) {
      if (signal?.aborted) return
      waiting = this.#expect(message, repeatable ?? mayRepeat(message.method), signal, abort !== undefined)
    }
    const cause = await new Promise<Error | null | undefined>((resolve) => {
      const written = (error?: Error | null): void => {
        if (waiting) waiting.taken = !error
        resolve(error)
      }
      if (!stdin?.writable) written(new Error('it was not started'))
      // A program that does not read would have us keep all that it is sent.
      else if (stdin.writableLength > maxMessageBytes) written(new Deaf(`${stdin.writableLength} bytes wait for it`))
      else stdin.write(line, written)
    })
    if (cause) await this.#tellUnsent(message, cause)
  }

  /** A message that could not be written was not whole, so nobody has read it. */
  async #tellUnsent(message: JsonRpcMessage, cause: Error): Promise<void> {
    const deaf = cause instanceof Deaf
    // The pipe may break before the program has ended, and how it ended says more.
    if (this.#child && !this.#over && !deaf) await within(this.#ended, PIPE_MS)
    const words = deaf
      ? `does not read what it is sent: ${cause.message}. Close it, and start it anew`
      : `is not running: ${this.#end ?? cause.message}`
    const reason = this.#closing ? 'closed' : 'network'
    if (!isRequest(message)) throw new MCPError(`${this.place} ${words}`, reason, { cause })
    this.#fail(message.id, words, reason, { cause })
  }

  /** Lets the server end by itself, then makes it. Resolves when it has. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close().then(() => this.#alone))
  }

  async #close(): Promise<void> {
    const child = this.#child
    this.#end ??= 'the transport was closed'
    // The client ends its pending calls, with an error of its own, when it hears of the end.
    for (const id of Array.from(this.#waiting.keys())) this.#settle(id)
    if (!child || this.#over) return this.#finish(this.#end)
    child.stdin?.end()
    if (await within(this.#ended, this.#graceMs)) return
    signalGroup(child, 'SIGTERM')
    if (await within(this.#ended, this.#graceMs)) return
    signalGroup(child, 'SIGKILL')
    await within(this.#ended, this.#graceMs)
    this.#finish(this.#end)
  }

  // ─── the program ───

  #watch(child: ChildProcess): Promise<void> {
    const { maxMessageBytes = MESSAGE_BYTES } = this.#options
    const lines = new LineReader(maxMessageBytes, {
      online: (line) => this.#receive(line),
      onlong: (head, tail) =>
        this.#refuse(idAtEnd(head, tail), `over ${maxMessageBytes} bytes in one line`, tail === undefined),
    })
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#heard = true
      try {
        lines.feed(chunk)
      } catch (cause) {
        // Such as a line that is too long for a string: thrown from here, it would end our own program.
        this.#report('could not be read', 'protocol', { cause })
      }
    })
    child.stdout?.on('error', (cause) => this.#report('could not be read', 'network', { cause }))
    // Told with the message that could not be written, or with the end.
    child.stdin?.on('error', () => {})
    // One by one: messages that are written together fail together, also those of them that were read.
    if (child.stdin) Object.defineProperty(child.stdin, '_writev', { value: null })
    child.stderr?.on('data', (chunk: Buffer) => {
      if (this.#log?.writable && this.#log.readableLength < LOG_BYTES) this.#log.write(chunk)
    })
    child.once('exit', (code, signal) => {
      this.#end ??= signal ? `it was ended by ${signal}` : `it ended with code ${code}`
      // Nobody is left who could end what it started.
      if (hasGroups) signalGroup(child, 'SIGTERM')
      this.#awaitQuiet()
    })
    child.once('close', () => this.#finish(this.#end ?? 'it ended'))
    return new Promise((resolve, reject) => {
      child.once('spawn', () => {
        void this.#ended.then(() => this.#alone).then(endWithUs(child))
        resolve()
      })
      // Not once: a second one without a listener would end this program.
      child.on('error', (cause) => {
        if (child.pid === undefined) reject(cause)
        else this.#report('is in trouble', 'network', { cause })
      })
    })
  }

  #awaitQuiet(round = 1): void {
    this.#heard = false
    const judge = (): void => {
      if (this.#heard && round < MAX_ROUNDS) this.#awaitQuiet(round + 1)
      else this.#finish(this.#end ?? 'it ended')
    }
    // Where this program stood still, what came meanwhile is read only after its timers.
    const timer = setTimeout(() => setImmediate(judge), QUIET_MS)
    void this.#ended.then(() => clearTimeout(timer))
  }

  /** The program is gone: nobody may wait for what cannot come. */
  #finish(end: string): void {
    if (this.#over) return
    this.#over = true
    this.#end = end
    const child = this.#child
    if (child) this.#alone = endGroup(child, this.#graceMs)
    child?.stdin?.destroy()
    child?.stdout?.destroy()
    child?.stderr?.destroy()
    this.#log?.end()
    const reason = this.#closing ? 'closed' : 'network'
    for (const [id, { taken }] of Array.from(this.#waiting))
      this.#fail(id, `${taken ? 'had no answer' : 'is not running'}: ${end}`, reason, { lost: taken })
    if (child?.pid !== undefined && !this.#closing) this.#report(`is gone: ${end}`, 'network')
    this.#resolveEnded()
    guard(this.onerror, this.onclose)
  }

  // ─── requests ───

  #expect(message: JsonRpcRequest, repeatable: boolean, signal: AbortSignal | undefined, ours: boolean): Waiting {
    const { id, method } = message
    // Without connections that could be closed, the server has to be told. Our own client does that with sessions itself.
    const tells = method !== 'initialize' && (declaredRevision(message) !== undefined || !ours)
    const onabort = (): void => {
      this.#waiting.delete(id)
      const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } } as const
      if (tells) this.send(cancelled).catch(() => {})
    }
    signal?.addEventListener('abort', onabort, { once: true })
    const release = (): void => signal?.removeEventListener('abort', onabort)
    const waiting: Waiting = { message, repeatable, taken: false, release }
    this.#waiting.set(id, waiting)
    return waiting
  }

  #settle(id: RequestId): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    waiting?.release()
    return waiting
  }

  /** Answers in place of the server. */
  #fail(id: RequestId, text: string, reason: Reason, details: FailureDetails = {}): void {
    const waiting = this.#settle(id)
    if (!waiting) return
    const { message, repeatable } = waiting
    const error = failure(this.place, message, text, reason, { ...details, repeatable })
    this.#deliver({ jsonrpc: '2.0', id, error: { code: error.code ?? -32603, message: error.message } }, error)
  }

  // ─── what arrives ───

  #receive(line: string): void {
    const text = line.trim()
    if (text === '') return
    let message: JsonRpcMessage | undefined
    try {
      message = asMessage(parseJson(text))
    } catch (error) {
      if (error instanceof JsonTooDeep)
        return this.#refuse(idAtEnd(text.slice(0, 1024), text.slice(-1024)), error.message)
      // Servers print greetings into their output; the next line may be a message again.
    }
    if (!message) return this.#report(`sent a line that is no message: ${quote(text)}`, 'protocol')
    if ('method' in message) return this.#deliver(message)
    if (message.id == null)
      return this.#report(`refused a message: ${quote('error' in message && message.error.message)}`, 'rpc')
    // What nobody waits for any more reaches nobody.
    if (this.#settle(message.id)) this.#deliver(message)
  }

  #refuse(id: RequestId | undefined, what: string, isNews = true): void {
    const text = `sent ${what}`
    if (isNews) this.#report(text, 'too-large')
    if (id !== undefined) this.#fail(id, text, 'too-large', { lost: true })
  }

  #deliver(message: JsonRpcMessage, failed?: MCPError): void {
    try {
      this.onmessage?.(message, failed && { failure: failed })
    } catch (error) {
      guard(undefined, this.onerror, error as Error)
    }
  }

  #report(what: string, reason: Reason, details?: FailureDetails): void {
    guard(undefined, this.onerror, new MCPError(`${this.place} ${what}`, reason, details))
  }
}

/** Whether something ends in time. */
async function within(end: Promise<void>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const ended = await Promise.race([end.then(() => true), late])
  clearTimeout(timer)
  return ended
}
