import { randomUUID } from 'node:crypto'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { buildServer } from './build-server.mjs'

/** A page that is reloaded leaves its session behind: the oldest give way. */
const MAX_SESSIONS = 100

/**
 * A stream that says something at once. Without it the head of the answer waits for the first event, and the client with it.
 * @param {Response} response
 */
function begun(response) {
  if (!response.ok || !response.body) return response
  const first = new TextEncoder().encode(': listening\n\n')
  const body = response.body.pipeThrough(new TransformStream({ start: (controller) => controller.enqueue(first) }))
  return new Response(body, response)
}

/**
 * The sessions of the clients that begin with `initialize`.
 * @param {import('./world.mjs').World} world
 */
export function createSessions(world) {
  /** @type {Map<string, { transport: WebStandardStreamableHTTPServerTransport, server: import('@modelcontextprotocol/server').McpServer, watched: Set<string> }>} */
  const sessions = new Map()
  /** Requests that were refused once because their session had to be forgotten. */
  const refused = new Set()

  const stops = [
    world.onNoteChange((uri) => {
      for (const { server, watched } of sessions.values()) {
        if (watched.has(uri)) void server.server.sendResourceUpdated({ uri }).catch(() => {})
      }
    }),
    world.onListChange(() => {
      for (const { server } of sessions.values()) void server.server.sendResourceListChanged().catch(() => {})
    }),
  ]

  async function begin() {
    /** @type {Set<string>} */
    const watched = new Set()
    const server = buildServer(world, watched)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, { transport, server, watched })
        const [oldest] = sessions.keys()
        if (sessions.size > MAX_SESSIONS && oldest !== undefined) end(oldest)
      },
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await server.connect(transport)
    return transport
  }

  /** @param {string} id */
  function end(id) {
    const session = sessions.get(id)
    sessions.delete(id)
    void session?.server.close().catch(() => {})
  }

  return {
    /** @param {Request} request @param {unknown} body @returns {Promise<Response>} */
    async fetch(request, body) {
      const id = request.headers.get('mcp-session-id')
      const known = id === null ? undefined : sessions.get(id)
      if (id !== null && !known) {
        const error = { code: -32001, message: 'This session is over' }
        return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 })
      }
      const transport = known?.transport ?? (await begin())
      const response = await transport.handleRequest(request, body === undefined ? {} : { parsedBody: body })
      return request.method === 'GET' ? begun(response) : response
    },
    /**
     * Ends a session as if the server had been restarted, once for each request. False where there is none to end.
     * @param {string | null} id @param {unknown} requestId
     */
    forget(id, requestId) {
      if (id === null || refused.has(requestId)) return false
      refused.add(requestId)
      end(id)
      return true
    },
    async close() {
      for (const stop of stops) stop()
      await Promise.all([...sessions.values()].map(({ server }) => server.close().catch(() => {})))
      sessions.clear()
    },
  }
}
