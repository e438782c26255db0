import { Failed } from '#domain/failure.ts'
import type { Gpt } from '#domain/gpt.ts'
import { secretId } from '#domain/sealed.ts'
import type { ConnectionState, Server, ServerSecretField } from '#domain/server.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { createMcp } from '../create-mcp.ts'
import type { Learnt } from '../needs.ts'
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
}

/** Everything real but storage and vault, which are a few maps. */
export async function scenario(
  records: Server[],
  { origin = APP_ORIGIN, companionToken, fetch }: ScenarioOptions = {},
) {
  const servers = new Map(records.map((record) => [record.id, record]))
  const secrets = new Map<string, string>()
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
      secrets: { open: (id) => read(secrets.get(id)) },
      companion: { origin, token: () => read(companionToken) },
      fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
      now: () => clock.ms,
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
    call: (
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
      return mcp.tools.call({ id, serverId, toolName, arguments: text, fingerprint }, { signal, onProgress })
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
