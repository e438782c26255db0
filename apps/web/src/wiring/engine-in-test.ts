import 'fake-indexeddb/auto'
import { type Line, sampleModel, sampleTurns } from '#agent/sample-turn.ts'
import type { Server } from '#domain/server.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { createMcp } from '#mcp/create-mcp.ts'
import type { TaskNeeds } from '#mcp/tasks/needs.ts'
import { nodeSchemaWorkers } from '#mcp/test/node-schema-worker.ts'
import { serverRecord } from '#mcp/test/scenario.ts'
import { createConversations } from '#storage/conversations.ts'
import { Database } from '#storage/db.ts'
import { newGpt } from '#storage/gpts.ts'
import { unfinished } from '#storage/heal.ts'
import { observe } from '#storage/observe.ts'
import { createQuestions } from '#storage/questions.ts'
import { createSecrets } from '#storage/secrets.ts'
import { createServers } from '#storage/servers.ts'
import { createTasks } from '#storage/tasks.ts'
import { createTurnStorage } from '#storage/turn-storage.ts'
import { createVault } from '#vault/vault.ts'
import { type BrowserLocks, browserLocks } from './locks-in-test.ts'

// Real storage, vault, library and servers; only the model follows a script. An engine can die: what it has not stored is gone.

interface World {
  name: string
  server: Server
  conversationId: string
  locks: BrowserLocks
}

/** What outlives an engine: the database, with one server and one GPT that asks nobody. */
export async function world(url: string, change: Partial<Server> = {}): Promise<World> {
  const name = crypto.randomUUID()
  const db = new Database(name)
  const server = serverRecord('server', url, { name: 'Server', timeoutSeconds: 20, ...change })
  await db.mcpServers.add(server)
  const fresh = newGpt({})
  const tools = { ...fresh.tools, serverIds: ['server'], approval: 'auto' as const, pollSeconds: 1 }
  await db.gpts.add({ ...fresh, id: 'gpt', tools })
  const { id } = await createConversations(db).start({ gptId: 'gpt', title: 'Test', text: 'go' })
  db.close()
  return { name, server, conversationId: id, locks: browserLocks() }
}

/** A tab: everything that an engine builds, over the same database. `between` stands in for parts of what tasks need. */
export async function tab({ name, locks: shared }: World, lines: Line[] = [], between: Partial<TaskNeeds> = {}) {
  const db = new Database(name)
  const vault = await createVault({ store: createSecrets(db), channel: new BroadcastChannel(`${name}-vault`) })
  const workers = await nodeSchemaWorkers()
  const dead = new AbortController()
  const locks = shared.tab()
  /** The methods of what was sent, of HTTP. */
  const sent: string[] = []
  const mcp = createMcp(
    {
      servers: createServers(db),
      secrets: vault,
      signIns: { note: async () => {}, forget: async () => {} },
      companion: { origin: 'http://localhost:4114', token: async () => undefined },
      // An engine that dies takes its connections along, and tells nobody.
      fetch(url, init) {
        sent.push(init.method ?? 'GET')
        return fetch(url, { ...init, signal: AbortSignal.any([dead.signal, ...(init.signal ? [init.signal] : [])]) })
      },
      now: Date.now,
      customTools: () => Promise.reject(new Error('There are none.')),
      questions: createQuestions(db),
      tasks: {
        ...createTasks(db),
        locks,
        settle: (id, end) => turns.settleTask(id, end),
        tell: (conversationId) => void turns.run(conversationId),
        ...between,
      },
      onState: () => {},
    },
    workers.start,
  )
  const model = sampleModel(lines)
  const turns: ReturnType<typeof sampleTurns> = sampleTurns({
    storage: createTurnStorage(db),
    tools: mcp.tools,
    models: model,
    locks,
    now: Date.now,
  })
  const until = <T>(query: () => Promise<T | undefined>): Promise<T> =>
    new Promise((resolve, reject) => {
      const end = observe(query, {
        next: (value) => {
          if (value === undefined) return
          setTimeout(() => end())
          resolve(value)
        },
        error: reject,
      })
    })
  return {
    db,
    mcp,
    sent,
    model,
    turns,
    vault,
    until,
    /** What an engine does when it starts. */
    async wake() {
      for (const id of await unfinished(db)) void turns.run(id)
      mcp.watchTasks()
    },
    /** The next question that is open. */
    question: () => until(() => db.questions.where('state').equals('open').first()),
    questions: () => db.questions.toArray(),
    /** The call, once it is in one of these states. */
    call: (...statuses: ToolCall['status'][]) =>
      until(() => db.mcpToolCalls.filter(({ status }) => statuses.includes(status)).first()),
    textOf: ({ content }: ToolCall) => String(content?.[0]?.['text']),
    /** Nothing of it reaches the disk or the network any more. */
    async die() {
      db.close()
      dead.abort()
      locks.die()
      mcp.close()
      await workers.gone()
    },
    async [Symbol.asyncDispose]() {
      mcp.close()
      db.close()
      await workers.gone()
    },
  }
}
