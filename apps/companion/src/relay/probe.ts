import type { IncomingMessage } from 'node:http'
import { Refused } from '../bridge/refused.ts'
import { forward, type Resolve } from './forward.ts'
import type { Target } from './judge-target.ts'
import { type Outcome, outcomeOf } from './outcome.ts'

/** What a page of this origin would have to be allowed. */
export interface Asking {
  readonly origin: string
  /** The headers that it would send. */
  readonly headers: readonly string[]
}

export interface Seen {
  readonly status: number
  readonly headers: Record<string, string>
}

/** What a program sees that has no browser's limits. */
export type Sight = { outcome: 'answered'; preflight: Seen; answer: Seen } | { outcome: Outcome; reason: string }

const LIMIT_MS = 6_000
const MAX_VALUE = 500
/** Nothing else of an answer is told: what a server sets for browsers, keeps or says is no part of this. */
const TOLD = ['content-type', 'location', 'www-authenticate', 'server']

/** Knocks without any credential: once as a browser asks whether it may, once as it would then. Bodies are not read. */
export async function probe(target: Target, { origin, headers }: Asking, resolve: Resolve): Promise<Sight> {
  const signal = AbortSignal.timeout(LIMIT_MS)
  const knock = async (method: string, more: Record<string, string>): Promise<Seen> => {
    const answer = await forward(target, { method, headers: { origin, ...more }, body: undefined, signal }, resolve)
    answer.on('error', () => {})
    answer.destroy()
    return seen(answer)
  }
  try {
    const preflight = await knock('OPTIONS', {
      'access-control-request-method': 'POST',
      ...(headers.length > 0 && { 'access-control-request-headers': headers.join(',') }),
    })
    const answer = await knock('GET', { accept: 'application/json, text/event-stream' })
    return { outcome: 'answered', preflight, answer }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { outcome: outcomeOf(error), reason: error.message.slice(0, MAX_VALUE) }
  }
}

function seen({ statusCode = 0, headers }: IncomingMessage): Seen {
  const told = Object.entries(headers).filter(
    ([name]) => name.startsWith('access-control-') || TOLD.includes(name),
  ) as [string, string | string[]][]
  return {
    status: statusCode,
    headers: Object.fromEntries(told.map(([name, value]) => [name, String(value).slice(0, MAX_VALUE)])),
  }
}
