import { lookUp } from './look-up.ts'
import { isRecord, listOf, type Schema } from './schema.ts'

// References that lead in a circle, and parts that hold each other twice each, would never end.
const MOST_STEPS = 100

/** One level of a schema with its references followed and its `allOf` made one; undefined where that cannot be done. */
export function flattenSchema(root: unknown, schema: unknown, budget = { steps: MOST_STEPS }): Schema | undefined {
  if (schema === true || schema === undefined) return {}
  if (!isRecord(schema) || budget.steps-- <= 0) return undefined
  const { $ref, allOf, ...own } = schema
  let parts: Schema = {}
  for (const part of [...(typeof $ref === 'string' ? [lookUp(root, $ref) ?? false] : []), ...listOf(allOf)]) {
    const flat = flattenSchema(root, part, budget)
    if (!flat) return undefined
    parts = mergeSchemas(parts, flat)
  }
  // What stands outside describes the whole, and goes before what its parts say of themselves.
  return mergeSchemas(parts, own)
}

/** Both at once; where they differ the second is right. */
function mergeSchemas(first: Schema, second: Schema): Schema {
  const merged: Schema = { ...first, ...second }
  if (isRecord(first['properties']) && isRecord(second['properties']))
    merged['properties'] = mergeProperties(first['properties'], second['properties'])
  if (Array.isArray(first['required']) && Array.isArray(second['required']))
    merged['required'] = [...new Set([...listOf(first['required']), ...listOf(second['required'])])]
  if (Array.isArray(first['enum']) && Array.isArray(second['enum'])) {
    const allowed = new Set(listOf(first['enum']))
    merged['enum'] = listOf(second['enum']).filter((value) => allowed.has(value))
  }
  return merged
}

function mergeProperties(first: Schema, second: Schema): Schema {
  const merged: Schema = { ...first, ...second }
  // In brackets: written out, `__proto__` would change the object instead of naming one of its properties.
  for (const key of Object.keys(second))
    if (Object.hasOwn(first, key)) Object.defineProperty(merged, key, { value: { allOf: [first[key], second[key]] } })
  return merged
}
