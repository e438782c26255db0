import { Dexie, type DexieOptions, type Table } from 'dexie'
import type { Conversation } from '#domain/conversation.ts'
import type { CustomTool } from '#domain/custom-tool.ts'
import type { Gpt } from '#domain/gpt.ts'
import type { Grant } from '#domain/grant.ts'
import type { Attachment, Message, Stream } from '#domain/message.ts'
import type { ModelConnection } from '#domain/model-connection.ts'
import type { Question } from '#domain/question.ts'
import type { Recording } from '#domain/recording.ts'
import type { OAuthTokens, Sealed } from '#domain/sealed.ts'
import type { Server } from '#domain/server.ts'
import type { Task } from '#domain/task.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { LedgerEntry } from '#domain/tool-ledger.ts'
import { migrate } from './migrations.ts'
import { indexForSearch, type SearchEntry } from './search-index.ts'

export interface StoredValue {
  key: string
  value: unknown
}

/** Words that were typed and not sent; by conversation, or `new:<gptId>`. */
export interface Draft {
  id: string
  text: string
  /** They have a row of their own: words are saved while they are typed, and these are large. */
  attachments?: Attachment[]
  updatedAt: number
}
/** The setting that says that the demo was put in place, once. */
export const SEEDED = 'seeded'

/** The rows of a draft: its words, and what goes with them. */
export const attachedId = (id: string): string => `attached:${id}`
export const draftIds = (id: string): string[] => [id, attachedId(id)]

export class Database extends Dexie {
  declare readonly gpts: Table<Gpt, string>
  declare readonly conversations: Table<Conversation, string>
  declare readonly messages: Table<Message, string>
  declare readonly streams: Table<Stream, string>
  declare readonly drafts: Table<Draft, string>
  declare readonly mcpServers: Table<Server, string>
  declare readonly mcpToolCalls: Table<ToolCall, string>
  declare readonly mcpTasks: Table<Task, string>
  declare readonly mcpOAuthTokens: Table<OAuthTokens, string>
  declare readonly questions: Table<Question, string>
  declare readonly toolLedger: Table<LedgerEntry, string>
  declare readonly recordings: Table<Recording, number>
  declare readonly customTools: Table<CustomTool, string>
  declare readonly modelConnections: Table<ModelConnection, string>
  declare readonly secrets: Table<Sealed, string>
  declare readonly grants: Table<Grant, string>
  declare readonly settings: Table<StoredValue, string>
  /** Made from conversations, messages and tool calls; see search-index. */
  declare readonly searchWords: Table<SearchEntry, string>

  /** `backend`: what stands in for the browser's own database, where that cannot be used. */
  constructor(name = 'switchboard', backend: Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'> = {}) {
    // Dexie's cache goes by the name of a database: rows of one that was deleted would be shown as those of the next.
    super(name, { ...backend, cache: 'disabled' })
    migrate(this)
    indexForSearch(this)
    this.on('versionchange', () => {
      // Dexie would open it again by itself, and mend what a newer version made of it until it fits this one.
      this.close()
      return false
    })
  }
}
