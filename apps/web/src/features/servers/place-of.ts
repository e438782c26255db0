import type { Server } from '#domain/server.ts'

/** Where a server is, in as few words as tell it apart. */
export function placeOf({
  transport,
  companionName,
  url,
}: Pick<Server, 'transport' | 'companionName' | 'url'>): string {
  if (transport === 'stdio') return `program “${companionName ?? ''}” of the companion`
  if (transport === 'custom') return URL.canParse(url) ? `custom tools at ${new URL(url).host}` : 'custom tools'
  return URL.canParse(url) ? new URL(url).host : url
}
