export interface JsonChange {
  /** `inputSchema.properties.path.type`; empty for the whole. */
  path: string
  /** Absent where it was added, or taken away. */
  before?: string
  after?: string
}

const MOST = 200

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const inWords = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** What differs between two JSON values, place by place. The order of keys makes no difference. */
export function jsonChanges(before: unknown, after: unknown): JsonChange[] {
  const changes: JsonChange[] = []
  const compare = (one: unknown, other: unknown, path: string): void => {
    if (changes.length >= MOST || one === other) return
    if (isObject(one) && isObject(other)) {
      const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort()
      for (const key of keys) {
        const own = (value: Record<string, unknown>) => (Object.hasOwn(value, key) ? value[key] : undefined)
        compare(own(one), own(other), path ? `${path}.${key}` : key)
      }
      return
    }
    if (Array.isArray(one) && Array.isArray(other)) {
      const length = Math.max(one.length, other.length)
      for (let at = 0; at < length; at += 1) compare(one[at], other[at], `${path}[${at}]`)
      return
    }
    changes.push({
      path,
      ...(one !== undefined && { before: inWords(one) }),
      ...(other !== undefined && { after: inWords(other) }),
    })
  }
  compare(before, after, '')
  return changes
}
