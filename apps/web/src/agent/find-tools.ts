import { MOST_TOKENS } from '#domain/tool-budget.ts'
import { textForModel } from '#lib/visible-text.ts'
import type { OfferedTool } from './needs.ts'
import { definitionTokens } from './offer-tools.ts'
import { OWN_ENDPOINT, OWN_SERVER, type OwnTool } from './own-tools.ts'
import { searchTools } from './search-tools.ts'

const FIND_TOOLS = 'find_tools'

const USUAL = 10
const MOST = 20
const MOST_SERVERS = 30
const LONGEST = { name: 60, title: 100, description: 300 } as const

const line = (text: string, most: number): string => textForModel(text).replace(/\s+/g, ' ').trim().slice(0, most)

const serverNames = (tools: readonly OfferedTool[]): string[] =>
  [...new Set(tools.map(({ serverName }) => line(serverName, LONGEST.name)))].slice(0, MOST_SERVERS)

/** The definition that a model gets in the place of all the others. */
export const describeFindTools = (tools: readonly OfferedTool[]): OfferedTool => ({
  modelName: FIND_TOOLS,
  toolName: FIND_TOOLS,
  serverId: OWN_SERVER,
  serverName: 'Switchboard',
  serverTrusted: true,
  endpoint: OWN_ENDPOINT,
  title: 'Find tools',
  description: `You have ${tools.length} tools, too many to show at once. This finds them by words; those that it finds can be called from your next step on. Use it before you say that you cannot do something. They come from: ${serverNames(tools).join(', ')}.`,
  inputSchema: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        description: 'Words for what the tool should do and with what, such as "create calendar event"',
      },
      limit: { type: 'integer', minimum: 1, maximum: MOST, description: `How many at most; ${USUAL} if left out` },
    },
    required: ['query'],
    additionalProperties: false,
  },
  annotations: { readOnly: true, destructive: false, openWorld: false },
  fingerprint: 'switchboard:find_tools:1',
  headerArguments: [],
})

/** Finds tools by words: their names, with as much of what their servers say of them as it takes to choose. */
export const findTools: OwnTool = {
  async run({ query, limit }, around) {
    if (typeof query !== 'string' || query.trim() === '')
      return failed('query must be words for what the tool should do.')
    const tools = await around.tools()
    const most = typeof limit === 'number' ? Math.min(MOST, Math.max(1, Math.trunc(limit))) : USUAL
    const { found, total } = searchTools(query, tools, most)
    const room = MOST_TOKENS - definitionTokens(describeFindTools(tools))
    const answer = {
      tools: found.map((tool) => ({
        name: tool.modelName,
        title: line(tool.title, LONGEST.title),
        server: line(tool.serverName, LONGEST.name),
        description: line(tool.description, LONGEST.description),
        ...(definitionTokens(tool) > room && { note: 'Its definition is too large to be shown to you.' }),
      })),
      ...(total > found.length && { more: total - found.length }),
      ...(found.length === 0 && {
        hint: 'None fits these words. Try other words, or fewer.',
        servers: serverNames(tools),
      }),
    }
    const text = JSON.stringify(answer)
    return { content: [{ type: 'text', text }], structuredContent: answer, isError: false, size: text.length }
  },
}

const failed = (text: string) => ({ content: [{ type: 'text', text }], isError: true, size: text.length })
