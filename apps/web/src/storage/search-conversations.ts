import type { Conversation } from '#domain/conversation.ts'
import type { Message } from '#domain/message.ts'
import type { Database } from './db.ts'
import { isThere } from './soft-delete.ts'

/** A search reads no more than this many messages: the oldest of a very large store are not looked at. */
const MOST_MESSAGES = 20_000
const AROUND = 60

export interface FoundConversation {
  conversation: Conversation
  /** Where it was found in a message; absent where the title has it all. */
  snippet?: { messageId: string; before: string; match: string; after: string }
}

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean)
const hasAll = (text: string, words: readonly string[]) => words.every((word) => text.includes(word))

const textOf = ({ parts }: Message) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')

function snippetOf(message: Message, text: string, word: string): NonNullable<FoundConversation['snippet']> {
  const at = text.toLowerCase().indexOf(word)
  const end = at + word.length
  return {
    messageId: message.id,
    before: `${at > AROUND ? '…' : ''}${text.slice(Math.max(0, at - AROUND), at)}`,
    match: text.slice(at, end),
    after: `${text.slice(end, end + AROUND)}${text.length > end + AROUND ? '…' : ''}`,
  }
}

function findIn(messages: readonly Message[], words: readonly string[]): FoundConversation['snippet'] {
  for (const message of messages.toSorted((a, b) => b.createdAt - a.createdAt)) {
    const text = textOf(message)
    if (hasAll(text.toLowerCase(), words)) return snippetOf(message, text, words[0] ?? '')
  }
  return undefined
}

/** Conversations whose title, or one of whose messages, has all these words; the last used first. Too slow to be a live query. */
export async function searchConversations(db: Database, text: string, limit: number): Promise<FoundConversation[]> {
  const words = wordsOf(text)
  if (words.length === 0) return []
  const found: FoundConversation[] = []
  let read = 0
  const newestFirst = await db.conversations.orderBy('updatedAt').reverse().filter(isThere).toArray()
  for (const conversation of newestFirst) {
    if (found.length >= limit) break
    if (hasAll(conversation.title.toLowerCase(), words)) {
      found.push({ conversation })
    } else if (read < MOST_MESSAGES) {
      const messages = await db.messages
        .where({ conversationId: conversation.id })
        .limit(MOST_MESSAGES - read)
        .toArray()
      read += messages.length
      const snippet = findIn(messages, words)
      if (snippet) found.push({ conversation, snippet })
    }
  }
  return found
}
