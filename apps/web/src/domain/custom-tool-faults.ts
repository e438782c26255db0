import type { CustomToolInput } from './custom-tool.ts'
import { addressFault, placesIn } from './custom-tool-address.ts'
import { placeOf, wireNameOf } from './fill-request.ts'
import { isSafeHeader } from './safe-header.ts'

export interface CustomToolFault {
  field: 'name' | 'description' | 'url' | 'inputSchema'
  message: string
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The arguments that a schema names. */
export const argumentsOf = ({ properties }: Record<string, unknown>): string[] =>
  isObject(properties) ? Object.keys(properties) : []

/** What is wrong with a custom tool as it was entered, each with what to do. `taken`: the names of its neighbours. */
export function customToolFaults(tool: CustomToolInput, taken: readonly string[] = []): CustomToolFault[] {
  return [nameFault(tool.name, taken), descriptionFault(tool.description), urlFault(tool), schemaFault(tool)].flatMap(
    (fault) => fault ?? [],
  )
}

function nameFault(name: string, taken: readonly string[]): CustomToolFault | undefined {
  const field = 'name'
  if (name.trim() === '') return { field, message: 'Give it a name, such as find_order.' }
  if (name.length > 50) return { field, message: `It has ${name.length} characters; 50 are allowed.` }
  // What models take as the name of a tool.
  if (!/^[A-Za-z0-9_-]+$/.test(name))
    return { field, message: 'Models take letters, digits, _ and - in the name of a tool, and nothing else.' }
  return taken.includes(name) ? { field, message: 'Another tool of this collection has this name.' } : undefined
}

function descriptionFault(description: string): CustomToolFault | undefined {
  const field = 'description'
  if (description.trim() === '') return { field, message: 'Say what it does: the model chooses by these words.' }
  return description.length > 500
    ? { field, message: `It has ${description.length} characters; 500 are allowed.` }
    : undefined
}

function urlFault(tool: CustomToolInput): CustomToolFault | undefined {
  const field = 'url'
  const message = addressFault(tool.url)
  if (message !== undefined) return { field, message }
  if (tool.url.length > 2000) return { field, message: `It has ${tool.url.length} characters; 2,000 are allowed.` }
  const known = argumentsOf(tool.inputSchema)
  const stray = placesIn(tool.url).find((name) => !known.includes(name))
  return stray === undefined
    ? undefined
    : { field, message: `There is no argument “${stray}” to fill {${stray}}. Add one below, or take it out.` }
}

function schemaFault(tool: CustomToolInput): CustomToolFault | undefined {
  const field = 'inputSchema'
  const { inputSchema } = tool
  const { type = 'object', properties = {} } = inputSchema
  if (type !== 'object' || !isObject(properties))
    return { field, message: 'The schema must be one of an object with properties: { "type": "object", … }.' }
  const names = Object.keys(properties)
  const header = names.find((name) => placeOf(tool, name) === 'header' && !isSafeHeader(wireNameOf(tool, name)))
  if (header !== undefined)
    return { field, message: `“${header}” cannot travel as a header: the browser or the app sets that one itself.` }
  const required: unknown[] = Array.isArray(inputSchema['required']) ? inputSchema['required'] : []
  const open = placesIn(tool.url).find((name) => names.includes(name) && !required.includes(name))
  if (open !== undefined) return { field, message: `“${open}” is a part of the address, so it has to be required.` }
  const seen = new Set<string>()
  for (const name of names) {
    const place = placeOf(tool, name)
    const wire = `${place} ${wireNameOf(tool, name)}`
    if (place !== 'path' && seen.has(wire))
      return { field, message: `Two arguments would travel as “${wireNameOf(tool, name)}”.` }
    seen.add(wire)
  }
  return undefined
}
