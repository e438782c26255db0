/** One argument as it stands in the JSON text: what these rows show is the text itself, cut where its members meet. */
export interface ArgumentRow {
  name: string
  value: string
}

/**
 * The members of a JSON object, in order, each as it is written: a name that comes twice, a number no program can hold and an
 * escape all show. Undefined where the text is no JSON object.
 */
export function argumentRows(json: string): ArgumentRow[] | undefined {
  if (!isJsonObject(json)) return undefined
  const rows: ArgumentRow[] = []
  let at = json.indexOf('{') + 1
  for (;;) {
    const nameStart = json.indexOf('"', at)
    if (nameStart === -1) return rows
    const nameEnd = endOfString(json, nameStart)
    const valueStart = json.indexOf(':', nameEnd) + 1
    const valueEnd = endOfValue(json, valueStart)
    rows.push({ name: json.slice(nameStart, nameEnd), value: json.slice(valueStart, valueEnd).trim() })
    at = valueEnd + 1
  }
}

export function isJsonObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/**
 * A JSON value for people: a string with its line breaks, where that says the same as the text; else the text. Many empty
 * lines would push what follows out of sight, so such a string stays as it is written.
 */
export function readableValue(value: string): string {
  if (!value.startsWith('"')) return value
  const text = JSON.parse(value) as string
  return JSON.stringify(text) === value && !/\n\s*\n\s*\n\s*\n/.test(text) ? `"${text}"` : value
}

/** A name for people: without its quotes, where that says the same. */
export function readableName(name: string): string {
  const text = JSON.parse(name) as string
  return /^[\w.$-]+$/.test(text) && name === `"${text}"` ? text : name
}

function endOfString(json: string, start: number): number {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

/** The comma or brace that ends a value. The text is known to be JSON, so it is always found. */
function endOfValue(json: string, start: number): number {
  let depth = 0
  let at = start
  for (;;) {
    const character = json[at]
    if (character === '"') {
      at = endOfString(json, at)
      continue
    }
    if (depth === 0 && (character === ',' || character === '}')) return at
    if (character === '{' || character === '[') depth += 1
    if (character === '}' || character === ']') depth -= 1
    at += 1
  }
}
