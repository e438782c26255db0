import { trustedScripts } from './trusted-script.ts'

const addressOf = (source: string, built: string): string =>
  new URL(import.meta.env.DEV ? source : built, location.href).href

const script = trustedScripts(() => ({
  schema: addressOf('/src/mcp/schema-worker.ts', 'schema-worker.js'),
  openApi: addressOf('/src/mcp/custom-tools/openapi-worker.ts', 'openapi-worker.js'),
}))

/** Starts the worker that checks values against the schemas of servers. */
export const startSchemaWorker = (): Worker => new Worker(script('schema'), { type: 'module' })

/** Starts the worker that reads OpenAPI documents. */
export const startOpenApiWorker = (): Worker => new Worker(script('openApi'), { type: 'module' })
