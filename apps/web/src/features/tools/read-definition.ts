import { isRecord } from '#lib/json-schema/schema.ts'
import type { ToolDefinition } from '#wiring/commands.ts'

export interface ReadDefinition {
  /** The whole, where it is short enough to be read. */
  value: unknown
  inputSchema: unknown
  outputSchema: unknown
}

/** A definition from its text; one that was cut is text and nothing more. */
export function readDefinition({ json, isCut }: ToolDefinition): ReadDefinition {
  const value: unknown = isCut ? undefined : JSON.parse(json)
  const { inputSchema, outputSchema } = isRecord(value) ? value : {}
  return { value, inputSchema: inputSchema ?? {}, outputSchema }
}
