import { failed, json } from './answers.ts'
import { Refused } from './bridge/refused.ts'
import { readFields } from './handler.ts'
import type { Resolve } from './relay/forward.ts'
import { judgeTarget, type Target } from './relay/judge-target.ts'
import { probe } from './relay/probe.ts'
import { resolveByDns } from './relay/relay.ts'
import { judgeOrigin, type RelayOrigins } from './relay/relay-origins.ts'

const MAX_AT_ONCE = 4
const MAX_HEADERS = 30
const HEADER = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/

/** What a program sees at an address that the app cannot reach, for the words about why. */
export function createProbeApi(origins: RelayOrigins, resolve: Resolve = resolveByDns) {
  let underWay = 0
  return async (request: Request): Promise<Response> => {
    if (request.method !== 'POST') return failed(405, 'POST it.', { allow: 'POST' })
    const fields = await readFields(request, ['url', 'headers'])
    if (fields instanceof Response) return fields
    const { url, headers = [] } = fields
    if (typeof url !== 'string' || url.length > 2_000) return failed(400, 'url must be an address.')
    if (!isHeaderList(headers)) return failed(400, 'headers must be names of headers, in small letters.')
    if (underWay >= MAX_AT_ONCE) return failed(429, 'Enough is being looked at already.')
    underWay++
    try {
      const origin = request.headers.get('origin') ?? new URL(request.url).origin
      return json(await probe(reachable(url, origins), { origin, headers }, resolve))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return failed(error.status, error.message)
    } finally {
      underWay--
    }
  }
}

const isHeaderList = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= MAX_HEADERS &&
  value.every((name) => typeof name === 'string' && HEADER.test(name))

/**
 * The rules of the relay, with two differences: an origin that the app could turn on need not be turned on, for nothing
 * of an answer but its headers is told; and this machine may be looked at by its own names, as any page on it may.
 */
function reachable(url: string, origins: RelayOrigins): Target {
  return judgeTarget(encodeURIComponent(url), {
    ...origins,
    reach: (origin) => {
      const known = origins.reach(origin)
      if (known) return known
      if (/^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin)) return 'anywhere'
      return judgeOrigin(origin) === undefined ? 'public' : undefined
    },
  })
}
