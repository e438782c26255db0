import type { Conversation } from '#domain/conversation.ts'
import type { CustomTool } from '#domain/custom-tool.ts'
import type { Gpt } from '#domain/gpt.ts'
import type { Grant } from '#domain/grant.ts'
import { isTaskOver } from '#domain/is-task-over.ts'
import type { Attachment, Message, Stream } from '#domain/message.ts'
import type { ModelConnection } from '#domain/model-connection.ts'
import type { Question } from '#domain/question.ts'
import { isKeyOfUser, type OAuthTokens } from '#domain/sealed.ts'
import type { Recording } from '#domain/recording.ts'
import type { Server } from '#domain/server.ts'
import { type SettingKey, type Settings, settingDefaults } from '#domain/setting.ts'
import type { Task } from '#domain/task.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { LedgerEntry } from '#domain/tool-ledger.ts'
import { attachedId, type Database, SEEDED } from './db.ts'
import { lastShown } from './shown.ts'
import { isThere, unlessDeleted } from './soft-delete.ts'

export { callsByHand, toolCall } from './live-by-hand.ts'
export { searchConversations } from './search-conversations.ts'

// What the page reads. Each runs inside a live query, which runs it again when a row it read, or might have read, changes.

const oldestFirst = (a: { createdAt: number }, b: { createdAt: number }) => a.createdAt - b.createdAt

/** All GPTs, archived ones too, oldest first: an order that editing does not stir. */
export const listGpts = async (db: Database): Promise<Gpt[]> =>
  (await db.gpts.toArray()).filter(isThere).sort(oldestFirst)

export const gpt = async (db: Database, id: string): Promise<Gpt | undefined> => unlessDeleted(await db.gpts.get(id))

/** Whether the demo was put in place: before that, that there is no GPT says nothing. */
export const isSeeded = async (db: Database): Promise<boolean> => (await db.settings.get(SEEDED)) !== undefined

/** Conversations, the last used first; `before` is the `updatedAt` of the last one that is known already. */
export const listConversations = (
  db: Database,
  { limit, before }: { limit: number; before?: number },
): Promise<Conversation[]> =>
  db.conversations
    .where('updatedAt')
    .below(before ?? Number.POSITIVE_INFINITY)
    .reverse()
    .filter(isThere)
    .limit(limit)
    .toArray()

export const conversation = async (db: Database, id: string): Promise<Conversation | undefined> =>
  unlessDeleted(await db.conversations.get(id))

export interface ShownWindow {
  messages: Message[]
  hasEarlier: boolean
}

/** The last `count` messages that are shown. However long the conversation is, only these rows are read, and one more. */
export async function shownWindow(db: Database, conversationId: string, count: number): Promise<ShownWindow> {
  const found = await conversation(db, conversationId)
  const messages = found ? await lastShown(db, found, count + 1) : []
  return { messages: messages.slice(-count), hasEarlier: messages.length > count }
}

export const stream = (db: Database, messageId: string): Promise<Stream | undefined> => db.streams.get(messageId)

/** Calls by id, in the order asked for, each followed by the one that repeats it; one that is not there is left out. */
export async function calls(db: Database, ids: readonly string[]): Promise<ToolCall[]> {
  const found = (await db.mcpToolCalls.bulkGet([...ids])).filter((call) => call !== undefined)
  const messageIds = [...new Set(found.map(({ messageId }) => messageId))]
  const ofMessages = await db.mcpToolCalls.where('messageId').anyOf(messageIds).toArray()
  const repeats = new Map(ofMessages.map((call) => [call.repeats, call]))
  return found.flatMap((call) => withRepeats(call, repeats))
}

function withRepeats(call: ToolCall, repeats: ReadonlyMap<string | undefined, ToolCall>): ToolCall[] {
  const line = [call]
  for (let next = repeats.get(call.id); next && !line.includes(next); next = repeats.get(next.id)) line.push(next)
  return line
}

export const runningCalls = (db: Database): Promise<ToolCall[]> =>
  db.mcpToolCalls.where('status').equals('running').toArray()

/** Tasks that go on, the oldest first. */
export const runningTasks = async (db: Database): Promise<Task[]> =>
  (await db.mcpTasks.where('status').anyOf(['working', 'input_required']).toArray()).sort(oldestFirst)

/** The last tasks, newest first; of one server or of all, those that go on or those that are over. */
export const tasks = (
  db: Database,
  { serverId, state, limit }: { serverId: string; state: 'all' | 'active' | 'over'; limit: number },
): Promise<Task[]> =>
  db.mcpTasks
    .orderBy('createdAt')
    .reverse()
    .filter((task) => !serverId || task.serverId === serverId)
    .filter((task) => state === 'all' || isTaskOver(task) === (state === 'over'))
    .limit(limit)
    .toArray()

export const task = (db: Database, id: string): Promise<Task | undefined> => db.mcpTasks.get(id)

/** The calls that wait for the user, in all conversations that are there. */
export async function pendingApprovals(db: Database): Promise<ToolCall[]> {
  const pending = await db.mcpToolCalls.where('status').equals('pending').toArray()
  const waiting = pending.filter(({ approval }) => approval?.state === 'requested').sort(oldestFirst)
  const found = await db.conversations.bulkGet(waiting.map(({ conversationId }) => conversationId))
  return waiting.filter((_, index) => unlessDeleted(found[index]) !== undefined)
}

export const questionsOf = async (db: Database, toolCallId: string): Promise<Question[]> =>
  (await db.questions.where('toolCallId').equals(toolCallId).toArray()).sort(oldestFirst)

/** The questions that wait for the user, in all conversations that are there. */
export async function openQuestions(db: Database): Promise<Question[]> {
  const open = (await db.questions.where('state').equals('open').toArray()).sort(oldestFirst)
  const found = await db.conversations.bulkGet(open.map(({ conversationId }) => conversationId))
  return open.filter((_, index) => unlessDeleted(found[index]) !== undefined)
}

/** What is known of the tools of a server, by name. */
export const toolLedger = (db: Database, serverId: string): Promise<LedgerEntry[]> =>
  db.toolLedger.where('serverId').equals(serverId).sortBy('toolName')

/** The tools that are there, of all servers or of these, that the user has not seen as they are: new, or changed. */
export async function unseenTools(db: Database, serverIds?: readonly string[]): Promise<LedgerEntry[]> {
  const unseen = await db.toolLedger.where('state').anyOf('new', 'changed').toArray()
  return unseen.filter(({ serverId, isThere: there }) => there && (serverIds?.includes(serverId) ?? true))
}

/** One of them, where it is one. */
export const unseenTool = async (db: Database, serverId: string, toolName: string): Promise<LedgerEntry | undefined> =>
  (await unseenTools(db, [serverId])).find((entry) => entry.toolName === toolName)

/** Those of them that are not used because they changed. */
export const changedTools = async (db: Database, serverIds?: readonly string[]): Promise<LedgerEntry[]> =>
  (await unseenTools(db, serverIds)).filter(({ state }) => state === 'changed')

/** Messages with servers, newest first; those of one server, and those that hold all of these words. */
export async function recordings(
  db: Database,
  { serverId, words, limit }: { serverId: string; words: string; limit: number },
): Promise<Recording[]> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const holds = ({ serverName, method, text }: Recording) => {
    const all = `${serverName} ${method} ${text}`.toLowerCase()
    return wanted.every((word) => all.includes(word))
  }
  const newest = db.recordings.reverse().filter((row) => !serverId || row.serverId === serverId)
  return newest.filter(holds).limit(limit).toArray()
}

export const servers = async (db: Database): Promise<Server[]> =>
  (await db.mcpServers.toArray()).filter(isThere).sort(oldestFirst)

/** Whether somebody is signed in to a server, and what may be seen of that. */
export const signedIn = (db: Database, serverId: string): Promise<OAuthTokens | undefined> =>
  db.mcpOAuthTokens.get(serverId)

export const server = async (db: Database, id: string): Promise<Server | undefined> =>
  unlessDeleted(await db.mcpServers.get(id))

/** The tools of a collection, oldest first. */
export const customTools = async (db: Database, serverId: string): Promise<CustomTool[]> =>
  (await db.customTools.where('serverId').equals(serverId).toArray()).sort(
    (a, b) => oldestFirst(a, b) || (a.name < b.name ? -1 : 1),
  )

export const allCustomTools = (db: Database): Promise<CustomTool[]> => db.customTools.toArray()

/** The last calls of a server's tools that began, newest first, whoever made them. */
export const callsOfServer = (db: Database, serverId: string, limit: number): Promise<ToolCall[]> =>
  db.mcpToolCalls
    .where('[serverId+startedAt]')
    .between([serverId, 0], [serverId, Number.POSITIVE_INFINITY])
    .reverse()
    .limit(limit)
    .toArray()

export const models = async (db: Database): Promise<ModelConnection[]> =>
  (await db.modelConnections.toArray()).filter(isThere).sort(oldestFirst)

export const model = async (db: Database, id: string): Promise<ModelConnection | undefined> =>
  unlessDeleted(await db.modelConnections.get(id))

export const grants = async (db: Database): Promise<Grant[]> => (await db.grants.toArray()).sort(oldestFirst)

export async function setting<Key extends SettingKey>(db: Database, key: Key): Promise<Settings[Key]> {
  const row = await db.settings.get(key)
  return (row?.value ?? settingDefaults[key]) as Settings[Key]
}

/** All settings. The vault's own row, in the same table, is not read. */
export async function settings(db: Database): Promise<Settings> {
  const keys = Object.keys(settingDefaults)
  const rows = await db.settings.bulkGet(keys)
  const set = rows.flatMap((row) => (row ? [[row.key, row.value] as const] : []))
  return { ...settingDefaults, ...Object.fromEntries(set) }
}

/** Whether keys or sign-ins of the user are in the vault. Their ids are not secret. */
export const storesKeys = async (db: Database): Promise<boolean> =>
  (await db.secrets.toCollection().primaryKeys()).some(isKeyOfUser)

export const draft = async (db: Database, id: string): Promise<string> => (await db.drafts.get(id))?.text ?? ''

/** What goes with it. */
export const draftAttachments = async (db: Database, id: string): Promise<Attachment[]> =>
  (await db.drafts.get(attachedId(id)))?.attachments ?? []

/** Bytes this app has and may have, where the browser tells. */
export async function storageEstimate(): Promise<{ usage: number; quota: number; isPersisted: boolean }> {
  const [{ usage = 0, quota = 0 }, isPersisted] = await Promise.all([
    navigator.storage.estimate(),
    navigator.storage.persisted(),
  ])
  return { usage, quota, isPersisted }
}
