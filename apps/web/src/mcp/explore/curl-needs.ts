import type { JsonObject } from '@switchboard/mcp'
import type { CurlNeeds, CurlRequest, Placeholder } from '#domain/as-curl.ts'
import { Failed } from '#domain/failure.ts'
import type { Server } from '#domain/server.ts'
import type { Connected } from '../connections.ts'
import type { ListedTool } from '../read-tools.ts'
import { rehearseCall } from './rehearse-call.ts'

const SESSION_ID = 'the-session'
const SESSION_HEADER = 'mcp-session-id'
/** What curl says by itself. */
const OWN = /^(content-length|host|user-agent)$/

/** Everything that a command line for this call is made of; of secrets, only the places where they belong. */
export async function curlNeeds(
  { server, client }: Pick<Connected, 'server' | 'client'>,
  { definition }: ListedTool,
  args: JsonObject,
  origin: string,
): Promise<CurlNeeds> {
  if (server.transport === 'custom')
    throw new Failed(
      'bad-input',
      `${server.name} is no server: its tools are addresses of their own, shown where they are made.`,
    )
  const hasSession = client.getSessionId() !== undefined
  const protocolVersion = client.getProtocolVersion() ?? ''
  const tool = { name: definition.name, inputSchema: definition.inputSchema }
  const sent = await rehearseCall({ protocolVersion, tool, args, ...(hasSession && { sessionId: SESSION_ID }) })
  const wanted = hasSession ? ['initialize', 'notifications/initialized', 'tools/call'] : ['tools/call']
  return {
    url: addressOf(server, origin),
    credentials: credentialsOf(server),
    hasSession,
    mayNeedSignIn: server.authentication.type === 'auto',
    requests: sent
      .filter(({ method }) => wanted.includes(method))
      .map(
        ({ headers, body }): CurlRequest => ({
          headers: Object.entries(headers).filter(([name]) => !OWN.test(name) && name !== SESSION_HEADER),
          inSession: SESSION_HEADER in headers,
          body,
        }),
      ),
  }
}

/** Where a command line finds it: no relay is needed there, and a program of this machine is behind the companion. */
const addressOf = ({ transport, url, companionName = '' }: Server, origin: string): string =>
  transport === 'stdio' ? `${origin}/mcp/${encodeURIComponent(companionName)}` : url

function credentialsOf({ transport, authentication, headerNames }: Server): Placeholder[] {
  if (transport === 'stdio') return [{ header: 'x-switchboard-token', before: '', variable: 'COMPANION_TOKEN' }]
  const extra = headerNames.map((name): Placeholder => ({ header: name, before: '', variable: variableOf(name) }))
  switch (authentication.type) {
    case 'auto':
    case 'none':
      return extra
    case 'bearer':
    case 'oauth2':
      return [...extra, { header: 'authorization', before: 'Bearer ', variable: 'TOKEN' }]
    case 'api-key':
      return [...extra, { header: authentication.header.trim() || 'x-api-key', before: '', variable: 'API_KEY' }]
    case 'basic':
      return [...extra, { user: authentication.user, variable: 'PASSWORD' }]
  }
}

/** A name that a shell takes for a variable. */
const variableOf = (header: string): string => `HEADER_${header.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`
