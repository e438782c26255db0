import { readArguments } from '#domain/call-arguments.ts'
import { Failed } from '#domain/failure.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { OfferedTool, ToolOutcome, ToolSource, TurnStorage } from './needs.ts'

/** Where the tools are from that the app brings itself. Servers have ids that are made at random, and endpoints of their own. */
export const OWN_SERVER = 'switchboard'
export const OWN_ENDPOINT = 'switchboard:'

/** A tool that touches no server, and so needs nobody's leave. */
export interface OwnTool {
  run(input: Record<string, unknown>, around: Surroundings): Promise<ToolOutcome>
}
export interface Surroundings {
  /** Everything that the GPT of this conversation may use. */
  tools: () => Promise<readonly OfferedTool[]>
  /**
   * The calls that are shown of this conversation. What others brought, or another version of this one, is not read here:
   * nobody would count it as text of a stranger when a call is judged.
   */
  calls: () => Promise<readonly ToolCall[]>
}

/** By their names; each is loaded when it is used. No name of a server's tool is like these: those have two underscores. */
const OWN: Readonly<Record<string, () => Promise<OwnTool>>> = {
  find_tools: async () => (await import('./find-tools.ts')).findTools,
  read_result: async () => (await import('./read-result.ts')).readResult,
  search_result: async () => (await import('./search-result.ts')).searchResult,
}

const isOwnName = (name: string): boolean => Object.hasOwn(OWN, name.toLowerCase())

export const isOwnCall = ({ serverId, endpoint }: Pick<ToolCall, 'serverId' | 'endpoint'>): boolean =>
  serverId === OWN_SERVER && endpoint === OWN_ENDPOINT

/** The tools of the servers, with ours beside them. */
export function withOwnTools(
  source: ToolSource,
  storage: Pick<TurnStorage, 'conversation' | 'gpt' | 'shown' | 'callsOf'>,
): ToolSource {
  const toolsOf: ToolSource['toolsOf'] = async (gpt, signal) => {
    const { tools, ...rest } = await source.toolsOf(gpt, signal)
    // Nobody else's may pass for one of ours, whatever it is called.
    return {
      tools: tools.filter(({ serverId, modelName }) => serverId !== OWN_SERVER && !isOwnName(modelName)),
      ...rest,
    }
  }
  return {
    ...source,
    toolsOf,
    async call(call, options) {
      if (!isOwnCall(call)) return source.call(call, options)
      const load = isOwnName(call.toolName) ? OWN[call.toolName] : undefined
      const conversation = await storage.conversation(call.conversationId)
      const gpt = conversation && (await storage.gpt(conversation.gptId))
      if (!load || !gpt) throw new Failed('no-such-tool', `There is no tool called "${call.toolName}" here.`)
      const given = readArguments(call.arguments)
      if (!('value' in given)) throw new Failed('bad-arguments', given.problem)
      const tool = await load()
      return tool.run(given.value, {
        // Asked only by who needs them: a server that does not answer is no reason to wait for what lies here.
        tools: async () => (await toolsOf(gpt, options.signal)).tools,
        calls: async () => {
          const messages = await storage.shown(call.conversationId)
          return storage.callsOf(messages.map(({ id }) => id))
        },
      })
    },
  }
}
