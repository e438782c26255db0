import type { HttpLink } from './http-link.ts'
import { SSE_TYPE } from './response.ts'

/** The headers of a request for a stream, after its last event where there was one. */
export function getHeaders(link: HttpLink, lastId?: string): Record<string, string> {
  const headers: Record<string, string> = { ...link.sessionHeaders(), accept: SSE_TYPE }
  delete headers['content-type']
  // As bytes of UTF-8, like a browser's own event source: as text it could not stand in a header.
  if (lastId) headers['last-event-id'] = String.fromCharCode(...new TextEncoder().encode(lastId))
  return headers
}
