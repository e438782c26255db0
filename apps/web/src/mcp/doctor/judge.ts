import type { Diagnosis, Fix } from '#domain/diagnosis.ts'
import { isLoopback } from '#domain/loopback.ts'
import type { Answer, CompanionSight, Evidence } from './evidence.ts'
import { isPrivateName } from './is-private-name.ts'
import { judgeAnswer } from './judge-answer.ts'
import { tellEvidence } from './tell-evidence.ts'
import { inWords, openings, throughCompanion, type Verdict } from './verdict.ts'

/** From what was seen to the layer that failed. Nothing is asked here. */
export function judge(evidence: Evidence): Diagnosis {
  const verdict = evidence.isRelayed ? judgeRelayed(evidence) : judgeDirect(evidence)
  return { ...verdict, evidence: tellEvidence(evidence) }
}

const type = (answer: Answer | undefined) => answer?.type

function judgeDirect(evidence: Evidence): Verdict {
  const { post, get, knock, isOnline, url, companion } = evidence
  const { hostname } = new URL(url)
  if (!isOnline && !isLoopback(hostname))
    return { layer: 'unreachable', sentence: 'This device is offline.', fixes: [{ type: 'wait' }] }
  if (post?.type === 'answered') return judgeAnswer(evidence, post)
  if (type(post) === 'redirected' || type(get) === 'redirected') return redirect(evidence)
  // A browser shows no answer; the companion sees whether there is one.
  if (companion?.outcome === 'answered' && isRedirect(companion.answer.status)) return redirect(evidence)
  if (type(knock) === 'late' || (type(post) === 'late' && type(knock) !== 'failed')) return late(evidence)
  if (type(get) === 'answered' || type(knock) === 'hidden' || type(knock) === 'answered') return forbidden(evidence)
  return nobody(evidence)
}

/** The companion did the asking: what browsers may does not count. */
function judgeRelayed(evidence: Evidence): Verdict {
  const { post, companion, failure, name, reach, url } = evidence
  if (!companion)
    return {
      layer: 'companion',
      sentence: `${name} is reached through the companion, and that does not answer.`,
      fixes: [{ type: 'companion' }],
    }
  if (companion.outcome !== 'answered') return bySight(evidence, companion)
  if (reach?.help)
    return {
      layer: 'companion',
      sentence: `The companion may not reach ${new URL(url).host} yet. It is an address of your own network, so you have to allow it outside the browser.`,
      fixes: throughCompanion(evidence),
    }
  if (isRedirect(companion.answer.status)) return redirect(evidence)
  if (post?.type === 'late') return late(evidence)
  if (post?.type === 'answered') return judgeAnswer(evidence, post)
  return { layer: 'companion', sentence: failure.message, fixes: [{ type: 'companion' }] }
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400

function redirect({ url, companion }: Evidence): Verdict {
  const { host } = new URL(url)
  const location = companion?.outcome === 'answered' ? companion.answer.headers['location'] : undefined
  const target = location !== undefined && URL.canParse(location, url) ? new URL(location, url) : undefined
  const isUsable = target && (target.protocol === 'https:' || isLoopback(target.hostname))
  return {
    layer: 'redirect',
    sentence: `${host} leads elsewhere${target ? `, to ${target.host}` : ''}. Nobody is followed: what you enter is for one address.`,
    fixes: isUsable ? [{ type: 'address', url: target.href }] : [{ type: 'wait' }],
  }
}

function late({ url, knock, companion, hasCompanion }: Evidence): Verdict {
  const { host } = new URL(url)
  const isThere = knock?.type === 'hidden' || knock?.type === 'answered' || companion?.outcome === 'answered'
  return {
    layer: 'time-out',
    sentence: isThere
      ? `${host} is there, and does not answer the first message in time.`
      : `${host} does not answer in time: it hangs, or something on the way drops what is sent.`,
    fixes: [{ type: 'wait' }, ...(hasCompanion || isThere ? [] : [{ type: 'companion' } as const])],
  }
}

/** Somebody is there, and the browser may not use the answer. */
function forbidden(evidence: Evidence): Verdict {
  const { url, appOrigin, get, companion } = evidence
  const { host } = new URL(url)
  const fixes = openings(evidence)
  const seen = companion?.outcome === 'answered' ? companion : undefined
  if (seen && seen.answer.status >= 500)
    return {
      layer: 'server-error',
      sentence: `${host} answers with an error of its own (HTTP ${seen.answer.status}).`,
      fixes: [{ type: 'wait' }],
    }
  const isReadable = get?.type === 'answered' || seen?.answer.headers['access-control-allow-origin'] !== undefined
  const isAsked = seen && allows(seen.preflight.headers['access-control-allow-origin'], appOrigin)
  if (isAsked && seen.preflight.status >= 200 && seen.preflight.status < 300) {
    const missing = missingHeaders(evidence, seen)
    return missing.length > 0
      ? {
          layer: 'cors-preflight',
          sentence: `${host} does not let pages of ${appOrigin} send ${inWords(missing)} (CORS).`,
          fixes,
        }
      : {
          layer: 'cors-headers',
          sentence: `${host} lets pages of ${appOrigin} ask, and then hides its answers from them (CORS).`,
          fixes,
        }
  }
  if (isReadable)
    return {
      layer: 'cors-preflight',
      sentence: `${host} answers, and refuses when the browser asks whether this page may send it messages (CORS preflight).`,
      fixes,
    }
  return {
    layer: 'cors-headers',
    sentence: `${host} answers, and does not say that pages of ${appOrigin} may use it: it sends no CORS headers.`,
    fixes,
  }
}

const allows = (value: string | undefined, origin: string): boolean => value === '*' || value === origin

function missingHeaders({ ownHeaders }: Evidence, { preflight }: Extract<CompanionSight, { outcome: 'answered' }>) {
  const allowed = (preflight.headers['access-control-allow-headers'] ?? '').toLowerCase().split(/\s*,\s*/)
  // A star does not stand for this one.
  const isIn = (name: string) => allowed.includes(name) || (allowed.includes('*') && name !== 'authorization')
  return ['content-type', 'mcp-protocol-version', 'mcp-session-id', ...ownHeaders].filter((name) => !isIn(name))
}

/** Nobody answered at all, as far as the browser tells. */
function nobody(evidence: Evidence): Verdict {
  const { url, companion, localNetwork, appOrigin, hasCompanion } = evidence
  const { host, hostname, protocol } = new URL(url)
  const isNear = isPrivateName(hostname) || companion?.outcome === 'private'
  const needsLeave = isNear && localNetwork !== undefined && localNetwork.state !== 'granted'
  // The companion reaches it, or the app comes from the internet: then it is the browser that stands in the way.
  if (needsLeave && (companion?.outcome === 'answered' || !isPrivateName(new URL(appOrigin).hostname)))
    return {
      layer: 'local-network',
      sentence: `${host} is in your own network, and this browser has not been allowed to let this page reach that.`,
      fixes: [{ type: 'permission', name: localNetwork.name }],
    }
  if (companion && companion.outcome !== 'answered') return bySight(evidence, companion)
  if (companion)
    return {
      layer: 'unreachable',
      sentence: `The companion reaches ${host}, and this browser does not: an extension, a proxy or a setting stands in the way.`,
      fixes: throughCompanion(evidence),
    }
  const isNumber = isLoopback(hostname) || /^[\d.]+$|^\[/.test(hostname)
  const reasons = [
    ...(isNumber ? [] : ['the name is unknown']),
    'nothing listens there',
    ...(protocol === 'https:' ? ['its certificate is not valid'] : []),
  ]
  return {
    layer: 'unreachable',
    sentence: `Nobody answers at ${host}: ${orList(reasons)}.${reasons.length > 1 ? ' A browser does not tell which; opening the address in a tab does.' : ''}`,
    fixes: [{ type: 'wait' }, ...(hasCompanion ? [] : [{ type: 'companion' } as const])],
  }
}

function bySight(evidence: Evidence, { outcome, reason }: Exclude<CompanionSight, { outcome: 'answered' }>): Verdict {
  const { url, appOrigin, reach } = evidence
  const { host, hostname, origin } = new URL(url)
  const wait: Fix[] = [{ type: 'wait' }]
  switch (outcome) {
    case 'dns':
      return { layer: 'dns', sentence: `No address is known for the name ${hostname}: is it spelt right?`, fixes: wait }
    case 'refused':
      return {
        layer: 'unreachable',
        sentence: `Nothing listens at ${host}: the server is not running, or it is at another port.`,
        fixes: wait,
      }
    case 'tls':
      return {
        layer: 'tls',
        sentence: `${host} has no certificate that can be trusted: ${reasonIn(reason)}.`,
        fixes: wait,
      }
    case 'late':
      return {
        layer: 'time-out',
        sentence: `${host} does not answer in time: it hangs, or something on the way drops what is sent.`,
        fixes: wait,
      }
    case 'broken':
      return {
        layer: 'unreachable',
        sentence: `${host} ends every connection without an answer that HTTP knows: ${reasonIn(reason)}.`,
        fixes: wait,
      }
    case 'private':
      return {
        layer: 'local-network',
        sentence: `${host} leads into your own network. The companion reaches that only where its file says so (relay.allow: ${origin}); pages of ${appOrigin} may need this browser's leave.`,
        fixes: reach?.help ? throughCompanion(evidence) : [{ type: 'companion' }],
      }
  }
}

const reasonIn = (reason: string): string => reason.replace(/^.*could not be reached: /s, '').slice(0, 200)

const orList = (words: string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
