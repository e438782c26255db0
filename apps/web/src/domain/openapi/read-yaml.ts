import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml'

const schema = CORE_SCHEMA.withTags(mergeTag)
const MAX_DEPTH = 100
const MAX_ALIASES = 1_000
const MAX_VALUES = 1_000_000

/** Thrown for YAML that can't be read; `message` is a sentence for the user. */
export class YamlError extends Error {
  override name = 'YamlError'
}

/** Reads one YAML 1.2 document, with merge keys. Throws `YamlError`. */
export function readYaml(text: string): unknown {
  const value = parse(text)
  if (countValues(value) > MAX_VALUES)
    throw new YamlError(`Its aliases stand for more than ${MAX_VALUES.toLocaleString('en')} values.`)
  return value
}

function parse(text: string): unknown {
  try {
    return load(text, { schema, maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw new YamlError('It is nested too deeply.')
    const { mark, reason } = error
    throw new YamlError(`${mark ? `Line ${mark.line + 1}: ` : ''}${reason}.`)
  }
}

/**
 * How many values a document has when every alias is written out. Aliases of aliases grow exponentially ("a billion
 * laughs"), so each shared value is counted once and its count is reused.
 */
function countValues(root: unknown): number {
  const counts = new Map<object, number | undefined>()
  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 1
    if (counts.has(value)) {
      const known = counts.get(value)
      if (known === undefined) throw new YamlError('An alias refers to a value that contains it.')
      return known
    }
    counts.set(value, undefined)
    let total = 1
    for (const part of Object.values(value)) total += count(part)
    counts.set(value, total)
    return total
  }
  try {
    return count(root)
  } catch (error) {
    // Aliases that refer to aliases can nest deeper than the text does.
    throw error instanceof YamlError ? error : new YamlError('It is nested too deeply.')
  }
}
