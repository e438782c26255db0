import type { HttpTransport } from '@switchboard/mcp'

/** Where the answer of a request is, on a server with sessions: enough to read on after a reload. */
export interface StreamPlace {
  requestId: string | number
  lastEventId: string
}

interface Message {
  id?: string | number
  method?: string
  params?: { arguments?: unknown }
}
/** What is looked at of a transport that has been started. */
export type WatchedTransport = Pick<HttpTransport, 'send' | 'onmessage'> & Partial<Pick<HttpTransport, 'place'>>
type SendOptions = Parameters<HttpTransport['send']>[1]

/** Which call a question of a server belongs to, and where its stream is. */
export interface CallStreams {
  /** From now on the call with these arguments, by identity, is this one; with a place, it is read on there and not sent. */
  begin(toolCallId: string, args: object, from?: StreamPlace): void
  placeOf(toolCallId: string): StreamPlace | undefined
  /** Of a question, by the identity of its params: its id, and the call on whose stream it came, where that is known. */
  asked(params: object): { id: string | number; toolCallId: string | undefined } | undefined
  watch(transport: WatchedTransport): void
}

export function createCallStreams(): CallStreams {
  const begun = new WeakMap<object, { toolCallId: string; from?: StreamPlace | undefined }>()
  const places = new Map<string, { requestId: string | number; lastEventId?: string | undefined }>()
  const questions = new WeakMap<object, { id: string | number; toolCallId: string | undefined }>()
  /** Whose stream has just brought an event: what it holds is delivered before anything else happens. */
  let speaking: string | undefined

  return {
    begin: (toolCallId, args, from) => void begun.set(args, { toolCallId, from }),
    placeOf(toolCallId) {
      const { requestId, lastEventId } = places.get(toolCallId) ?? {}
      return requestId === undefined || lastEventId === undefined ? undefined : { requestId, lastEventId }
    },
    asked: (params) => questions.get(params),
    watch(transport) {
      const { onmessage } = transport
      const send = transport.send.bind(transport)
      transport.send = (message, options) => {
        const { id, method, params } = message as Message
        const call = method === 'tools/call' ? begun.get((params?.arguments ?? {}) as object) : undefined
        if (!call || id === undefined) return send(message, options)
        const { toolCallId, from } = call
        places.set(toolCallId, from ? { ...from } : { requestId: id })
        const own: SendOptions = {
          ...options,
          ...(from && { resumptionToken: from.lastEventId, resumedRequestId: from.requestId }),
          onresumptiontoken(token) {
            const place = places.get(toolCallId)
            if (place) place.lastEventId = token
            speaking = toolCallId
          },
        }
        return send(message, own)
      }
      transport.onmessage = (message: Message, extra?: unknown) => {
        const { id, method, params } = message
        if (method !== undefined && id !== undefined && typeof params === 'object')
          questions.set(params, { id, toolCallId: speaking })
        speaking = undefined
        onmessage?.(message, extra)
      }
    },
  }
}
