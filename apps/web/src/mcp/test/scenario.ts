import { Failed } from '#domain/failure.ts'
import type { Gpt } from '#domain/gpt.ts'
import { type OAuthTokens, secretId } from '#domain/sealed.ts'
import type { ConnectionState, Server, ServerSecretField } from '#domain/server.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { createMcp } from '../create-mcp.ts'
import type { CustomTools, Learnt, ToolLedger } from '../needs.ts'
import type { QuestionStorage } from '../questions/needs.ts'
import type { OfferedTool } from '../tools-of-gpt.ts'
import { nodeSchemaWorkers } from './node-schema-worker.ts'

export const APP_ORIGIN = 'http://localhost:4114'

export const serverRecord = (id: string, url: string, change: Partial<Server> = {}): Server => ({
  id,
  name: `Server ${id}`,
  description: '',
  transport: 'streamable-http',
  url,
  headerNames: [],
  authentication: { type: 'none' },
  timeoutSeconds: 5,
  retries: 0,
  relay: false,
  trusted: false,
  enabled: true,
  createdAt: 1,
  updatedAt: 1,
  ...change,
})

export const gptWith = (serverIds: string[], change: Partial<Gpt['tools']> = {}): Gpt => ({
  id: 'gpt',
  name: 'GPT',
  description: '',
  icon: '',
  instructions: '',
  model: { connectionId: 'practice', modelId: 'practice' },
  settings: { maxToolCalls: 25 },
  starters: [],
  tools: {
    serverIds,
    disabledTools: [],
    approval: 'always-ask',
    trustedTools: [],
    pollSeconds: 5,
    asyncTasks: true,
    ...change,
  },
  createdAt: 1,
  updatedAt: 1,
})

export interface ScenarioOptions {
  origin?: string
  companionToken?: string
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  customTools?: CustomTools
  /** Where questions of servers are kept. Without it they are told that nobody can be asked. */
  questions?: QuestionStorage
  ledger?: ToolLedger
  minuteMs?: number
  /** Another tab, or the same after a reload: what it has sealed is there. */
  vaultOf?: { secrets: Map<string, string>; notes: Map<string, OAuthTokens> }
}

/** Everything real but storage and vault, which are a few maps. */
export async function scenario(
  records: Server[],
  {
    origin = APP_ORIGIN,
    companionToken,
    fetch,
    customTools,
    questions,
    ledger,
    minuteMs,
    vaultOf,
  }: ScenarioOptions = {},
) {
  const servers = new Map(records.map((record) => [record.id, record]))
  const secrets = vaultOf?.secrets ?? new Map<string, string>()
  const notes = vaultOf?.notes ?? new Map<string, OAuthTokens>()
  const states: [string, ConnectionState][] = []
  const learnt: [string, Learnt][] = []
  const waiting = new Set<() => void>()
  const told = (): void => {
    for (const look of waiting) look()
  }
  const clock = { ms: 1_000_000 }
  const vault = { isLocked: false }
  const workers = await nodeSchemaWorkers()
  const read = (id: string | undefined): Promise<string | undefined> => {
    if (vault.isLocked) return Promise.reject(new Failed('vault-locked', 'The vault is locked.'))
    return Promise.resolve(id)
  }
  const mcp = createMcp(
    {
      servers: {
        server: (id) => Promise.resolve(servers.get(id)),
        learn(id, news) {
          const record = servers.get(id)
          if (record) servers.set(id, { ...record, ...news })
          learnt.push([id, news])
          told()
          return Promise.resolve()
        },
      },
      secrets: {
        open: (id) => (secrets.has(id) ? read(secrets.get(id)) : Promise.resolve(undefined)),
        seal: async (id, text) => void secrets.set(id, (await read(text)) ?? ''),
        remove: async (id) => void secrets.delete(id),
      },
      signIns: {
        note: async (row) => void notes.set(row.serverId, row),
        forget: async (serverId) => void notes.delete(serverId),
      },
      companion: { origin, token: () => read(companionToken) },
      fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
      now: () => clock.ms,
      ...(questions && { questions }),
      ...(ledger && { ledger }),
      ...(minuteMs !== undefined && { minuteMs }),
      customTools: () => Promise.resolve(customTools ?? { toolsOf: () => Promise.resolve([]), watch: () => () => {} }),
      onState(id, state) {
        states.push([id, state])
        told()
      },
    },
    workers.start,
  )
  return {
    mcp,
    servers,
    secrets,
    notes,
    states,
    learnt,
    clock,
    vault,
    workers,
    setSecret: (serverId: string, field: ServerSecretField, value: string) =>
      secrets.set(secretId('mcpServers', serverId, field), value),
    stateOf: (id: string): ConnectionState | undefined => states.findLast(([serverId]) => serverId === id)?.[1],
    /** Resolves as soon as it is so. */
    until: (test: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!test()) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    offers: async (serverIds: string[], change?: Partial<Gpt['tools']>) =>
      mcp.tools.toolsOf(gptWith(serverIds, change), new AbortController().signal),
    call: async (
      tool: OfferedTool,
      args: unknown,
      {
        signal = new AbortController().signal,
        onProgress = () => {},
        id = crypto.randomUUID(),
      }: {
        signal?: AbortSignal
        onProgress?: (progress: NonNullable<ToolCall['progress']>) => void
        id?: string
      } = {},
    ) => {
      const { serverId, toolName, fingerprint } = tool
      const text = typeof args === 'string' ? args : JSON.stringify(args)
      const made = { id, serverId, toolName, arguments: text, fingerprint }
      const outcome = await mcp.tools.call(made, { signal, onProgress })
      if ('questions' in outcome || 'taskId' in outcome)
        throw new Error('It asks something, and nobody is here to be asked.')
      return outcome
    },
    async [Symbol.asyncDispose](): Promise<void> {
      mcp.close()
      await workers.gone()
    },
  }
}

/** The failure that a promise ends with. */
export async function failureFrom(promise: Promise<unknown>): Promise<Failed['failure']> {
  try {
    await promise
  } catch (error) {
    if (error instanceof Failed) return error.failure
    throw error
  }
  throw new Error('It did not fail.')
}
