import { failed, json } from './answers.ts'
import { readFields } from './handler.ts'
import type { RelayOrigins } from './relay/relay-origins.ts'

/** The origins that the relay reaches, and turning it on and off for one. */
export function createRelayApi(origins: RelayOrigins, relay: () => string) {
  return async (request: Request): Promise<Response> => {
    const { method } = request
    if (!['GET', 'POST', 'DELETE'].includes(method)) return failed(405, 'GET, POST or DELETE it.')
    if (method !== 'GET') {
      const fields = await readFields(request, ['origin'])
      if (fields instanceof Response) return fields
      const why = method === 'POST' ? origins.add(fields['origin']) : origins.remove(fields['origin'])
      if (why !== undefined) return failed(400, why)
    }
    return json({ relay: relay(), origins: origins.list() })
  }
}
