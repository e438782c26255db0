import { OAuthError } from './oauth-error.ts'

// The parts of Node that this needs, without its types: nothing here is imported, so a bundle for pages has nothing to resolve.
export interface Address {
  address: string
  family: number
}
type Lookup = (host: string, options: { all: true }) => Promise<Address[]>
interface BlockList {
  addSubnet(net: string, prefix: number, family: 'ipv4' | 'ipv6'): void
  check(address: string, family: 'ipv4' | 'ipv6'): boolean
}
interface Stream {
  pipe<T>(target: T): T
  on(event: string, listener: (...values: never[]) => void): this
}
interface Destroyable {
  destroy(error?: Error): void
}
interface IncomingMessage extends Stream {
  statusCode?: number
  rawHeaders: string[]
}
interface ClientRequest extends Stream, Destroyable {
  end(body?: Uint8Array): void
}
interface Builtins {
  'node:dns': { promises: { lookup: Lookup } }
  'node:net': { BlockList: new () => BlockList; isIP: (text: string) => number }
  'node:http': { request: (url: URL, options: object, listener: (answer: IncomingMessage) => void) => ClientRequest }
  'node:https': Builtins['node:http']
  'node:stream': { Readable: { toWeb: (stream: Stream) => ReadableStream<Uint8Array<ArrayBuffer>> } }
  'node:zlib': { createUnzip: () => Stream; createBrotliDecompress: () => Stream }
}
declare const process: { getBuiltinModule<K extends keyof Builtins>(name: K): Builtins[K] }

const PRIVATE_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const
const PRIVATE_V6 = [
  // With an IPv4 address at the end, in forms that the check below does not read.
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 104],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const

let blocked: BlockList | undefined

/** Whether only this machine or its network reaches an address, or nobody. */
export function isPrivate(address: string): boolean {
  const { BlockList, isIP } = process.getBuiltinModule('node:net')
  if (!blocked) {
    blocked = new BlockList()
    for (const [net, prefix] of PRIVATE_V4) blocked.addSubnet(net, prefix, 'ipv4')
    for (const [net, prefix] of PRIVATE_V6) blocked.addSubnet(net, prefix, 'ipv6')
  }
  const [plain = ''] = address.split('%')
  if (isIP(plain) === 4) return blocked.check(plain, 'ipv4')
  if (isIP(plain) !== 6) return true
  // Addresses that carry one of IPv4 (mapped, NAT64) are as private as that one.
  const [, high, low] =
    /^\[(?:::ffff|64:ff9b:):([\da-f]+):([\da-f]+)\]$/.exec(new URL(`http://[${plain}]`).hostname) ?? []
  if (high === undefined || low === undefined) return blocked.check(plain, 'ipv6')
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16)
  return isPrivate([24, 16, 8, 0].map((shift) => (bits / 2 ** shift) & 255).join('.'))
}

/**
 * Fetches a document that a server named, in Node: its host is resolved once, refused when the result is private although
 * the server is not, and the connection goes to the checked address, whatever the name resolves to by then.
 */
export async function guardedFetch(
  server: URL,
  address: string,
  init: RequestInit,
  lookup: Lookup = process.getBuiltinModule('node:dns').promises.lookup,
): Promise<Response> {
  const target = new URL(address)
  const resolved = await resolve(target, lookup)
  const isInside = async () => {
    const own = await resolve(server, lookup).catch(() => [])
    // Whoever runs the server can add a private address to its name.
    return own.length > 0 && own.every((one) => isPrivate(one.address))
  }
  if (resolved.some((one) => isPrivate(one.address)) && !(await isInside())) {
    throw new OAuthError(
      'unsafe-address',
      `${target.host} is in a private network and ${server.host} is not: nothing is requested there`,
    )
  }
  return connect(target, init, resolved)
}

async function resolve({ hostname }: URL, lookup: Lookup): Promise<Address[]> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const family = process.getBuiltinModule('node:net').isIP(host)
  return family ? [{ address: host, family }] : lookup(host, { all: true })
}

async function connect(target: URL, init: RequestInit, resolved: Address[]): Promise<Response> {
  const request = new Request(target, init)
  const headers = { 'user-agent': 'node', 'accept-encoding': 'gzip, br', ...Object.fromEntries(request.headers) }
  const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined
  const [first] = resolved
  const options = {
    method: request.method,
    headers: { ...headers, ...(body && { 'content-length': body.byteLength }) },
    signal: init.signal ?? undefined,
    // A pooled connection may lead to an address that nobody checked.
    agent: false,
    lookup: (_host: string, { all }: { all?: boolean }, found: (error: null, ...result: unknown[]) => void) =>
      all ? found(null, resolved) : found(null, first?.address, first?.family),
  }
  const { request: send } = process.getBuiltinModule(target.protocol === 'https:' ? 'node:https' : 'node:http')
  return new Promise((settle, reject) => {
    const sent = send(target, options, (answer) => {
      // Statuses outside 200 to 599 throw here, and nobody catches what an event listener throws.
      try {
        settle(responseOf(answer))
      } catch (error) {
        reject(error as Error)
        sent.destroy()
      }
    })
    sent.on('upgrade', (_answer: never, socket: never) => (socket as Destroyable).destroy())
    sent.on('error', reject)
    // Without effect once there is a response.
    sent.on('close', () => reject(new Error('The connection closed without a response')))
    sent.end(body)
  })
}

function responseOf(answer: IncomingMessage): Response {
  const { statusCode: status = 0, rawHeaders } = answer
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  const { Readable } = process.getBuiltinModule('node:stream')
  const body = Readable.toWeb(decoded(answer, headers.get('content-encoding')))
  const isEmpty = status === 204 || status === 205 || status === 304
  return new Response(isEmpty ? null : body, { status, headers })
}

function decoded(answer: IncomingMessage, encoding: string | null): Stream {
  if (encoding !== 'gzip' && encoding !== 'br') return answer
  const { createUnzip, createBrotliDecompress } = process.getBuiltinModule('node:zlib')
  const decoder = encoding === 'br' ? createBrotliDecompress() : createUnzip()
  // A pipe does not carry errors: without this an answer that breaks off would never end.
  answer.on('error', (error) => (decoder as unknown as Destroyable).destroy(error))
  return answer.pipe(decoder)
}
