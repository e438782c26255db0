import type { ToolCall } from '#domain/tool-call.ts'
import type { OfferedTool } from './needs.ts'

/** A tool of a server, as a model would be told of it. */
export const offered = (toolName: string, change: Partial<OfferedTool> = {}): OfferedTool => ({
  modelName: `office__${toolName}`,
  toolName,
  serverId: 'office',
  serverName: 'Office',
  serverTrusted: false,
  endpoint: 'https://office.example/mcp',
  title: '',
  description: '',
  inputSchema: { type: 'object' },
  annotations: {},
  fingerprint: `f-${toolName}`,
  headerArguments: [],
  ...change,
})

const THINGS = ['invoice', 'meeting', 'parcel', 'recipe', 'ticket', 'photo', 'contract', 'room', 'song', 'plant']
const DEEDS = ['create', 'find', 'rename', 'archive', 'share']

/** A thousand tools over twenty servers. */
export const thousand: readonly OfferedTool[] = Array.from({ length: 20 }, (_, at) =>
  THINGS.flatMap((thing) =>
    DEEDS.map((deed) =>
      offered(`${deed}_${thing}`, {
        modelName: `office_${at}__${deed}_${thing}`,
        serverId: `office-${at}`,
        serverName: `Office ${at}`,
        description: `${deed}s a ${thing} of this office, with everything that belongs to it.`,
        inputSchema: { type: 'object', properties: { what: { type: 'string', description: `Which ${thing}` } } },
      }),
    ),
  ),
).flat()

/** A call that was made of a tool. */
export const callOf = (
  tool: Pick<OfferedTool, 'serverId' | 'toolName' | 'endpoint'>,
  change: Partial<ToolCall> = {},
): ToolCall => ({
  id: crypto.randomUUID(),
  conversationId: 'conversation',
  messageId: 'message',
  gptId: 'gpt',
  serverId: tool.serverId,
  serverName: '',
  endpoint: tool.endpoint,
  toolName: tool.toolName,
  title: '',
  fingerprint: '',
  annotations: {},
  headerArguments: [],
  arguments: '{}',
  status: 'success',
  createdAt: 1,
  ...change,
})
