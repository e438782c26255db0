import { isObject, parseJson } from '../jsonrpc.ts'
import type { MCPEvent, MCPEventControl } from './event-types.ts'
import { isTime } from './is-time.ts'

/** What a server can send to a webhook. */
export type Message =
  | { kind: 'verification'; challenge: string }
  | { kind: 'control'; control: MCPEventControl }
  | { kind: 'event'; event: MCPEvent }

/** Reads the body of a delivery; undefined for what is none. */
export function readMessage(body: Uint8Array): Message | undefined {
  let value: unknown
  try {
    value = parseJson(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
  if (!isObject(value)) return undefined
  // Only an event has no type.
  if (!Object.hasOwn(value, 'type')) return isEvent(value) ? { kind: 'event', event: value } : undefined
  const { type, challenge, cursor, error } = value
  switch (type) {
    case 'verification':
      return typeof challenge === 'string' && challenge ? { kind: 'verification', challenge } : undefined
    case 'gap':
      return typeof cursor === 'string'
        ? { kind: 'control', control: { ...value, type, cursor, truncated: true } }
        : undefined
    case 'terminated':
      return isError(error) ? { kind: 'control', control: { ...value, type, error } } : undefined
    default:
      return undefined
  }
}

const isError = (error: unknown): error is { code: number; message: string } =>
  isObject(error) && Number.isSafeInteger(error['code']) && typeof error['message'] === 'string'

function isEvent(value: object): value is MCPEvent {
  const { eventId, name, timestamp, data, cursor } = value as Record<string, unknown>
  return (
    typeof eventId === 'string' &&
    typeof name === 'string' &&
    isTime(timestamp) &&
    isObject(data) &&
    (cursor == null || typeof cursor === 'string')
  )
}
