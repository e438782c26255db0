import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OrderApi {
  origin: string
  /** What was asked, but for what a browser asks before by itself. */
  readonly asked: { method: string; path: string; key: string | undefined; body: string }[]
  close(): Promise<void>
}

/** An API that is no MCP server: orders, which web pages may ask for. */
export async function startOrderApi(): Promise<OrderApi> {
  const asked: OrderApi['asked'] = []
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'authorization, content-type')
    response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
    if (method === 'OPTIONS') return void response.writeHead(204).end()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      asked.push({ method, path: url, key: headers.authorization, body })
      response.setHeader('content-type', 'application/json')
      if (url === '/openapi.json') return void response.end(JSON.stringify(orderDocument('/')))
      if (url.startsWith('/orders/404'))
        return void response.writeHead(404).end(JSON.stringify({ error: 'There is no such order.' }))
      if (method === 'POST') return void response.end(JSON.stringify({ id: '8', ...(JSON.parse(body) as object) }))
      response.end(JSON.stringify({ id: url.split('/').at(-1), state: 'on its way' }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** What the API says of itself. */
export const orderDocument = (origin: string) => ({
  openapi: '3.1.0',
  info: { title: 'Order desk', version: '1.4' },
  servers: [{ url: origin }],
  security: [{ token: [] }],
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  paths: {
    '/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'findOrder', summary: 'Finds an order', tags: ['orders'] },
      delete: { operationId: 'cancelOrder', summary: 'Cancels an order', tags: ['orders'] },
    },
    '/orders': {
      post: {
        operationId: 'placeOrder',
        summary: 'Places an order',
        tags: ['orders'],
        parameters: [{ name: 'session', in: 'cookie', schema: { type: 'string' } }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', required: ['article'], properties: { article: { type: 'string' } } },
            },
          },
        },
      },
    },
    '/photos': {
      post: {
        operationId: 'sendPhoto',
        tags: ['photos'],
        requestBody: { required: true, content: { 'multipart/form-data': { schema: {} } } },
      },
    },
  },
})
