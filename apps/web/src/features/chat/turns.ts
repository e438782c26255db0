import type { Message, Part } from '#domain/message.ts'

/** What people see as one contribution: words of theirs, or everything the GPT did until the next. */
export type Turn =
  | { role: 'user'; key: string; message: Message }
  | { role: 'assistant'; key: string; messages: Message[] }

export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (message.role === 'user') turns.push({ role: 'user', key: message.id, message })
    else if (last?.role === 'assistant') last.messages.push(message)
    else turns.push({ role: 'assistant', key: message.id, messages: [message] })
  }
  return turns
}

/** A stretch of a turn: words, thoughts, or calls that follow each other, also over the border of two messages. */
export type Segment =
  | { type: 'text' | 'reasoning'; key: string; text: string }
  | { type: 'tools'; key: string; callIds: string[] }

export function segmentsOf(messages: readonly { id: string; parts: readonly Part[] }[]): Segment[] {
  const segments: Segment[] = []
  for (const { id, parts } of messages) {
    parts.forEach((part, index) => {
      const last = segments.at(-1)
      if (part.type === 'tool') {
        if (last?.type === 'tools') last.callIds.push(part.toolCallId)
        else segments.push({ type: 'tools', key: `${id}:${index}`, callIds: [part.toolCallId] })
      } else if (part.type !== 'attachment' && part.type !== 'task' && part.text !== '') {
        segments.push({ type: part.type, key: `${id}:${index}`, text: part.text })
      }
    })
  }
  return segments
}

/** The words of a turn, for the clipboard. */
export const wordsOf = (messages: readonly Message[]): string =>
  messages
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n\n')

/** What the provider says a turn has used, over all its messages. */
export function usageOf(messages: readonly Message[]): { input: number; output: number } | undefined {
  const used = messages.flatMap(({ usage }) => usage ?? [])
  if (used.length === 0) return undefined
  const sum = (read: (usage: (typeof used)[number]) => number | undefined) =>
    used.reduce((total, usage) => total + (read(usage) ?? 0), 0)
  return { input: sum(({ inputTokens }) => inputTokens), output: sum(({ outputTokens }) => outputTokens) }
}

const isSame = (a: Message, b: Message): boolean =>
  a.id === b.id &&
  a.status === b.status &&
  a.completedAt === b.completedAt &&
  a.parts.length === b.parts.length &&
  a.failure?.message === b.failure?.message

/** A read again gives new objects for old rows; those that did not change stay the same, so that they are not drawn again. */
export function keepSame(previous: readonly Message[], next: readonly Message[]): Message[] {
  const known = new Map(previous.map((message) => [message.id, message]))
  return next.map((message) => {
    const old = known.get(message.id)
    return old && isSame(old, message) ? old : message
  })
}
