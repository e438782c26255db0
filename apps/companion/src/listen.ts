import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { failed, nothingHere, SAFE_HEADERS } from './answers.ts'
import { type Connections, createConnections } from './connections.ts'
import { createBodyReader } from './read-body.ts'
import { visibleText } from './visible-text.ts'

/** How long a connection may take for the head of a request, from when it was opened. */
const HEAD_MS = 5_000
const LOOPBACK = ['127.0.0.1', '::1']
/** A free port of one address family may be taken in the other. */
const TRIES = 20

/** What was decided about a request from its head. */
export interface Admission {
  /** It carried the token. */
  readonly isKnown: boolean
  readonly maxBodyBytes: number
}

/** What the app may send in one request. */
export const KNOWN: Admission = { isKnown: true, maxBodyBytes: 16 << 20 }
/** For requests without the token: a short body, where nothing else is said. */
export const guest = (maxBodyBytes = 4 << 10): Admission => ({ isKnown: false, maxBodyBytes })

/** What a listener does with what reaches it. */
export interface Site {
  /** Decides about a request before any of its body is read. */
  admit(request: Request, path: string): Admission | Response
  /** `gone` is aborted when the client has left, and when it has everything. */
  answer(request: Request, path: string, gone: AbortSignal): Promise<Response>
}

export interface Listener {
  readonly port: number
  close(): Promise<void>
}

/** Answers on one port of the loopback addresses, and on no other address. */
export async function listen(port: number, siteOf: (port: number) => Site): Promise<Listener> {
  for (let tries = 1; ; tries++) {
    try {
      return await listenOnce(port, siteOf)
    } catch (error) {
      if (port !== 0 || tries === TRIES) throw error
    }
  }
}

async function listenOnce(wanted: number, siteOf: (port: number) => Site): Promise<Listener> {
  const connections = createConnections()
  const readBody = createBodyReader()
  const servers: Server[] = []
  const close = async (): Promise<void> => {
    const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)))
    connections.closeAll()
    await Promise.all(closed)
  }
  let port = wanted
  let site: Site | undefined
  for (const host of LOOPBACK) {
    const server = createServer({ headersTimeout: HEAD_MS, requestTimeout: 60_000, connectionsCheckingInterval: 1000 })
    server.keepAliveTimeout = 60_000
    server.on('connection', (socket) => connections.add(socket))
    server.on('clientError', refuseMalformed)
    server.on('request', (request, response) => {
      site ??= siteOf(port)
      void respond({ site, port, connections, readBody }, request, response)
    })
    try {
      await bind(server, port, host)
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      // This machine has no IPv6.
      if (host === '::1' && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(code)) continue
      await close()
      throw error
    }
    servers.push(server)
    port = (server.address() as AddressInfo).port
  }
  return { port, close }
}

function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

interface Listening {
  readonly site: Site
  readonly port: number
  readonly connections: Connections
  readonly readBody: ReturnType<typeof createBodyReader>
}

/** One exchange, from Node's request to ours and back. */
async function respond(
  { site, port, connections, readBody }: Listening,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController()
  const answered = connections.begin(incoming.socket)
  outgoing.once('close', () => {
    answered()
    gone.abort()
  })
  try {
    const read = readHead(incoming, port)
    const admitted = read ? site.admit(read.request, read.path) : nothingHere()
    if (admitted instanceof Response || !read)
      return await refuse(admitted instanceof Response ? admitted : nothingHere(), outgoing)
    if (admitted.isKnown) connections.know(incoming.socket)
    const got = await readBody(incoming, admitted.maxBodyBytes, admitted.isKnown)
    if (got instanceof Response) return await refuse(got, outgoing)
    gone.signal.addEventListener('abort', got.release)
    if (gone.signal.aborted) return got.release()
    const { body } = got
    const { request, path } = read
    const hasBody = body.length > 0 && !['GET', 'HEAD'].includes(request.method)
    const whole = hasBody ? new Request(request, { method: request.method, body }) : request
    await write(await site.answer(whole, path, gone.signal), outgoing)
  } catch (error) {
    if (gone.signal.aborted) return
    console.error(visibleText(`A request could not be answered: ${(error as Error).message}`))
    if (outgoing.headersSent) outgoing.destroy()
    else await write(failed(500, 'This could not be answered. The terminal of the companion says why.'), outgoing)
  }
}

/** The request without its body; undefined for a path that means another one once it is read as an address. */
function readHead(incoming: IncomingMessage, port: number) {
  const { url = '', method = '' } = incoming
  const path = url.split('?', 1)[0] ?? ''
  const address = `http://localhost:${port}${url}`
  if (!path.startsWith('/') || !URL.canParse(address) || new URL(address).pathname !== path) return undefined
  if (!/^[A-Z]+$/.test(method) || ['TRACE', 'TRACK', 'CONNECT'].includes(method)) return undefined
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value))
  return { request: new Request(address, { method, headers }), path }
}

const MALFORMED: Record<string, string | undefined> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

/** Answers what Node can't read as a request: its own answer would have no policy. */
function refuseMalformed({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy()
  const headers = Object.entries({ ...SAFE_HEADERS, connection: 'close', 'content-length': '0' })
  const lines = [`HTTP/1.1 ${MALFORMED[code] ?? '400 Bad Request'}`, ...headers.map((header) => header.join(': '))]
  socket.end(`${lines.join('\r\n')}\r\n\r\n`)
}

/** What was refused is not read to its end: the connection goes with it. */
async function refuse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.setHeader('connection', 'close')
  await write(response, outgoing)
}

async function write(response: Response, outgoing: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(response.headers)
  // Opened as a window, an answer without a policy would let a script of the page do what the page itself may not.
  outgoing.writeHead(response.status, 'content-security-policy' in headers ? headers : { ...SAFE_HEADERS, ...headers })
  if (!response.body) return void outgoing.end()
  // At once: a browser may send a request again by itself until it has seen the head of the answer.
  outgoing.flushHeaders()
  const reader = response.body.getReader()
  outgoing.once('close', () => void reader.cancel().catch(() => {}))
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    if (!outgoing.write(value)) await drained(outgoing)
  }
  outgoing.end()
}

const drained = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      outgoing.off('drain', go)
      outgoing.off('close', go)
      resolve()
    }
    outgoing.once('drain', go)
    outgoing.once('close', go)
    if (outgoing.destroyed) go()
  })
