import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { isPublic } from './is-public.ts'

const MAX_ORIGINS = 100

/** How far an origin may be trusted: one in the file is where its user says, also on this machine. */
export type Reach = 'anywhere' | 'public'

/** The origins that the relay may reach: those of the file, and those that the user turned on in the app, for this run. */
export interface RelayOrigins {
  /** Why an origin cannot be turned on from the app. */
  add(origin: unknown): string | undefined
  remove(origin: unknown): void
  reach(origin: string): Reach | undefined
  list(): { origin: string; from: 'file' | 'app' }[]
}

export function createRelayOrigins(config: () => Config): RelayOrigins {
  const added = new Set<string>()
  return {
    add(origin) {
      const why = judgeOrigin(origin)
      if (why !== undefined) return why
      if (added.size >= MAX_ORIGINS) return `The relay reaches up to ${MAX_ORIGINS} origins. Remove one first.`
      added.add(origin as string)
      return undefined
    },
    remove: (origin) => void added.delete(origin as string),
    reach: (origin) => (config().relayOrigins.includes(origin) ? 'anywhere' : added.has(origin) ? 'public' : undefined),
    list: () => [
      ...config().relayOrigins.map((origin) => ({ origin, from: 'file' as const })),
      ...[...added].map((origin) => ({ origin, from: 'app' as const })),
    ],
  }
}

/** A page may not open ways into this machine or its network: those are for the file. */
export function judgeOrigin(value: unknown): string | undefined {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  if (!url || url.origin !== value || url.protocol !== 'https:' || !/^[\w.:[\]-]+$/.test(url.hostname))
    return 'origin must be an https origin, such as https://example.com'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (
    isIP(host)
      ? !isPublic(host)
      : !/\.[a-z][a-z0-9-]*$/i.test(host) || /\.(local|internal|localhost|lan|home|arpa)$/i.test(host)
  )
    return 'This is an address of your own network. Write it into relay.allow of the file of local servers, if you mean it.'
  if (url.port !== '' && Number(url.port) < 1024) return 'Below 1024 only port 443 is reached.'
  return undefined
}
