import { afterAll, expect, test } from 'vitest'
import { matchSchema, type SchemaVerdict } from './match-schema.ts'

const engine = new Worker(new URL('./test/nested-schema-checks.ts', import.meta.url), { type: 'module' })
afterAll(() => engine.terminate())

const check = (schema: unknown, value: string): Promise<{ verdict: SchemaVerdict; ms: number; started: number }> =>
  new Promise((resolve, reject) => {
    engine.onmessage = ({ data }) => resolve(data)
    engine.onerror = ({ message }) => reject(new Error(message))
    engine.postMessage({ schema, value })
  })

const SCHEMA = { type: 'object', properties: { a: { type: 'string', pattern: '^(a|a)*$' } } }

test('the same code answers in the page', () => {
  // Also, the test server learns here what the worker will want, and has it ready.
  expect(matchSchema(JSON.stringify(SCHEMA), '{"a":"aaa"}')).toEqual({ outcome: 'fits' })
})

test('[A2.15] in Chromium, a worker of the engine checks, is ended by a hostile pattern, and replaced', async () => {
  expect(await check(SCHEMA, '{"a":"aaa"}')).toMatchObject({ verdict: { outcome: 'fits' }, started: 1 })
  expect(await check(SCHEMA, '{"a":1}')).toMatchObject({ verdict: { outcome: 'unfit' }, started: 1 })
  const slow = await check(SCHEMA, JSON.stringify({ a: `${'a'.repeat(31)}!` }))
  expect(slow.verdict).toMatchObject({ outcome: 'unusable', tooSlow: true })
  expect(slow.ms).toBeLessThan(5000)
  expect(await check(SCHEMA, '{"a":"aaa"}')).toMatchObject({ verdict: { outcome: 'fits' }, started: 2 })
})
