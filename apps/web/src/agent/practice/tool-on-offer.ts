import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'

/** As much of JSON Schema as the practice model understands. */
export interface JsonSchema {
  type?: string | string[]
  title?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  format?: string
  minimum?: number
  maximum?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
}

export interface ToolOnOffer {
  modelName: string
  /** Without the server in front of it. */
  name: string
  title: string
  description: string
  inputSchema: JsonSchema
}

/** A tool as it was offered, taken apart. Its schema is a stranger's: what is not as expected is read as nothing. */
export function readTool({ name: modelName, description = '', inputSchema }: LanguageModelV4FunctionTool): ToolOnOffer {
  const name = modelName.slice(modelName.lastIndexOf('__') + 1).replace(/^_/, '')
  const [, title = '', rest = description] = /^([^:\n]{1,60}): ([^]*)$/.exec(description) ?? []
  return {
    modelName,
    name,
    title: title || name.replaceAll(/[_-]+/g, ' '),
    description: rest,
    inputSchema: inputSchema as JsonSchema,
  }
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

export const propertiesOf = (schema: JsonSchema): [string, JsonSchema][] =>
  Object.entries(isSchema(schema.properties) ? schema.properties : {}).filter(([, property]) => isSchema(property))

export const typeOf = ({ type, items, properties }: JsonSchema): string => {
  const named = Array.isArray(type) ? type.find((one) => one !== 'null') : type
  return named ?? (properties ? 'object' : items ? 'array' : 'string')
}
