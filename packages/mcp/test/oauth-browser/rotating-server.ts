import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { toNodeHandler } from '@modelcontextprotocol/node'

/** An authorization server whose refresh tokens are good once, and the MCP server that takes its tokens. */
export interface RotatingServer {
  url: string
  issuer: string
  /** Every refresh that was asked for. */
  refreshes: { token: string; reused: boolean }[]
  /** The tokens of somebody who signed in just now. */
  begin(): { access_token: string; refresh_token: string }
  /** Ends the access token. */
  expire(): void
  close(): Promise<void>
}

export async function startRotatingServer(): Promise<RotatingServer> {
  let count = 0
  let access: string | undefined
  let refresh: string | undefined

  const rotate = (): { access_token: string; refresh_token: string } => {
    count++
    access = `access-${count}`
    refresh = `refresh-${count}`
    return { access_token: access, refresh_token: refresh }
  }
  const answerMcp = toNodeHandler(
    createMcpHandler(() => {
      const mcp = new McpServer({ name: 'rotating', version: '1.0.0' })
      mcp.registerTool('whoami', {}, () => ({ content: [{ type: 'text', text: 'somebody who is signed in' }] }))
      return mcp
    }),
  )

  const json = (res: ServerResponse, value: object, status = 200): void =>
    void res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost')
    res.setHeader('access-control-allow-origin', '*')
    res.setHeader('access-control-expose-headers', 'www-authenticate')
    if (req.method === 'OPTIONS') {
      res.setHeader('access-control-max-age', '600')
      res.setHeader('access-control-allow-headers', req.headers['access-control-request-headers'] ?? '')
      return void res.writeHead(204).end()
    }
    const { issuer, url } = server
    switch (pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return json(res, { resource: url, authorization_servers: [issuer] })
      case '/.well-known/oauth-authorization-server':
        return json(res, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          token_endpoint_auth_methods_supported: ['none'],
          code_challenge_methods_supported: ['S256'],
        })
      case '/token': {
        const token = new URLSearchParams(await text(req)).get('refresh_token') ?? ''
        const reused = token !== refresh
        server.refreshes.push({ token, reused })
        // Whoever shows a token twice may have stolen it: all of them end.
        if (reused) {
          access = refresh = undefined
          return json(res, { error: 'invalid_grant' }, 400)
        }
        return json(res, { ...rotate(), token_type: 'Bearer', expires_in: 3600 })
      }
      case '/mcp':
        if (access === undefined || req.headers.authorization !== `Bearer ${access}`) {
          const metadata = `${issuer}/.well-known/oauth-protected-resource/mcp`
          return void res.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end()
        }
        return answerMcp(req as never, res as never)
      default:
        res.writeHead(404).end()
    }
  }

  const http = createServer((req, res) => void answer(req, res))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const server: RotatingServer = {
    url: `${issuer}/mcp`,
    issuer,
    refreshes: [],
    begin: rotate,
    expire: () => {
      access = undefined
    },
    close: async () => {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  return server
}
