import type { MCPClient } from '@switchboard/mcp'
import { Failed } from '#domain/failure.ts'
import type { Server } from '#domain/server.ts'
import { callsThroughLedger } from './call-ledger.ts'
import { checkAddress } from './check-address.ts'
import type { Companion } from './companion.ts'
import { throughRelay } from './relay-answers.ts'

type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The protocol version that the companion agreed on with a program. */
export interface ProgramRevision {
  /** Undefined until the program has answered. */
  agreed: string | undefined
  /** Called when the program names another one, as it may after a restart. */
  onchange: () => void
}

/** Where the requests for a server go, and with which headers. */
export interface Route {
  url: string
  headers: Record<string, string>
  /** Which program of the companion it leads to. */
  program?: string | undefined
  /** Set for a program, whose HTTP connection ends at the companion. */
  revision?: ProgramRevision
  /** How requests have to be sent on this way. */
  through?: (fetch: Fetch) => Fetch
}

type Routed = Pick<Server, 'transport' | 'url' | 'relay' | 'companionName'>

/**
 * A program of this machine is behind the companion, and so is a server that forbids browsers; all others are asked
 * directly. `headers` are those that the server itself is to get.
 */
export async function routeOf(
  server: Routed,
  headers: Record<string, string>,
  companion: Companion,
  origin: string,
): Promise<Route> {
  if (server.transport === 'stdio') return toProgram(server.companionName ?? '', companion, origin)
  // Each of its tools has an address, and a way there, of its own.
  if (server.transport === 'custom') return { url: server.url, headers }
  const url = checkAddress(server.url)
  if (server.relay) return relayed(url, headers, companion)
  const isPlain = new URL(url).protocol === 'http:'
  return { url, headers, ...(isPlain && { through: (fetch: Fetch) => callsThroughLedger(fetch, url, companion) }) }
}

/** To this program and no other: one that takes its name later is another, and has to be looked at first. */
async function toProgram(name: string, companion: Companion, origin: string): Promise<Route> {
  const program = await companion.programOf(name)
  const revision: ProgramRevision = { agreed: undefined, onchange: () => {} }
  const pinned = program !== undefined && { 'x-switchboard-program': program }
  return {
    url: `${origin}/mcp/${encodeURIComponent(name)}`,
    headers: { ...(await companion.pass()), ...pinned },
    program,
    revision,
    through: (fetch) => async (url, init) => {
      const response = await fetch(url, init)
      const agreed = response.headers.get('x-switchboard-revision')?.slice(0, 40)
      if (agreed !== undefined && agreed !== revision.agreed) {
        revision.agreed = agreed
        revision.onchange()
      }
      return response
    },
  }
}

/** The protocol version that a server itself speaks; empty where that is not known. */
export const revisionOf = ({ revision }: Route, client: MCPClient): string =>
  (revision ? revision.agreed : client.getProtocolVersion()) ?? ''

async function relayed(url: string, headers: Record<string, string>, companion: Companion): Promise<Route> {
  const { origin, host } = new URL(url)
  const { relay, isAllowed, help } = await companion.relayReach(origin)
  if (!isAllowed && help)
    throw new Failed(
      'companion',
      `The companion may not reach ${host} yet: that is an address of your own network, which only ${help.file} can allow.`,
    )
  // The companion keeps what is turned on here for one run only.
  if (!isAllowed) await companion.ask('/api/relay/origins', 'POST', { origin })
  return {
    url: `${relay}${encodeURIComponent(url)}`,
    headers: { ...headers, ...(await companion.pass()), 'x-switchboard-forward': Object.keys(headers).join(', ') },
    through: (fetch) => throughRelay(fetch, url),
  }
}
