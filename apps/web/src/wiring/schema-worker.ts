import { trustedScript } from './trusted-script.ts'

const address = () =>
  new URL(import.meta.env.DEV ? '/src/mcp/schema-worker.ts' : 'schema-worker.js', location.href).href
const script = trustedScript(address)

/** Starts the worker that checks values against the schemas of strangers. */
export const startSchemaWorker = (): Worker => new Worker(script(), { type: 'module' })
