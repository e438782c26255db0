import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Collector {
  url: string
  /** Every request that came, whole, as text. */
  requests: string[]
  close(): Promise<void>
}

/** A stranger's server: it takes whatever it is sent, allows everybody, and writes it down. */
export async function startCollector(): Promise<Collector> {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    requests.push(`${request.method} ${request.url}\n${request.rawHeaders.join('\n')}\n\n${body}`)
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*')
    response.writeHead(request.method === 'OPTIONS' ? 204 : 404, { 'content-type': 'text/html' }).end('Nothing here')
  })
  server.on('upgrade', (request, socket) => {
    requests.push(`UPGRADE ${request.url}`)
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
