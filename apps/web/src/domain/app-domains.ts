/** Where the screen of a server wants to go, or may go. */
export interface AppDomains {
  /** To send and ask. */
  connect: string[]
  /** To load scripts, styles, pictures from. */
  resources: string[]
  /** To show within itself. */
  frames: string[]
}

const NO_DOMAINS: AppDomains = { connect: [], resources: [], frames: [] }

const MOST = 20
// By name, over an encrypted connection. No scheme alone, no `*`, nothing of this machine or house, and nothing that would begin
// another directive of a policy.
const SOURCE = /^(?:https|wss):\/\/(?:\*\.)?(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{1,62}(?::\d{1,5})?$/i
const AT_HOME = /\.(?:localhost|local|internal|home|lan|test)(?::\d+)?$/i

/** What a screen asks for, apart from what nobody is even asked about. */
export function judgeDomains(policy: unknown): { wishes: AppDomains; refused: string[] } {
  const claims = (typeof policy === 'object' && policy !== null ? policy : {}) as Record<string, unknown>
  const refused = new Set<string>()
  const read = (key: string): string[] => {
    const given = claims[key]
    const all = (Array.isArray(given) ? given : []).filter((one): one is string => typeof one === 'string')
    const good: string[] = []
    for (const one of all) {
      // A bare name means the web.
      const source = one.includes(':') && one.includes('/') ? one.replace(/\/$/, '') : `https://${one}`
      const isGood = source.length <= 300 && SOURCE.test(source) && !AT_HOME.test(source) && good.length < MOST
      if (isGood) good.push(source)
      else if (refused.size < MOST) refused.add(one.slice(0, 100))
    }
    return [...new Set(good)]
  }
  const wishes = { connect: read('connectDomains'), resources: read('resourceDomains'), frames: read('frameDomains') }
  return { wishes, refused: [...refused] }
}

/** Those that were wished for and are allowed: nobody can allow more than was asked for. */
export const allowedDomains = (wishes: AppDomains, allowed: boolean): AppDomains => (allowed ? wishes : NO_DOMAINS)

/** Each once, for a person to read. */
export const allDomains = ({ connect, resources, frames }: AppDomains): string[] => [
  ...new Set([...connect, ...resources, ...frames]),
]
