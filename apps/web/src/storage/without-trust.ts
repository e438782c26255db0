import type { Gpt } from '#domain/gpt.ts'
import type { Grant } from '#domain/grant.ts'
import type { Server } from '#domain/server.ts'
import { type SettingKey, settingDefaults } from '#domain/setting.ts'
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
  /** Approved calls that had not run yet. */
  calls: number
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

/** An approved call runs as soon as its turn goes on, so one that has not run yet asks again. */
function askAgain(call: ToolCall): ToolCall {
  if (call.status !== 'pending' || call.approval?.state !== 'approved') return call
  return { ...call, approval: { state: 'requested', at: call.approval.at } }
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
  const cleanGpts = gpts.map(distrustGpt)
  const cleanCalls = calls.map(askAgain)
  return {
    rows: {
      ...rows,
      gpts: cleanGpts,
      mcpServers: servers.map(distrustServer),
      mcpToolCalls: cleanCalls,
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
      calls: calls.filter((call, at) => call !== cleanCalls[at]).length,
    },
  }
}
