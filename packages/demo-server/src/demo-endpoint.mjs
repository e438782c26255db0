import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server'
import { buildServer } from './build-server.mjs'
import { createSessions } from './sessions.mjs'
import { misbehave } from './tools/fail-on-purpose.mjs'
import { createWorld } from './world.mjs'

const MAX_BODY_BYTES = 4 << 20

/** @param {number} status @param {number} code @param {string} message */
const failure = (status, code, message) =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })

/**
 * One MCP endpoint for both eras: a request that describes itself is answered by a server built for it alone, any other
 * belongs to a session.
 */
export function createDemoEndpoint() {
  const world = createWorld()
  const stateless = createMcpHandler(() => buildServer(world), { legacy: 'reject' })
  const sessions = createSessions(world)

  const stops = [
    world.onNoteChange((uri) => stateless.notify.resourceUpdated(uri)),
    world.onListChange(() => stateless.notify.resourcesChanged()),
  ]

  return {
    /** @param {string} origin */
    setOrigin(origin) {
      world.origin = origin
    },
    /** @param {Request} request @returns {Promise<Response>} */
    async fetch(request) {
      /** @type {unknown} */
      let body
      if (request.method === 'POST') {
        const text = await request.text()
        if (text.length > MAX_BODY_BYTES) return failure(413, -32600, 'The request is too large')
        try {
          body = JSON.parse(text)
        } catch {
          return failure(400, -32700, 'The request is no JSON')
        }
      }
      const bad = misbehave(body, (id) => sessions.forget(request.headers.get('mcp-session-id'), id))
      if (bad) return bad
      return (await isLegacyRequest(request, body))
        ? sessions.fetch(request, body)
        : stateless.fetch(request, { parsedBody: body })
    },
    async close() {
      for (const stop of stops) stop()
      world.stop()
      await sessions.close()
      await stateless.close()
    },
  }
}
