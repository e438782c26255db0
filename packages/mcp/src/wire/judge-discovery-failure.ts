import { isMCPError, type MCPError } from '../errors.ts'
import { isObject } from '../jsonrpc.ts'
import { judgeDiscovery } from './choose-era.ts'

/** The stateless revision that a failed `server/discover` still tells of, read from its body, never from one code alone; throws it when no era would mend it. */
export function judgeDiscoveryFailure(error: unknown): string | undefined {
  if (!isMCPError(error)) throw error
  const { reason, code, data, statusCode } = error
  // Only a server of the stateless era knows these codes.
  const known = reason === 'rpc' && (code === -32020 || code === -32021)
  if (known || statusCode === 403 || /unauthorized|redirect|closed|too-large/.test(reason)) throw error
  return code === -32022 && isObject(data) ? judgeDiscovery({ supportedVersions: data['supported'] }) : undefined
}

/** Whether a failed `server/discover` says nothing about the era: no answer came, or only that of an overloaded gateway. */
export function tellsNothing(failure: unknown): failure is MCPError {
  if (!isMCPError(failure)) return false
  const { reason, statusCode } = failure
  return failure.isNetworkError() || (reason === 'http' && /^(429|50[234])$/.test(`${statusCode}`))
}
