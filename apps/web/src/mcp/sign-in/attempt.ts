import { Failed } from '#domain/failure.ts'
import { secretId } from '#domain/sealed.ts'

/** Sign-ins are known by their state: whose they are, and 256 bits that nobody can guess. */
const STATE = /^([\w-]{1,100})\.[\w-]{43}$/
/** No honest answer is longer. */
const MAX_ANSWER = 16_384

export function newState(serverId: string): string {
  const bytes = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)))
  return `${serverId}.${btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}

/** Whose answer this is, by the state that went with the question; `answer` is the query of the page people come back to. */
export function serverOfAnswer(answer: string): string {
  const query = new URLSearchParams(answer.length > MAX_ANSWER ? '' : answer)
  const serverId = STATE.exec(query.get('state') ?? '')?.[1]
  if (serverId === undefined)
    throw new Failed('sign-in-needed', 'Somebody came back from signing in, but nobody was sent. Begin anew.')
  return serverId
}

/** Where the verifier of an attempt and all that its answer is measured by lie until somebody comes back. */
export const attemptId = (serverId: string, state: string): string =>
  secretId('mcpOAuthTokens', serverId, `attempt ${state}`)
