import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { createSseStream, cutSseStream } from './sse-stream-generator.ts'

export interface SseStreamServer {
  url: string
  close(): Promise<void>
}

/** One turn apart: pieces written in one turn would reach the page as one. */
async function writePieces(response: ServerResponse, pieces: Uint8Array[]): Promise<void> {
  for (const piece of pieces) {
    if (piece.length > 0) response.write(piece)
    await setImmediate()
  }
  response.end()
}

/**
 * Serves generated event streams: `/stream?seed=1` as an event stream, written in pieces that are cut anywhere;
 * `/bytes?seed=1` as the same bytes, whole.
 */
export async function startSseStreamServer(): Promise<SseStreamServer> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://loopback')
    const seed = Number(searchParams.get('seed'))
    const bytes = createSseStream(seed)
    response.setHeader('access-control-allow-origin', '*')
    if (pathname === '/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      void writePieces(response, cutSseStream(bytes, seed, 4))
    } else if (pathname === '/bytes') {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes)
    } else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
