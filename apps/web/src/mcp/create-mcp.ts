import type { Failure } from '#domain/failure.ts'
import type { Gpt } from '#domain/gpt.ts'
import type { Apps } from './apps/create-apps.ts'
import { type CallToMake, callTool } from './call-tool.ts'
import { createSchemaChecks } from './check-schema.ts'
import { createCompanion } from './companion.ts'
import { createConnections } from './connections.ts'
import type { TrialInput } from './custom-tools/try-tool.ts'
import type { Patient } from './diagnose.ts'
import type { McpNeeds } from './needs.ts'
import { createRawMessages } from './raw-messages.ts'
import { createRevivals } from './revive-soon.ts'
import { createSignIns } from './sign-ins.ts'
import type { TaskWatcher } from './tasks/task-watcher.ts'
import type { TestInput } from './test-server.ts'
import { toolsOfGpt } from './tools-of-gpt.ts'

/** Everything the engine does with servers. `startSchemaWorker` starts schema-worker.ts. */
export function createMcp(needs: McpNeeds, startSchemaWorker: () => Worker) {
  const raw = createRawMessages(needs.now)
  let watcher: Promise<TaskWatcher> | undefined
  const companion = createCompanion(needs)
  const wakeTasks = (): void => void watcher?.then((watching) => watching.wake()).catch(() => {})
  const onState: McpNeeds['onState'] = (serverId, state) => {
    needs.onState(serverId, state)
    // Whatever was in the way, its tasks can be looked at now.
    if (state.state === 'connected') wakeTasks()
  }
  const connections = createConnections({ ...needs, onState }, companion, raw)
  const revivals = createRevivals(async (serverId) => {
    // Its tasks are looked at on the connection that stands then, and say so where none does.
    await connections.revive(serverId).catch(() => {})
    ;(await watcher)?.lookAnew(serverId)
  })
  const checks = createSchemaChecks(startSchemaWorker)
  let apps: Promise<Apps> | undefined
  const questions = needs.questions && { ...needs.questions, ...needs.secrets }
  const { tasks: ofTasks } = needs
  const tasks =
    ofTasks &&
    (() => {
      watcher ??= import('./tasks/watch-tasks.ts').then(({ watchTasks }) =>
        watchTasks({ tasks: ofTasks, needs, connections, checks, questions }),
      )
      // What could not be loaded is tried again by the next.
      watcher.catch(() => (watcher = undefined))
      return watcher
    })
  return {
    connections,
    companion,
    signIns: createSignIns(needs, connections),
    tools: {
      toolsOf: (gpt: Gpt, signal: AbortSignal) => toolsOfGpt(gpt, signal, { connections, servers: needs.servers }),
      call: (call: CallToMake, options: Parameters<typeof callTool>[1]) =>
        callTool(call, options, { connections, checks, raw, questions, tasks, now: needs.now }),
      canSignIn: async (serverId: string) => {
        const { authentication } = (await needs.servers.server(serverId)) ?? {}
        return (
          authentication?.type === 'auto' || (authentication?.type === 'oauth2' && authentication.flow !== 'program')
        )
      },
      leave: async (call: { id: string; serverId: string }) => {
        if (!questions || (await questions.questionsOf(call.id)).length === 0) return
        await (await import('./questions/suspended.ts')).forgetSuspended(questions, call)
      },
    },
    testServer: async (input: TestInput, signal?: AbortSignal) => {
      const { testServer } = await import('./test-server.ts')
      return testServer(input, needs, companion, signal)
    },
    diagnose: async (server: Patient, failure: Failure) => {
      const { diagnose } = await import('./diagnose.ts')
      return diagnose(server, failure, needs, companion)
    },
    /** What keeps these entries from being sent as the answer to a form, each at its field. */
    checkForm: async (schema: unknown, content: Record<string, unknown>) =>
      (await import('./questions/check-form.ts')).checkForm(schema, content, checks),
    rawMessages: (toolCallId: string) => raw.of(toolCallId),
    tryCustomTool: async (input: TrialInput, signal: AbortSignal) => {
      const { tryTool } = await import('./custom-tools/try-tool.ts')
      return tryTool(input, needs, companion, checks, signal)
    },
    fetchDocument: async (url: string, maxBytes: number) => {
      const { fetchDocument } = await import('./custom-tools/fetch-document.ts')
      return fetchDocument(url, needs.fetch, maxBytes)
    },
    /** For those who look at a tool and try it; loaded when somebody does. */
    explore: async () => {
      const { createExplorer } = await import('./explore/create-explorer.ts')
      return createExplorer({ connections, checks, origin: needs.companion.origin })
    },
    /** Screens that tools bring along; loaded when somebody opens one. */
    apps: () =>
      (apps ??= import('./apps/create-apps.ts').then(({ createApps }) => createApps({ connections, companion }))),
    /** Tasks are looked at from now on, those of earlier engines too; nothing is loaded before there is one. */
    watchTasks: () => {
      let isAwake = false
      const stop = ofTasks?.watchTasks((open) => {
        if (open.length === 0 || isAwake) return
        isAwake = true
        void tasks?.().then(
          (watching) => {
            stop?.()
            watching.start()
          },
          () => (isAwake = false),
        )
      })
    },
    /** Something has changed that may have kept us from looking at tasks. */
    wakeTasks,
    /** The network was away, or the machine slept: these servers and their tasks are looked at, soon and once. */
    revive: (serverIds: readonly string[]) => revivals.begin(serverIds),
    /** The network is gone: nobody is looked at before it is back. */
    rest: () => revivals.stop(),
    close(): void {
      revivals.stop()
      void watcher?.then((watching) => watching.close()).catch(() => {})
      connections.closeAll()
      checks.close()
    },
  }
}
