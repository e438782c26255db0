import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
export const PEERS = path.join(ROOT, 'peers')
export const RESULTS = path.join(ROOT, 'results')
/** Bundles for the page; the load server serves them under /static/. */
export const BUNDLES = path.join(RESULTS, 'bundles')
export const OWN_ENTRY = path.resolve(ROOT, '../packages/mcp/dist/index.js')
