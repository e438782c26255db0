import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { WantedBody } from './wanted-body.ts'

/** Serves long bodies to pages of any origin. */
export async function startBodyServer(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url!, 'http://localhost')
    const { text, times, pieces = 1, packed, half } = JSON.parse(searchParams.get('wanted')!) as WantedBody
    const plain = Buffer.from(text.repeat(times))
    const body = packed ? gzipSync(plain) : plain
    response.writeHead(200, {
      'access-control-allow-origin': '*',
      'content-length': body.length,
      ...(packed && { 'content-encoding': 'gzip' }),
    })
    const send = async (): Promise<void> => {
      const size = Math.ceil(body.length / pieces)
      const end = half ? body.length / 2 : body.length
      for (let at = 0; at < end; at += size) {
        response.write(body.subarray(at, Math.min(at + size, end)))
        await setImmediate()
      }
      if (!half) response.end()
      else if (half === 'ends') response.destroy()
    }
    void send()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  }
}
