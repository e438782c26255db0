// A worker that starts the worker for schemas, as the engine does.
import { createSchemaChecks } from '../check-schema.ts'

let started = 0
const checks = createSchemaChecks(() => {
  started += 1
  return new Worker(new URL('../schema-worker.ts', import.meta.url), { type: 'module' })
})

self.onmessage = async ({ data }: MessageEvent<{ schema: unknown; value: string }>) => {
  const began = performance.now()
  const verdict = await checks.check(data.schema, data.value)
  self.postMessage({ verdict, ms: performance.now() - began, started })
}
