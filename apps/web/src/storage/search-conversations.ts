import type { Conversation } from '#domain/conversation.ts'
import { hasSearchedWords, searchedWords, searchWords } from '#domain/search-words.ts'
import type { Database } from './db.ts'
import { END_OF_ENTRIES, isSearchIndexBuilt } from './build-search-index.ts'
import { entryOf, type SearchEntry, sourceOf, textOfCall, textOfMessage } from './search-index.ts'
import { isThere } from './soft-delete.ts'

/** A word that more entries have than this is common: the newest entries are searched for it one by one. */
const COMMON = 2_000
const MAX_NEWEST = 2_000
const BATCH = 50
/** Without an index, a search reads at most so many messages and tool calls. */
const MAX_READ = 20_000
const AROUND = 60

export interface FoundConversation {
  conversation: Conversation
  /** The passage of a message or tool call that was found; absent if the title has all words. */
  snippet?: { messageId: string; before: string; match: string; after: string }
}

/** A conversation and the newest entry in it that has all words. */
type Hits = Map<string, string>

/**
 * The conversations in which the title, a message or a tool call has words that begin with all words of the query. The
 * conversation that was used last comes first.
 */
export async function searchConversations(
  db: Database,
  text: string,
  limit: number,
  common = COMMON,
): Promise<FoundConversation[]> {
  const words = searchedWords(text)
  if (words.length === 0) return []
  const found: Hit[] = []
  const take = (hits: Hits) => addFound(db, found, hits)
  if (await isSearchIndexBuilt(db)) await findInIndex(db, words, { limit, common }, take)
  else await findInRows(db, words, limit, take)
  found.sort((a, b) => b.conversation.updatedAt - a.conversation.updatedAt)
  return Promise.all(
    found.slice(0, limit).map(async ({ conversation, key }) => {
      const isInTitle = hasSearchedWords(searchWords(conversation.title), words)
      const snippet = isInTitle ? undefined : await snippetOf(db, key, words)
      return { conversation, ...(snippet && { snippet }) }
    }),
  )
}

interface Hit {
  conversation: Conversation
  /** Of the entry. */
  key: string
}

type Take = (hits: Hits) => Promise<number>

async function findInIndex(
  db: Database,
  words: readonly string[],
  { limit, common }: { limit: number; common: number },
  take: Take,
): Promise<void> {
  const keysOf = (word: string, most: number) =>
    db.searchWords.where('words').startsWith(word).limit(most).primaryKeys()
  const lists = await Promise.all(words.map((word) => keysOf(word, common)))
  const rare = lists.filter(({ length }) => length < common)
  if (rare.length > 0) return findInKeys(db, inAll(rare), words, limit, take)
  if (await findInNewest(db, words, limit, take)) return
  const all = await Promise.all(words.map((word) => keysOf(word, Infinity)))
  await findInKeys(db, inAll(all), words, limit, take)
}

/** The keys that all lists have, newest first. */
function inAll([first = [], ...others]: string[][]): string[] {
  const sets = others.map((list) => new Set(list))
  return [...new Set(first)].filter((key) => sets.every((set) => set.has(key))).sort((a, b) => (a < b ? 1 : -1))
}

async function findInKeys(
  db: Database,
  keys: readonly string[],
  words: readonly string[],
  limit: number,
  take: Take,
): Promise<void> {
  for (let at = 0; at < keys.length; at += BATCH) {
    const entries = await db.searchWords.bulkGet(keys.slice(at, at + BATCH))
    if ((await take(hitsOf(entries, words))) >= limit) return
  }
}

/** Whether there are as many as wanted among the newest entries, or no others. */
async function findInNewest(db: Database, words: readonly string[], limit: number, take: Take): Promise<boolean> {
  let before = END_OF_ENTRIES
  for (let read = 0; read < MAX_NEWEST; read += BATCH) {
    const entries = await db.searchWords.where('key').below(before).reverse().limit(BATCH).toArray()
    if ((await take(hitsOf(entries, words))) >= limit) return true
    if (entries.length < BATCH) return true
    before = entries.at(-1)?.key ?? ''
  }
  return false
}

/** Until the index is built: row by row, from the conversation that was used last. */
async function findInRows(db: Database, words: readonly string[], limit: number, take: Take): Promise<void> {
  let read = 0
  for (const conversation of await db.conversations.orderBy('updatedAt').reverse().filter(isThere).toArray()) {
    const { id } = conversation
    const entries = [entryOf('conversations', conversation)]
    if (read < MAX_READ) {
      const messages = await db.messages.where({ conversationId: id }).toArray()
      const calls = await db.mcpToolCalls.where({ conversationId: id }).toArray()
      read += messages.length + calls.length
      entries.push(
        ...messages.map((row) => entryOf('messages', row)),
        ...calls.map((row) => entryOf('mcpToolCalls', row)),
      )
    }
    if ((await take(hitsOf(entries, words))) >= limit) return
  }
}

function hitsOf(entries: readonly (SearchEntry | undefined)[], words: readonly string[]): Hits {
  const hits: Hits = new Map()
  for (const entry of entries) {
    if (!entry || !hasSearchedWords(entry.words, words)) continue
    const { conversationId, key } = entry
    if (key > (hits.get(conversationId) ?? '')) hits.set(conversationId, key)
  }
  return hits
}

/** Adds the conversations that aren't deleted or found already. Returns how many there are. */
async function addFound(db: Database, found: Hit[], hits: Hits): Promise<number> {
  const fresh = [...hits.keys()].filter((id) => !found.some(({ conversation }) => conversation.id === id))
  const conversations = await db.conversations.bulkGet(fresh)
  const there = conversations.filter((one) => one !== undefined).filter(isThere)
  found.push(...there.map((conversation) => ({ conversation, key: hits.get(conversation.id) ?? '' })))
  return found.length
}

async function snippetOf(
  db: Database,
  key: string,
  words: readonly string[],
): Promise<FoundConversation['snippet'] | undefined> {
  const { name, id } = sourceOf(key)
  if (name === 'messages') {
    const message = await db.messages.get(id)
    return message && cutOut(id, textOfMessage(message), words)
  }
  const call = name === 'mcpToolCalls' ? await db.mcpToolCalls.get(id) : undefined
  return call && cutOut(call.messageId, textOfCall(call), words)
}

const escaped = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** The first searched word in a text, with the text around it. */
function cutOut(messageId: string, text: string, [word = '']: readonly string[]): FoundConversation['snippet'] {
  const find = (pattern: string) => new RegExp(pattern, 'iu').exec(text)
  const found = find(`(?<![\\p{L}\\p{M}\\p{N}])${escaped(word)}`) ?? find(escaped(word))
  const at = found?.index ?? 0
  const end = at + (found?.[0].length ?? 0)
  return {
    messageId,
    before: `${at > AROUND ? '…' : ''}${text.slice(Math.max(0, at - AROUND), at)}`,
    match: text.slice(at, end),
    after: `${text.slice(end, end + AROUND)}${text.length > end + AROUND ? '…' : ''}`,
  }
}
