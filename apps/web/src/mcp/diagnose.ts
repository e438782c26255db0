import type { Diagnosis } from '#domain/diagnosis.ts'
import { Failed, type Failure, type FailureCode } from '#domain/failure.ts'
import { isLoopback } from '#domain/loopback.ts'
import type { Server } from '#domain/server.ts'
import { checkAddress } from './check-address.ts'
import type { Companion } from './companion.ts'
import { routeOf } from './companion-route.ts'
import type { McpNeeds } from './needs.ts'
import { readSight } from './doctor/companion-sight.ts'
import type { Evidence } from './doctor/evidence.ts'
import { gather } from './doctor/gather.ts'
import { judge } from './doctor/judge.ts'

/** Of a server, what the doctor has to know. */
export type Patient = Pick<Server, 'name' | 'transport' | 'url' | 'authentication' | 'relay'> & {
  headerNames?: readonly string[]
}

/** These say themselves what is the matter, and it is nothing on the way to the server. */
const CLEAR: ReadonlySet<FailureCode> = new Set([
  'vault-locked',
  'stopped',
  'internal',
  'not-found',
  'server-disabled',
  'storage',
  'storage-full',
  'storage-gone',
  'storage-damaged',
])

/** Finds the layer at which a connection failed, by asking the server a few harmless questions; the user asked for it. */
export async function diagnose(
  server: Patient,
  failure: Failure,
  needs: Pick<McpNeeds, 'fetch' | 'companion'>,
  companion: Companion,
): Promise<Diagnosis | undefined> {
  if (CLEAR.has(failure.code) || server.transport === 'custom') return undefined
  const plain = { evidence: [failure.message], sentence: failure.message }
  if (server.transport === 'stdio')
    return { layer: failure.code === 'protocol' ? 'protocol' : 'companion', ...plain, fixes: [{ type: 'companion' }] }
  const bad = judgeAddress(server.url)
  if (bad) return bad
  // Something that was entered, and not the address: a header, a user name.
  if (failure.code === 'bad-input') return undefined
  const token = await needs.companion.token().catch(() => undefined)
  const ownHeaders = ownHeadersOf(server)
  const evidence = await gather(
    {
      name: server.name,
      url: checkAddress(server.url),
      appOrigin: needs.companion.origin,
      authentication: server.authentication.type,
      ownHeaders,
      isRelayed: server.relay,
      hasCompanion: token !== undefined,
      isOnline: globalThis.navigator?.onLine ?? true,
      failure,
    },
    {
      fetch: needs.fetch,
      send: server.relay ? throughRelay(server, needs, companion) : needs.fetch,
      look: async (url, headers) =>
        token === undefined
          ? undefined
          : readSight(await companion.ask('/api/probe', 'POST', { url, headers: [...new Set(headers)] })),
      reach: async (origin) => (token === undefined ? undefined : companion.relayReach(origin)),
      permission: localNetworkPermission,
    },
  )
  return judge(evidence)
}

/** What an address alone tells. */
export function judgeAddress(text: string): Diagnosis | undefined {
  try {
    checkAddress(text)
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined
    const evidence = [error.message]
    if (url?.protocol !== 'http:' || isLoopback(url.hostname))
      return { layer: 'address', sentence: error.message, evidence, fixes: [] }
    return {
      layer: 'mixed-content',
      sentence: `${url.host} is not encrypted (http). Browsers keep pages from such servers, and so does this app, except on this machine.`,
      evidence,
      fixes: [{ type: 'address', url: text.trim().replace(/^http:/i, 'https:') }],
    }
  }
  const { protocol, hostname, href } = new URL(text.trim())
  // Of the names of this machine, the policy of the engine knows these two.
  if (protocol === 'http:' && !/^(localhost|127\.0\.0\.1)$/.test(hostname))
    return {
      layer: 'address',
      sentence: `On this machine, this app reaches http only at localhost and 127.0.0.1, not at ${hostname}.`,
      evidence: [],
      fixes: [{ type: 'address', url: href.replace(`//${hostname}`, '//localhost') }],
    }
  return undefined
}

function ownHeadersOf({ authentication, headerNames = [] }: Patient): string[] {
  const own =
    authentication.type === 'bearer' || authentication.type === 'basic'
      ? ['authorization']
      : authentication.type === 'api-key'
        ? [authentication.header.trim().toLowerCase() || 'x-api-key']
        : []
  return [...own, ...headerNames.map((name) => name.toLowerCase())]
}

const throughRelay =
  (server: Patient, { fetch, companion: { origin } }: Pick<McpNeeds, 'fetch' | 'companion'>, companion: Companion) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const given = Object.fromEntries(new Headers(init.headers))
    const route = await routeOf({ ...server, url }, given, companion, origin)
    return (route.through?.(fetch) ?? fetch)(route.url, { ...init, headers: route.headers })
  }

/** The names that browsers give to their leave for this machine and the network around it. */
async function localNetworkPermission(isThisMachine: boolean): Promise<Evidence['localNetwork']> {
  const names = isThisMachine ? ['loopback-network', 'local-network-access'] : ['local-network', 'local-network-access']
  for (const name of names) {
    try {
      const { state } = await navigator.permissions.query({ name: name as PermissionName })
      return { name, state }
    } catch {
      // This browser has none of this name.
    }
  }
  return undefined
}
