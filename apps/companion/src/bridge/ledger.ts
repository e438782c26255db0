import { createHash } from 'node:crypto'
import type { JsonRpcRequest } from '@switchboard/mcp'
import { isObject } from './json-rpc.ts'
import { type Call, createCall } from './call.ts'
import { Refused } from './refused.ts'

/** Where our library, and any other that wants to, says which call this is. */
const CALL_ID = 'switchboard/callId'

interface Entry {
  readonly digest: string
  readonly call: Call
  bytes: number
}

export interface LedgerLimits {
  keptMs: number
  maxBytes: number
  maxEntries: number
  /** How long a call whose client has left goes on: a browser that sends a request again by itself does so at once. */
  returnMs: number
}

const LIMITS: LedgerLimits = { keptMs: 600_000, maxBytes: 64 << 20, maxEntries: 2000, returnMs: 250 }

/** Which tool calls have run. A browser sends a request again by itself when its connection dies: here the copy finds the first. */
export interface Ledger {
  /** The call of a request: a new one, or the one that it repeats. */
  enter(server: string, request: JsonRpcRequest): { call: Call; isNew: boolean }
}

export function createLedger(given: Partial<LedgerLimits> = {}): Ledger {
  const limits = { ...LIMITS, ...given }
  const entries = new Map<string, Entry>()
  let bytes = 0
  const forget = (key: string): void => {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  const settled = (key: string, call: Call, status: number): void => {
    // It was refused: nothing has run, and it may be tried again.
    if (status >= 400) return forget(key)
    const entry = entries.get(key)
    if (!entry) return
    entry.bytes = JSON.stringify(call.answer).length
    bytes += entry.bytes
    setTimeout(() => forget(key), limits.keptMs).unref()
    for (const [oldest, { call: other }] of entries) {
      if (bytes <= limits.maxBytes && entries.size <= limits.maxEntries) break
      // What still runs stays: it is what must not run twice.
      if (other.answer) forget(oldest)
    }
  }
  return {
    enter(server, request) {
      const callId = callIdOf(request)
      if (callId === undefined) return { call: createCall(request.id, limits.returnMs), isNew: true }
      const key = `${server} ${callId}`
      const digest = digestOf(request)
      const known = entries.get(key)
      if (known && known.digest !== digest) throw new Refused(400, 'This call id belongs to another call.')
      if (known) return { call: known.call, isNew: false }
      const call = createCall(request.id, limits.returnMs, (status) => settled(key, call, status))
      entries.set(key, { digest, call, bytes: 0 })
      return { call, isNew: true }
    },
  }
}

export function callIdOf({ method, params }: JsonRpcRequest): string | undefined {
  const meta = method === 'tools/call' ? params?.['_meta'] : undefined
  const callId = isObject(meta) ? meta[CALL_ID] : undefined
  return typeof callId === 'string' && callId.length <= 200 ? callId : undefined
}

const digestOf = ({ id, params }: JsonRpcRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([id, params]))
    .digest('base64url')
