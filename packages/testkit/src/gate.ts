import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Gate {
  readonly url: string
  /** Where requests go. Another one is as good as a server that was started anew behind the same address. */
  target: string
  /** The methods of the messages that were let through, in their order. */
  readonly passed: string[]
  stop(): Promise<void>
}

/**
 * Stands before a server that others have written, as a reverse proxy does: who shows the right header is let through, anybody else
 * gets a 401. A browser’s preflight shows nothing and always passes.
 */
export async function startGate(target: string, right: { header: string; value: string }): Promise<Gate> {
  const passed: string[] = []
  const server = createServer((incoming, answer) => {
    if (incoming.method === 'OPTIONS' || incoming.headers[right.header] === right.value) {
      return pass(incoming, answer, new URL(gate.target), passed)
    }
    answer.writeHead(401, { 'access-control-allow-origin': '*', 'content-type': 'application/json' })
    answer.end(JSON.stringify({ error: 'Not without the right key' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const gate: Gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    target,
    passed,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return gate
}

function pass(incoming: IncomingMessage, answer: ServerResponse, { hostname, port, pathname }: URL, passed: string[]) {
  const headers = { ...incoming.headers, host: `${hostname}:${port}` }
  const onward = request({ hostname, port, path: pathname, method: incoming.method, headers }, (answered) => {
    answer.writeHead(answered.statusCode ?? 502, answered.headers)
    answered.pipe(answer)
    answered.on('error', () => answer.destroy())
  })
  onward.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
  // Whoever hangs up here has hung up there.
  answer.on('close', () => onward.destroy())
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () => {
    const body = Buffer.concat(chunks)
    const method = /"method":"([^"]+)"/.exec(body.toString())?.[1]
    if (method !== undefined) passed.push(method)
    onward.end(body)
  })
}
