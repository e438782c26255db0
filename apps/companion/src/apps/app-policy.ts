/** Where the screen of a server may go, after its user has said so. */
export interface AppDomains {
  readonly connect: readonly string[]
  readonly resources: readonly string[]
  readonly frames: readonly string[]
}

// A host of the web by its name, perhaps with all below it. No scheme alone, no `*`, no address of this machine or house, and
// nothing that would begin another directive.
const SOURCE = /^(?:https|wss):\/\/(?:\*\.)?(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{1,62}(?::\d{1,5})?$/i
const AT_HOME = /\.(?:localhost|local|internal|home|lan|test)(?::\d+)?$/i
const MOST = 20

export const isAppSource = (source: unknown): source is string =>
  typeof source === 'string' && source.length <= 300 && SOURCE.test(source) && !AT_HOME.test(source)

/** Why these are no domains for a screen; undefined where they are. */
export function domainProblem(given: unknown): string | undefined {
  if (!Array.isArray(given)) return 'The domains must be lists.'
  if (given.length > MOST) return `A screen may have up to ${MOST} domains of a kind.`
  return given.every(isAppSource) ? undefined : 'A domain must be https://name or wss://name.'
}

/**
 * What the page of a stranger may do: run its own script, in an origin of its own, and reach what its user allowed. The
 * sandbox stands here too, and not only on the frame: a browser that forgets one has the other.
 */
export function appPolicy({ connect, resources, frames }: AppDomains): string {
  const from = (...sources: readonly string[]) => sources.join(' ') || "'none'"
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${from("'unsafe-inline'", ...resources)}`,
    `style-src ${from("'unsafe-inline'", ...resources)}`,
    `img-src ${from('data:', 'blob:', ...resources)}`,
    `media-src ${from('data:', 'blob:', ...resources)}`,
    `font-src ${from('data:', ...resources)}`,
    `connect-src ${from(...connect)}`,
    `frame-src ${from(...frames)}`,
    "worker-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}
