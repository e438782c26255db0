import type { Dexie } from 'dexie'

/** Every shape the database has had, oldest first. A released one is never changed: a new one is added below it. */
export function migrate(db: Dexie): void {
  db.version(1).stores({
    gpts: 'id, updatedAt, deletedAt',
    conversations: 'id, gptId, updatedAt, deletedAt',
    messages: 'id, conversationId, [conversationId+branchId+order]',
    streams: 'messageId, conversationId',
    drafts: 'id',
    mcpServers: 'id, name, transport, enabled, updatedAt, deletedAt',
    mcpToolCalls: 'id, conversationId, messageId, serverId, toolName, status, startedAt, [serverId+status], taskId',
    mcpTasks: 'id, serverId, toolCallId, status, createdAt, [serverId+status]',
    mcpOAuthTokens: 'serverId',
    modelConnections: 'id, deletedAt',
    secrets: 'id',
    grants: 'id, serverId, [scope+scopeId]',
    settings: 'key',
  })
  db.version(2).stores({
    mcpToolCalls:
      'id, conversationId, messageId, serverId, toolName, status, startedAt, [serverId+status], [serverId+startedAt], [serverId+toolName+conversationId], taskId',
    mcpTasks: 'id, serverId, toolCallId, conversationId, status, createdAt, [serverId+status]',
    questions: 'id, toolCallId, serverId, conversationId, state',
    customTools: 'id, serverId',
    recordings: '++id, serverId',
    toolLedger: 'id, serverId, state, [serverId+state]',
  })
  // It is filled in the background (build-search-index), so that opening the database doesn't take long.
  db.version(3).stores({ searchWords: 'key, *words' })
}
