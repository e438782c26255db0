import type { Fix, Layer } from '#domain/diagnosis.ts'
import type { Evidence } from './evidence.ts'
import { headerBlock } from './header-block.ts'
import { isPrivateName } from './is-private-name.ts'

/** A layer with its sentence and what mends it. */
export interface Verdict {
  layer: Layer
  sentence: string
  fixes: Fix[]
}

export const inWords = (names: readonly string[]): string =>
  `the ${names.length === 1 ? 'header' : 'headers'} ${names.join(', ')}`

/** What lets a page in: the server's own leave, or the companion, which needs none. */
export function openings({ appOrigin, ownHeaders, url, hasCompanion }: Evidence): Fix[] {
  const headers: Fix = { type: 'headers', text: headerBlock(appOrigin, ownHeaders) }
  const { hostname, protocol } = new URL(url)
  // The relay is turned on from here for public addresses alone.
  if (protocol !== 'https:' || isPrivateName(hostname)) return [headers]
  return [headers, hasCompanion ? { type: 'relay' } : { type: 'companion' }]
}
