import { isLoopback } from '#domain/loopback.ts'
import { type Send, ask } from './ask.ts'
import type { Answer, CompanionSight, Evidence } from './evidence.ts'
import { gatherSignIn } from './gather-sign-in.ts'
import { endSession, get, initialize, knock, listTools, ping, SESSION_HEADERS, STATELESS_HEADERS } from './questions.ts'

export type Known = Pick<
  Evidence,
  'name' | 'url' | 'appOrigin' | 'authentication' | 'ownHeaders' | 'isRelayed' | 'hasCompanion' | 'isOnline' | 'failure'
>

export interface Means {
  /** The way that the connection took. */
  send: Send
  /** Straight from this browser. */
  fetch: Send
  /** What the companion sees, where there is one. */
  look: (url: string, headers: readonly string[]) => Promise<CompanionSight | undefined>
  /** Whether the companion's relay may reach it, where there is one. */
  reach: (origin: string) => Promise<Evidence['reach']>
  permission: (isLoopback: boolean) => Promise<Evidence['localNetwork']>
}

/** For everything together; what is not known by then is judged without. */
const LIMIT_MS = 10_000
const MAX_NEIGHBOURS = 3

/** Asks what has to be asked to tell the layers apart: at most fifteen requests, none with a credential. */
export async function gather(known: Known, means: Means): Promise<Evidence> {
  const { url, isRelayed, ownHeaders } = known
  const signal = AbortSignal.timeout(LIMIT_MS)
  const by = (init: RequestInit, to = url): Promise<Answer> => ask(means.send, to, init, signal)
  const directly = (init: RequestInit): Promise<Answer> => ask(means.fetch, url, init, signal)

  const [post, knocked, got, sight, reach, localNetwork] = await Promise.all([
    by(initialize),
    isRelayed ? undefined : directly(knock),
    isRelayed ? undefined : directly(get),
    means.look(url, ['content-type', ...SESSION_HEADERS, ...ownHeaders]).catch(() => undefined),
    means.reach(new URL(url).origin).catch(() => undefined),
    means.permission(isLoopback(new URL(url).hostname)).catch(() => undefined),
  ])
  const first: Evidence = {
    ...known,
    post,
    ...(knocked && { knock: knocked }),
    ...(got && { get: got }),
    ...(sight && { companion: sight }),
    ...(reach && { reach }),
    ...(localNetwork && { localNetwork }),
  }
  if (post.type !== 'answered') return first
  if (post.sessionId !== undefined) void by(endSession(post.sessionId))

  const speaks = post.body === 'mcp' || post.body === 'mcp-error'
  const isRefusal = post.status === 401 || post.status === 403
  const [session, stateless, identity, second, elsewhere, signIn] = await Promise.all([
    isRelayed ? undefined : by(ping(SESSION_HEADERS)),
    isRelayed ? undefined : by(ping(STATELESS_HEADERS)),
    isRelayed || ownHeaders.length === 0 ? undefined : by(ping(ownHeaders)),
    post.body === 'mcp' && post.sessionId === undefined ? by(listTools) : undefined,
    speaks || isRefusal || post.status >= 500 ? undefined : findElsewhere(url, by),
    post.status === 401 ? gatherSignIn(url, post.challenge, means.fetch, signal) : undefined,
  ])
  return {
    ...first,
    ...(session && { sessionHeaders: session }),
    ...(stateless && { statelessHeaders: stateless }),
    ...(identity && { identityHeaders: identity }),
    ...(second && { second }),
    ...(elsewhere !== undefined && { elsewhere }),
    ...(signIn && { signIn }),
  }
}

/** The usual places of MCP at the same server, and below the address that was given. */
async function findElsewhere(
  url: string,
  by: (init: RequestInit, to: string) => Promise<Answer>,
): Promise<string | undefined> {
  const { origin, pathname } = new URL(url)
  const below = `${origin}${pathname.replace(/\/$/, '')}/mcp`
  const places = [...new Set([`${origin}/mcp`, below, `${origin}/sse`])].filter((place) => place !== url)
  const speak = await Promise.all(
    places.slice(0, MAX_NEIGHBOURS).map(async (place) => {
      const answer = await by(place.endsWith('/sse') ? get : initialize, place)
      if (answer.type !== 'answered') return undefined
      // One that wants a sign-in there wants it for something.
      const isIt = answer.body === 'mcp' || (answer.status === 401 && place.endsWith('/mcp'))
      const isOld = place.endsWith('/sse') && answer.status === 200 && answer.body === 'stream'
      return isIt || isOld ? place : undefined
    }),
  )
  return speak.find((place) => place !== undefined)
}
