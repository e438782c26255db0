import type { Browsing } from '#mcp/browse.ts'
import type { EngineState } from './commands.ts'
import type { Carried, EngineParts } from './engine-parts.ts'

type Names =
  | 'listResources'
  | 'listResourceTemplates'
  | 'readResource'
  | 'watchResource'
  | 'unwatchResource'
  | 'completeArgument'
  | 'listPrompts'
  | 'getPrompt'

/** What servers offer beside tools. `setNews` tells the page how often each thing that it looks at has changed. */
export function resourceCommands(
  { mcp }: Pick<EngineParts, 'mcp'>,
  setNews: (news: NonNullable<EngineState['news']>) => void,
): Carried<Names> {
  let news: NonNullable<EngineState['news']> = {}
  let loading: Promise<Browsing> | undefined
  const tell = (topic: string): void => {
    news = { ...news, [topic]: (news[topic] ?? 0) + 1 }
    setNews(news)
  }
  /** Most who open the app look at none of it, so it is loaded for the first who does. */
  const browsing = (): Promise<Browsing> =>
    (loading ??= import('#mcp/browse.ts').then(
      ({ createBrowsing }) => createBrowsing(mcp.connections, tell),
      (error: unknown) => {
        loading = undefined
        throw error
      },
    ))

  return {
    listResources: async ({ serverId, isFresh = false }) => (await browsing()).resources(serverId, isFresh),
    listResourceTemplates: async ({ serverId, isFresh = false }) => (await browsing()).templates(serverId, isFresh),
    readResource: async ({ serverId, uri }) => (await browsing()).read(serverId, uri),
    watchResource: async ({ serverId, uri }) => (await browsing()).watch(serverId, uri),
    unwatchResource: async ({ serverId, uri }) => (await browsing()).unwatch(serverId, uri),
    completeArgument: async ({ serverId, ...completion }) => (await browsing()).complete(serverId, completion),
    listPrompts: async ({ serverId, isFresh = false }) => (await browsing()).prompts(serverId, isFresh),
    getPrompt: async ({ serverId, name, values }) => (await browsing()).prompt(serverId, name, values),
  }
}
