import type { Table } from 'dexie'
import type { Gpt } from '#domain/gpt.ts'
import { suspendedId, taskSecretId } from '#domain/sealed.ts'
import { purgeByHand, trimByHand } from './calls-by-hand.ts'
import { type Database, draftIds } from './db.ts'
import { forgetSecrets } from './forget-secrets.ts'
import { writing } from './in-transaction.ts'
import { secretsOfModel } from './model-connections.ts'
import { purgeSignIns } from './purge-sign-ins.ts'
import { secretsOfServer } from './servers.ts'

/** For so long what was deleted can come back. */
export const UNDO_MS = 60_000

const SERVER_GONE = {
  code: 'stopped',
  message: 'Its server was removed before it was over. If it had begun, it may have taken effect.',
} as const

const idsDeletedBy = (table: Table<{ id: string }, string>, deadline: number) =>
  table.where('deletedAt').belowOrEqual(deadline).primaryKeys()

/** Inside a transaction: what calls that are not over have in the vault. */
async function suspendedSecrets(db: Database, ids: readonly string[]): Promise<string[]> {
  const calls = await db.mcpToolCalls.bulkGet([...ids])
  return calls.flatMap((call) => {
    if (call?.status === 'asking') return [suspendedId(call)]
    return call?.status === 'task' ? [taskSecretId(call)] : []
  })
}

async function purgeConversations(db: Database, ids: readonly string[]): Promise<void> {
  const calls = await db.mcpToolCalls.where('conversationId').anyOf(ids).primaryKeys()
  await db.mcpTasks.where('toolCallId').anyOf(calls).delete()
  const questions = db.questions.where('conversationId').anyOf(ids)
  await db.drafts.bulkDelete((await questions.primaryKeys()).map((id) => `question:${id}`))
  await questions.delete()
  await forgetSecrets(db, await suspendedSecrets(db, calls))
  await db.mcpToolCalls.bulkDelete(calls)
  await db.streams.where('conversationId').anyOf(ids).delete()
  await db.messages.where('conversationId').anyOf(ids).delete()
  await db.grants
    .where('[scope+scopeId]')
    .anyOf(ids.map((id) => ['conversation', id]))
    .delete()
  await db.drafts.bulkDelete(ids.flatMap(draftIds))
  await db.conversations.bulkDelete([...ids])
}

async function purgeGpts(db: Database, ids: readonly string[]): Promise<void> {
  await purgeConversations(db, await db.conversations.where('gptId').anyOf(ids).primaryKeys())
  await db.grants
    .where('[scope+scopeId]')
    .anyOf(ids.map((id) => ['gpt', id]))
    .delete()
  await db.drafts.bulkDelete(ids.flatMap((id) => draftIds(`new:${id}`)))
  await db.gpts.bulkDelete([...ids])
}

function withoutServers(gpt: Gpt, gone: ReadonlySet<string>): Gpt {
  const stays = ({ serverId }: { serverId: string }) => !gone.has(serverId)
  const { serverIds, disabledTools, trustedTools } = gpt.tools
  const tools = {
    ...gpt.tools,
    serverIds: serverIds.filter((id) => !gone.has(id)),
    disabledTools: disabledTools.filter(stays),
    trustedTools: trustedTools.filter(stays),
  }
  return { ...gpt, tools }
}

async function purgeServers(db: Database, ids: readonly string[]): Promise<void> {
  const gone = new Set(ids)
  const refers = ({ tools: { serverIds, disabledTools, trustedTools } }: Gpt) =>
    [...serverIds, ...[...disabledTools, ...trustedTools].map(({ serverId }) => serverId)].some((id) => gone.has(id))
  const gpts = await db.gpts.filter(refers).toArray()
  await db.gpts.bulkPut(gpts.map((gpt) => withoutServers(gpt, gone)))
  await db.grants.where('serverId').anyOf(ids).delete()
  await purgeByHand(db, ids)
  await db.mcpTasks.where('serverId').anyOf(ids).delete()
  await db.questions.where('serverId').anyOf(ids).delete()
  // Nobody can answer them any more, and they would wait for ever.
  await db.mcpToolCalls
    .where('[serverId+status]')
    .anyOf(ids.flatMap((id) => ['asking', 'task'].map((status) => [id, status])))
    .modify({ status: 'cancelled', error: SERVER_GONE })
  await db.customTools.where('serverId').anyOf(ids).delete()
  await db.mcpOAuthTokens.bulkDelete([...ids])
  await db.toolLedger.where('serverId').anyOf(ids).delete()
  await db.recordings.where('serverId').anyOf(ids).delete()
  await forgetSecrets(db, ids.flatMap(secretsOfServer))
  await db.mcpServers.bulkDelete([...ids])
}

async function purgeModels(db: Database, ids: readonly string[]): Promise<void> {
  await forgetSecrets(db, ids.flatMap(secretsOfModel))
  await db.modelConnections.bulkDelete([...ids])
}

/** Takes away for good what was deleted longer ago than it can come back, with everything that hangs on it. */
export const purge = (db: Database, now: number): Promise<void> =>
  writing(db, db.tables, async () => {
    const deadline = now - UNDO_MS
    const [gpts, conversations, servers, models] = await Promise.all([
      idsDeletedBy(db.gpts, deadline),
      idsDeletedBy(db.conversations, deadline),
      idsDeletedBy(db.mcpServers, deadline),
      idsDeletedBy(db.modelConnections, deadline),
    ])
    if (conversations.length > 0) await purgeConversations(db, conversations)
    if (gpts.length > 0) await purgeGpts(db, gpts)
    if (servers.length > 0) await purgeServers(db, servers)
    if (models.length > 0) await purgeModels(db, models)
    await trimByHand(db)
    await purgeSignIns(db, now)
  })

/** Everything is gone, as on the first day. */
export const wipe = (db: Database): Promise<void> =>
  writing(db, db.tables, async () => {
    await Promise.all(db.tables.map((table) => table.clear()))
  })
