import type { Question } from '@switchboard/mcp/oauth'
import type { SignInDoubt, SignInOffer } from '#domain/server.ts'

/** More would be no list to read before a click. */
const MAX_SCOPES = 50
const MAX_SCOPE = 100

interface Before {
  /** Of the tokens that are there. */
  scope?: string | undefined
  /** Who gave the last ones. */
  issuer?: string | undefined
}

/** What a person is told before they go to this address. `issuer` is who signs them in, `before` who did and for what. */
export function readOffer(
  serverId: string,
  url: URL,
  issuer: string,
  before: Before,
  questions: readonly Question[],
  until: number,
): SignInOffer {
  const scopes = words(url.searchParams.get('scope') ?? '')
  const had = before.scope === undefined ? undefined : new Set(words(before.scope))
  const moved = before.issuer !== undefined && before.issuer !== issuer
  const doubts = questions.flatMap(doubtOf)
  return {
    serverId,
    url: url.href,
    host: url.host,
    scopes,
    // With no rights before, none of them is more than before.
    added: had ? scopes.filter((scope) => !had.has(scope)) : [],
    ...(moved && { changedFrom: hostOf(before.issuer ?? '') }),
    ...(doubts.length > 0 && { doubts }),
    until,
  }
}

const words = (scope: string): string[] =>
  scope
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, MAX_SCOPES)
    .map((word) => word.slice(0, MAX_SCOPE))

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : '')

function doubtOf(question: Question): SignInDoubt[] {
  switch (question.kind) {
    case 'foreign-endpoints': {
      const { issuer, authorization, token, others } = question
      const hosts = new Set([issuer, authorization ?? issuer, token, ...others].map(hostOf))
      return [{ kind: 'other-hosts', hosts: [...hosts] }]
    }
    case 'foreign-metadata':
      return [{ kind: 'foreign-metadata', server: hostOf(question.server), metadata: hostOf(question.metadata) }]
    case 'no-pkce':
      return [{ kind: 'no-pkce' }]
    case 'parent-resource':
      return [{ kind: 'parent-resource', resource: question.resource }]
    case 'provider-changed':
      return []
  }
}
