import type { CallToolResult } from '@switchboard/mcp'
import type { CustomTool, CustomToolInput } from '#domain/custom-tool.ts'
import { Failed } from '#domain/failure.ts'
import { type FilledRequest, fillRequest } from '#domain/fill-request.ts'
import type { Server } from '#domain/server.ts'
import type { Companion } from '../companion.ts'
import { routeOf } from '../companion-route.ts'
import type { Credentials } from '../credentials.ts'
import type { Pace } from '../pace-requests.ts'
import { readAnswer } from './read-answer.ts'
import { sendRequest } from './send-request.ts'

/** The collection that a tool belongs to, and what it takes to ask for it. */
export interface Collection {
  server: Pick<Server, 'url' | 'relay' | 'timeoutSeconds' | 'retries'>
  credentials: Credentials
  companion: Companion
  appOrigin: string
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Where the user set a limit. */
  pace?: Pace | undefined
}

export interface Ran {
  request: FilledRequest
  /** The headers that say who asks, by name; their values are secret. */
  credentialNames: string[]
  status: number
  result: CallToolResult
}

/** Makes the request of a custom tool, and tells what came of it. Rejects with `Failed`. */
export async function runTool(
  tool: CustomTool | CustomToolInput,
  args: Record<string, unknown>,
  collection: Collection,
  { signal, onactivity = () => {} }: { signal: AbortSignal; onactivity?: ((waitMs: number) => void) | undefined },
): Promise<Ran> {
  const { server, credentials, companion, appOrigin, fetch, pace } = collection
  const request = fillRequest(tool, args)
  // The relay passes on what MCP needs, and no more.
  if (server.relay && (request.method === 'PUT' || request.method === 'PATCH'))
    throw new Failed(
      'tool-failed',
      `${tool.name} was not called: the companion passes on GET, POST and DELETE, and not ${request.method}.`,
    )
  const { host } = new URL(request.url)
  // What was entered for one origin is for nobody else, whatever address a tool has.
  const own = isOwnOrigin(request.url, server.url) ? credentials : { headers: {}, secrets: [] }
  const headers = { ...request.headers, ...own.headers }
  const { relay } = server
  const route = await routeOf({ transport: 'streamable-http', url: request.url, relay }, headers, companion, appOrigin)
  const answer = await sendRequest(request, {
    name: tool.name,
    route,
    timeoutMs: server.timeoutSeconds * 1000,
    retries: server.retries,
    isRelayed: relay,
    appOrigin,
    fetch,
    pace,
    signal,
    onactivity,
  })
  return {
    request,
    credentialNames: Object.keys(own.headers),
    status: answer.status,
    result: readAnswer(answer, host, own.secrets),
  }
}

export const isOwnOrigin = (url: string, base: string): boolean =>
  URL.canParse(base) && URL.canParse(url) && new URL(base).origin === new URL(url).origin
