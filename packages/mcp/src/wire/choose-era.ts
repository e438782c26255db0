import { isMCPError } from '../errors.ts'
import { isObject, type JsonObject } from '../jsonrpc.ts'
import type { InitializeResult, ServerCapabilities } from '../model.ts'
import type { Era } from './era.ts'
import { SERVER_INFO } from './era-2026-07-28.ts'
import { SESSION_REVISIONS, STATELESS_REVISIONS } from './revisions.ts'

/** What the answer to `server/discover` says about the server. */
export type Verdict = { revision: string } | 'session'

const isStateless = (revision: unknown): revision is string => STATELESS_REVISIONS.includes(revision as string)

/** Reads a result: a server of the stateless era names revisions that we know. */
export function judgeDiscovery(result: JsonObject): Verdict {
  const supported = result['supportedVersions']
  const revision = Array.isArray(supported) ? supported.find(isStateless) : undefined
  return revision ? { revision } : 'session'
}

/** Reads a failure by its body, never by one code alone; throws it when it belongs to neither answer. */
export function judgeDiscoveryFailure(error: unknown): Verdict {
  if (!isMCPError(error)) throw error
  const { reason, code, data } = error
  if (reason === 'unauthorized' || reason === 'redirect' || reason === 'closed' || reason === 'too-large') throw error
  if (reason === 'rpc') {
    // Only a server of the stateless era knows these: what it refuses, initialize would not mend.
    if (code === -32020 || code === -32021) throw error
    if (code === -32022 && isObject(data)) return judgeDiscovery({ supportedVersions: data['supported'] })
  }
  return 'session'
}

/** What a discovery tells, in the shape of an initialize result. */
export function readDiscovery(
  era: Era,
  { capabilities, instructions, serverInfo, _meta }: JsonObject,
): InitializeResult {
  const info = isObject(_meta) ? (_meta[SERVER_INFO] ?? serverInfo) : serverInfo
  return readInitialize({ protocolVersion: era.revision, capabilities, instructions, serverInfo: info })
}

/** An initialize result with everything in its place, whatever the server left out. */
export function readInitialize(result: JsonObject): InitializeResult {
  const { protocolVersion, capabilities, serverInfo, instructions } = result
  const { name, version } = isObject(serverInfo) ? serverInfo : {}
  return {
    ...result,
    protocolVersion: String(protocolVersion),
    capabilities: isObject(capabilities) ? (capabilities as ServerCapabilities) : {},
    serverInfo: { ...(serverInfo as object), name: String(name ?? ''), version: String(version ?? '') },
    ...(typeof instructions === 'string' && { instructions }),
  } as InitializeResult
}

export const speaksSessions = (revision: string): boolean => SESSION_REVISIONS.includes(revision)
