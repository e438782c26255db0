import { isObject, type JsonObject } from '../jsonrpc.ts'
import type { InitializeResult } from '../model.ts'
import type { Era } from './era.ts'
import { SERVER_INFO } from './era-2026-07-28.ts'
import { STATELESS_REVISIONS } from './revisions.ts'

/** The stateless revision to speak with a server that answered `server/discover`; undefined: it knows only sessions. */
export function judgeDiscovery({ supportedVersions }: JsonObject): string | undefined {
  return Array.isArray(supportedVersions)
    ? STATELESS_REVISIONS.find((known) => supportedVersions.includes(known))
    : undefined
}

/** What a discovery tells, in the shape of an initialize result. */
export function readDiscovery({ revision }: Era, { _meta, ...result }: JsonObject): InitializeResult {
  return readInitialize(result, revision, (isObject(_meta) && _meta[SERVER_INFO]) || result['serverInfo'])
}

/** An initialize result with everything in its place, whatever the server left out. */
export function readInitialize(
  result: JsonObject,
  protocolVersion = result['protocolVersion'],
  serverInfo = result['serverInfo'],
): InitializeResult {
  const { capabilities, instructions } = result
  const info = isObject(serverInfo) ? serverInfo : {}
  return {
    ...result,
    protocolVersion: textOf(protocolVersion),
    capabilities: isObject(capabilities) ? capabilities : {},
    serverInfo: { ...info, name: textOf(info['name']), version: textOf(info['version']) },
    // Not where there are none: a place for them would be added at some cost.
    ...(instructions !== undefined && { instructions: typeof instructions === 'string' ? instructions : undefined }),
  } as InitializeResult
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
