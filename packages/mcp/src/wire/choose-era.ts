import { isObject, type JsonObject } from '../jsonrpc.ts'
import type { InitializeResult } from '../model.ts'
import type { Era } from './era.ts'
import { SERVER_INFO } from './era-2026-07-28.ts'
import { STATELESS_REVISIONS } from './revisions.ts'

/** The stateless revision to speak with a server that answered `server/discover`; undefined: it knows only sessions. */
export function judgeDiscovery({ supportedVersions }: JsonObject): string | undefined {
  return STATELESS_REVISIONS.find((known) => Array.isArray(supportedVersions) && supportedVersions.includes(known))
}

/** What a discovery tells, in the shape of an initialize result. */
export function readDiscovery({ revision }: Era, result: JsonObject): InitializeResult {
  const { _meta } = result
  return readInitialize(result, revision, (isObject(_meta) && _meta[SERVER_INFO]) || result['serverInfo'])
}

/** Puts everything of an initialize result in its place, whatever the server left out. Not in a copy: that takes longer. */
export function readInitialize(
  result: JsonObject,
  protocolVersion = result['protocolVersion'],
  serverInfo = result['serverInfo'],
): InitializeResult {
  const { capabilities, instructions } = result
  const info = isObject(serverInfo) ? serverInfo : {}
  result['protocolVersion'] = textOf(protocolVersion)
  result['capabilities'] = isObject(capabilities) ? capabilities : {}
  result['serverInfo'] = { ...info, name: textOf(info['name']), version: textOf(info['version']) }
  result['instructions'] = textOf(instructions) || undefined
  return result as unknown as InitializeResult
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
