import type { Page } from '@playwright/test'
import { type RealServers, startRealServers } from '@switchboard/testkit/real-servers'
import { startTaskServer, type TaskServer, type Work } from '@switchboard/testkit/task-server'
import type { Gpt } from '#domain/gpt.ts'
import type { ModelConnection } from '#domain/model-connection.ts'
import { test as base, expect, store } from './chat-fixtures.ts'
import { storedServer } from './stored-server.ts'

export { expect, lastAnswer, rowsOf, say } from './chat-fixtures.ts'

export const WIRES = [
  { title: 'OpenAI, Responses', wire: { kind: 'openai', api: 'responses' } },
  { title: 'OpenAI, Chat completions', wire: { kind: 'openai', api: 'chat' } },
  { title: 'Anthropic', wire: { kind: 'anthropic', api: 'chat' } },
] as const

interface TaskParts {
  tasks: TaskServer
  /** Stores a GPT with these servers that asks nobody, and opens a new chat with it. */
  openWorker: (servers: Record<string, string>, wire?: Pick<ModelConnection, 'kind' | 'api'>) => Promise<void>
}

export const test = base.extend<TaskParts, { real: RealServers }>({
  real: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
    async ({}, use) => {
      const real = await startRealServers(['everything'])
      await use(real)
      await real.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
  tasks: async ({}, use) => {
    const tasks = await startTaskServer()
    await use(tasks)
    await tasks.close()
  },
  openWorker: async ({ app, model }, use) => {
    await use(async (servers, wire = { kind: 'compatible', api: 'chat' }) => {
      await storeWorker(app, model.url, servers, wire)
      await app.goto(`${new URL(app.url()).origin}/#/gpt/worker/new`)
      // Not a chat with it, which was open before.
      await expect(app.getByRole('log')).toHaveCount(0)
      await expect(app.getByRole('heading', { level: 1, name: 'Worker' })).toBeVisible()
    })
  },
})

/** Stores a GPT with these servers that asks nobody. */
export const storeWorker = (
  page: Page,
  modelUrl: string,
  servers: Record<string, string>,
  wire: Pick<ModelConnection, 'kind' | 'api'> = { kind: 'compatible', api: 'chat' },
): Promise<void> => store(page, recordsFor(modelUrl, servers, wire))

function recordsFor(modelUrl: string, servers: Record<string, string>, wire: Pick<ModelConnection, 'kind' | 'api'>) {
  const times = { createdAt: 1, updatedAt: 1 }
  const connection: ModelConnection = {
    ...times,
    ...wire,
    id: 'scripted-model',
    name: 'Scripted',
    baseUrl: modelUrl,
    hasKey: false,
    models: ['one'],
  }
  const rows = Object.entries(servers).map(([name, url]) =>
    storedServer({ id: name, name, url, retries: 3, trusted: true }),
  )
  const gpt: Gpt = {
    ...times,
    id: 'worker',
    name: 'Worker',
    description: '',
    icon: 'W',
    instructions: 'Work.',
    model: { connectionId: 'scripted-model', modelId: 'one' },
    settings: { maxToolCalls: 25 },
    starters: [],
    tools: {
      serverIds: Object.keys(servers),
      disabledTools: [],
      approval: 'auto',
      trustedTools: [],
      pollSeconds: 1,
      asyncTasks: true,
    },
  }
  return { modelConnections: [connection], mcpServers: rows, gpts: [gpt] }
}

export const work = (server: string, input: Work) => ({ name: `${server}__work`, input: { ...input } })

/** What came of tasks, where it entered the conversation. */
export const endings = (page: Page) => page.getByRole('log').getByRole('article', { name: /^Task of/ })

export const progress = (page: Page) => page.getByRole('log').getByRole('progressbar')
