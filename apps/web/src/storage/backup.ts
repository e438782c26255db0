import type { Table } from 'dexie'
import * as z from 'zod/mini'
import { conversationSchema } from '#domain/conversation.ts'
import { customToolSchema } from '#domain/custom-tool.ts'
import { gptSchema } from '#domain/gpt.ts'
import { grantSchema } from '#domain/grant.ts'
import { messageSchema } from '#domain/message.ts'
import { modelConnectionSchema } from '#domain/model-connection.ts'
import { questionSchema } from '#domain/question.ts'
import { oauthTokensSchema } from '#domain/sealed.ts'
import { serverSchema } from '#domain/server.ts'
import { taskSchema } from '#domain/task.ts'
import { toolCallSchema } from '#domain/tool-call.ts'
import { ledgerEntrySchema } from '#domain/tool-ledger.ts'
import type { Database } from './db.ts'
import { VAULT } from './forget-secrets.ts'
import { reading, writing } from './in-transaction.ts'

const draftSchema = z.looseObject({ id: z.string() })
const settingSchema = z.object({ key: z.string(), value: z.unknown() })

/** What a backup holds, table by table. What is streaming is not in it, nor the vault: its key belongs to this browser. */
const SCHEMAS = {
  gpts: gptSchema,
  conversations: conversationSchema,
  messages: messageSchema,
  drafts: draftSchema,
  mcpServers: serverSchema,
  mcpToolCalls: toolCallSchema,
  mcpTasks: taskSchema,
  mcpOAuthTokens: oauthTokensSchema,
  questions: questionSchema,
  customTools: customToolSchema,
  modelConnections: modelConnectionSchema,
  grants: grantSchema,
  toolLedger: ledgerEntrySchema,
  settings: settingSchema,
} as const
export type BackupTable = keyof typeof SCHEMAS
export type BackupRows = { [Name in BackupTable]: unknown[] }

const names = Object.keys(SCHEMAS) as BackupTable[]
const tableOf = (db: Database, name: BackupTable) => db[name] as Table<unknown, string>
const isVault = (row: unknown) => (row as { key?: unknown }).key === VAULT

/** All rows, as they are at one moment. */
export const readEverything = (db: Database): Promise<BackupRows> =>
  reading(
    db,
    names.map((name) => tableOf(db, name)),
    async () => {
      const rows = await Promise.all(
        names.map(async (name) => [name, (await tableOf(db, name).toArray()).filter((row) => !isVault(row))]),
      )
      return Object.fromEntries(rows) as BackupRows
    },
  )

/** A row that its schema refuses: a file may hold any number of them, and none of them keeps the others from being read. */
export interface BadRow {
  table: BackupTable | 'secrets'
  /** Empty where the row has none. */
  id: string
  /** What is wrong in it. */
  field: string
}

type Checked = { given: unknown; row: unknown; bad?: never } | { given: unknown; bad: BadRow }

function checkRow(table: BackupTable, given: unknown, original = given): Checked {
  const parsed = z.safeParse(SCHEMAS[table] as z.core.$ZodType, given)
  if (parsed.success) return { given, row: parsed.data }
  const { id, key, serverId } = (original ?? {}) as { id?: unknown; key?: unknown; serverId?: unknown }
  const name = [id, key, serverId].find((one) => typeof one === 'string')
  const field = parsed.error.issues[0]?.path.map(String).join('.') || 'the whole row'
  return { given, bad: { table, id: String(name ?? ''), field } }
}

const eachTable = (rowsOf: (name: BackupTable) => unknown[]) =>
  Object.fromEntries(names.map((name) => [name, rowsOf(name)])) as BackupRows

/** The rows of a file that their schemas take, and which ones they refuse. */
export function checkEverything(file: unknown): { rows: BackupRows; bad: BadRow[] } {
  const tables = (file ?? {}) as Partial<Record<string, unknown>>
  const bad: BadRow[] = []
  const rows = eachTable((name) => {
    const list = tables[name] ?? []
    if (!Array.isArray(list)) {
      bad.push({ table: name, id: '', field: 'the whole table' })
      return []
    }
    return list.flatMap((given: unknown) => {
      const checked = checkRow(name, given)
      if (checked.bad) bad.push(checked.bad)
      return checked.bad || isVault(checked.row) ? [] : [checked.row]
    })
  })
  return { rows, bad }
}

/** What a row is once it went through a file; undefined where JSON cannot hold it. */
function throughJson(row: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(row))
  } catch {
    return undefined
  }
}

/**
 * Rows as a file will hold them, checked the way a restore checks them, so that a damaged one is noticed while the
 * original is still there. The damaged ones are returned too: another version may be able to read them.
 */
export function checkForFile(stored: BackupRows): { rows: BackupRows; bad: BadRow[]; damaged: BackupRows } {
  const checked = Object.fromEntries(
    names.map((name) => [name, stored[name].map((row) => checkRow(name, throughJson(row), row))]),
  ) as Record<BackupTable, Checked[]>
  return {
    // As they are stored: a schema drops fields it does not know, and another version may know them.
    rows: eachTable((name) => checked[name].flatMap(({ given, bad }) => (bad ? [] : [given]))),
    bad: names.flatMap((name) => checked[name].flatMap(({ bad }) => bad ?? [])),
    damaged: eachTable((name) =>
      checked[name].flatMap(({ given, bad }) => (bad && given !== undefined ? [given] : [])),
    ),
  }
}

/** Messages and calls of a conversation that could not be read would never be shown, and never be deleted. */
function withoutOrphans(rows: BackupRows): BackupRows {
  const conversations = new Set(rows.conversations.map((row) => (row as { id: string }).id))
  const belongs = (row: unknown) => {
    const { conversationId } = row as { conversationId: string }
    return conversationId === '' || conversations.has(conversationId)
  }
  return {
    ...rows,
    messages: rows.messages.filter(belongs),
    mcpToolCalls: rows.mcpToolCalls.filter(belongs),
    mcpTasks: rows.mcpTasks.filter(belongs),
    questions: rows.questions.filter(belongs),
  }
}

/**
 * Replaces everything with these rows and the secrets that `commitSecrets` stores, in one transaction: all of it, or
 * nothing. False where `commitSecrets` refuses because another tab changed the vault.
 */
export const replaceEverything = (
  db: Database,
  rows: BackupRows,
  commitSecrets: () => Promise<boolean>,
): Promise<boolean> =>
  writing(db, db.tables, async () => {
    // First, because nothing has been changed yet where it refuses.
    if (!(await commitSecrets())) return false
    const vault = await db.settings.get(VAULT)
    await db.streams.clear()
    await db.recordings.clear()
    const whole = withoutOrphans(rows)
    for (const name of names) {
      await tableOf(db, name).clear()
      await tableOf(db, name).bulkPut(whole[name])
    }
    if (vault) await db.settings.put(vault)
    return true
  })
