import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Asked {
  method: string
  params: any
}
export interface Known {
  id: string
  name: string
  arguments: unknown
  url: string
  secret: string
}
/** What is sent to a webhook, as it is; what is not said is as it should be. */
export interface Delivery {
  body?: unknown
  method?: string
  /** A header that is undefined is not sent. */
  headers?: Record<string, string | undefined>
  url?: string
  signedWith?: string
  /** Seconds from now. */
  sentAt?: number
}

export const comment = {
  name: 'comment.created',
  description: 'Somebody wrote a comment',
  delivery: ['webhook', 'poll'],
  inputSchema: { type: 'object', properties: { document: { type: 'string' } } },
  payloadSchema: { type: 'object', properties: { text: { type: 'string' } } },
}
export const polled = { ...comment, name: 'file.touched', delivery: ['poll'] }

export const event = (more: object = {}): object => ({
  eventId: 'evt_1',
  name: comment.name,
  timestamp: '2026-10-05T12:00:00Z',
  data: { text: 'Well done.' },
  cursor: 'after-1',
  ...more,
})

/** An error that the server answers with. */
export class Refusal extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** A listener that a test has to itself, on a port of 127.0.0.1. */
export async function serve(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

export const signatureOf = (secret: string, id: string, timestamp: number, body: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`

/** An MCP server that has events, verifies webhooks and signs what it sends them. */
export class EventServer {
  readonly stateless: boolean
  url = ''
  /** The pages of its list. */
  pages: unknown[][] = [[polled], [comment]]
  readonly asked: Asked[] = []
  readonly known = new Map<string, Known>()
  /** What it answers in place of what it would; a Refusal is thrown. */
  instead: Record<string, (params: any) => unknown> = {}
  grant: Record<string, unknown> = { refreshBefore: '2099-01-01T00:00:00Z', cursor: 'start', truncated: false }

  constructor({ stateless = true } = {}) {
    this.stateless = stateless
  }

  async start(): Promise<this> {
    const server = createServer(async (request, response) => {
      if (request.method !== 'POST') return void response.writeHead(405).end()
      const { id, method, params } = JSON.parse((await bytesOf(request)).toString())
      if (id === undefined) return void response.writeHead(202).end()
      this.asked.push({ method, params })
      const answer = await this.#answer(method, params ?? {}).then(
        (result) => ({ result }),
        ({ code, message, data }: Refusal) => ({ error: { code, message, data } }),
      )
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    })
    this.url = `${await serve(server)}/mcp`
    return this
  }

  /** The requests of one method, without what the era adds. */
  of(method: string): any[] {
    return this.asked
      .filter((one) => one.method === method)
      .map(({ params }) => {
        const { _meta, ...own } = params ?? {}
        return own
      })
  }

  async #answer(method: string, params: any): Promise<unknown> {
    const capabilities = { tools: {}, events: {} }
    const result = (fields: object) => ({ ...(this.stateless && { resultType: 'complete' }), ...fields })
    const instead = this.instead[method]
    if (instead) return result((await instead(params)) as object)
    switch (method) {
      case 'server/discover':
        if (!this.stateless) break
        return result({ supportedVersions: ['2026-07-28'], capabilities })
      case 'initialize':
        return { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'events', version: '1' } }
      case 'events/list': {
        const page = Number(params.cursor ?? 0)
        const more = page + 1 < this.pages.length && { nextCursor: `${page + 1}` }
        return result({ events: this.pages[page], ...more })
      }
      case 'events/subscribe':
        return result(await this.#subscribe(params))
      case 'events/unsubscribe':
        for (const [id, one] of this.known) if (one.url === params.delivery.url) this.known.delete(id)
        return result({})
    }
    throw new Refusal(-32601, `No such method: ${method}`)
  }

  async #subscribe({ name, arguments: args, delivery: { url, secret } }: any): Promise<object> {
    const id = `sub_${createHash('sha256')
      .update(JSON.stringify([url, name, args]))
      .digest('hex')
      .slice(0, 16)}`
    const one = { id, name, arguments: args, url, secret }
    const headers = { 'webhook-id': 'msg_verification_1' }
    const response = await this.deliver(one, { body: { type: 'verification', challenge: 'nonce' }, headers })
    const echoed: any = response.ok ? await response.json() : undefined
    if (echoed?.challenge !== 'nonce')
      throw new Refusal(-32015, 'CallbackEndpointError', { reason: 'challenge_failed' })
    this.known.set(id, one)
    return { id, ...this.grant }
  }

  deliver(to: Known, { body = event(), headers, url, method = 'POST', signedWith, sentAt = 0 }: Delivery = {}) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const timestamp = Math.floor(Date.now() / 1000) + sentAt
    const id = headers?.['webhook-id'] ?? (body as { eventId?: string }).eventId ?? 'msg_1'
    const all = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': `${timestamp}`,
      'webhook-signature': signatureOf(signedWith ?? to.secret, id, timestamp, text),
      'x-mcp-subscription-id': to.id,
      ...headers,
    }
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return fetch(url ?? to.url, { method, headers: sent, ...(method === 'POST' && { body: text }) })
  }
}
