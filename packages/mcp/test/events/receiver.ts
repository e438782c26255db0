import { createServer } from 'node:http'
import { bytesOf, serve } from './event-server.ts'

/** Serves a handler of requests, as a framework would; gives its address. */
export async function receiveWith(handler: (request: Request) => Promise<Response>): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await bytesOf(request)
    const answer = await handler(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headers).map(([name, value]): [string, string] => [name, `${value}`]),
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  return `${await serve(server)}/hook`
}
