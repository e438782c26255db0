import { type Stretch, stretches } from '#domain/branches.ts'
import type { Conversation } from '#domain/conversation.ts'
import type { Message } from '#domain/message.ts'
import type { Database } from './db.ts'

const rowsOf = (db: Database, conversationId: string, { branchId, from, to }: Stretch) =>
  db.messages
    .where('[conversationId+branchId+order]')
    .between([conversationId, branchId, from], [conversationId, branchId, to], true, false)

/** What is shown of a conversation, first to last. */
export async function shownMessages(db: Database, conversation: Conversation): Promise<Message[]> {
  const parts = await Promise.all(
    stretches(conversation).map((stretch) => rowsOf(db, conversation.id, stretch).toArray()),
  )
  return parts.flat()
}

/** The last `count` messages that are shown, first to last; no other row is read. */
export async function lastShown(db: Database, conversation: Conversation, count: number): Promise<Message[]> {
  const found: Message[] = []
  for (const stretch of stretches(conversation).toReversed()) {
    if (found.length >= count) break
    const rows = await rowsOf(db, conversation.id, stretch)
      .reverse()
      .limit(count - found.length)
      .toArray()
    found.push(...rows)
  }
  return found.reverse()
}
