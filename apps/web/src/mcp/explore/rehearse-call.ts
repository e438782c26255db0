import { HttpTransport, type JsonObject, MCPClient, type Tool } from '@switchboard/mcp'

/** A request as it would have been sent. */
export interface RehearsedRequest {
  method: string
  headers: Record<string, string>
  body: string
}

export interface Rehearsal {
  /** The revision that the real server speaks. */
  protocolVersion: string
  /** Stands for the id of a session; without it the server gives none. */
  sessionId?: string
  tool: Pick<Tool, 'name' | 'inputSchema'>
  args: JsonObject
}

const ADDRESS = 'http://rehearsal.invalid/mcp'

/**
 * What a call puts on the wire, found out by making it towards nobody: the client says all it would say to a server of this
 * revision, and every word of the other side is ours. What it sends is thus never told from memory.
 */
export async function rehearseCall({ protocolVersion, sessionId, tool, args }: Rehearsal): Promise<RehearsedRequest[]> {
  const sent: RehearsedRequest[] = []
  const about = { capabilities: { tools: {} }, serverInfo: { name: 'rehearsal', version: '0' } }
  const answers: Record<string, JsonObject> = {
    // A client for which this revision is one with sessions goes on to ask for one.
    'server/discover': { ...about, supportedVersions: [protocolVersion] },
    initialize: { ...about, protocolVersion },
    'tools/list': { tools: [tool] },
    'tools/call': { content: [] },
  }
  const fetch = (_: string, { method = 'GET', headers, body }: RequestInit): Promise<Response> => {
    if (method !== 'POST' || typeof body !== 'string') return Promise.resolve(new Response(null, { status: 405 }))
    const message = JSON.parse(body) as { id?: unknown; method?: string }
    sent.push({ method: message.method ?? '', headers: Object.fromEntries(new Headers(headers)), body })
    const result = answers[message.method ?? '']
    if (message.id === undefined || !result) return Promise.resolve(new Response(null, { status: 202 }))
    const isGreeting = message.method === 'initialize' && sessionId !== undefined
    return Promise.resolve(
      Response.json(
        { jsonrpc: '2.0', id: message.id, result },
        { headers: isGreeting ? { 'mcp-session-id': sessionId } : {} },
      ),
    )
  }
  const transport = new HttpTransport({ url: ADDRESS, fetch, maxRetries: 0, autoOpenStream: false })
  const client = new MCPClient({ transport, clientName: 'switchboard', maxRetries: 0, onUncaughtError: () => {} })
  try {
    // Some arguments travel as headers too: which ones, the client learns from the list.
    await client.listTools()
    await client.callTool({ name: tool.name, arguments: args })
    return sent
  } finally {
    await client.close()
  }
}
