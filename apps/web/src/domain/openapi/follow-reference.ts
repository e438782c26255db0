import { isJson, type Json } from './read-document.ts'

const MAX_STEPS = 20

/** What a reference within the document leads to; undefined where it leads elsewhere, nowhere or in a circle. */
function followReference(document: Json, reference: string): unknown {
  let next: unknown = { $ref: reference }
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (!isJson(next) || typeof next['$ref'] !== 'string') return next
    next = pointedAt(document, next['$ref'])
  }
  return undefined
}

/** The value itself, or what it refers to. */
export const resolved = (document: Json, value: unknown): unknown =>
  isJson(value) && typeof value['$ref'] === 'string' ? followReference(document, value['$ref']) : value

function pointedAt(document: Json, reference: string): unknown {
  // Anything else would be fetched from somebody.
  if (!reference.startsWith('#/')) return undefined
  let place: unknown = document
  for (const step of reference.slice(2).split('/').slice(0, 50)) {
    const key = unescape(step)
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return undefined
    place = (place as Json)[key]
  }
  return place
}

function unescape(step: string): string {
  let text = step
  try {
    text = decodeURIComponent(step)
  } catch {
    // Then it is meant as it stands.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}
