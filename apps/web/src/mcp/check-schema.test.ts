import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSchemaChecks, type SchemaChecks } from './check-schema.ts'
import { nodeSchemaWorkers } from './test/node-schema-worker.ts'

let workers: Awaited<ReturnType<typeof nodeSchemaWorkers>>
let checks: SchemaChecks

beforeAll(async () => {
  workers = await nodeSchemaWorkers()
  checks = createSchemaChecks(workers.start)
})
afterAll(async () => {
  checks.close()
  await workers.gone()
})

const SLOW = { type: 'object', properties: { a: { type: 'string', pattern: '^(a|a)*$' } } }
const SLOW_VALUE = JSON.stringify({ a: `${'a'.repeat(31)}!` })

test('[A2.15] a pattern that would take for ever ends after 250 ms, and its worker with it', async () => {
  await checks.check({}, '{}')
  const verdict = await checks.check(SLOW, SLOW_VALUE)
  expect(verdict).toEqual({ outcome: 'unusable', problem: 'took over 250 ms to check', tooSlow: true })
  await workers.gone()
  expect(workers.alive.size).toBe(0)
})

test('the next check has a worker again, and those who waited their answer', async () => {
  const [slow, quick] = await Promise.all([checks.check(SLOW, SLOW_VALUE), checks.check(SLOW, '{"a":"aaa"}')])
  expect(slow).toMatchObject({ outcome: 'unusable' })
  expect(quick).toEqual({ outcome: 'fits' })
})

test('a bomb of alternatives ends in time', async () => {
  const defs: Record<string, object> = { d0: { type: 'string' } }
  for (let level = 1; level <= 24; level += 1)
    defs[`d${level}`] = { allOf: [{ $ref: `#/$defs/d${level - 1}` }, { $ref: `#/$defs/d${level - 1}` }] }
  expect(await checks.check({ $defs: defs, $ref: '#/$defs/d24' }, '"x"')).toMatchObject({
    outcome: 'unusable',
    tooSlow: true,
  })
})

test('a worker that a busy machine wakes late has its time all the same', async () => {
  const own = createSchemaChecks(() => {
    const worker = workers.start()
    const post = worker.postMessage.bind(worker)
    worker.postMessage = (question: unknown) => void setTimeout(() => post(question), 400)
    return worker
  })
  expect(await own.check({}, '{}')).toEqual({ outcome: 'fits' })
  own.close()
})

test('a worker that does not start is a verdict, and the next check tries again', async () => {
  let broken = true
  const own = createSchemaChecks(() => {
    if (!broken) return workers.start()
    const worker = { terminate() {}, postMessage() {} } as unknown as Worker
    queueMicrotask(() => worker.onerror?.(new Event('error') as ErrorEvent))
    return worker
  })
  expect(await own.check({}, '{}')).toMatchObject({ outcome: 'unusable', problem: expect.stringContaining('Reload') })
  broken = false
  expect(await own.check({}, '{}')).toEqual({ outcome: 'fits' })
  own.close()
})
