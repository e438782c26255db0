import { canonicalJson } from './canonical-json.ts'
import { digest } from './digest.ts'

/** What else belongs to a fingerprint. */
export interface FingerprintOptions {
  /** Where the tool is called: the same definition at another server is another tool. */
  endpoint?: string | URL | undefined
}

/**
 * Pins all that a server says of a tool: name, title, description, both schemas, annotations, `_meta` and whatever else it
 * holds. The order of keys makes no difference, anything else does.
 */
export function fingerprintToolDefinition(tool: object, { endpoint }: FingerprintOptions = {}): Promise<string> {
  return digest(canonicalJson({ definition: tool, endpoint: endpoint === undefined ? null : String(endpoint) }))
}
