import type { PastedEntry } from '#domain/read-pasted.ts'
import type { Server, ServerSecrets } from '#domain/server.ts'
import type { ServerInput } from '#wiring/commands.ts'
import { placeOf } from './place-of.ts'

/** A header beside those of the protocol. Its value is only what was typed now; what is stored stays in the vault. */
export interface HeaderRow {
  name: string
  value: string
  isStored: boolean
}

/** What stands in the form. Secrets are only what was typed now: those that are stored never come back to the page. */
export type ServerDraft = ServerInput & { secrets: ServerSecrets; headers: HeaderRow[] }

export const freshServer = (): ServerDraft => ({
  name: '',
  description: '',
  transport: 'streamable-http',
  url: '',
  authentication: { type: 'auto' },
  timeoutSeconds: 30,
  retries: 3,
  relay: false,
  trusted: false,
  enabled: true,
  secrets: {},
  headers: [],
})

export const inputOf = (server: Server): ServerDraft => ({
  name: server.name,
  description: server.description,
  transport: server.transport,
  url: server.url,
  authentication: server.authentication,
  timeoutSeconds: server.timeoutSeconds,
  retries: server.retries,
  requestsPerMinute: server.requestsPerMinute,
  sampling: server.sampling,
  relay: server.relay,
  trusted: server.trusted,
  enabled: server.enabled,
  ...(server.companionName === undefined ? {} : { companionName: server.companionName }),
  secrets: {},
  headers: server.headerNames.map((name) => ({ name, value: '', isStored: true })),
})

/** A server of a paste, as if it had been typed in. */
export function draftOf(entry: PastedEntry): ServerDraft {
  const { headers: text, ...secrets } = entry.secrets
  const values = JSON.parse(text ?? '{}') as Record<string, string | undefined>
  return {
    ...freshServer(),
    name: entry.name,
    description: entry.description ?? '',
    url: entry.url,
    authentication: entry.authentication,
    timeoutSeconds: entry.timeoutSeconds ?? 30,
    enabled: entry.enabled,
    secrets,
    headers: entry.headerNames.map((name) => ({ name, value: values[name] ?? '', isStored: false })),
  }
}

/** What the engine is told of a draft. One that was given no name is called after its place. */
export function requestOf({ secrets, headers, ...server }: ServerDraft): {
  server: ServerInput
  secrets: ServerSecrets
} {
  const named = headers.map(({ name, value }) => [name.trim().toLowerCase(), value] as const).filter(([name]) => name)
  const entered = named.filter(([, value]) => value !== '')
  return {
    server: {
      ...server,
      name: server.name.trim() || placeOf(server).slice(0, 100),
      headerNames: [...new Set(named.map(([name]) => name))],
    },
    secrets: { ...secrets, ...(entered.length > 0 && { headers: JSON.stringify(Object.fromEntries(entered)) }) },
  }
}

/** What is wrong with an address, in words that say what to do; undefined while there is nothing to say. */
export function addressProblem(url: string): string | undefined {
  if (url.trim() === '') return undefined
  if (!URL.canParse(url)) return 'This is no address. It should look like https://example.com/mcp.'
  const { protocol, hostname, username, password, hash } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return `An address begins with https://, not ${protocol}//.`
  if (username || password) return 'Take the name and password out of the address, and put them under Authentication.'
  if (hash) return 'Take the part after # out of the address: it is never sent.'
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) || hostname.endsWith('.localhost')
  if (protocol === 'http:' && !isLocal)
    return 'Use https: with plain http everybody on the way can read what is sent. Only localhost may do without.'
  return undefined
}
