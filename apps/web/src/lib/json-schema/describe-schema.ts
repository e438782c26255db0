import { visibleText } from '../visible-text.ts'
import { countOf, listOf, type Schema, textOf } from './schema.ts'

const LONGEST_TITLE = 80
const LONGEST_DESCRIPTION = 600
const LONGEST_SAMPLE = 80

/** A stranger's text, cut before it is looked at: a megabyte of it would stop the page. */
export function cutText(text: string, longest: number): string {
  const visible = visibleText(text.slice(0, longest + 1))
  return text.length > longest ? `${visible.slice(0, longest)}…` : visible
}

export const titleOf = (schema: Schema): string | undefined => {
  const title = textOf(schema['title'])
  return title && cutText(title.trim(), LONGEST_TITLE)
}

export const descriptionOf = (schema: Schema): string | undefined => {
  const description = textOf(schema['description'])
  return description && cutText(description.trim(), LONGEST_DESCRIPTION)
}

/** A value in a few characters, for a label or a hint. */
export function shortValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value)?.slice(0, 1_000) ?? '')
  return cutText(text, LONGEST_SAMPLE)
}

/** What a value must be like. Patterns are shown and never run: one of a stranger can take for ever. */
export function hintsOf(schema: Schema): string[] {
  const hints: string[] = []
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength, maxLength, pattern } = schema
  if (countOf(minimum) !== undefined) hints.push(`at least ${minimum}`)
  if (countOf(exclusiveMinimum) !== undefined) hints.push(`more than ${exclusiveMinimum}`)
  if (countOf(maximum) !== undefined) hints.push(`at most ${maximum}`)
  if (countOf(exclusiveMaximum) !== undefined) hints.push(`less than ${exclusiveMaximum}`)
  if (countOf(multipleOf) !== undefined) hints.push(`a multiple of ${multipleOf}`)
  if ((countOf(minLength) ?? 0) > 1) hints.push(`at least ${minLength} characters`)
  if (countOf(maxLength) !== undefined) hints.push(`at most ${maxLength} characters`)
  if ((countOf(schema['minItems']) ?? 0) > 0) hints.push(`at least ${schema['minItems']} items`)
  if (countOf(schema['maxItems']) !== undefined) hints.push(`at most ${schema['maxItems']} items`)
  if (schema['uniqueItems'] === true) hints.push('each only once')
  if (textOf(pattern)) hints.push(`pattern ${shortValue(pattern)}`)
  const samples = listOf(schema['examples']).slice(0, 3)
  if (samples.length > 0) hints.push(`for example ${samples.map(shortValue).join(', ')}`)
  return hints
}
