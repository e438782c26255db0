import { Failed } from '#domain/failure.ts'
import type { Connected, Connections } from './connections.ts'
import { getPrompt } from './prompts/get-prompt.ts'
import { listPrompts } from './prompts/list-prompts.ts'
import { type Completion, completeArgument } from './resources/complete-argument.ts'
import { listResources, listTemplates } from './resources/list-resources.ts'
import { readResource } from './resources/read-resource.ts'
import { createWatches } from './resources/watch-resources.ts'

/** All pages of a list. One that takes longer is taken for endless. */
const LIST_WITHIN_MS = 60_000

/** What servers offer beside tools: resources and prompts. Loaded when somebody looks. `tell` hears the topics of domain/news. */
export function createBrowsing(connections: Connections, tell: (topic: string) => void) {
  const watches = createWatches(connections, tell)
  const completing = new Map<string, AbortController>()
  const ask = <T>(serverId: string, deed: (connected: Connected) => Promise<T>): Promise<T> =>
    connections.use(serverId, deed, { asked: true })
  const inTime = <T>(serverId: string, deed: (connected: Connected) => Promise<T>): Promise<T> =>
    ask(serverId, (connected) => withinTime(deed(connected), connected.server.name))

  return {
    resources: (serverId: string, isFresh: boolean) =>
      inTime(serverId, (connected) => {
        watches.list(connected, 'resources')
        return listResources(connected.client, { isFresh })
      }),
    templates: (serverId: string, isFresh: boolean) =>
      inTime(serverId, ({ client }) => listTemplates(client, { isFresh })),
    prompts: (serverId: string, isFresh: boolean) =>
      inTime(serverId, (connected) => {
        watches.list(connected, 'prompts')
        return listPrompts(connected.client, { isFresh })
      }),
    read: (serverId: string, uri: string) => ask(serverId, ({ client }) => readResource(client, uri)),
    prompt: (serverId: string, name: string, values: Record<string, string>) =>
      ask(serverId, ({ client }) => getPrompt(client, { name, values })),
    watch: (serverId: string, uri: string) => watches.watch(serverId, uri),
    unwatch: (serverId: string, uri: string) => watches.unwatch(serverId, uri),

    /** The last question about an argument counts: who types on is not interested in the answer to the one before. */
    async complete(serverId: string, completion: Completion) {
      const key = JSON.stringify([serverId, completion.of, completion.argument])
      completing.get(key)?.abort(new Failed('stopped', 'Something else was typed meanwhile.'))
      const abort = new AbortController()
      completing.set(key, abort)
      try {
        return await ask(serverId, ({ client }) => completeArgument(client, completion, abort.signal))
      } catch (error) {
        if (abort.signal.aborted) return { values: [], hasMore: false }
        throw error
      } finally {
        if (completing.get(key) === abort) completing.delete(key)
      }
    },
  }
}
export type Browsing = ReturnType<typeof createBrowsing>

async function withinTime<T>(list: Promise<T>, name: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const words = `The list of ${name} had no end after ${LIST_WITHIN_MS / 1000} s.`
    timer = setTimeout(() => reject(new Failed('timeout', words)), LIST_WITHIN_MS)
  })
  return Promise.race([list, late]).finally(() => clearTimeout(timer))
}
