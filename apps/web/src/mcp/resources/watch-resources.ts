import type { MCPClient, Subscription } from '@switchboard/mcp'
import { Failed } from '#domain/failure.ts'
import { listNews, resourceNews } from '#domain/news.ts'
import type { Connected, Connections } from '../connections.ts'

const MOST_WATCHED = 20
/** A server that tells of changes all the time is heard this often, and no more. */
const HEARD_EVERY_MS = 500

interface Watch {
  watchers: number
  client: MCPClient
  subscription: Promise<Subscription>
}

/** Tells of something at once, and of all that follows in the next moment together, at its end. */
function paced(tell: () => void): { tell: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDue = false
  const rest = () => {
    timer = undefined
    if (!isDue) return
    isDue = false
    begin()
  }
  const begin = () => {
    tell()
    timer = setTimeout(rest, HEARD_EVERY_MS)
  }
  return {
    tell: () => (timer === undefined ? begin() : void (isDue = true)),
    stop() {
      clearTimeout(timer)
      // What comes late is not told.
      timer = setTimeout(() => {}, 0)
      isDue = false
    },
  }
}

/**
 * Who hears of changes, for one tab. `tell(topic)` is called whenever something that is watched, or a list that was looked
 * at, has changed: it is then read again.
 */
export function createWatches(connections: Connections, tell: (topic: string) => void) {
  const watches = new Map<string, Watch & { stop: () => void }>()
  const listened = new WeakMap<MCPClient, Set<string>>()

  return {
    /** From now on, for as long as the connection stands, changes of this list are told. */
    list({ server, client }: Connected, kind: 'resources' | 'prompts'): void {
      const kinds = listened.get(client) ?? new Set()
      listened.set(client, kinds)
      if (kinds.has(kind) || client.capabilities[kind]?.listChanged !== true) return
      kinds.add(kind)
      client.onListChanged(kind, paced(() => tell(listNews(server.id, kind))).tell)
    },

    async watch(serverId: string, uri: string): Promise<void> {
      const topic = resourceNews(serverId, uri)
      await connections.use(
        serverId,
        async ({ server, client }) => {
          const present = watches.get(topic)
          if (present?.client === client) {
            present.watchers += 1
            await present.subscription
            return
          }
          if (client.capabilities.resources?.subscribe !== true)
            throw new Failed('not-given', `${server.name} does not tell when a resource changes.`)
          if (watches.size >= MOST_WATCHED)
            throw new Failed('bad-input', `${MOST_WATCHED} resources are watched already: close one of them first.`)
          present?.stop()
          const told = paced(() => tell(topic))
          const watch = {
            // Those who watched over the connection before this one watch on.
            watchers: (present?.watchers ?? 0) + 1,
            client,
            subscription: client.subscribe(uri, told.tell),
            stop: told.stop,
          }
          watches.set(topic, watch)
          try {
            await watch.subscription
          } catch (error) {
            if (watches.get(topic) === watch) watches.delete(topic)
            throw error
          }
        },
        { asked: true },
      )
    },

    async unwatch(serverId: string, uri: string): Promise<void> {
      const topic = resourceNews(serverId, uri)
      const watch = watches.get(topic)
      if (!watch) return
      watch.watchers -= 1
      if (watch.watchers > 0) return
      watches.delete(topic)
      watch.stop()
      // Where the connection is gone, so is the subscription.
      await watch.subscription.then((subscription) => subscription.close()).catch(() => {})
    },
  }
}
