import type { Transport } from '@switchboard/mcp'
import type { Recording } from '#domain/recording.ts'
import type { Server } from '#domain/server.ts'
import { createRedaction } from './redact-message.ts'

/** What this file needs of storage: takes what was recorded, in order. Whether it could be kept is its own matter. */
export type KeepRecordings = (recordings: Omit<Recording, 'id'>[]) => Promise<void>

type Watched = Pick<Transport, 'send' | 'onmessage'> & { readonly sessionId?: string | undefined }

interface Message {
  id?: unknown
  method?: unknown
}

const LONGEST_MESSAGE = 20_000
const BATCH_MS = 500
/** A server that floods is recorded at this pace, and what is left out is counted. */
const MOST_WAITING = 500
const MOST_REQUESTS = 1_000
/** Records what travels between the app and its servers, for whoever looks for a fault later. */
export function createFlightRecorder(keep: KeepRecordings, now: () => number) {
  let waiting: Omit<Recording, 'id'>[] = []
  let leftOut = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let written = Promise.resolve()
  const redact = createRedaction()

  const flush = (): void => {
    timer = undefined
    const batch = waiting
    const last = batch.at(-1)
    if (last && leftOut > 0) last.text += `\n(${leftOut} more messages came too fast to be recorded)`
    waiting = []
    leftOut = 0
    const before = written
    written = keep(batch).then(
      () => before,
      () => before,
    )
  }

  const note = (recording: Omit<Recording, 'id'>): void => {
    if (waiting.length < MOST_WAITING) waiting.push(recording)
    else leftOut += 1
    timer ??= setTimeout(flush, BATCH_MS)
  }

  return {
    /** To be called before the transport is started, so that the first words are heard too. */
    watch(
      { id: serverId, name: serverName }: Pick<Server, 'id' | 'name'>,
      transport: Watched,
      secrets: () => readonly string[],
    ) {
      /** What was asked: by us, and by the server. Both count their requests as they like. */
      const ours = new Map<unknown, string>()
      const theirs = new Map<unknown, string>()
      const heard = new WeakSet<object>()
      const record = (direction: Recording['direction'], message: Message, given?: string): void => {
        const isSent = direction === 'sent'
        const isAnswer = isSent && message.method === undefined
        const method = remember(isSent ? ours : theirs, message) ?? (isSent ? theirs : ours).get(message.id) ?? ''
        const text = redact({ message, isAnswer, sessionId: transport.sessionId, secrets: secrets() })
        note({
          serverId,
          serverName,
          at: now(),
          direction,
          method: method.slice(0, 200),
          text: text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text,
          size: given?.length ?? JSON.stringify(message).length,
        })
      }
      const send = transport.send.bind(transport)
      transport.send = (message, options) => {
        record('sent', message as Message)
        return send(message, options)
      }
      // The client sets its own listener when it begins, and others put theirs around it: each message is recorded once.
      let current = transport.onmessage
      Object.defineProperty(transport, 'onmessage', {
        configurable: true,
        get: () => current,
        set(next: Watched['onmessage']) {
          current = (message: object, extra?: { text?: string; failure?: unknown }) => {
            if (!heard.has(message)) {
              heard.add(message)
              record(extra?.failure ? 'failed' : 'received', message, extra?.text)
            }
            ;(next as ((message: object, extra?: object) => void) | undefined)?.(message, extra)
          }
        },
      })
    },
    /** What is waiting is handed over now. Resolves when it is stored, and what was handed over before. */
    flush(): Promise<void> {
      clearTimeout(timer)
      if (waiting.length > 0) flush()
      return written
    },
  }
}

/** The method of a request or notification; that of a request is kept for its answer. */
function remember(requests: Map<unknown, string>, { id, method }: Message): string | undefined {
  if (typeof method !== 'string') return undefined
  if (id !== undefined) requests.set(id, method.slice(0, 200))
  if (requests.size > MOST_REQUESTS) requests.delete(requests.keys().next().value)
  return method
}

export type FlightRecorder = ReturnType<typeof createFlightRecorder>
