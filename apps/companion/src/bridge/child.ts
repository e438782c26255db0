import { isMCPError, type JsonRpcMessage, type RequestId } from '@switchboard/mcp'
import { StdioTransport } from '@switchboard/mcp/stdio'
import type { ServerSpec } from '../config.ts'
import { visibleText } from '../visible-text.ts'
import type { ChildLog } from './child-log.ts'
import { errorAnswer, isRequest } from './json-rpc.ts'

/** A running program that is a server. */
export interface Child {
  readonly pid: number | undefined
  /** When something was last sent to it. */
  readonly usedAt: number
  /** Whether somebody waits for it or listens to it; said by who uses it. */
  isBusy: () => boolean
  onmessage: (message: JsonRpcMessage) => void
  /** Called once, when it has ended or will. */
  onend: () => void
  /** Every request is answered, by the program or in its place. An aborted one is not, and the program is told. */
  send(message: JsonRpcMessage, signal?: AbortSignal): void
  close(): Promise<void>
}

/** What its supervisor hears of a program. */
export interface ChildWatch {
  readonly log: ChildLog
  /** It said something that is no message. */
  onjunk(): void
  onerror(words: string): void
  /** It will end, and counts no more. */
  onclosing(child: Child): void
  /** `isOurs`: it did not end by itself. */
  onend(child: Child, isOurs: boolean): void
  /** Nothing is left of it, nor of what it started. */
  ongone(child: Child): void
}

const GRACE_MS = 2000

/** Runs the program; resolves when it runs. It sees neither our environment nor our token. */
export async function startChild({ command, args, env, cwd }: ServerSpec, watch: ChildWatch): Promise<Child> {
  const transport = new StdioTransport({ command, args, env, cwd, stderr: 'pipe', graceMs: GRACE_MS })
  transport.stderr?.on('data', (chunk: Buffer) => watch.log.add(chunk))
  let usedAt = performance.now()
  const child: Child = {
    get pid() {
      return transport.pid
    },
    get usedAt() {
      return usedAt
    },
    isBusy: () => false,
    onmessage: () => {},
    onend: () => {},
    send(message, signal) {
      usedAt = performance.now()
      if (isRequest(message)) {
        const { id, method } = message
        pending.set(id, method)
        signal?.addEventListener('abort', () => pending.delete(id))
      }
      // A message that is not written whole is answered or reported: nobody waits for it.
      transport.send(message, { signal }).catch((error: Error) => {
        watch.onerror(visibleText(error.message))
        if (isRequest(message) && pending.delete(message.id))
          child.onmessage(errorAnswer(message.id, -32603, 'This could not be sent to the server'))
      })
    },
    close() {
      // Before it has ended, which may take a while: what comes meanwhile must find another.
      isClosing = true
      watch.onclosing(child)
      tellEnd()
      // A transport that is closed answers nothing: its client knows what was pending.
      for (const [id, method] of pending) {
        const text = `${method} had no answer: the program was stopped. It may have run: check before running it again`
        child.onmessage(errorAnswer(id, -32603, text))
      }
      pending.clear()
      return transport.close()
    },
  }
  const pending = new Map<RequestId, string>()
  let isClosing = false
  let isTold = false
  const tellEnd = (): void => {
    if (isTold) return
    isTold = true
    child.onend()
  }
  transport.onmessage = (message) => {
    const answer = message as JsonRpcMessage
    if (!('method' in answer) && answer.id != null) pending.delete(answer.id)
    child.onmessage(answer)
  }
  transport.onerror = (error) => {
    if (isMCPError(error) && error.reason === 'protocol') watch.onjunk()
    else watch.onerror(visibleText(error.message))
  }
  transport.onclose = () => {
    watch.onend(child, isClosing)
    tellEnd()
    void transport.close().then(() => watch.ongone(child))
  }
  await transport.start()
  return child
}
