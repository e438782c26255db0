import { createHash } from 'node:crypto'
import { type JsonRpcRequest, type RequestId, validateJSONRPCMessage } from '@switchboard/mcp'
import { isRequest } from '../bridge/json-rpc.ts'
import { callIdOf } from '../bridge/ledger.ts'
import { Refused } from '../bridge/refused.ts'
import { type RecordedAnswer, recordAnswer, type Upstream } from './recorded-answer.ts'

const KEPT_MS = 600_000
const MAX_CALLS = 10_000
const MAX_BYTES = 64 << 20

export interface SentCall {
  readonly id: RequestId
  readonly answer: RecordedAnswer
}

/** The tool calls that were sent on: a browser repeats a request by itself, and a tool must not run twice for that. */
export interface SentCalls {
  /** The call of a request, begun by `start` or by an earlier copy; undefined for what may be sent twice. */
  enter(
    target: string,
    body: Uint8Array | undefined,
    start: (signal: AbortSignal) => Promise<Upstream>,
  ): SentCall | undefined
  /** The server refused it: nothing has run, and it may be sent again. */
  forget(call: SentCall): void
}

export function createSentCalls(): SentCalls {
  const calls = new Map<string, SentCall & { digest: string }>()
  const trim = (): void => {
    let bytes = [...calls.values()].reduce((sum, { answer }) => sum + answer.bytes, 0)
    for (const { answer } of calls.values()) {
      if (bytes <= MAX_BYTES) return
      if (!answer.isDone) continue
      // The call itself stays known, so that it is not made again.
      bytes -= answer.bytes
      answer.forgetBody()
    }
  }
  return {
    enter(target, body, start) {
      const request = body && readRequest(body)
      const callId = request && callIdOf(request)
      if (!request || callId === undefined) return undefined
      const key = `${target} ${callId}`
      const digest = createHash('sha256').update(body).digest('base64url')
      const known = calls.get(key)
      if (known && known.digest !== digest) throw new Refused(400, 'This call id belongs to another call.')
      if (known) return known
      const call = { id: request.id, digest, answer: recordAnswer(start, trim) }
      calls.set(key, call)
      setTimeout(() => calls.get(key) === call && calls.delete(key), KEPT_MS).unref()
      const [oldest] = calls.keys()
      if (calls.size > MAX_CALLS && oldest !== undefined) calls.delete(oldest)
      return call
    },
    forget(call) {
      for (const [key, known] of calls) if (known === call) calls.delete(key)
    },
  }
}

function readRequest(body: Uint8Array): JsonRpcRequest | undefined {
  try {
    const message = validateJSONRPCMessage(JSON.parse(Buffer.from(body).toString()))
    return isRequest(message) ? message : undefined
  } catch {
    return undefined
  }
}
