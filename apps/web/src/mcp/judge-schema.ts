const MAX_BYTES = 256 << 10
/** Levels of JSON: a schema inside a schema takes two. */
const MAX_DEPTH = 64
const MAX_SUBSCHEMAS = 2000

/** Why a schema of a stranger is not used; undefined where it may be. Says nothing of how long checking with it takes. */
export function judgeSchema(schema: unknown): string | undefined {
  if (!isObject(schema)) return 'is no object'
  let subschemas = 0
  let deepest = 0
  const references = new Set<string>()
  const waiting: [value: unknown, depth: number][] = [[schema, 1]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, depth] = next
    if (typeof value !== 'object' || value === null) continue
    deepest = Math.max(deepest, depth)
    if (deepest > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`
    if (!Array.isArray(value)) {
      if (++subschemas > MAX_SUBSCHEMAS) return `has over ${MAX_SUBSCHEMAS} parts`
      const { $ref } = value as { $ref?: unknown }
      if (typeof $ref === 'string') references.add($ref)
    }
    for (const part of Object.values(value)) waiting.push([part, depth + 1])
  }
  const bytes = new TextEncoder().encode(JSON.stringify(schema)).length
  if (bytes > MAX_BYTES) return `has ${bytes} bytes, over the ${MAX_BYTES} that are checked`
  for (const reference of references) {
    // Fetching one would let a server choose whom we ask.
    if (!reference.startsWith('#'))
      return `refers to another document (${reference.slice(0, 100)}), which is never fetched`
    if (reference.startsWith('#/') && !leadsSomewhere(schema, reference))
      return `refers to ${reference.slice(0, 100)}, which is not in it`
  }
  return undefined
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function leadsSomewhere(schema: object, reference: string): boolean {
  let place: unknown = schema
  for (const step of reference.slice(2).split('/')) {
    const key = decode(step)
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return false
    place = (place as Record<string, unknown>)[key]
  }
  return true
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
