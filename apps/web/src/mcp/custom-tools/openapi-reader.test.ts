import { afterEach, beforeEach, expect, test } from 'vitest'
import { Failed } from '#domain/failure.ts'
import { nodeWorkers } from '../test/node-schema-worker.ts'
import { createOpenApiReader } from './openapi-reader.ts'

let workers: Awaited<ReturnType<typeof nodeWorkers>>

beforeEach(async () => {
  workers = await nodeWorkers(new URL('./openapi-worker.ts', import.meta.url))
})
afterEach(async () => {
  await workers.gone()
})

const DOCUMENT = [
  'openapi: 3.1.0',
  'info: {title: Tide, version: 1.0}',
  'servers: [{url: https://tide.example}]',
  'paths:',
  '  /tides/{place}:',
  '    get:',
  '      operationId: tide',
  '      parameters: [{name: place, in: path, required: true, schema: {type: string}}]',
].join('\n')

test('reads a document and makes tools in a worker, which then ends', async () => {
  const reader = createOpenApiReader(workers.start)
  expect(await reader.read(DOCUMENT)).toMatchObject({ title: 'Tide', operations: [{ name: 'tide' }] })
  const chosen = [{ id: 'GET /tides/{place}', name: 'tide' }]
  expect(await reader.makeTools(DOCUMENT, 'https://tide.example', chosen)).toMatchObject([
    { name: 'tide', url: 'https://tide.example/tides/{place}' },
  ])
  await workers.gone()
  expect(workers.started).toBe(2)
})

test('passes on the reason why a document is refused', async () => {
  const reader = createOpenApiReader(workers.start)
  const refused = reader.read('a: [1')
  await expect(refused).rejects.toBeInstanceOf(Failed)
  await expect(refused).rejects.toThrow('This is neither valid JSON nor valid YAML. Line 1')
})

test('stops the worker when a document takes longer than the limit', async () => {
  const reader = createOpenApiReader(workers.start, 1)
  const large = `${DOCUMENT}\nx-list:\n${'- {a: 1, b: [x, y, z]}\n'.repeat(200_000)}`
  await expect(reader.read(large)).rejects.toThrow('could not be read within')
  await workers.gone()
  expect(workers.alive.size).toBe(0)
})

test('reports a worker that did not start', async () => {
  const reader = createOpenApiReader(() => {
    const worker = { terminate() {}, postMessage() {} } as unknown as Worker
    queueMicrotask(() => worker.onerror?.(new Event('error') as ErrorEvent))
    return worker
  })
  await expect(reader.read(DOCUMENT)).rejects.toThrow('did not start. Reload the page.')
})
