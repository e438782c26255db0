import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { selfSignedCertificate } from '@switchboard/testkit/fault-certificate'

/** One server for each way in which a connection can fail, on real ports of this machine. */
export interface BrokenServers {
  urls: Record<BrokenName, string>
  /** The headers of everything that any of them was sent. */
  heard: IncomingMessage['headers'][]
  close(): Promise<void>
}

const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': '*, authorization',
}
const EXPOSED = { 'access-control-expose-headers': 'mcp-session-id, www-authenticate' }

type Reply = (request: IncomingMessage, body: string, response: ServerResponse) => void

const json = (response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}) =>
  void response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(value))

const html = (response: ServerResponse, headers: Record<string, string>) =>
  void response.writeHead(200, { ...headers, 'content-type': 'text/html' }).end('<!doctype html><h1>Hello</h1>')

const methodIn = (body: string): string => (body === '' ? '' : String((JSON.parse(body) as { method?: string }).method))

const initialized = {
  jsonrpc: '2.0',
  id: 1,
  result: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'broken', version: '1' },
  },
}

/** Speaks MCP in sessions, with these headers for browsers. */
const sessions =
  (headers: Record<string, string>): Reply =>
  (request, body, response) => {
    const method = methodIn(body)
    if (request.method !== 'POST') return json(response, 405, {}, headers)
    if (method === 'initialize') {
      const { id } = JSON.parse(body) as { id: number }
      return json(response, 200, { ...initialized, id }, { ...headers, 'mcp-session-id': 'one' })
    }
    if (request.headers['mcp-session-id'] !== 'one')
      return json(response, 400, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'No session' } }, headers)
    const { id } = JSON.parse(body) as { id?: number }
    json(response, id === undefined ? 202 : 200, { jsonrpc: '2.0', id, result: { tools: [] } }, headers)
  }

/** Where there is no preflight to be refused. */
const allowing =
  (reply: Reply): Reply =>
  (request, body, response) =>
    request.method === 'OPTIONS' ? void response.writeHead(204, OPEN).end() : reply(request, body, response)

function replies(origins: Record<string, string>) {
  return {
    noCors: sessions({}),
    preflightRefused: (request, body, response) =>
      request.method === 'OPTIONS' ? json(response, 403, {}) : sessions(OPEN)(request, body, response),
    sessionNotExposed: allowing(sessions(OPEN)),
    headerRefused: (request, body, response) =>
      request.method === 'OPTIONS'
        ? void response.writeHead(204, { ...OPEN, 'access-control-allow-headers': 'content-type' }).end()
        : sessions({ ...OPEN, ...EXPOSED })(request, body, response),
    redirect: allowing(
      (_request, _body, response) =>
        void response.writeHead(307, { ...OPEN, location: `${origins['page']}/mcp` }).end(),
    ),
    hiddenRedirect: (_request, _body, response) =>
      void response.writeHead(308, { location: `${origins['page']}/mcp` }).end(),
    /** A web page, with MCP beside it. */
    page: allowing((request, body, response) =>
      request.url === '/mcp' ? sessions({ ...OPEN, ...EXPOSED })(request, body, response) : html(response, OPEN),
    ),
    error: allowing((_request, _body, response) => json(response, 500, { error: 'out of memory' }, OPEN)),
    signIn: allowing((request, _body, response) =>
      request.url?.startsWith('/.well-known/oauth-protected-resource')
        ? json(response, 200, { resource: origins['signIn'], authorization_servers: [origins['closedIssuer']] }, OPEN)
        : json(
            response,
            401,
            {},
            {
              ...OPEN,
              ...EXPOSED,
              'www-authenticate': `Bearer resource_metadata="${origins['signIn']}/.well-known/oauth-protected-resource"`,
            },
          ),
    ),
    /** Describes itself, but not to pages. */
    closedIssuer: (_request, _body, response) => json(response, 200, { issuer: origins['closedIssuer'] }),
    fine: allowing(sessions({ ...OPEN, ...EXPOSED })),
  } satisfies Record<string, Reply>
}
type BrokenName = keyof ReturnType<typeof replies> | 'selfSigned' | 'refused' | 'hanging'

export async function startBrokenServers(): Promise<BrokenServers> {
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  const heard: IncomingMessage['headers'][] = []
  const listen = async (server: Server): Promise<number> => {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    return (server.address() as AddressInfo).port
  }
  const origins: Record<string, string> = {}
  const urls: Record<string, string> = {}
  const hearing =
    (reply: Reply): RequestListener =>
    (request, response) => {
      let body = ''
      heard.push(request.headers)
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => reply(request, body, response))
    }
  for (const [name, reply] of Object.entries(replies(origins)) as [string, Reply][]) {
    origins[name] = `http://localhost:${await listen(createServer(hearing(reply)))}`
    urls[name] = name === 'page' ? `${origins[name]}/` : `${origins[name]}/mcp`
  }
  const secure = createSecureServer(selfSignedCertificate(), hearing(sessions(OPEN)))
  urls['selfSigned'] = `https://127.0.0.1:${await listen(secure)}/mcp`
  urls['hanging'] = `http://localhost:${await listen(createTcpServer())}/mcp`
  const gone = createTcpServer()
  urls['refused'] = `http://localhost:${await listen(gone)}/mcp`
  await new Promise((resolve) => gone.close(resolve))
  return {
    urls: urls as BrokenServers['urls'],
    heard,
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}
