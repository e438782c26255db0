import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { isPublic } from './is-public.ts'

const MAX_ORIGINS = 100

/** How far an origin may be trusted: one in the file is where its user says, also on this machine. */
export type Reach = 'anywhere' | 'public'

/** Which origins the relay may reach: those of the file, those turned on in the app, for this run, and those of `local`. */
export interface RelayOrigins {
  /** Why an origin cannot be turned on from the app. */
  add(origin: unknown): string | undefined
  remove(origin: unknown): void
  reach(origin: string): Reach | undefined
  list(): { origin: string; from: 'file' | 'app' }[]
}

export interface LocalRules {
  /** The file that lists what the relay may reach. */
  file: string
  /** The companion was started so that the relay reaches every server of this machine. */
  isLoopbackAllowed: boolean
  /** The companion's own ports, which the relay never reaches. */
  ownPorts: () => readonly string[]
}

export function createRelayOrigins(config: () => Config, local: LocalRules): RelayOrigins {
  const added = new Set<string>()
  const isOwn = (origin: string): boolean => isLoopback(origin) && local.ownPorts().includes(new URL(origin).port)
  const reach = (origin: string): Reach | undefined => {
    if (isOwn(origin)) return undefined
    if (config().relayOrigins.includes(origin) || (local.isLoopbackAllowed && isLoopback(origin))) return 'anywhere'
    return added.has(origin) ? 'public' : undefined
  }
  return {
    add(origin) {
      if (typeof origin === 'string' && reach(origin) === 'anywhere') return undefined
      const why = judgeOrigin(origin, local.file)
      if (why !== undefined) return why
      if (added.size >= MAX_ORIGINS) return `The relay reaches up to ${MAX_ORIGINS} origins. Remove one first.`
      added.add(origin as string)
      return undefined
    },
    remove: (origin) => void added.delete(origin as string),
    reach,
    list: () => [
      ...config().relayOrigins.map((origin) => ({ origin, from: 'file' as const })),
      ...[...added].map((origin) => ({ origin, from: 'app' as const })),
    ],
  }
}

const isLoopback = (origin: string): boolean => /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(origin)

/** Why a page may not turn the relay on for an origin: ways into this machine or its network are for the file alone. */
export function judgeOrigin(value: unknown, file = 'the file of local servers'): string | undefined {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  if (!url || url.origin !== value || !/^https?:$/.test(url.protocol) || !/^[\w.:[\]-]+$/.test(url.hostname))
    return 'origin must be an https origin, such as https://example.com'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isPrivate = isIP(host)
    ? !isPublic(host)
    : !/\.[a-z][a-z0-9-]*$/i.test(host) || /\.(local|internal|localhost|lan|home|arpa)$/i.test(host)
  if (isPrivate)
    return `${value} is an address of your own network, and no web page may open a way there. If you want it, add it to relay.allow in ${file}.`
  if (url.protocol !== 'https:') return 'origin must be an https origin, such as https://example.com'
  if (url.port !== '' && Number(url.port) < 1024) return 'Below 1024 only port 443 is reached.'
  return undefined
}
