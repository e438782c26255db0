import { MCPError } from '../errors.ts'
import type { JsonRpcRequest } from '../jsonrpc.ts'
import { type Connection, meanwhile, report } from './connection.ts'

/** How many requests a server can send at once, and how many more each second after that. */
const BURST = 200
const PER_SECOND = 20
/** How many requests beyond the limit are refused with an error. The rest get no answer: each answer is a POST of ours. */
const MAX_REFUSALS = 50

/** The requests that a server may still send: a token bucket. */
export interface RequestBudget {
  /** Negative while requests are refused. */
  left: number
  updatedAt: number
  reported: boolean
}

export const createRequestBudget = (): RequestBudget => ({ left: BURST, updatedAt: performance.now(), reported: false })

/** Whether a request of the server may be answered. Refuses it otherwise, or ignores it in a flood. */
export function admitRequest(connection: Connection, { id, method }: JsonRpcRequest): boolean {
  const { requestBudget: budget, transport, place } = connection
  const now = performance.now()
  budget.left = Math.min(BURST, budget.left + ((now - budget.updatedAt) / 1000) * PER_SECOND)
  budget.updatedAt = now
  if (budget.left === BURST) budget.reported = false
  if (budget.left <= -MAX_REFUSALS) return false
  budget.left--
  if (budget.left >= 0) return true
  if (!budget.reported) {
    budget.reported = true
    const text = `${place} sends too many requests: more than ${BURST} at once, or ${PER_SECOND} per second, are refused`
    report(connection)(new MCPError(text, 'limit', { method }))
  }
  const error = { code: -32000, message: `Too many requests: at most ${PER_SECOND} per second` }
  meanwhile(connection, () => transport.send({ jsonrpc: '2.0', id, error }))
  return false
}
