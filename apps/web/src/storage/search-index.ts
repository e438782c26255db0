import type { DBCoreMutateRequest, DBCoreRangeType, DBCoreTable, Dexie } from 'dexie'
import type { Conversation } from '#domain/conversation.ts'
import type { Message } from '#domain/message.ts'
import { searchWords } from '#domain/search-words.ts'
import type { ToolCall } from '#domain/tool-call.ts'

/** The words of one title, message or tool call. */
export interface SearchEntry {
  /** When it was said, what it is and its id; see `keyOf`. A larger key is newer. */
  key: string
  conversationId: string
  words: string[]
}

export const SEARCH_TABLE = 'searchWords'
export const sourceNames = ['conversations', 'messages', 'mcpToolCalls'] as const
export type SourceName = (typeof sourceNames)[number]
type Row = Conversation | Message | ToolCall

const KINDS = { conversations: 'c', messages: 'm', mcpToolCalls: 't' } as const
const TIME_LENGTH = 9

const keyOf = (name: SourceName, at: number, id: string): string =>
  `${at.toString(36).padStart(TIME_LENGTH, '0')}${KINDS[name]}${id}`

/** What a key of the index stands for. */
export function sourceOf(key: string): { name: SourceName | undefined; id: string } {
  const kind = key[TIME_LENGTH]
  return { name: sourceNames.find((name) => KINDS[name] === kind), id: key.slice(TIME_LENGTH + 1) }
}

/** What a message says, and what was attached to it. */
export const textOfMessage = ({ parts }: Pick<Message, 'parts'>): string =>
  parts
    .flatMap((part) => {
      if (part.type === 'text') return [part.text]
      return part.type === 'attachment' ? [part.name, part.text ?? ''] : []
    })
    .join('\n')

const textsOfBlock = (block: Record<string, unknown>): string[] => {
  const resource = (block['resource'] ?? {}) as Record<string, unknown>
  return [block['text'], block['name'], block['title'], block['uri'], resource['uri'], resource['text']].filter(
    (text) => typeof text === 'string',
  )
}

/** What a tool was called with and what it answered. */
export function textOfCall({ title, toolName, arguments: args, content, structuredContent, error }: ToolCall): string {
  const answered = (content ?? []).flatMap(textsOfBlock)
  // Most servers repeat it as text.
  const structured = answered.length > 0 || structuredContent === undefined ? [] : [JSON.stringify(structuredContent)]
  return [...answered, ...structured, error?.message ?? '', title, toolName, args].join('\n')
}

/** The entry of a row; undefined if it says nothing, or belongs to no conversation. */
export function entryOf(name: SourceName, row: Row): SearchEntry | undefined {
  const [at, conversationId, text] =
    name === 'conversations'
      ? [(row as Conversation).updatedAt, row.id, (row as Conversation).title]
      : name === 'messages'
        ? [row.createdAt, (row as Message).conversationId, textOfMessage(row as Message)]
        : [row.createdAt, (row as ToolCall).conversationId, textOfCall(row as ToolCall)]
  const words = conversationId === '' ? [] : searchWords(text)
  return words.length === 0 ? undefined : { key: keyOf(name, at, row.id), conversationId, words }
}

const isSource = (name: string): name is SourceName => (sourceNames as readonly string[]).includes(name)

const isSame = (one: SearchEntry | undefined, other: SearchEntry | undefined): boolean =>
  one?.key === other?.key && one?.words.join(' ') === other?.words.join(' ')

/**
 * Keeps the search index up to date in the transaction that writes a conversation, message or tool call, whoever writes
 * it: a turn, an import, a restored backup, the removal of a chat.
 */
export function indexForSearch(db: Dexie): void {
  db.use({
    stack: 'dbcore',
    name: 'search-index',
    create: (core) => ({
      ...core,
      transaction(stores, mode, options) {
        const isIndexed = mode === 'readwrite' && stores.some(isSource) && !stores.includes(SEARCH_TABLE)
        return core.transaction(isIndexed ? [...stores, SEARCH_TABLE] : stores, mode, options)
      },
      table(name) {
        const table = core.table(name)
        if (!isSource(name)) return table
        return { ...table, mutate: (request) => mutateIndexed(core.table(SEARCH_TABLE), table, name, request) }
      },
    }),
  })
}

/** Without `await`, here and below: Dexie follows a transaction by its own promises. */
function mutateIndexed(index: DBCoreTable, table: DBCoreTable, name: SourceName, request: DBCoreMutateRequest) {
  const { trans } = request
  if (request.type === 'deleteRange' && request.range.type === EVERYTHING)
    return forgetAll(index, trans, name).then(() => table.mutate(request))
  const perform = (rows: readonly (Row | undefined)[]) =>
    table.mutate(request).then((response) => {
      const succeeded = (_: unknown, at: number) => response.failures[at] === undefined
      const before = rows.filter(succeeded).flatMap((row) => (row && entryOf(name, row)) ?? [])
      const written = request.type === 'add' || request.type === 'put' ? (request.values as readonly Row[]) : []
      const after = written.filter(succeeded).flatMap((row) => entryOf(name, row) ?? [])
      const known = new Map(before.map((entry) => [entry.key, entry]))
      const kept = new Set(after.map(({ key }) => key))
      const changed = after.filter((entry) => !isSame(known.get(entry.key), entry))
      const gone = before.flatMap(({ key }) => (kept.has(key) ? [] : [key]))
      return write(index, trans, changed, gone, response)
    })
  return request.type === 'add' ? perform([]) : rowsBefore(table, request).then(perform)
}

type Transaction = DBCoreMutateRequest['trans']
/** In Dexie a range of this type holds every key. Its enum can't be imported by modules that are compiled one by one. */
const EVERYTHING = 3 as DBCoreRangeType

/** The rows that a request replaces or deletes. */
function rowsBefore(
  table: DBCoreTable,
  request: Exclude<DBCoreMutateRequest, { type: 'add' }>,
): Promise<(Row | undefined)[]> {
  const { trans } = request
  const { primaryKey } = table.schema
  const getMany = (keys: unknown[]) => table.getMany({ trans, keys }).then((rows) => rows as (Row | undefined)[])
  switch (request.type) {
    case 'put':
      return getMany(request.values.map((row) => primaryKey.extractKey?.(row) as unknown))
    case 'delete':
      return getMany(request.keys)
    case 'deleteRange':
      return table
        .query({ trans, values: true, query: { index: primaryKey, range: request.range } })
        .then(({ result }) => result as Row[])
  }
}

function write<T>(
  index: DBCoreTable,
  trans: Transaction,
  changed: readonly SearchEntry[],
  gone: readonly string[],
  value: T,
): T | Promise<T> {
  const put = () =>
    changed.length > 0 ? index.mutate({ type: 'put', trans, values: changed }).then(() => value) : value
  return gone.length > 0 ? index.mutate({ type: 'delete', trans, keys: [...gone] }).then(put) : put()
}

/** A table is cleared: the keys of the index say which entries were of it. */
function forgetAll(index: DBCoreTable, trans: Transaction, name: SourceName) {
  const range = { type: EVERYTHING, lower: undefined, upper: undefined }
  return index.query({ trans, values: false, query: { index: index.schema.primaryKey, range } }).then(({ result }) => {
    const gone = (result as string[]).filter((key) => sourceOf(key).name === name)
    return write(index, trans, [], gone, undefined)
  })
}
