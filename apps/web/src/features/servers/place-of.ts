import type { Server } from '#domain/server.ts'

/** Where a server is, in as few words as tell it apart. */
export function placeOf({
  transport,
  companionName,
  url,
}: Pick<Server, 'transport' | 'companionName' | 'url'>): string {
  if (transport === 'stdio') return `program “${companionName ?? ''}” of the companion`
  return URL.canParse(url) ? new URL(url).host : url
}
