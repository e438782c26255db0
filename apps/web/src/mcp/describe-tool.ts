import type { ToolAnnotations } from '#domain/server.ts'
import { hidesText, textForModel } from '#lib/visible-text.ts'
import { isObject, judgeSchema } from './judge-schema.ts'

/** What a model is told of a tool. */
export interface ToolForModel {
  title: string
  description: string
  inputSchema: Record<string, unknown>
  headerArguments: string[]
}

const MAX_TITLE = 200
const MAX_DESCRIPTION = 4000
const MAX_NAME = 128
/** Where a schema speaks to its reader; everywhere else its words are what is sent. */
const PROSE = new Set(['description', 'title', '$comment', 'markdownDescription', 'errorMessage'])

export const boundedText = (value: unknown, max: number): string => {
  const text = typeof value === 'string' ? value : ''
  return text.length > max ? `${text.slice(0, max)}… (${text.length} characters)` : text
}

/** What a server claims of its tool, where it claims it properly. */
export function annotationsOf(claims: unknown): ToolAnnotations {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = isObject(claims) ? claims : {}
  return {
    ...(typeof readOnlyHint === 'boolean' && { readOnly: readOnlyHint }),
    ...(typeof destructiveHint === 'boolean' && { destructive: destructiveHint }),
    ...(typeof idempotentHint === 'boolean' && { idempotent: idempotentHint }),
    ...(typeof openWorldHint === 'boolean' && { openWorld: openWorldHint }),
  }
}

export function titleOf({ title, annotations, name }: Record<string, unknown>): string {
  const claimed = isObject(annotations) ? annotations['title'] : undefined
  const given = [title, claimed, name].find((text) => typeof text === 'string' && text.trim() !== '')
  return boundedText(given, MAX_TITLE)
}

export const descriptionOf = ({ description }: Record<string, unknown>): string =>
  boundedText(description, MAX_DESCRIPTION)

/** Why a tool cannot be used; undefined where it can. */
export function problemOf({ name, inputSchema, outputSchema }: Record<string, unknown>): string | undefined {
  if (typeof name !== 'string' || name === '') return 'It has no name.'
  if (name.length > MAX_NAME) return `Its name has ${name.length} characters, over the ${MAX_NAME} that are allowed.`
  const problem = judgeSchema(inputSchema)
  if (problem !== undefined) return `Its input schema ${problem}.`
  const { type = 'object' } = inputSchema as Record<string, unknown>
  if (type !== 'object') return 'Its input schema is not one of an object, as every tool needs.'
  const output = outputSchema === undefined ? undefined : judgeSchema(outputSchema)
  if (output !== undefined) return `Its output schema ${output}.`
  if (hidesInSchema(inputSchema)) return 'Its input schema has hidden characters in what would be sent.'
  return undefined
}

/** The tool in words without anything hidden. Only for one without a problem. */
export function describeToModel(tool: Record<string, unknown>): ToolForModel {
  const inputSchema = tool['inputSchema'] as Record<string, unknown>
  return {
    title: textForModel(titleOf(tool)),
    description: textForModel(descriptionOf(tool)),
    inputSchema: { type: 'object', ...(cleaned(inputSchema) as Record<string, unknown>) },
    headerArguments: headerArguments(inputSchema),
  }
}

/** A copy whose prose is fit for a model and bounded. */
function cleaned(value: unknown, isProse = false): unknown {
  if (typeof value === 'string') return isProse ? textForModel(boundedText(value, MAX_DESCRIPTION)) : value
  if (Array.isArray(value)) return value.map((part) => cleaned(part))
  if (!isObject(value)) return value
  const copy = Object.entries(value).map(([key, part]) => [key, cleaned(part, PROSE.has(key))])
  return Object.fromEntries(copy) as Record<string, unknown>
}

function hidesInSchema(value: unknown): boolean {
  if (typeof value === 'string') return hidesText(value)
  if (Array.isArray(value)) return value.some(hidesInSchema)
  if (!isObject(value)) return false
  return Object.entries(value).some(
    ([key, part]) => hidesText(key) || (!(PROSE.has(key) && typeof part === 'string') && hidesInSchema(part)),
  )
}

/** The arguments that also travel as headers, by their path. */
function headerArguments(schema: Record<string, unknown>, path: readonly string[] = []): string[] {
  const { properties } = schema
  if (!isObject(properties)) return []
  return Object.entries(properties).flatMap(([key, property]) => {
    if (!isObject(property)) return []
    const here = [...path, key]
    return [...('x-mcp-header' in property ? [here.join('.')] : []), ...headerArguments(property, here)]
  })
}
