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

/** What lets a page in: the server's own headers, or the companion, which needs none. */
export function openings(evidence: Evidence): Fix[] {
  const { appOrigin, ownHeaders } = evidence
  return [{ type: 'headers', text: headerBlock(appOrigin, ownHeaders) }, ...throughCompanion(evidence)]
}

/** How to reach it through the companion: at once, or after a person has allowed it where no page can. */
export function throughCompanion({ url, hasCompanion, reach, isRelayed }: Evidence): Fix[] {
  if (!hasCompanion) return [{ type: 'companion' }]
  const { origin, hostname } = new URL(url)
  if (reach?.help) return [{ type: 'allow', origin, ...reach.help }]
  if (isRelayed) return []
  return reach?.isAllowed || !isPrivateName(hostname) ? [{ type: 'relay' }] : []
}
