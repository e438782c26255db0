import { isRecord } from './schema.ts'

/** A record with one key set, or gone where there is no value. Keys are a stranger's: `__proto__` is one like any other. */
export function withKey(record: unknown, key: string, value: unknown): Record<string, unknown> {
  const { [key]: _old, ...rest } = isRecord(record) ? record : {}
  if (value === undefined) return rest
  // In its old place, so that what is sent reads as it was filled in.
  const keys = isRecord(record) ? Object.keys(record) : []
  if (!keys.includes(key)) return { ...rest, [key]: value }
  return Object.fromEntries(keys.map((one) => [one, one === key ? value : rest[one]]))
}

export const withItem = (list: readonly unknown[], index: number, value: unknown): unknown[] =>
  list.map((item, at) => (at === index ? value : item))

export const withoutItem = (list: readonly unknown[], index: number): unknown[] => list.filter((_, at) => at !== index)

export function withMovedItem<T>(list: readonly T[], from: number, to: number): T[] {
  const moved = list.filter((_, at) => at !== from)
  moved.splice(to, 0, ...list.slice(from, from + 1))
  return moved
}

/** The place of a part, as a JSON pointer. */
export const pathOf = (parent: string, key: string | number): string =>
  `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
