import type { Gpt } from '#domain/gpt.ts'
import type { Grant } from '#domain/grant.ts'
import { isCallOver } from '#domain/is-call-over.ts'
import { isTaskOver, isTaskTold } from '#domain/is-task-over.ts'
import type { Question } from '#domain/question.ts'
import type { Server } from '#domain/server.ts'
import { type SettingKey, settingDefaults } from '#domain/setting.ts'
import type { Task } from '#domain/task.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { BackupRows } from './backup.ts'
import { SEEDED } from './db.ts'
import { newGpt } from './gpts.ts'

/** What a file would have allowed without asking, by name, so that a person can be told. */
export interface TrustReset {
  /** GPTs that ran some tools without asking. */
  gpts: string[]
  /** Servers that were switched on, trusted, or allowed to do more than answer. */
  servers: string[]
  /** Standing permissions ("don't ask again"), as "tool of server". */
  grants: string[]
  /** Calls that had not run yet: they ask again. */
  calls: number
  /** Calls that had not ended and cannot ask again: they are cancelled. */
  cancelled: number
  /** Results of tasks that their chats, and so the models, have not been given: they stay on the cards of their calls. */
  results: number
}

const sorted = (value: object) => Object.entries(value).sort(([a], [b]) => a.localeCompare(b))
const isSame = (a: object, b: object) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

/** Fields are named one by one: a permission that is added to GPTs later has its safe default here. */
function distrustGpt(gpt: Gpt): Gpt {
  const { serverIds, disabledTools, pollSeconds, asyncTasks } = gpt.tools
  const { tools } = newGpt({})
  return {
    ...gpt,
    tools: { ...tools, approval: 'always-ask', trustedTools: [], serverIds, disabledTools, pollSeconds, asyncTasks },
  }
}

/** Switched off, because connecting already sends something to the address that the file names. */
function distrustServer({ builtIn: _, sampling: _sampling, sessionId: _session, ...server }: Server): Server {
  return { ...server, trusted: false, enabled: false, relay: false }
}

const mayDoMore = ({ trusted, enabled, relay, sampling = false }: Server) => trusted || enabled || relay || sampling

const NOT_RESUMED = {
  code: 'stopped',
  message:
    'This call had not ended when the backup was made, and a restored backup runs nothing. If it had begun, it may have taken effect.',
} as const

const asks = ({ approval }: ToolCall) => approval?.state === 'requested'

/** Only a call that has sent nothing yet, and whose chat shows a card for it, can ask. */
const canAsk = ({ status, conversationId, startedAt, repeats }: ToolCall) =>
  status === 'pending' && conversationId !== '' && startedAt === undefined && repeats === undefined

/**
 * Nothing in a file may run: a call that can ask asks again, and any other that has not ended is cancelled. The approval of
 * an ended call is dropped too, because "Run again" would use it, except where the call succeeded and is never run again.
 */
function distrustCall(call: ToolCall): ToolCall {
  const { approval, ...rest } = call
  if (canAsk(call)) return asks(call) ? call : { ...rest, approval: { state: 'requested', at: call.createdAt } }
  if (isCallOver(call)) return call.status === 'success' || approval?.state !== 'approved' ? call : rest
  const completedAt = call.startedAt ?? call.createdAt
  return { ...rest, status: 'cancelled', error: NOT_RESUMED, completedAt }
}

/** Nobody waits for an answer any more, and a call that asks again starts without answers that a file gave. */
function distrustQuestions(questions: readonly Question[], calls: readonly ToolCall[]): Question[] {
  const pending = new Set(calls.filter(({ status }) => status === 'pending').map(({ id }) => id))
  return questions
    .filter(({ toolCallId }) => !pending.has(toolCallId))
    .map((question) => (question.state === 'open' ? { ...question, state: 'ended' } : question))
}

/**
 * Nobody follows an open task any more, and no result is reported to a chat: that would send the chat to a model without
 * the user. The result stays on the card of its call.
 */
function distrustTask(task: Task): Task {
  if (isTaskTold(task)) return task
  const { trouble: _, ...rest } = task
  const { completedAt = task.updatedAt } = task
  return { ...rest, status: isTaskOver(task) ? task.status : 'left', completedAt, deliveredAt: completedAt }
}

// How long the vault stays open is not a file's to say.
const HARMLESS_SETTINGS: ReadonlySet<string> = new Set([
  ...(Object.keys(settingDefaults) as SettingKey[]).filter((key) => key !== 'idleLockMinutes'),
  SEEDED,
])

/** The rows of a file without anything that lets tools run or servers be reached unasked. The rows have passed their schemas. */
export function withoutTrust(rows: BackupRows): { rows: BackupRows; reset: TrustReset } {
  const gpts = rows.gpts as Gpt[]
  const servers = rows.mcpServers as Server[]
  const calls = rows.mcpToolCalls as ToolCall[]
  const tasks = rows.mcpTasks as Task[]
  const cleanGpts = gpts.map(distrustGpt)
  const cleanCalls = calls.map(distrustCall)
  const open = calls.flatMap((call, at) => {
    const clean = cleanCalls[at]
    return clean && !isCallOver(call) && clean !== call ? [clean] : []
  })
  return {
    rows: {
      ...rows,
      gpts: cleanGpts,
      mcpServers: servers.map(distrustServer),
      mcpToolCalls: cleanCalls,
      mcpTasks: tasks.map(distrustTask),
      questions: distrustQuestions(rows.questions as Question[], cleanCalls),
      grants: [],
      settings: (rows.settings as { key: string }[]).filter(({ key }) => HARMLESS_SETTINGS.has(key)),
    },
    reset: {
      gpts: gpts.flatMap(({ name, tools }, at) =>
        // A field that an older version did not have counts as its default.
        isSame({ ...newGpt({}).tools, ...tools }, cleanGpts[at]?.tools ?? {}) ? [] : [name],
      ),
      servers: servers.filter(mayDoMore).map(({ name }) => name),
      grants: (rows.grants as Grant[]).map(({ toolName, serverName }) => `${toolName} of ${serverName}`),
      calls: open.filter(asks).length,
      cancelled: open.filter(isCallOver).length,
      results: tasks.filter((task) => isTaskOver(task) && !isTaskTold(task)).length,
    },
  }
}
