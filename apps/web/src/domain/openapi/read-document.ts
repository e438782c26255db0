import { Failed } from '../failure.ts'
import { MAX_DOCUMENT_BYTES } from './document-limit.ts'
import { readYaml, YamlError } from './read-yaml.ts'

export type Json = Record<string, unknown>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member of its own, and none that every object has. */
export const memberOf = (value: unknown, key: string): unknown =>
  isJson(value) && Object.hasOwn(value, key) ? value[key] : undefined

export const textOf = (value: unknown, max: number): string => {
  const text = typeof value === 'string' ? value.trim() : ''
  return text.length > max ? `${text.slice(0, max - 1)}…` : text
}

/** A document in JSON or YAML. Rejects with `Failed` and the place of what is wrong. */
export function readDocument(text: string): Json {
  if (text.length > MAX_DOCUMENT_BYTES)
    throw new Failed(
      'bad-input',
      `The document has ${Math.ceil(text.length / (1 << 20))} MiB, over the ${MAX_DOCUMENT_BYTES >> 20} MiB that are read.`,
    )
  if (text.trim() === '') throw new Failed('bad-input', 'There is nothing to read yet.')
  const value = /^\s*[{[]/.test(text) ? parseJson(text) : parseYaml(text)
  if (!isJson(value)) throw new Failed('bad-input', 'This is no OpenAPI document: it is no object.')
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    try {
      // Braces at its beginning make it no JSON yet.
      return readYaml(text)
    } catch {
      throw new Failed('bad-input', `This is no JSON. ${(error as Error).message.slice(0, 200)}`)
    }
  }
}

function parseYaml(text: string): unknown {
  try {
    return readYaml(text)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    throw new Failed('bad-input', `This is neither valid JSON nor valid YAML. ${error.message}`)
  }
}
