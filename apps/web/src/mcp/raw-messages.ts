import type { Transport } from '@switchboard/mcp'
import type { RawMessage } from '#domain/tool-call.ts'

const KEPT_CALLS = 50
const KEPT_CHARACTERS = 65_536

interface Message {
  id?: unknown
  method?: string
  params?: { arguments?: unknown; taskId?: unknown; progressToken?: unknown; _meta?: { progressToken?: unknown } }
  result?: { taskId?: unknown; task?: { taskId?: unknown } }
}

/** The messages of the last calls as they travelled, in memory only. Headers are no part of them. */
export interface RawMessages {
  /** From now on these arguments, by identity, belong to this call. */
  begin(toolCallId: string, args: object): void
  of(toolCallId: string): RawMessage[]
  /** Looks over the shoulder of a transport that has been started. */
  watch(transport: Pick<Transport, 'send' | 'onmessage'>): void
}

export function createRawMessages(now: () => number): RawMessages {
  const calls = new Map<string, RawMessage[]>()
  const byArguments = new WeakMap<object, string>()

  const keep = (toolCallId: string, direction: RawMessage['direction'], text: string): void => {
    const messages = calls.get(toolCallId)
    if (!messages) return
    const cut = text.length > KEPT_CHARACTERS ? `${text.slice(0, KEPT_CHARACTERS)}… (${text.length} characters)` : text
    messages.push({ at: now(), direction, text: cut })
    // The call itself stays, what came last stays; what is between goes first.
    while (messages.length > 2 && lengthOf(messages) > KEPT_CHARACTERS) messages.splice(1, 1)
  }

  return {
    begin(toolCallId, args) {
      calls.delete(toolCallId)
      calls.set(toolCallId, [])
      byArguments.set(args, toolCallId)
      for (const oldest of calls.keys()) {
        if (calls.size <= KEPT_CALLS) break
        calls.delete(oldest)
      }
    },
    of: (toolCallId) => [...(calls.get(toolCallId) ?? [])],
    watch(transport) {
      /** What belongs to which call on this connection: ids of requests, tokens of progress, tasks. */
      const owners = new Map<string, string>()
      const own = (kind: string, key: unknown, toolCallId: string): void => {
        if (typeof key === 'string' || typeof key === 'number') owners.set(`${kind} ${key}`, toolCallId)
        if (owners.size > KEPT_CALLS * 20) owners.delete(owners.keys().next().value ?? '')
      }
      const { onmessage } = transport
      const send = transport.send.bind(transport)
      transport.send = (message, options) => {
        const { id, params } = message as Message
        const owner =
          byArguments.get((params?.arguments ?? {}) as object) ?? owners.get(`task ${String(params?.taskId)}`)
        if (owner !== undefined) {
          own('id', id, owner)
          own('progress', params?._meta?.progressToken, owner)
          keep(owner, 'sent', JSON.stringify(message))
        }
        return send(message, options)
      }
      transport.onmessage = (message: Message, extra?: { text?: string; failure?: unknown }) => {
        const { id, method, params, result } = message
        const owner =
          method === undefined
            ? owners.get(`id ${String(id)}`)
            : (owners.get(`progress ${String(params?.progressToken)}`) ?? owners.get(`task ${String(params?.taskId)}`))
        // A failure of ours in the place of an answer never travelled.
        if (owner !== undefined && !extra?.failure) {
          own('task', result?.task?.taskId ?? result?.taskId, owner)
          keep(owner, 'received', extra?.text || JSON.stringify(message))
        }
        onmessage?.(message, extra)
      }
    },
  }
}

const lengthOf = (messages: readonly RawMessage[]): number => messages.reduce((sum, { text }) => sum + text.length, 0)
