import * as z from 'zod/mini'
import { Failed } from './failure.ts'
import { failureSchema } from './failure-schema.ts'
import { isCallOver } from './is-call-over.ts'
import { attachmentSchema, type Message } from './message.ts'
import { nameSchema, textSchema } from './text.ts'
import { type ToolCall, toolCallStatuses } from './tool-call.ts'

const LONGEST = 200_000_000

const time = z.optional(z.string())
const callSchema = z.object({
  server: textSchema(1_000),
  tool: textSchema(1_000),
  title: z.optional(textSchema(1_000)),
  arguments: z.string(),
  status: z.enum(toolCallStatuses),
  startedAt: time,
  completedAt: time,
  content: z.optional(z.array(z.record(z.string(), z.unknown()))),
  structuredContent: z.optional(z.unknown()),
  error: z.optional(failureSchema),
})
const partSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  z.object({ type: z.literal('tool'), calls: z.array(callSchema) }),
  z.extend(z.omit(attachmentSchema, { serverId: true, serverName: true, uri: true }), {
    server: z.optional(textSchema(200)),
  }),
])
const fileSchema = z.object({
  format: z.literal('switchboard-conversation'),
  version: z.literal(1),
  title: nameSchema(200),
  gpt: z.optional(z.string()),
  createdAt: time,
  updatedAt: time,
  messages: z
    .array(
      z.object({
        role: z.enum(['user', 'assistant']),
        status: z.enum(['streaming', 'done', 'stopped', 'failed']),
        createdAt: time,
        model: z.optional(textSchema(200)),
        failure: z.optional(failureSchema),
        parts: z.array(partSchema),
      }),
    )
    .check(z.maxLength(20_000)),
})
type FileMessage = z.infer<typeof fileSchema>['messages'][number]
type FileCall = z.infer<typeof callSchema>

export interface ReadConversation {
  title: string
  gptName: string | undefined
  createdAt: number
  updatedAt: number
  messages: Omit<Message, 'id' | 'conversationId' | 'branchId' | 'order'>[]
  /** In the order of the tool parts of the messages. */
  calls: Omit<ToolCall, 'conversationId' | 'messageId' | 'gptId'>[]
}

const timeOf = (text: string | undefined, otherwise: number): number => {
  const parsed = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isFinite(parsed) && parsed >= 0 ? parsed : otherwise
}

/** A conversation out of its file. Nothing in it runs, asks or is trusted: every call has ended, and belongs to no server. */
export function readConversationFile(text: string, now: number, newId: () => string): ReadConversation {
  if (text.length > LONGEST) throw new Failed('bad-input', 'This file is larger than any conversation can be.')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Failed('bad-input', 'This file is no JSON, so it is no conversation.')
  }
  const parsed = z.safeParse(fileSchema, value)
  if (!parsed.success) throw new Failed('bad-input', 'This file holds no conversation of this app.')
  const { data } = parsed
  const createdAt = timeOf(data.createdAt, now)
  const calls: ReadConversation['calls'] = []
  const messages = data.messages.map((message) => readMessage(message, createdAt, calls, newId))
  return {
    title: data.title,
    gptName: data.gpt,
    createdAt,
    updatedAt: timeOf(data.updatedAt, now),
    messages,
    calls,
  }
}

function readMessage(
  { role, status, createdAt, model, failure, parts }: FileMessage,
  otherwise: number,
  calls: ReadConversation['calls'],
  newId: () => string,
): ReadConversation['messages'][number] {
  return {
    role,
    // Whatever was under way then is not now.
    status: status === 'streaming' ? 'stopped' : status,
    createdAt: timeOf(createdAt, otherwise),
    ...(model !== undefined && { model: { connectionId: '', modelId: '', name: model } }),
    ...(failure && { failure }),
    parts: parts.flatMap((part): Message['parts'] => {
      if (part.type === 'attachment') {
        const { server = '', ...rest } = part
        // It came from a stranger, who cannot be asked any more: whoever reads it is to know that.
        return [{ ...rest, serverId: server === '' ? '' : 'imported', serverName: server, uri: '' }]
      }
      if (part.type !== 'tool') return [part]
      const [first, ...again] = part.calls
      if (!first) return []
      const id = newId()
      calls.push(readCall(first, id, otherwise))
      let last = id
      for (const call of again) {
        const next = newId()
        calls.push({ ...readCall(call, next, otherwise), repeats: last })
        last = next
      }
      return [{ type: 'tool', toolCallId: id, providerCallId: id, modelName: first.tool.slice(0, 64) }]
    }),
  }
}

function readCall(call: FileCall, id: string, otherwise: number): ReadConversation['calls'][number] {
  const { server, tool, title, status, content, structuredContent, error, startedAt, completedAt } = call
  const ended = isCallOver(call)
  return {
    id,
    serverId: 'imported',
    serverName: server,
    toolName: tool,
    title: title ?? '',
    endpoint: '',
    fingerprint: '',
    annotations: {},
    arguments: call.arguments,
    headerArguments: [],
    status: ended ? status : 'cancelled',
    createdAt: timeOf(startedAt, otherwise),
    ...(startedAt !== undefined && { startedAt: timeOf(startedAt, otherwise) }),
    completedAt: timeOf(completedAt, otherwise),
    ...(content && { content }),
    ...(structuredContent !== undefined && { structuredContent }),
    ...(status === 'error' && { isError: true }),
    ...(error && { error }),
  }
}
