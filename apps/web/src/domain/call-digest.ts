import type { ToolCall } from './tool-call.ts'

export type DigestedCall = Pick<ToolCall, 'serverId' | 'endpoint' | 'fingerprint' | 'toolName' | 'arguments'>

/** SHA-256 over who is called, where, by which definition and with what: two calls with one digest are the same call. */
export async function callDigest(call: DigestedCall): Promise<string> {
  // As JSON no part can pretend to be the end of the part before it.
  const said = JSON.stringify([call.serverId, call.endpoint, call.fingerprint, call.toolName, call.arguments])
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(said)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
