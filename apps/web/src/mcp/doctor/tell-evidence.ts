import type { Answer, CompanionSight, Evidence, SeenAnswer } from './evidence.ts'

/** What was asked and what came of it, for who wants to know or has to be told. */
export function tellEvidence(evidence: Evidence): string[] {
  const { signIn, companion, localNetwork, failure, elsewhere } = evidence
  const lines: (string | undefined)[] = [
    `The connection: ${failure.message}`,
    told('Knocking, without looking at the answer', evidence.knock),
    told('GET', evidence.get),
    told('POST initialize', evidence.post),
    told('POST with the headers of a session', evidence.sessionHeaders),
    told('POST with the headers of the newest revision', evidence.statelessHeaders),
    told(`POST with ${evidence.ownHeaders.join(', ')}`, evidence.identityHeaders),
    told('A second message, without a session', evidence.second),
    elsewhere && `MCP is spoken at ${elsewhere}`,
    signIn && `The description of who signs in: ${DOCUMENTS[signIn.resource]}`,
    signIn?.issuer && `The description of ${signIn.issuer.host}: ${DOCUMENTS[signIn.issuer.document]}`,
    localNetwork && `The browser's permission ${localNetwork.name}: ${localNetwork.state}`,
    companion && `The companion: ${sightInWords(companion)}`,
  ]
  return lines.filter((line): line is string => line !== undefined && line !== '')
}

const DOCUMENTS = {
  read: 'read',
  hidden: 'there, but hidden from pages (CORS)',
  missing: 'not there',
  unreachable: 'nobody answers',
  forbidden: 'not asked for: its address is not https',
} as const

const told = (what: string, answer: Answer | undefined): string | undefined => answer && `${what}: ${inWords(answer)}`

function inWords(answer: Answer): string {
  switch (answer.type) {
    case 'answered':
      return [
        `HTTP ${answer.status}`,
        answer.contentType,
        answer.sessionId === undefined ? '' : 'with a session id',
        answer.challenge === undefined ? '' : `www-authenticate: ${answer.challenge.slice(0, 200)}`,
      ]
        .filter(Boolean)
        .join(', ')
    case 'redirected':
      return 'led elsewhere'
    case 'hidden':
      return 'somebody answered'
    case 'failed':
      return 'the browser gave no answer'
    case 'late':
      return 'no answer within 3 s'
  }
}

const sightInWords = (sight: CompanionSight): string =>
  sight.outcome === 'answered'
    ? `OPTIONS: ${seenInWords(sight.preflight)}; GET: ${seenInWords(sight.answer)}`
    : sight.reason || sight.outcome

const seenInWords = ({ status, headers }: SeenAnswer): string =>
  [`HTTP ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join(', ')
