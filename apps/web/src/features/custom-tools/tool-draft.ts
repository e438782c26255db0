import type { CustomTool, CustomToolInput, CustomToolPlace } from '#domain/custom-tool.ts'
import { placeOf } from '#domain/fill-request.ts'

/** A tool that nobody has described yet. `base`: where its collection is. */
export const freshTool = (base: string): CustomToolInput => ({
  name: '',
  description: '',
  inputSchema: { type: 'object', properties: {} },
  method: 'GET',
  url: base,
  places: {},
  annotations: { readOnly: true },
})

export const inputOf = ({
  id: _,
  serverId: __,
  createdAt: ___,
  updatedAt: ____,
  ...input
}: CustomTool): CustomToolInput => input

/** A name that no neighbour has. */
export function freeName(name: string, taken: readonly string[]): string {
  let free = name.slice(0, 50)
  for (let count = 2; taken.includes(free); count += 1) free = `${name.slice(0, 49 - String(count).length)}_${count}`
  return free
}

export const argumentTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const
export type ArgumentType = (typeof argumentTypes)[number] | 'other'

/** An argument as a row of the table shows it. What a row cannot show of its schema stays as it is. */
export interface ArgumentRow {
  name: string
  type: ArgumentType
  description: string
  isRequired: boolean
  place: CustomToolPlace
}

type Schema = Record<string, unknown>
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const propertiesOf = ({ inputSchema }: CustomToolInput): [string, Schema][] => {
  const { properties } = inputSchema
  return isSchema(properties)
    ? Object.entries(properties).map(([name, value]) => [name, isSchema(value) ? value : {}])
    : []
}
const requiredOf = ({ inputSchema: { required } }: CustomToolInput): string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []

export const rowsOf = (tool: CustomToolInput): ArgumentRow[] =>
  propertiesOf(tool).map(([name, { type, description }]) => ({
    name,
    type: argumentTypes.find((known) => known === type) ?? 'other',
    description: typeof description === 'string' ? description : '',
    isRequired: requiredOf(tool).includes(name),
    place: placeOf(tool, name),
  }))

function withProperties(
  tool: CustomToolInput,
  properties: readonly [string, Schema][],
  required: string[],
): CustomToolInput {
  const { required: _, ...inputSchema } = tool.inputSchema
  const names = new Set(properties.map(([name]) => name))
  const kept = (record: Record<string, unknown>) => Object.entries(record).filter(([name]) => names.has(name))
  const wireNames = kept(tool.wireNames ?? {}) as [string, string][]
  const { wireNames: __, ...rest } = tool
  return {
    ...rest,
    inputSchema: {
      ...inputSchema,
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required: required.filter((name) => names.has(name)) }),
    },
    places: Object.fromEntries(kept(tool.places)) as CustomToolInput['places'],
    ...(wireNames.length > 0 && { wireNames: Object.fromEntries(wireNames) }),
  }
}

export function withNewRow(tool: CustomToolInput, name: string): CustomToolInput {
  const free = freeName(
    name,
    propertiesOf(tool).map(([known]) => known),
  )
  return withProperties(tool, [...propertiesOf(tool), [free, { type: 'string' }]], requiredOf(tool))
}

export const withoutRow = (tool: CustomToolInput, name: string): CustomToolInput =>
  withProperties(
    tool,
    propertiesOf(tool).filter(([known]) => known !== name),
    requiredOf(tool).filter((known) => known !== name),
  )

/** The tool with one argument changed; a name that another argument has changes nothing. */
export function withRow(tool: CustomToolInput, name: string, change: Partial<ArgumentRow>): CustomToolInput {
  const properties = propertiesOf(tool)
  const next = change.name ?? name
  if (next !== name && properties.some(([known]) => known === next)) return tool
  const changed = properties.map(([known, schema]): [string, Schema] =>
    known === name ? [next, withWords(schema, change)] : [known, schema],
  )
  const renamed = requiredOf(tool).map((known) => (known === name ? next : known))
  const required =
    change.isRequired === undefined
      ? renamed
      : [...renamed.filter((known) => known !== next), ...(change.isRequired ? [next] : [])]
  const { [name]: before, ...others } = tool.places
  const place = change.place ?? before
  const { [name]: wire, ...wires } = tool.wireNames ?? {}
  const moved: CustomToolInput = {
    ...tool,
    places: { ...others, ...(place !== undefined && { [next]: place }) },
    ...(wire !== undefined && { wireNames: { ...wires, [next]: wire } }),
  }
  return withProperties(moved, changed, required)
}

function withWords(schema: Schema, { type, description }: Partial<ArgumentRow>): Schema {
  const { description: before, ...rest } = schema
  const words = description ?? before
  // What was said of the old type says nothing of the new one.
  const shape = type === undefined || type === 'other' ? rest : { type }
  return { ...shape, ...(words !== undefined && words !== '' && { description: words }) }
}
