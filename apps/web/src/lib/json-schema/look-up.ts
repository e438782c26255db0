import { isRecord, ownOf } from './schema.ts'

const LONGEST = 1_000

/** What `$ref` means inside this document; undefined where it is elsewhere, which is never fetched. */
export function lookUp(root: unknown, reference: string): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#') || reference.length > LONGEST) return undefined
  if (!reference.startsWith('#/')) return findAnchor(root, reference.slice(1))
  let place: unknown = root
  for (const step of reference.slice(2).split('/')) {
    const key = decode(step)
    place = Array.isArray(place) ? (/^\d{1,6}$/.test(key) ? place[Number(key)] : undefined) : ownOf(place, key)
    if (place === undefined) return undefined
  }
  return place
}

function findAnchor(root: unknown, name: string): unknown {
  for (const place of ['$defs', 'definitions']) {
    const parts = ownOf(root, place)
    if (!isRecord(parts)) continue
    const found = Object.values(parts).find(
      (part) => ownOf(part, '$anchor') === name || ownOf(part, '$id') === `#${name}`,
    )
    if (found) return found
  }
  return undefined
}

function decode(step: string): string {
  let text = step
  try {
    text = decodeURIComponent(step)
  } catch {
    // Then it is meant as it stands.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}
