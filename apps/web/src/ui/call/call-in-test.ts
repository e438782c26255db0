import type { ToolCall } from '#domain/tool-call.ts'

/** A call for tests, with what matters to the test put over it. */
export const callInTest = (over: Partial<ToolCall> = {}): ToolCall => ({
  id: 'call-1',
  conversationId: 'chat-1',
  messageId: 'message-1',
  gptId: 'gpt-1',
  serverId: 'server-1',
  serverName: 'Example Tools',
  toolName: 'create_issue',
  title: 'Create an issue',
  endpoint: 'https://tools.example/mcp',
  fingerprint: 'f1',
  annotations: {},
  arguments: '{"title":"Crash on start"}',
  headerArguments: [],
  status: 'pending',
  approval: { state: 'requested', at: 1 },
  createdAt: 1,
  ...over,
})
