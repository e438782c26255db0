import { createHash, timingSafeEqual } from 'node:crypto'

/** The header that carries the token of this run. Not `authorization`: that one belongs to the servers behind us. */
export const TOKEN_HEADER = 'x-switchboard-token'

/** Who may ask for something: anybody who reaches us by our own name, or only who holds the token. */
export type Access = 'open' | 'token'

export interface GuardRules {
  /** The port that this listener answers on. */
  readonly port: number
  /** The pages that may ask. */
  readonly origins: readonly string[]
  /** What a browser may call the way from the page to us. */
  readonly sites: readonly string[]
  readonly token: string
  /** What a body may be. */
  readonly types: readonly string[]
}

export interface Refusal {
  readonly status: number
  readonly words: string
}

export const hostsOf = (port: number): string[] => ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`)

export const originsOf = (port: number): string[] => hostsOf(port).map((host) => `http://${host}`)

/**
 * Why a request is not answered. A page of any site can reach a port of this machine, under our name or, by DNS, under its
 * own: so Host, Origin and the browser's own word are asked one by one, and none of them stands in for the token.
 */
export function refusal(method: string, headers: Headers, access: Access, rules: GuardRules): Refusal | undefined {
  const { port, origins, sites, token, types } = rules
  if (!hostsOf(port).includes(headers.get('host') ?? ''))
    return {
      status: 421,
      words: `This program answers to ${hostsOf(port).join(', ')}, not to the Host of this request.`,
    }
  const origin = headers.get('origin')
  if (origin !== null && !origins.includes(origin))
    return { status: 403, words: 'This program does not answer pages of other origins.' }
  const site = headers.get('sec-fetch-site')
  const isVisit = access === 'open' && isNavigation(method, headers)
  if (site !== null && !sites.includes(site) && !isVisit)
    return { status: 403, words: 'This program does not answer requests of other sites.' }
  if (access === 'token' && !isSame(headers.get(TOKEN_HEADER) ?? '', token))
    return { status: 401, words: 'This needs the token of this run. Open the address that the program printed.' }
  if (hasBody(method) && !types.includes(typeOf(headers)))
    return { status: 415, words: `This takes a content-type of ${types.join(' or ')}.` }
  return undefined
}

/** A link from anywhere may lead to the page; it cannot read it. */
const isNavigation = (method: string, headers: Headers): boolean =>
  method === 'GET' && headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'

const hasBody = (method: string): boolean => !['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method)

const typeOf = (headers: Headers): string =>
  (headers.get('content-type') ?? '')
    .replace(/;\s*charset=utf-8\s*$/i, '')
    .trim()
    .toLowerCase()

/** In a time that tells nothing about where they differ, or how long the right one is. */
function isSame(given: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(right))
}
