import { isMCPError, MCPClientError } from '@switchboard/mcp'
import { jsonSchema } from 'ai'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod-3'
import { scripted, tool } from './scripted-client.ts'
import { aiVersions } from './versions.ts'

const inputSchema = z.object({ a: z.string().optional() })
const shape = {
  type: 'object',
  properties: { temperature: { type: 'number' } },
  required: ['temperature'],
  additionalProperties: false,
}

async function outputOf(result: object, outputSchema: object = z.object({ temperature: z.number() })): Promise<any> {
  const { client } = await scripted([tool('weather')], () => result)
  const tools = await client.tools({ schemas: { weather: { inputSchema, outputSchema } } })
  return tools.weather.execute({}, { messages: [], toolCallId: 'weather-1' })
}
const failureOf = (result: object, outputSchema?: object): Promise<Error> =>
  outputOf(result, outputSchema).then(
    () => new Error('it passed'),
    (error: Error) => error,
  )
const text = (...texts: string[]) => ({ content: texts.map((one) => ({ type: 'text', text: one })) })

describe('tools({ schemas }) with an outputSchema', () => {
  it.each<[string, object]>([
    ['Zod 4', z.object({ temperature: z.number() })],
    ['Zod 3', z3.object({ temperature: z3.number() })],
    ['Standard Schema', v.object({ temperature: v.number() })],
    ['JSON Schema', shape],
    ['jsonSchema()', jsonSchema({})],
  ])('[D9] %s: the structured content, checked', async (kind, outputSchema) => {
    expect(await outputOf({ ...text('cold'), structuredContent: { temperature: -3 } }, outputSchema)).toEqual({
      temperature: -3,
    })
    const wrong = await failureOf(
      { ...text('{"temperature":1}'), structuredContent: { temperature: 'x' } },
      outputSchema,
    )
    if (kind === 'jsonSchema()') expect(wrong.message).toBe('it passed')
    else expect(wrong.message).toMatch(/returned structuredContent that does not match the expected outputSchema/)
  })

  it('[D9] the value is what the schema makes of it', async () => {
    const outputSchema = z.object({ temperature: z.number().transform((celsius) => celsius + 273) })
    expect(await outputOf({ content: [], structuredContent: { temperature: 1, more: 2 } }, outputSchema)).toEqual({
      temperature: 274,
    })
    const later = z.object({ temperature: z.number() }).refine(async () => true)
    expect(await outputOf({ content: [], structuredContent: { temperature: 1 } }, later)).toEqual({ temperature: 1 })
  })

  it('[D9] without structured content: the first text that is JSON and fits', async () => {
    expect(await outputOf(text('{"temperature":4}'))).toEqual({ temperature: 4 })
    expect(await outputOf(text('Here it is:', '{"other":1}', '{"temperature":5}'))).toEqual({ temperature: 5 })
    expect(await outputOf({ ...text('{"temperature":6}'), structuredContent: null })).toEqual({ temperature: 6 })
  })

  it.each<[string, object, RegExp]>([
    ['text that is no JSON', text('warm'), /returned content that does not match the expected outputSchema/],
    ['JSON that does not fit', text('{"temperature":"warm"}'), /returned content that does not match/],
    ['neither', { content: [] }, /did not return structuredContent or parseable text content/],
    ['a picture only', { content: [{ type: 'image' }, null] }, /did not return structuredContent/],
    ['text without end', text('['.repeat(100_000)), /does not match/],
  ])('[D9] %s is an error that names the tool', async (_what, result, words) => {
    const error = await failureOf(result)
    expect(error.message).toMatch(words)
    expect(error.message).toMatch(/^tools\/call weather at the server /)
    expect(isMCPError(error) && MCPClientError.isInstance(error)).toBe(true)
    expect(error).toMatchObject({ reason: 'protocol', code: undefined })
  })

  it('[D9] a tool that failed gives its raw result, unchecked', async () => {
    const failed = { ...text('no such city'), isError: true, structuredContent: { why: 1 } }
    expect(await outputOf(failed)).toEqual(failed)
  })

  it.each(aiVersions)('[D9] the model of the AI SDK $version reads the typed output as JSON', async ({ run }) => {
    const content = [{ type: 'text', text: 'not this' }]
    const { client } = await scripted([tool('weather')], ({ arguments: args }) =>
      (args as { a?: string }).a ? { content, isError: true } : { content, structuredContent: { content: [1] } },
    )
    const outputSchema = z.object({ content: z.array(z.number()) })
    const tools = await client.tools({ schemas: { weather: { inputSchema, outputSchema } } })
    expect((await run(tools, 'weather')).read).toEqual({ type: 'json', value: { content: [1] } })
    expect((await run(tools, 'weather', { a: 'fail' })).read).toEqual({ type: 'error-text', value: 'not this' })
  })
})
