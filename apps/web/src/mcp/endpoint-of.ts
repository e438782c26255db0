import type { Server } from '#domain/server.ts'

type Place = Pick<Server, 'transport' | 'url' | 'companionName'>

/** Where a tool is called, for fingerprints, trust and grants: the same definition elsewhere is another tool. */
export const endpointOf = ({ transport, url, companionName = '' }: Place): string =>
  transport === 'stdio' ? `companion:${companionName}` : transport === 'custom' ? `custom:${url}` : url

/** Whether saved secrets may go on with a changed server. They were entered for one origin, and no other may get them. */
export function mayKeepSecrets(before: Place, after: Place): boolean {
  if (before.transport !== after.transport) return false
  if (after.transport === 'stdio') return before.companionName === after.companionName
  return URL.canParse(before.url) && URL.canParse(after.url) && new URL(before.url).origin === new URL(after.url).origin
}
