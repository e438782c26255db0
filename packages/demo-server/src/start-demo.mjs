import { createServer } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createDemoEndpoint } from './demo-endpoint.mjs'
import { refusal } from './guard.mjs'

const CORS = {
  'access-control-allow-methods': 'POST, GET, DELETE',
  'access-control-expose-headers': 'Mcp-Session-Id, Mcp-Protocol-Version, Retry-After, WWW-Authenticate',
  'access-control-max-age': '600',
}

/**
 * Starts the demo server alone, reachable from this machine only; the companion has it at an address of its own.
 * @param {{ port?: number, allowedOrigins?: readonly string[] }} [options] pages of `allowedOrigins` may use it too
 */
export async function startDemo({ port = 0, allowedOrigins = [] } = {}) {
  const endpoint = createDemoEndpoint()
  const answerMcp = toNodeHandler(endpoint)
  let ownPort = port

  const server = createServer((request, response) => {
    const why = refusal(request.headers, ownPort, allowedOrigins)
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    if (why !== undefined) return void response.writeHead(403, { 'content-type': 'text/plain' }).end(why)
    if (path === '/mcp') {
      const { origin } = request.headers
      if (origin !== undefined && allowedOrigins.includes(origin)) {
        response.setHeader('access-control-allow-origin', origin)
        response.setHeader('vary', 'Origin')
        for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value)
        response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '')
      }
      if (request.method === 'OPTIONS') return void response.writeHead(204).end()
      return void answerMcp(/** @type {any} */ (request), /** @type {any} */ (response))
    }
    response.setHeader('content-type', 'text/plain')
    if (path === '/confirm.html') return void response.end('You are here. Go back and say that you have done it.')
    response.writeHead(404).end('There is nothing here.')
  })

  await /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => resolve())
    })
  )
  const address = server.address()
  if (address !== null && typeof address === 'object') ownPort = address.port
  const url = `http://localhost:${ownPort}/`
  endpoint.setOrigin(url)
  console.log(`demo server: ${url}mcp, sessions and stateless`)

  return {
    url,
    mcpUrl: `${url}mcp`,
    async close() {
      await endpoint.close()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
