import { callDigest } from '#domain/call-digest.ts'
import type { CustomToolInput } from '#domain/custom-tool.ts'
import { customToolFaults } from '#domain/custom-tool-faults.ts'
import { Failed } from '#domain/failure.ts'
import { MAX_DOCUMENT_BYTES } from '#domain/openapi/document-limit.ts'
import type { Server } from '#domain/server.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { createOpenApiReader } from '#mcp/custom-tools/openapi-reader.ts'
import type { Trial } from '#mcp/custom-tools/try-tool.ts'
import { problemOf } from '#mcp/describe-tool.ts'
import { endpointOf } from '#mcp/endpoint-of.ts'
import { createCustomTools } from '#storage/custom-tools.ts'
import { createToolCalls } from '#storage/tool-calls.ts'
import type { Carried, EngineParts } from './engine-parts.ts'

export type CustomToolCommand =
  | 'saveCustomTool'
  | 'deleteCustomTool'
  | 'restoreCustomTool'
  | 'testCustomTool'
  | 'stopCustomToolTest'
  | 'readOpenApi'
  | 'importOpenApi'
  | 'fetchDocument'

/** What is wrong with a tool, in the words of a refusal. */
function checkTool(tool: CustomToolInput): void {
  const [fault] = customToolFaults(tool)
  if (fault) throw new Failed('bad-input', fault.message)
  const problem = problemOf({ name: tool.name, inputSchema: { type: 'object', ...tool.inputSchema } })
  if (problem !== undefined) throw new Failed('bad-input', problem)
}

/** What is done with custom tools. */
export function customToolDeeds({ db, servers, mcp, startOpenApiWorker }: EngineParts): Carried<CustomToolCommand> {
  const customTools = createCustomTools(db)
  const calls = createToolCalls(db)
  const openApi = createOpenApiReader(startOpenApiWorker)
  const tests = new Map<string, AbortController>()

  async function collection(serverId: string): Promise<Server> {
    const server = await servers.server(serverId)
    if (server?.transport !== 'custom') throw new Failed('not-found', 'This collection is not there any more.')
    return server
  }

  return {
    async saveCustomTool({ serverId, tool, toolId }) {
      checkTool(tool)
      if (toolId !== undefined) return { toolId: (await customTools.change(toolId, tool)).id }
      const [added] = await customTools.add(serverId, [tool])
      return { toolId: added?.id ?? '' }
    },
    deleteCustomTool: ({ toolId }) => customTools.remove(toolId),
    restoreCustomTool: ({ tool }) => customTools.restore(tool),

    async testCustomTool({ serverId, tool, arguments: args, testId }) {
      const server = await collection(serverId)
      checkTool(tool)
      const abort = new AbortController()
      tests.set(testId, abort)
      const call = await callByHand(server, tool, args)
      try {
        // Another tab that starts just now can tell by the lock that somebody works at it.
        return await navigator.locks.request(`call:${call.id}`, async () => {
          await calls.addCalls([call])
          const trial = await mcp.tryCustomTool({ server, tool, arguments: args }, abort.signal)
          await calls.changeCall(call.id, ['running'], { ...settled(tool, trial), completedAt: Date.now() })
          return trial
        })
      } finally {
        tests.delete(testId)
      }
    },
    stopCustomToolTest({ testId }) {
      tests
        .get(testId)
        ?.abort(new Failed('stopped', 'You stopped this call. If it had begun, it may have taken effect.'))
      return Promise.resolve()
    },

    readOpenApi: ({ text }) => openApi.read(text),
    async importOpenApi({ serverId, text, base, chosen }) {
      const tools = await openApi.makeTools(text, base, chosen)
      for (const tool of tools) checkTool(tool)
      return { added: (await customTools.add(serverId, tools)).length }
    },
    async fetchDocument({ url }) {
      return { text: await mcp.fetchDocument(url, MAX_DOCUMENT_BYTES) }
    },
  }
}

/** A call that the user makes now, as it is written down before anything is sent. */
async function callByHand(server: Server, tool: CustomToolInput, args: string): Promise<ToolCall> {
  const now = Date.now()
  const call: ToolCall = {
    // They are kept in the order of their ids, where they are too many.
    id: `${now.toString(36).padStart(9, '0')}-${crypto.randomUUID()}`,
    conversationId: '',
    messageId: '',
    gptId: '',
    serverId: server.id,
    serverName: server.name,
    toolName: tool.name,
    title: tool.name,
    endpoint: endpointOf(server),
    // It need not be saved yet, so there is no definition to pin.
    fingerprint: '',
    annotations: tool.annotations,
    arguments: args,
    headerArguments: [],
    status: 'running',
    createdAt: now,
    startedAt: now,
  }
  const digest = await callDigest(call)
  return { ...call, approval: { state: 'approved', by: 'user', scope: 'once', digest, at: now } }
}

function settled({ name }: CustomToolInput, { outcome, failure }: Trial): Partial<ToolCall> {
  if (failure) {
    const status = failure.code === 'outcome-unknown' ? 'unknown' : failure.code === 'stopped' ? 'cancelled' : 'error'
    return { status, isError: true, error: failure }
  }
  if (!outcome?.isError) return { ...outcome, status: 'success' }
  return { ...outcome, status: 'error', error: { code: 'tool-failed', message: `${name} was refused.` } }
}
