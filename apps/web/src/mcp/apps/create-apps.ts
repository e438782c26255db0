import { readMCPAppResource } from '@switchboard/mcp'
import { allowedDomains, type AppDomains, judgeDomains } from '#domain/app-domains.ts'
import { Failed } from '#domain/failure.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { Companion } from '../companion.ts'
import type { Connections } from '../connections.ts'

const MAX_CHARACTERS = 4 << 20
const PATIENCE_MS = 30_000
/** Pages that were read and not shown yet. */
const MOST_KEPT = 4

export interface AppPage {
  wishes: AppDomains
  /** What it asked for and nobody is asked about. */
  refused: string[]
}

type Whose = Pick<ToolCall, 'id' | 'serverId' | 'serverName' | 'appUri'>

/** Screens that tools bring along: read from their own server, and handed to the companion to be shown elsewhere. */
export function createApps({ connections, companion }: { connections: Connections; companion: Companion }) {
  const pages = new Map<string, { html: string; wishes: AppDomains }>()

  return {
    /** Reads the page, and says where it wants to go. Nothing of it runs. */
    async read({ id, serverId, serverName, appUri }: Whose): Promise<AppPage> {
      if (appUri === undefined) throw new Failed('not-found', 'This tool brought no screen.')
      // Without it there is nowhere to show it; to read it for nothing would tell the server something.
      await companion.pass()
      const options = { signal: AbortSignal.timeout(PATIENCE_MS) }
      const { html, meta } = await connections.use(
        serverId,
        ({ client }) => readMCPAppResource({ client, uri: appUri, options }),
        { asked: true },
      )
      if (html.length > MAX_CHARACTERS)
        throw new Failed(
          'bad-result',
          `The screen of ${serverName} is larger than the ${MAX_CHARACTERS} characters that are shown.`,
        )
      const { wishes, refused } = judgeDomains(meta?.csp)
      pages.delete(id)
      pages.set(id, { html, wishes })
      const [oldest] = pages.keys()
      if (pages.size > MOST_KEPT && oldest !== undefined) pages.delete(oldest)
      return { wishes, refused }
    },

    /** Where the page that was read is shown, once. `isAllowed`: it may go where it wants to. */
    async place({ id }: Whose, isAllowed: boolean): Promise<string> {
      const page = pages.get(id)
      if (!page) throw new Failed('not-found', 'The screen has to be loaded again.')
      pages.delete(id)
      const { url } = await companion.ask('/api/apps', 'POST', {
        html: page.html,
        ...allowedDomains(page.wishes, isAllowed),
      })
      if (typeof url !== 'string' || !URL.canParse(url))
        throw new Failed('companion', 'The companion shows no screens.')
      return url
    },
  }
}
export type Apps = ReturnType<typeof createApps>
