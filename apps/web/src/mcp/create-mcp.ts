import type { Gpt } from '#domain/gpt.ts'
import { type CallToMake, callTool } from './call-tool.ts'
import { createSchemaChecks } from './check-schema.ts'
import { createCompanion } from './companion.ts'
import { createConnections } from './connections.ts'
import type { McpNeeds } from './needs.ts'
import { createRawMessages } from './raw-messages.ts'
import { type TestInput, testServer } from './test-server.ts'
import { toolsOfGpt } from './tools-of-gpt.ts'

/** Everything the engine does with servers. `startSchemaWorker` starts schema-worker.ts. */
export function createMcp(needs: McpNeeds, startSchemaWorker: () => Worker) {
  const raw = createRawMessages(needs.now)
  const companion = createCompanion(needs)
  const connections = createConnections(needs, companion, raw)
  const checks = createSchemaChecks(startSchemaWorker)
  return {
    connections,
    companion,
    tools: {
      toolsOf: (gpt: Gpt, signal: AbortSignal) => toolsOfGpt(gpt, signal, { connections, servers: needs.servers }),
      call: (call: CallToMake, options: Parameters<typeof callTool>[1]) =>
        callTool(call, options, { connections, checks, raw }),
    },
    testServer: (input: TestInput) => testServer(input, needs, companion),
    rawMessages: (toolCallId: string) => raw.of(toolCallId),
    close(): void {
      connections.closeAll()
      checks.close()
    },
  }
}
