import { MCPError } from '../errors.ts'

/** Why something is no app. Not in the words of failure.ts: imported from here they would be in everybody's bundle. */
export function refusal(what: string, about: unknown): MCPError {
  const quoted = (typeof about === 'string' ? about : JSON.stringify(about)).slice(0, 200).replace(/[\p{C}\s]+/gu, ' ')
  return new MCPError(`${what}: ${quoted}`, 'protocol')
}
