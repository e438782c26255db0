import type { FoundTool } from '#domain/server.ts'
import type { ListedTool } from '../read-tools.ts'

/** A definition for a person to read. One that is longer than this is not usable anyway, and would only fill the screen. */
const MAX_CHARACTERS = 600_000

export interface ToolDefinition {
  /** As its server gave it, as JSON. */
  json: string
  /** It is longer than what is here. */
  isCut: boolean
  found: FoundTool
}

export function toolDefinition({ definition, found }: ListedTool): ToolDefinition {
  const json = JSON.stringify(definition, null, 2)
  return { json: json.slice(0, MAX_CHARACTERS), isCut: json.length > MAX_CHARACTERS, found }
}
