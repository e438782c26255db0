import { existsSync } from 'node:fs'
import { failed, json } from './answers.ts'
import type { Config } from './config.ts'
import { readFields } from './handler.ts'
import { judgeOrigin, type RelayOrigins } from './relay/relay-origins.ts'

/** What a person has to write where, so that the relay may reach an origin of this machine or its network. */
export interface FileHelp {
  file: string
  /** The whole file where there is none yet, otherwise the line of `relay`. */
  text: string
  isNew: boolean
  /** What is wrong with the file as it is. */
  problem?: string
}

/** The origins that the relay reaches, and turning it on and off for one. `?origin=…` asks about one of them. */
export function createRelayApi(origins: RelayOrigins, relay: () => string, config: () => Config, file: string) {
  const helpFor = (origin: string): FileHelp => {
    const { relayOrigins, problem } = config()
    const isNew = !existsSync(file)
    const line = `"relay": { "allow": ${JSON.stringify([...new Set([...relayOrigins, origin])]).replaceAll('","', '", "')} }`
    return { file, text: isNew ? `{ ${line} }` : line, isNew, ...(problem !== undefined && { problem }) }
  }
  /** What the app has to know of one origin before it sends anything there. */
  const about = (origin: string) => {
    const isAllowed = origins.reach(origin) !== undefined
    // A page may turn it on for public addresses; the file is only asked for where it may not.
    const isForFile = !isAllowed && isOrigin(origin) && judgeOrigin(origin) !== undefined
    return { origin, isAllowed, ...(isForFile && { help: helpFor(origin) }) }
  }
  return async (request: Request): Promise<Response> => {
    const { method } = request
    if (!['GET', 'POST', 'DELETE'].includes(method)) return failed(405, 'GET, POST or DELETE it.')
    if (method !== 'GET') {
      const fields = await readFields(request, ['origin'])
      if (fields instanceof Response) return fields
      const why = method === 'POST' ? origins.add(fields['origin']) : origins.remove(fields['origin'])
      if (why !== undefined) return failed(400, why)
    }
    const asked = new URL(request.url).searchParams.get('origin')
    return json({ relay: relay(), origins: origins.list(), ...(asked !== null && { about: about(asked) }) })
  }
}

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text
