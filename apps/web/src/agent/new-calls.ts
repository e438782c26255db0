import { readArguments } from '#domain/call-arguments.ts'
import type { Failure } from '#domain/failure.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { OfferedTool, WithheldTool } from './needs.ts'
import type { AskedCall } from './read-answer.ts'

type Whose = Pick<ToolCall, 'conversationId' | 'messageId' | 'gptId'>

/** What a model asked for, as rows: pending, or failed where there is no such tool or its arguments are none. */
export function newCalls(
  asked: readonly AskedCall[],
  { tools, withheld }: { tools: readonly OfferedTool[]; withheld: readonly WithheldTool[] },
  whose: Whose,
  now: number,
): ToolCall[] {
  const byName = new Map(tools.map((tool) => [tool.modelName, tool]))
  return asked.map(({ part, input }): ToolCall => {
    const tool = byName.get(part.modelName)
    // A model may name what it knows from before.
    const held = tool ? undefined : withheld.find(({ modelName }) => modelName === part.modelName)
    const { serverId, serverName, toolName } = tool ??
      held ?? { serverId: '', serverName: '', toolName: part.modelName }
    const given = readArguments(input)
    const row: ToolCall = {
      id: part.toolCallId,
      ...whose,
      serverId,
      serverName,
      toolName,
      title: tool?.title ?? '',
      endpoint: tool?.endpoint ?? '',
      fingerprint: tool?.fingerprint ?? '',
      annotations: tool?.annotations ?? {},
      arguments: 'text' in given ? given.text : input,
      headerArguments: tool?.headerArguments ?? [],
      ...(tool?.appUri !== undefined && { appUri: tool.appUri }),
      status: 'pending',
      createdAt: now,
    }
    const failed = (error: Failure): ToolCall => ({ ...row, status: 'error', isError: true, error, completedAt: now })
    if (!tool)
      return failed({
        code: held ? 'tool-gone' : 'no-such-tool',
        message: held
          ? `${toolName} of ${serverName} cannot be used: ${held.problem}`
          : `There is no tool called "${part.modelName}" in this conversation now.`,
      })
    return 'problem' in given ? failed({ code: 'bad-arguments', message: given.problem }) : row
  })
}
