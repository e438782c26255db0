import type { Server } from '#domain/server.ts'

type Place = Pick<Server, 'transport' | 'url' | 'companionName'>

/**
 * Where a tool is called, for fingerprints, trust and grants: the same definition elsewhere is another tool. Of a program of the
 * companion the place is its name and what it runs, which `program` tells.
 */
export function endpointAt({ transport, url, companionName = '' }: Place, program: string | undefined): string {
  if (transport === 'stdio') return `companion:${companionName}${program === undefined ? '' : `#${program}`}`
  return transport === 'custom' ? `custom:${url}` : url
}

/** The same as it was when its tools were last listed. */
export const endpointOf = (server: Place & Pick<Server, 'found'>): string => endpointAt(server, server.found?.program)

/** Whether saved secrets may go on with a changed server. They were entered for one origin, and no other may get them. */
export function mayKeepSecrets(before: Place, after: Place): boolean {
  if (before.transport !== after.transport) return false
  if (after.transport === 'stdio') return before.companionName === after.companionName
  return URL.canParse(before.url) && URL.canParse(after.url) && new URL(before.url).origin === new URL(after.url).origin
}
