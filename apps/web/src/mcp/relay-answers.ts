import { Failed } from '#domain/failure.ts'

type Fetch = (url: string, init: RequestInit) => Promise<Response>

const ERROR_HEADER = 'x-switchboard-relay-error'
/** The relay had no connection, so the server has received nothing. */
const NOT_SENT: ReadonlySet<string> = new Set(['dns', 'private', 'refused', 'tls', 'not-allowed'])

/**
 * Tells the relay's own errors from those of the server behind it: they become a failed request, as they would be without
 * the relay, and not an HTTP error that the server would be blamed for.
 */
export const throughRelay =
  (fetch: Fetch, target: string): Fetch =>
  async (url, init) => {
    const response = await fetch(url, init)
    const kind = response.headers.get(ERROR_HEADER)
    if (kind === null) return response
    const { error } = (await response.json().catch(() => ({}))) as { error?: unknown }
    const said =
      typeof error === 'string' ? error.slice(0, 500) : `The companion's relay answers HTTP ${response.status}.`
    const failed = new Failed(
      kind === 'not-allowed' ? 'companion' : 'server-unreachable',
      messageFor(kind, target, said),
    )
    // The client library reads the code of a cause, as Node gives it, to tell what certainly was not sent.
    const cause = NOT_SENT.has(kind) ? Object.assign(failed, { code: 'ECONNREFUSED' }) : failed
    throw new TypeError('the relay has no answer of the server', { cause })
  }

/** What the relay said of a request that certainly did not reach the server. */
export function unsent(error: unknown): Failed | undefined {
  const cause: unknown = error instanceof TypeError ? error.cause : undefined
  return cause instanceof Failed && 'code' in cause ? cause : undefined
}

function messageFor(kind: string, target: string, said: string): string {
  const { host, hostname } = new URL(target)
  switch (kind) {
    case 'refused':
      return `Nothing listens at ${host}: the server is not running, or it uses another port. The companion tried and was refused.`
    case 'dns':
      return `No address is known for the name ${hostname}. Check the spelling.`
    case 'late':
      return `${host} did not answer the companion in time.`
    default:
      return said
  }
}
