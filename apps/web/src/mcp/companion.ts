import { Failed, type Failure } from '#domain/failure.ts'
import { isObject } from './judge-schema.ts'
import type { McpNeeds } from './needs.ts'

/** A program in the companion's file. */
export interface CompanionServer {
  name: string
  state: 'stopped' | 'starting' | 'running' | 'failed'
  restarts: number
  lastError?: string
  stderrTail?: string
  /** Which program it is: another one for another command. */
  digest?: string
}

export interface CompanionReport {
  present: boolean
  /** Not present, and yet it is what serves this page: the page has no token of it, or an old one. */
  isServing?: true
  servers: CompanionServer[]
  hint?: string
  failure?: Failure
}

/** What a person writes into the companion's file so that the relay may reach an origin. */
export interface RelayHelp {
  file: string
  /** The line to add, or the whole file where there is none yet. */
  text: string
  isNew: boolean
  /** What is wrong with the file as it is. */
  problem?: string
}

/** Whether the relay reaches an origin, and how to allow it where no page can. */
export interface RelayReach {
  relay: string
  isAllowed: boolean
  help?: RelayHelp
}

/** The companion that served this app, where one did. */
export interface Companion {
  /** The headers that let a request in. Rejects with `Failed` where there are none. */
  pass(): Promise<Record<string, string>>
  /** Asks its API. Rejects with `Failed` and what it said. */
  ask(path: string, method?: 'GET' | 'POST', body?: object): Promise<Record<string, unknown>>
  servers(): Promise<CompanionReport>
  /** Which program is under this name now; undefined where there is none. Rejects with `Failed`. */
  programOf(name: string): Promise<string | undefined>
  restart(name: string): Promise<void>
  /** Rejects with `Failed`. */
  relayReach(origin: string): Promise<RelayReach>
}

const LIMIT_MS = 10_000
const STATES = ['stopped', 'starting', 'running', 'failed'] as const
const NEEDED = 'Start the companion (npm start), and open the address that it prints.'

export function createCompanion({
  companion: { origin, token },
  fetch,
}: Pick<McpNeeds, 'companion' | 'fetch'>): Companion {
  const pass = async (): Promise<Record<string, string>> => {
    const known = await token()
    if (known === undefined) throw new Failed('companion', `This page has no code of the companion. ${NEEDED}`)
    return { 'x-switchboard-token': known }
  }

  const ask: Companion['ask'] = async (path, method = 'GET', body) => {
    const headers = { ...(await pass()), ...(method === 'POST' && { 'content-type': 'application/json' }) }
    const signal = AbortSignal.timeout(LIMIT_MS)
    let response: Response
    let answer: unknown
    try {
      const content = method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}
      response = await fetch(`${origin}${path}`, {
        method,
        headers,
        signal,
        redirect: 'error',
        cache: 'no-store',
        ...content,
      })
      answer = await response.json()
    } catch {
      throw new Failed('companion', `The companion does not answer. ${NEEDED}`)
    }
    const said = isObject(answer) ? answer : {}
    if (response.status === 401)
      throw new Failed(
        'companion',
        'The companion was started anew and does not know this page. Open the address that it printed.',
      )
    if (!response.ok)
      throw new Failed(
        'companion',
        typeof said['error'] === 'string' ? said['error'] : `The companion refused (HTTP ${response.status}).`,
      )
    return said
  }

  /** Asks for a file that is there wherever the app is: a refusal would be an error in the console of the browser. */
  const isServing = async (): Promise<boolean> => {
    try {
      const file = (globalThis as { location?: Location }).location?.href ?? `${origin}/`
      const signal = AbortSignal.timeout(LIMIT_MS)
      const response = await fetch(file, { method: 'HEAD', redirect: 'error', cache: 'no-store', signal })
      return response.headers.has('x-switchboard-companion')
    } catch {
      return false
    }
  }

  return {
    pass,
    ask,
    async servers() {
      try {
        const { servers, hint, problem } = await ask('/api/servers')
        return {
          present: true,
          servers: (Array.isArray(servers) ? servers : []).filter(isObject).map(readServer),
          ...(typeof hint === 'string' && { hint }),
          ...(typeof problem === 'string' && { failure: { code: 'companion', message: problem } }),
        }
      } catch (error) {
        if (!(error instanceof Failed)) throw error
        return { present: false, ...((await isServing()) && { isServing: true }), servers: [], failure: error.failure }
      }
    },
    async programOf(name) {
      const { servers } = await ask('/api/servers')
      const all = (Array.isArray(servers) ? servers : []).filter(isObject).map(readServer)
      return all.find((one) => one.name === name)?.digest
    },
    async restart(name) {
      await ask(`/api/servers/${encodeURIComponent(name)}/restart`, 'POST')
    },
    async relayReach(origin) {
      const { relay, about } = await ask(`/api/relay/origins?origin=${encodeURIComponent(origin)}`)
      if (typeof relay !== 'string' || !URL.canParse(relay))
        throw new Failed('companion', 'The companion has no relay.')
      const { isAllowed, help } = isObject(about) ? about : {}
      return { relay, isAllowed: isAllowed === true, ...(isObject(help) && { help: readHelp(help) }) }
    },
  }
}

const readHelp = ({ file, text, isNew, problem }: Record<string, unknown>): RelayHelp => ({
  file: String(file).slice(0, 1_000),
  text: String(text).slice(0, 20_000),
  isNew: isNew === true,
  ...(typeof problem === 'string' && { problem: problem.slice(0, 1_000) }),
})

function readServer({
  name,
  state,
  restarts,
  lastError,
  stderrTail,
  digest,
}: Record<string, unknown>): CompanionServer {
  return {
    name: String(name),
    state: STATES.find((known) => known === state) ?? 'stopped',
    restarts: typeof restarts === 'number' ? restarts : 0,
    ...(typeof lastError === 'string' && { lastError }),
    ...(typeof stderrTail === 'string' && { stderrTail }),
    ...(typeof digest === 'string' && { digest: digest.slice(0, 100) }),
  }
}
