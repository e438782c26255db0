import type { Conversation } from '#domain/conversation.ts'
import type { Grant } from '#domain/grant.ts'
import type { Message } from '#domain/message.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { createConversations } from './conversations.ts'
import type { Database } from './db.ts'
import { createGpts } from './gpts.ts'
import type { NewMessage } from './messages.ts'
import type { NewServer } from './servers.ts'

// Rows for tests.

export const answer = (conversationId: string, change: Partial<Message> = {}): NewMessage => ({
  id: crypto.randomUUID(),
  conversationId,
  role: 'assistant',
  parts: [],
  status: 'streaming',
  ...change,
})

export const callOf = (message: Pick<Message, 'id' | 'conversationId'>, change: Partial<ToolCall> = {}): ToolCall => ({
  id: crypto.randomUUID(),
  conversationId: message.conversationId,
  messageId: message.id,
  gptId: 'gpt',
  serverId: 'server',
  serverName: 'Server',
  toolName: 'tool',
  title: 'Tool',
  endpoint: 'https://example.com/mcp',
  fingerprint: 'f',
  annotations: {},
  arguments: '{}',
  headerArguments: [],
  status: 'pending',
  createdAt: 1,
  ...change,
})

export const grantOf = (change: Partial<Grant> = {}): Grant => ({
  id: crypto.randomUUID(),
  scope: 'always',
  scopeId: '',
  serverId: 'server',
  serverName: 'Server',
  toolName: 'tool',
  fingerprint: 'f',
  endpoint: 'https://example.com/mcp',
  createdAt: 1,
  ...change,
})

export const serverInput = (change: Partial<NewServer> = {}): NewServer => ({
  name: 'Server',
  description: '',
  transport: 'streamable-http',
  url: 'https://example.com/mcp',
  headerNames: [],
  authentication: { type: 'none' },
  timeoutSeconds: 30,
  retries: 3,
  relay: false,
  trusted: false,
  enabled: true,
  ...change,
})

/** A conversation of a new GPT, with one message of the user. */
export async function startedConversation(db: Database, text = 'Hello'): Promise<Conversation> {
  const { id: gptId } = await createGpts(db).create({ name: 'Helper' })
  return createConversations(db).start({ gptId, title: 'A chat', text })
}

/** Every row of every table, by table. */
export async function allRows(db: Database): Promise<{ [table: string]: unknown[] }> {
  const tables = await Promise.all(
    db.tables.map(async (table) => [table.name, (await table.toArray()) as unknown[]] as const),
  )
  return Object.fromEntries(tables)
}
