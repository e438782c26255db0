import { readArguments } from '#domain/call-arguments.ts'
import { callDigest } from '#domain/call-digest.ts'
import { Failed } from '#domain/failure.ts'
import type { Server } from '#domain/server.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { endpointOf } from '#mcp/endpoint-of.ts'
import type { Commands } from './commands.ts'

const MAX_ARGUMENTS = 1_000_000

/**
 * A call that the user makes, as a row: to run it was their word, and what they saw is what it is bound to. Whether the tool is
 * still that, its server says when it runs.
 */
export async function callByHand(
  { serverId, toolName, fingerprint, arguments: text }: Parameters<Commands['tryTool']>[0],
  server: Server | undefined,
  now: number,
): Promise<ToolCall> {
  if (!server) throw new Failed('not-found', 'This server was removed.')
  if (!server.enabled) throw new Failed('server-disabled', `${server.name} is turned off.`)
  if (text.length > MAX_ARGUMENTS)
    throw new Failed(
      'bad-arguments',
      `The arguments have ${text.length} characters, over the ${MAX_ARGUMENTS} that are sent.`,
    )
  const given = readArguments(text)
  if ('problem' in given) throw new Failed('bad-arguments', given.problem)
  const found = server.found?.tools.find(({ name }) => name === toolName)
  const call = {
    serverId,
    endpoint: endpointOf(server),
    fingerprint,
    toolName,
    arguments: given.text,
  }
  return {
    ...call,
    id: idAt(now),
    conversationId: '',
    messageId: '',
    gptId: '',
    serverName: server.name,
    title: found?.title ?? '',
    annotations: found?.annotations ?? {},
    headerArguments: [],
    status: 'pending',
    approval: { state: 'approved', by: 'user', scope: 'once', digest: await callDigest(call), at: now },
    createdAt: now,
  }
}

/** In the order of time, so that the last calls are found without reading the others. */
const idAt = (now: number): string => `${now.toString(36).padStart(9, '0')}-${crypto.randomUUID()}`
