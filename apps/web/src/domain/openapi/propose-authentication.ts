import type { Authentication } from '../server.ts'
import { isSafeHeader } from '../safe-header.ts'
import { resolved } from './follow-reference.ts'
import { isJson, type Json, memberOf, textOf } from './read-document.ts'

/** A way to say who asks, as the document has it. */
export interface SignInProposal {
  name: string
  /** None where it cannot be done from here. */
  authentication?: Authentication
  words: string
}

const MAX_SCHEMES = 20

/** How the API wants to know who asks, what it names for all of its operations first. */
export function proposeAuthentication(document: Json): SignInProposal[] {
  const schemes = memberOf(memberOf(document, 'components'), 'securitySchemes')
  if (!isJson(schemes)) return []
  const general = Array.isArray(document['security']) ? document['security'].filter(isJson).flatMap(Object.keys) : []
  return Object.entries(schemes)
    .slice(0, MAX_SCHEMES)
    .map(([name, scheme]) => proposal(textOf(name, 60), resolved(document, scheme)))
    .sort((a, b) => rank(a, general) - rank(b, general))
}

const rank = ({ name, authentication }: SignInProposal, general: readonly string[]): number =>
  (authentication ? 0 : 2) + (general.includes(name) ? 0 : 1)

function proposal(name: string, scheme: unknown): SignInProposal {
  const type = memberOf(scheme, 'type')
  const kind = textOf(memberOf(scheme, 'scheme'), 40).toLowerCase()
  const header = textOf(memberOf(scheme, 'name'), 100)
  if (type === 'http' && kind === 'bearer') return { name, authentication: { type: 'bearer' }, words: 'a bearer token' }
  if (type === 'http' && kind === 'basic')
    return { name, authentication: { type: 'basic', user: '' }, words: 'user and password' }
  if (type === 'apiKey' && memberOf(scheme, 'in') === 'header' && isSafeHeader(header))
    return { name, authentication: { type: 'api-key', header }, words: `a key in the header ${header}` }
  if (type === 'apiKey' && /^authorization$/i.test(header))
    return { name, authentication: { type: 'api-key', header }, words: 'a key in the header Authorization' }
  if (type === 'apiKey')
    return {
      name,
      words: `a key in the ${textOf(memberOf(scheme, 'in'), 20) || 'request'}, which is not sent from here`,
    }
  if (type === 'oauth2' || type === 'openIdConnect')
    return {
      name,
      authentication: { type: 'bearer' },
      words: 'a sign-in (OAuth), which is not made for custom tools: enter a token that you got elsewhere',
    }
  return { name, words: 'something that is not known here' }
}
