import diff from 'microdiff'

export interface JsonChange {
  /** For example `inputSchema.properties.path.type`; empty if the whole value changed. */
  path: string
  /** Absent if the value was added. */
  before?: string
  /** Absent if the value was removed. */
  after?: string
}

const MAX_CHANGES = 200

/** The differences between two JSON values, by path. The order of keys doesn't matter. */
export function jsonChanges(before: unknown, after: unknown): JsonChange[] {
  // Wrapped, because the library compares the members of two objects.
  return diff({ '': withoutPrototypes(before) }, { '': withoutPrototypes(after) }, { cyclesFix: false })
    .map((change) => ({
      path: pathText(change.path.slice(1)),
      ...(change.type !== 'CREATE' && { before: valueText(change.oldValue) }),
      ...(change.type !== 'REMOVE' && { after: valueText(change.value) }),
    }))
    .sort((one, other) => (one.path < other.path ? -1 : 1))
    .slice(0, MAX_CHANGES)
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const pathText = (path: readonly (string | number)[]): string =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  )

/** The library asks `key in value`: a member called `constructor` would seem to be in every object. */
function withoutPrototypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutPrototypes)
  const copy = Object.create(null) as Record<string, unknown>
  for (const [key, part] of Object.entries(value)) copy[key] = withoutPrototypes(part)
  return copy
}
