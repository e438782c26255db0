import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { guard, MCPError, must } from '../errors.ts'
import { asMessage, isRequest, type JsonRpcMessage, parseJson, type RequestId } from '../jsonrpc.ts'
import type { Transport, TransportSendOptions } from '../transport/transport.ts'
import { declaredRevision } from '../wire/http-headers.ts'
import { childEnvironment } from './child-environment.ts'

export interface StdioOptions {
  /** The program that is the server; run without a shell. */
  command: string
  args?: string[]
  /** Beside what programs need to run (`PATH`, `HOME` and the like) it sees only this. */
  env?: Record<string, string>
  cwd?: string
  /** Where the server's log goes: into ours (default), nowhere, or into `stderr` of the transport. */
  stderr?: 'inherit' | 'ignore' | 'pipe'
  /** Bound of one message in bytes. Default 16 MiB. */
  maxMessageBytes?: number
  /** How long a server may take to end, before it is made to. Default 2 s, twice. */
  graceMs?: number
}

const NEWLINE = 10

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
  #child: ChildProcess | undefined
  #ended: Promise<void> = Promise.resolve()
  #closing: Promise<void> | undefined
  /** What has arrived of a line that has no end yet. */
  #pieces: Buffer[] = []
  #bytes = 0
  /** The line is too long to be kept: the rest of it is thrown away. */
  #skipping = false

  constructor(options: StdioOptions) {
    must(options?.command, 'A command is needed')
    must(!/[\0\n]/.test(options.command), 'command must be a program, one line')
    this.#options = options
    this.place = options.command
  }

  /** The log of the server, with `stderr: 'pipe'`. */
  get stderr(): Readable | null {
    return this.#child?.stderr ?? null
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  start(): Promise<void> {
    must(!this.#child, 'The transport was started already')
    const { command, args = [], env, cwd, stderr = 'inherit' } = this.#options
    const child = spawn(command, args, {
      env: childEnvironment(env),
      cwd,
      stdio: ['pipe', 'pipe', stderr],
      windowsHide: true,
    })
    this.#child = child
    this.#ended = new Promise((resolve) => {
      child.once('close', () => {
        resolve()
        guard(this.onerror, this.onclose)
      })
    })
    child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk))
    // Told with the message that could not be written, or with the end.
    child.stdin?.on('error', () => {})
    child.stdout?.on('error', (cause) => this.#report('could not be read', cause))
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (cause: NodeJS.ErrnoException) => {
        const why = cause.code === 'ENOENT' ? 'there is no such program, or no such folder' : (cause.code ?? 'unknown')
        reject(new MCPError(`${command} did not start: ${why}`, 'network', { cause }))
      })
    })
  }

  send(message: JsonRpcMessage, options: TransportSendOptions = {}): Promise<void> {
    const stdin = this.#child?.stdin
    const { signal } = options
    if (signal && isRequest(message) && declaredRevision(message)) this.#tellOfAbort(message.id, signal)
    return new Promise((resolve, reject) => {
      if (!stdin?.writable) return reject(this.#gone())
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(this.#gone(error)) : resolve()))
    })
  }

  /** Lets the server end by itself, then makes it. Resolves when it has. */
  close(): Promise<void> {
    return (this.#closing ??= this.#end())
  }

  async #end(): Promise<void> {
    const child = this.#child
    if (!child || child.pid === undefined) return
    const { graceMs = 2000 } = this.#options
    const steps = [() => child.stdin?.end(), () => child.kill('SIGTERM'), () => child.kill('SIGKILL')]
    for (const step of steps) {
      step()
      if (await within(this.#ended, graceMs)) return
    }
  }

  /** Without connections that could be closed, a server of the stateless era has to be told too. */
  #tellOfAbort(requestId: RequestId, signal: AbortSignal): void {
    const tell = (): void => {
      this.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }).catch(() => {})
    }
    if (!signal.aborted) signal.addEventListener('abort', tell, { once: true })
  }

  #read(chunk: Buffer): void {
    const { maxMessageBytes = 16 << 20 } = this.#options
    let from = 0
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      const piece = chunk.subarray(from, to)
      from = to + 1
      const whole = this.#pieces.length > 0 ? Buffer.concat([...this.#pieces, piece]) : piece
      const fits = !this.#skipping && whole.length <= maxMessageBytes
      this.#forget()
      if (fits) this.#receive(whole.toString())
    }
    const rest = chunk.subarray(from)
    if (rest.length === 0 || this.#skipping) return
    this.#bytes += rest.length
    if (this.#bytes > maxMessageBytes) {
      this.#forget()
      this.#skipping = true
      this.#report(`sent over ${maxMessageBytes} bytes in one line`)
    } else this.#pieces.push(rest)
  }

  #forget(): void {
    this.#pieces = []
    this.#bytes = 0
    this.#skipping = false
  }

  #receive(line: string): void {
    let message: JsonRpcMessage | undefined
    try {
      message = line.trim() === '' ? undefined : asMessage(parseJson(line))
    } catch {
      // Servers print greetings into their output; the next line may be a message again.
    }
    if (message) guard(this.onerror, this.onmessage, message)
    else if (line.trim() !== '') this.#report('sent a line that is no message')
  }

  #report(what: string, cause?: unknown): void {
    guard(undefined, this.onerror, new MCPError(`${this.place} ${what}`, 'protocol', { cause }))
  }

  #gone(cause?: unknown): MCPError {
    return new MCPError(`${this.place} is not running`, 'network', { cause })
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
