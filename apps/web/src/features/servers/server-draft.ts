import type { Server, ServerSecrets } from '#domain/server.ts'
import type { ServerInput } from '#wiring/commands.ts'

/** What stands in the form. Secrets are only what was typed now: those that are stored never come back to the page. */
export type ServerDraft = ServerInput & { secrets: ServerSecrets }

export const freshServer = (): ServerDraft => ({
  name: '',
  description: '',
  transport: 'streamable-http',
  url: '',
  authentication: { type: 'none' },
  timeoutSeconds: 30,
  retries: 3,
  relay: false,
  trusted: false,
  enabled: true,
  secrets: {},
})

export const inputOf = (server: Server): ServerDraft => ({
  name: server.name,
  description: server.description,
  transport: server.transport,
  url: server.url,
  authentication: server.authentication,
  timeoutSeconds: server.timeoutSeconds,
  retries: server.retries,
  relay: server.relay,
  trusted: server.trusted,
  enabled: server.enabled,
  ...(server.companionName === undefined ? {} : { companionName: server.companionName }),
  secrets: {},
})

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
