import type { JsonObject } from '@switchboard/mcp'
import { isObject } from './json-rpc.ts'
import { type OpenLink, openLink } from './open-link.ts'
import { TASKS } from './revisions.ts'
import type { Supervisor } from './supervisor.ts'

/** The programs that serve clients without sessions, shared by all of them that can do the same. */
export interface Links {
  of(name: string, capabilities: JsonObject): Promise<OpenLink>
}

export function createLinks(supervisor: Supervisor): Links {
  const links = new Map<string, Promise<OpenLink>>()
  const meet = async (name: string, capabilities: JsonObject, mayProbe: boolean): Promise<OpenLink> => {
    const child = await supervisor.start(name)
    try {
      const link = await openLink(child, capabilities, mayProbe)
      supervisor.praise(name, child)
      return link
    } catch (error) {
      await child.close()
      throw error
    }
  }
  const open = async (name: string, capabilities: JsonObject): Promise<OpenLink> => {
    // Some end when they are asked what they do not know: those are asked for a session first.
    const opening = meet(name, capabilities, true).catch(() => meet(name, capabilities, false))
    const key = keyOf(name, capabilities)
    const forget = (): void => {
      for (const each of [name, key]) if (links.get(each) === opening) links.delete(each)
    }
    links.set(key, opening)
    opening.catch(forget)
    const link = await opening
    link.onend = forget
    // One that knows no sessions hears with every request what its client can do.
    if (link.era === 'stateless') links.set(name, opening)
    return link
  }
  return {
    of(name, given) {
      const capabilities = capabilitiesForSession(given)
      return links.get(name) ?? links.get(keyOf(name, capabilities)) ?? open(name, capabilities)
    },
  }
}

const keyOf = (name: string, capabilities: JsonObject): string => `${name} ${JSON.stringify(capabilities)}`

/** What a program of the session era is told of its clients. Tasks are translated: it need not know whether they know them. */
function capabilitiesForSession({ extensions, ...capabilities }: JsonObject): JsonObject {
  const { [TASKS]: _, ...others } = isObject(extensions) ? extensions : {}
  return Object.keys(others).length > 0 ? { ...capabilities, extensions: others } : capabilities
}
