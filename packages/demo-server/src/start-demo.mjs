import { createServer } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createDemoEndpoint } from './demo-endpoint.mjs'
import { refusal } from './guard.mjs'
import { readPageFiles } from './page-files.mjs'

/** The page may connect to any server its user names; it runs our files and nothing else. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src http: https:; " +
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

const CORS = {
  'access-control-allow-methods': 'POST, GET, DELETE',
  'access-control-expose-headers': 'Mcp-Session-Id, Mcp-Protocol-Version, Retry-After, WWW-Authenticate',
  'access-control-max-age': '600',
}

/**
 * Starts the demo server with its page, reachable from this machine only.
 * @param {{ port?: number, allowedOrigins?: readonly string[], library?: string }} [options] pages of `allowedOrigins` may use
 *   the MCP server too; `library` is the folder of another build
 */
export async function startDemo({ port = 0, allowedOrigins = [], library } = {}) {
  const files = readPageFiles(library)
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
    const file = files.get(path)
    if (!file) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('There is nothing here.')
    if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end()
    response.writeHead(200, { ...PAGE_HEADERS, 'content-type': file.type, 'content-length': file.body.length })
    response.end(request.method === 'HEAD' ? undefined : file.body)
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
