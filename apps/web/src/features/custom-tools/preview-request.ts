import type { CustomToolInput } from '#domain/custom-tool.ts'
import { Failed } from '#domain/failure.ts'
import { fillRequest } from '#domain/fill-request.ts'
import type { Server } from '#domain/server.ts'
import type { RequestToShow } from './shown-request.tsx'

/** The headers that a collection sends along to its own origin, by name. */
function credentialNames({ authentication, headerNames }: Pick<Server, 'authentication' | 'headerNames'>): string[] {
  const own =
    authentication.type === 'bearer' || authentication.type === 'basic'
      ? ['authorization']
      : authentication.type === 'api-key'
        ? [authentication.header.toLowerCase()]
        : []
  return [...new Set([...headerNames, ...own])]
}

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined)

/** What a call with these arguments would send, or why it could not. */
export function previewRequest(
  tool: CustomToolInput,
  args: Record<string, unknown>,
  server: Pick<Server, 'url' | 'authentication' | 'headerNames'>,
): { request: RequestToShow; isStrange: boolean } | { problem: string } {
  try {
    const { headers, ...request } = fillRequest(tool, args)
    const isOwn = originOf(request.url) === originOf(server.url)
    const secret = isOwn ? credentialNames(server) : []
    const open = Object.entries(headers).filter(([name]) => !secret.includes(name))
    return {
      request: {
        ...request,
        headers: [...open.map(([name, value]) => ({ name, value })), ...secret.map((name) => ({ name }))],
      },
      // The collection knows who asks, and this address is not to be told.
      isStrange: !isOwn && credentialNames(server).length > 0,
    }
  } catch (error) {
    if (error instanceof Failed) return { problem: error.message.replace(/^.*? was not called\. /, '') }
    throw error
  }
}
