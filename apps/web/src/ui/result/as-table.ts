type Cell = string | number | boolean | null

export interface TableOf {
  columns: string[]
  rows: Record<string, Cell>[]
}

const MAX_COLUMNS = 12
/** Longer texts make no cell; the tree shows their beginning. */
const MAX_CHARACTERS = 500
const isPlain = (value: unknown) =>
  typeof value === 'string' ? value.length <= MAX_CHARACTERS : value === null || typeof value !== 'object'
const isRow = (value: unknown): value is Record<string, Cell> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isPlain)

/** A list of like objects is a table; anything else is not. */
export function asTable(value: unknown): TableOf | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRow)) return undefined
  const columns = [...new Set(value.flatMap((row) => Object.keys(row)))]
  return columns.length > 0 && columns.length <= MAX_COLUMNS ? { columns, rows: value } : undefined
}
