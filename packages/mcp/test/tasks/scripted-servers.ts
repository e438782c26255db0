import { createMCPClient, type MCPClient, type MCPError } from '@switchboard/mcp'
import { expect, onTestFinished } from 'vitest'
import { everything, META, said, ScriptedTransport, type Script } from '../scenarios/scripted-transport.ts'

export type Config = Omit<Parameters<typeof createMCPClient>[0], 'transport'>

export const task = (more: object = {}) => ({
  taskId: 't1',
  status: 'working',
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:00Z',
  ttlMs: null,
  pollIntervalMs: 0,
  ...more,
})
export const done = (text = 'done') => task({ status: 'completed', result: said(text) })
export const asking = (...keys: string[]) =>
  task({ status: 'input_required', inputRequests: Object.fromEntries(keys.map((key) => [key, question(key)])) })
export const question = (message: string) => ({ method: 'elicitation/create', params: { mode: 'form', message } })

export const accept = (): Config => ({ onElicitationRequest: () => ({ action: 'accept', content: {} }) })

/** Answers one after the other, the last one for ever. */
export function inTurn(...answers: object[]): () => unknown {
  let turn = 0
  return () => ({ resultType: 'complete', ...answers[Math.min(turn++, answers.length - 1)] })
}

async function meet(
  script: Script,
  discovers: boolean,
  config?: Config,
): Promise<{ client: MCPClient; far: ScriptedTransport }> {
  const far = new ScriptedTransport(script, { discovers })
  const client = await createMCPClient({ ...config, transport: far })
  onTestFinished(() => client.close())
  return { client, far }
}

/** A server without sessions that knows tasks. */
export const stateless = (script: Script, config?: Config) =>
  meet(
    {
      'server/discover': () => ({
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { ...everything, extensions: { [`${META}tasks`]: {} } },
      }),
      'tools/call': () => ({ resultType: 'task', ...task() }),
      ...script,
    },
    true,
    config,
  )

/** One with sessions. */
export const withSessions = (script: Script, config?: Config) =>
  meet(
    {
      initialize: () => ({
        protocolVersion: '2025-11-25',
        capabilities: { ...everything, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
        serverInfo: { name: 'scripted', version: '1' },
      }),
      'tools/list': () => ({
        tools: ['required', 'optional', 'forbidden'].map((taskSupport) => ({
          name: taskSupport,
          inputSchema: { type: 'object' },
          execution: { taskSupport },
        })),
      }),
      'tools/call': () => ({ task: { ...task(), pollInterval: 0 } }),
      ...script,
    },
    false,
    config,
  )

export const failureOf = (promise: Promise<unknown>): Promise<MCPError> =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error as MCPError,
  )
