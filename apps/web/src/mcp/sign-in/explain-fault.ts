import { type OAuthError, type OAuthFault, oauthErrorOf } from '@switchboard/mcp/oauth'
import { Failed } from '#domain/failure.ts'
import { visibleText } from '#lib/visible-text.ts'

type Faults = { [Fault in OAuthFault]?: (server: string, error: OAuthError) => string }

const retry = 'Begin the sign-in anew.'
const operator = 'Nothing was sent. Tell who runs it.'
const WORDS: Faults = {
  'sign-in-needed': (server) => `${server} wants you to sign in.`,
  denied: (server, { oauthCode }) =>
    oauthCode === 'access_denied'
      ? `The sign-in to ${server} was declined. You can try again.`
      : `The sign-in to ${server} did not work (${oauthCode ?? 'no reason given'}). You can try again.`,
  timeout: (server) => `The sign-in to ${server} took too long. ${retry}`,
  'foreign-answer': (server) =>
    `What came back does not belong to a sign-in to ${server} that was begun here. ${retry}`,
  'token-refused': (server, { oauthCode }) =>
    `The sign-in to ${server} was not accepted${oauthCode ? ` (${oauthCode})` : ''}. ${oauthCode?.includes('_client') ? 'Check the client id and its secret or key under Authentication.' : retry}`,
  'scope-refused': (server) =>
    `${server} wants more rights than the sign-in gave, and signing in again did not help. Ask who runs it for them.`,
  'registration-refused': (server) =>
    `Who signs people in for ${server} does not let this app register itself. Register it there, and enter its client id under Authentication.`,
}

/** Whatever ended a sign-in, as a failure with a next step. `about` is whose, for a person. */
export function explainFault(error: unknown, server: string): Failed {
  if (error instanceof Failed) return error
  const fault = oauthErrorOf(error)
  if (!fault) {
    // Of the platform, or of a provider's options; it may quote what it was given.
    const isKey = error instanceof TypeError && error.message.startsWith('privateKey')
    return new Failed(
      isKey ? 'bad-input' : 'sign-in-needed',
      isKey
        ? `The private key for ${server} does not fit its algorithm: it has to be a JWK, or PEM that begins with BEGIN PRIVATE KEY.`
        : `The sign-in to ${server} failed. ${retry}`,
    )
  }
  const words = WORDS[fault.fault]
  // Without a document that says where to sign in, only what the person has at hand can help.
  const wants = fault.fault === 'bad-document' ? 'bearer' : undefined
  return new Failed('sign-in-needed', words ? words(server, fault) : otherwise(fault, server), { wants })
}

/** The first sentence of a library's message says what happened. The rest tells programmers which option to set. */
const forPerson = (message: string): string =>
  visibleText(message.replace(/(?:\. [A-Z]|: (?:allow|agree) ).*$/s, '')).slice(0, 400)

/** What the library says names host and document, and no secret. */
function otherwise({ fault, message }: OAuthError, server: string): string {
  const what = forPerson(message)
  switch (fault) {
    case 'network':
      return `Signing in to ${server} is not possible now: ${what}.`
    case 'no-client':
      return `Signing in to ${server} needs a client id: ${what}. Enter it under Authentication.`
    case 'bad-document':
      return `${server} requires authentication, and you can't sign in from here: ${what}. If you have a token, a key or a password for it, enter it under Authentication.`
    default:
      return `Signing in to ${server} is not safe as it is set up: ${what}. ${operator}`
  }
}
