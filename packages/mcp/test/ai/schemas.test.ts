import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { jsonSchema as jsonSchema7 } from 'ai'
import { jsonSchema as jsonSchema5 } from 'ai-5'
import { jsonSchema as jsonSchema6 } from 'ai-6'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod-3'
import { scripted } from './scripted-client.ts'
import { aiVersions } from './versions.ts'

const described = {
  type: 'object',
  properties: { city: { type: 'string', description: 'by the server' } },
  required: ['city'],
}
const definition = { name: 'weather', inputSchema: described, outputSchema: { type: 'object' } }
const byUser = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const, description: 'by the user' } },
}

/** Zod before it had Standard Schema: all that was public of it then. */
const { '~standard': _, ...oldZod } = z3.object({ city: z3.string().describe('by the user') }) as any
Object.setPrototypeOf(oldZod, Object.getPrototypeOf(z3.object({})) as object)

/** Every kind of schema, whose words the model reads, and whether wrong inputs are kept from the server. */
const kinds: [kind: string, inputSchema: object, words: 'user' | 'server', checks: boolean, versions?: number[]][] = [
  ['Zod 4', z.object({ city: z.string().describe('by the user') }), 'user', true],
  ['Zod 3', z3.object({ city: z3.string().describe('by the user') }), 'user', true],
  ['Standard Schema', v.object({ city: v.string() }), 'server', true],
  [
    'Standard Schema that describes itself',
    toStandardJsonSchema(v.object({ city: v.pipe(v.string(), v.description('by the user')) })),
    'user',
    true,
  ],
  ['JSON Schema', { ...byUser, required: ['city'] }, 'user', true],
  ['jsonSchema() of ai 5', jsonSchema5(byUser), 'user', false],
  ['jsonSchema() of ai 6', jsonSchema6(byUser), 'user', false],
  ['jsonSchema() of ai 7', jsonSchema7(byUser), 'user', false],
  [
    'jsonSchema() that checks',
    jsonSchema7<{ city: string }>(byUser, {
      validate: (value: any) =>
        typeof value.city === 'string' ? { success: true, value } : { success: false, error: new Error('no city') },
    }),
    'user',
    true,
  ],
  ['a function that gives a schema', () => v.object({ city: v.string() }), 'server', true],
]

describe.each(aiVersions)('with the AI SDK $version', ({ run }) => {
  it.each(kinds)('[D8] %s as inputSchema', async (_kind, inputSchema, words, checks) => {
    const answer = () => ({ content: [{ type: 'text', text: 'sunny' }] })
    const { client, transport } = await scripted([definition], answer)
    const tools = await client.tools({ schemas: { weather: { inputSchema } } })
    const right = await run(tools, 'weather', { city: 'Oslo' })
    expect(right.shown[0]?.inputSchema).toMatchObject({
      type: 'object',
      properties: { city: { type: 'string', description: `by the ${words}` } },
    })
    expect(right.read).toEqual({ type: 'text', value: 'sunny' })
    expect(transport.of('tools/call')).toMatchObject([{ arguments: { city: 'Oslo' } }])

    const wrong = await run(tools, 'weather', { city: 7 })
    expect(transport.of('tools/call')).toHaveLength(checks ? 1 : 2)
    if (checks) expect(wrong.read?.type).toMatch(/^error-/)
  })

  it('[D8] the server’s own schema, which is told and not checked', async () => {
    const { client, transport } = await scripted([definition])
    const { shown } = await run(await client.tools(), 'weather', { city: 7 })
    expect(shown).toMatchObject([{ name: 'weather', inputSchema: { ...described, additionalProperties: false } }])
    expect(transport.of('tools/call')).toHaveLength(1)
  })

  it('[D8] a schema turns what the model says into what the tool gets', async () => {
    const { client, transport } = await scripted([definition])
    const upper = v.object({ city: v.pipe(v.string(), v.toUpperCase()), days: v.optional(v.number(), 3) })
    await run(await client.tools({ schemas: { weather: { inputSchema: upper } } }), 'weather', { city: 'oslo' })
    expect(transport.of('tools/call')).toMatchObject([{ arguments: { city: 'OSLO', days: 3 } }])
  })
})

describe('schemas', () => {
  it('[D8] Zod of the time before Standard Schema checks outputs', async () => {
    const { client } = await scripted([definition], () => ({ content: [], structuredContent: { city: 'Oslo' } }))
    const inputSchema = z.object({})
    const tools = await client.tools({ schemas: { weather: { inputSchema, outputSchema: oldZod as object } } })
    expect(await tools.weather.execute({})).toEqual({ city: 'Oslo' })
    const { client: wrong } = await scripted([definition], () => ({ structuredContent: { city: 7 } }))
    const { weather } = await wrong.tools({ schemas: { weather: { inputSchema, outputSchema: oldZod as object } } })
    await expect(weather.execute({})).rejects.toThrow(/does not match/)
  })

  it('[D8] a Standard Schema with what JSON Schema has no words for is described by the server', async () => {
    const inputSchema = {
      '~standard': {
        version: 1,
        vendor: 'mine',
        validate: (value: unknown) => ({ value }),
        jsonSchema: {
          input: () => {
            throw new Error('dates have no JSON')
          },
        },
      },
    }
    const { client, warnings } = await scripted([definition])
    const { weather } = await client.tools({ schemas: { weather: { inputSchema } } })
    expect(weather.inputSchema.jsonSchema).toEqual({ ...described, additionalProperties: false })
    expect(warnings).toEqual([])
  })

  it('[D8] an object of its own words is closed, a union is not, and JSON Schema is of type object', async () => {
    const { client } = await scripted([definition])
    const told = async (inputSchema: object): Promise<unknown> =>
      (await client.tools({ schemas: { weather: { inputSchema } } })).weather.inputSchema.jsonSchema
    const city = v.object({ city: v.string() })
    expect(await told(toStandardJsonSchema(city))).toMatchObject({ type: 'object', additionalProperties: false })
    expect(await told(toStandardJsonSchema(v.union([city, v.object({ at: v.number() })])))).not.toHaveProperty(
      'additionalProperties',
    )
    expect(await told({})).toEqual({ type: 'object', properties: {} })
  })

  it('[D8] a schema of the AI SDK without the mark that version 5 looks for gets it', async () => {
    const bare = { [Symbol.for('vercel.ai.schema')]: true, jsonSchema: byUser, validate: undefined, _type: undefined }
    const { client } = await scripted([definition])
    const { weather } = await client.tools({ schemas: { weather: { inputSchema: bare } } })
    expect(weather.inputSchema[Symbol.for('vercel.ai.validator')]).toBe(true)
    const { read } = await aiVersions[0]!.run({ weather }, 'weather', { city: 'x' })
    expect(read?.type).toBe('text')
  })
})
