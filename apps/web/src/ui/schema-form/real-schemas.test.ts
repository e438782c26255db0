import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { planField } from '#lib/json-schema/plan-field.ts'

interface Harvest {
  server: string
  tools: { name: string; schema: unknown }[]
}
const harvest = JSON.parse(readFileSync(new URL('real-schemas.json', import.meta.url), 'utf8')) as Harvest[]
const DEEPEST = 5

interface Count {
  fields: number
  asJson: string[]
}

/** Every field that a person could come to by adding things, down to a depth that nobody fills in. */
function countFields(root: unknown, schema: unknown, at: string, depth: number, count: Count): void {
  const plan = planField(root, schema, at.split('.').at(-1))
  const below = (part: unknown, name: string) =>
    depth < DEEPEST && countFields(root, part, `${at}.${name}`, depth + 1, count)
  switch (plan.kind) {
    case 'object':
      for (const property of plan.properties) below(property.schema, property.key)
      if (plan.rest) below(plan.rest.schema, '*')
      return
    case 'array':
      for (const [index, place] of plan.first.entries()) below(place, String(index))
      if (plan.rest) below(plan.rest.schema, '*')
      return
    case 'union':
      count.fields++
      // Where anything goes, its kind is chosen first; each kind below it is drawn like every other of its kind.
      if (Object.keys(schema as object).some((key) => /Of$|^type$/.test(key)))
        for (const [index, branch] of plan.branches.entries()) below(branch.schema, `(${index})`)
      return
    case 'json':
      count.asJson.push(at)
      count.fields++
      return
    default:
      count.fields++
  }
}

test('of the fields of 236 real tools or more, at most 2 % are left to JSON', () => {
  const count: Count = { fields: 0, asJson: [] }
  const tools = harvest.flatMap(({ server, tools: all }) => all.map((tool) => ({ server, ...tool })))
  for (const { server, name, schema } of tools) countFields(schema, schema, `${server}:${name}`, 0, count)
  console.info(`${tools.length} schemas, ${count.fields} fields, ${count.asJson.length} as JSON`)
  expect(tools.length).toBeGreaterThanOrEqual(236)
  expect(count.fields).toBeGreaterThan(1_000)
  expect(count.asJson.length).toBeLessThanOrEqual(count.fields * 0.02)
})
