import { type JsonRpcRequest, type RequestId, validateJSONRPCMessage } from '@switchboard/mcp'
import { isRequest } from '../bridge/json-rpc.ts'
import { callIdOf } from '../bridge/ledger.ts'

const KEPT_MS = 600_000
const MAX_CALLS = 10_000

export interface SentCall {
  readonly id: RequestId
  readonly isRepeated: boolean
  /** It was refused: nothing has run, and it may be sent again. */
  forget(): void
}

/** The tool calls that were sent on: a browser repeats a request by itself, and a tool must not run twice for that. */
export interface SentCalls {
  /** Nothing for what may be sent twice. */
  enter(target: string, body: Uint8Array | undefined): SentCall | undefined
}

export function createSentCalls(): SentCalls {
  const calls = new Set<string>()
  return {
    enter(target, body) {
      const request = body && readRequest(body)
      const callId = request && callIdOf(request)
      if (!request || callId === undefined) return undefined
      const key = `${target} ${callId}`
      const isRepeated = calls.has(key)
      calls.add(key)
      setTimeout(() => calls.delete(key), KEPT_MS).unref()
      const [oldest] = calls
      if (calls.size > MAX_CALLS && oldest !== undefined) calls.delete(oldest)
      return { id: request.id, isRepeated, forget: () => void calls.delete(key) }
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
