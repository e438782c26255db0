import type { Table } from 'dexie'
import * as z from 'zod/mini'
import { conversationSchema } from '#domain/conversation.ts'
import { customToolSchema } from '#domain/custom-tool.ts'
import { Failed } from '#domain/failure.ts'
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

/** The rows of a file, each as its schema wants it. Rejects with `Failed` where one is not. */
export function checkEverything(given: unknown): BackupRows {
  const tables = (given ?? {}) as Partial<Record<string, unknown>>
  const rows = names.map((name) => {
    const list = tables[name] ?? []
    const parsed = z.safeParse(z.array(SCHEMAS[name] as z.core.$ZodType), list)
    if (parsed.success) return [name, parsed.data.filter((row) => !isVault(row))]
    const [index, ...field] = parsed.error.issues[0]?.path ?? []
    throw new Failed(
      'bad-input',
      `This backup cannot be read: row ${String(index)} of ${name} is not what it should be (${field.map(String).join('.')}).`,
    )
  })
  return Object.fromEntries(rows) as BackupRows
}

/** The rows of a file of which nobody knows what is in it: those that their schema takes. The others are left out. */
export function readableRows(given: unknown): BackupRows {
  const tables = (given ?? {}) as Partial<Record<string, unknown>>
  const rows = names.map((name) => {
    const list: unknown[] = Array.isArray(tables[name]) ? tables[name] : []
    const parsed = list.map((row) => z.safeParse(SCHEMAS[name] as z.core.$ZodType, row))
    return [name, parsed.flatMap(({ success, data }) => (success && !isVault(data) ? [data] : []))]
  })
  return Object.fromEntries(rows) as BackupRows
}

/** Puts these rows in the place of all that is there: all of them, or none. The vault stays as it is. */
export const replaceEverything = (db: Database, rows: BackupRows): Promise<void> =>
  writing(db, db.tables, async () => {
    const vault = await db.settings.get(VAULT)
    await db.streams.clear()
    for (const name of names) {
      await tableOf(db, name).clear()
      await tableOf(db, name).bulkPut(rows[name])
    }
    if (vault) await db.settings.put(vault)
  })
