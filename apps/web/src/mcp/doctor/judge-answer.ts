import type { Fix } from '#domain/diagnosis.ts'
import { wantsPassword } from '../challenge-schemes.ts'
import type { Answer, Evidence } from './evidence.ts'
import { headerBlock, readableBlock } from './header-block.ts'
import { inWords, openings, type Verdict } from './verdict.ts'

type Answered = Extract<Answer, { type: 'answered' }>

/** The server answered, and the page may read it: what is wrong is in the answer, or in what follows it. */
export function judgeAnswer(evidence: Evidence, post: Answered): Verdict {
  const { url, failure, identityHeaders, sessionHeaders, statelessHeaders, ownHeaders, second } = evidence
  const { host } = new URL(url)
  const refuses = (names: readonly string[]): Verdict => ({
    layer: 'cors-headers',
    sentence: `${host} answers, and does not let pages send it ${inWords(names)} (CORS).`,
    fixes: openings(evidence),
  })
  if (identityHeaders?.type === 'failed') return refuses(ownHeaders)
  // Until it is known who asks, nothing else can be told; unless the real one, which did say it, came further.
  if (post.status === 401 || post.status === 403)
    return failure.code === 'sign-in-needed' || ownHeaders.length === 0 ? signIn(evidence, post) : asItWas(evidence)
  if (post.status === 429)
    return { layer: 'server-error', sentence: `${host} gets more requests than it takes.`, fixes: [{ type: 'wait' }] }
  if (post.status >= 500)
    return {
      layer: 'server-error',
      sentence: `${host} answers with an error of its own (HTTP ${post.status}). Its log says more.`,
      fixes: [{ type: 'wait' }],
    }
  if (post.body === 'mcp' || post.body === 'mcp-error') {
    if (post.body === 'mcp-error' && statelessHeaders?.type === 'failed')
      return refuses(['mcp-protocol-version', 'mcp-method', 'mcp-name'])
    if (sessionHeaders?.type === 'failed') return refuses(['mcp-protocol-version', 'mcp-session-id'])
    if (second?.type === 'answered' && second.status >= 400 && second.status < 500 && second.status !== 401)
      return {
        layer: 'cors-headers',
        sentence: `${host} begins a session, and keeps its id from the page: mcp-session-id is not among the headers that it exposes (CORS).`,
        fixes: openings(evidence),
      }
    return asItWas(evidence)
  }
  return noMcp(evidence, post)
}

/** It spoke MCP with us just now: what the connection itself heard is the best that is known. */
function asItWas({ failure, url, authentication }: Evidence): Verdict {
  const wait: Fix[] = [{ type: 'wait' }]
  const { host } = new URL(url)
  if (failure.code === 'timeout')
    return { layer: 'time-out', sentence: `${host} is there, and did not answer in time.`, fixes: wait }
  if (failure.code === 'sign-in-needed')
    return {
      layer: 'authorization',
      sentence: failure.message,
      fixes: [{ type: 'authentication', to: authentication === 'none' ? 'auto' : authentication }],
    }
  if (failure.code === 'server-unreachable' || failure.code === 'rate-limit')
    return { layer: 'server-error', sentence: failure.message, fixes: wait }
  return { layer: 'protocol', sentence: failure.message, fixes: wait }
}

function noMcp({ url, elsewhere, get }: Evidence, { status, body }: Answered): Verdict {
  const { host, pathname } = new URL(url)
  const isOld = get?.type === 'answered' && get.status === 200 && get.body === 'stream'
  const what =
    status === 404
      ? `there is nothing at ${pathname}`
      : body === 'html'
        ? 'it answers with a web page'
        : status === 405 || status === 415
          ? `it takes no messages at ${pathname} (HTTP ${status})`
          : `it answers with something else (HTTP ${status})`
  const where = elsewhere === undefined ? '' : ` It is spoken at ${new URL(elsewhere).pathname}.`
  return {
    layer: 'protocol',
    sentence: `${host} was reached, but no MCP is spoken there: ${what}.${where}${isOld ? ' Its event stream is of the oldest kind.' : ''}`,
    fixes: elsewhere === undefined ? [{ type: 'wait' }] : [{ type: 'address', url: elsewhere }],
  }
}

function signIn(evidence: Evidence, { status, challenge }: Answered): Verdict {
  const { url, authentication, appOrigin, signIn: found, ownHeaders } = evidence
  const { host } = new URL(url)
  const layer = 'authorization'
  const byHand: Fix[] = [{ type: 'authentication', to: 'bearer' }]
  if (ownHeaders.length > 0)
    return {
      layer,
      sentence: `${host} refuses what it was told of you (HTTP ${status}): the ${SECRETS[authentication] ?? 'sign-in'} is wrong, has run out, or is for something else.`,
      fixes: [{ type: 'authentication', to: authentication }],
    }
  if (wantsPassword(challenge))
    return {
      layer,
      sentence: `${host} asks for a user name and a password.`,
      fixes: [{ type: 'authentication', to: 'basic' }],
    }
  if (status === 403)
    return {
      layer,
      sentence: `${host} forbids this (HTTP 403): it may want a sign-in, or let only some in.`,
      fixes: byHand,
    }
  const issuer = found?.issuer
  if (issuer?.document === 'read')
    return {
      layer,
      sentence: `${host} wants a sign-in, which ${issuer.host} gives.`,
      fixes: authentication === 'auto' ? [{ type: 'wait' }] : [{ type: 'authentication', to: 'auto' }],
    }
  if (issuer?.document === 'hidden')
    return {
      layer,
      sentence: `${host} wants a sign-in at ${issuer.host}, and that does not let pages read how (no CORS headers).`,
      fixes: [{ type: 'headers', text: readableBlock(appOrigin) }, ...byHand],
    }
  if (issuer)
    return {
      layer,
      sentence: `${host} wants a sign-in at ${issuer.host}, and ${TROUBLE[issuer.document]}.`,
      fixes: byHand,
    }
  if (found?.resource === 'hidden')
    return {
      layer,
      sentence: `${host} wants a sign-in, and does not let pages read where (no CORS headers there).`,
      fixes: [{ type: 'headers', text: headerBlock(appOrigin, ownHeaders) }, ...byHand],
    }
  return {
    layer,
    sentence: `${host} wants to know who you are, and does not say where to sign in. It may take a token or a key.`,
    fixes: byHand,
  }
}

const SECRETS: Partial<Record<Evidence['authentication'], string>> = {
  bearer: 'token',
  'api-key': 'key',
  basic: 'name or password',
}

const TROUBLE = {
  missing: 'that does not describe itself as one that gives sign-ins',
  unreachable: 'nobody answers there',
  forbidden: 'that is an address this app does not ask: it is not https',
} as const
