import { visibleText } from '#lib/visible-text.ts'
import type { Conversation } from './conversation.ts'
import { fileName } from './file-name.ts'
import type { Gpt } from './gpt.ts'
import type { Attachment, Message, Part } from './message.ts'
import { resultText } from './result-for-model.ts'
import type { ToolCall } from './tool-call.ts'

export interface Exported {
  conversation: Pick<Conversation, 'title' | 'createdAt' | 'updatedAt'>
  gpt: Pick<Gpt, 'name'> | undefined
  messages: readonly Message[]
  calls: readonly ToolCall[]
}

/** What is shown of a conversation, as a file. Addresses of servers stay here: a key may stand in one. */
export function exportConversation(exported: Exported, format: 'markdown' | 'json'): { name: string; text: string } {
  const name = fileName(exported.conversation.title, 'conversation')
  return format === 'json'
    ? { name: `${name}.json`, text: asJson(exported) }
    : { name: `${name}.md`, text: asMarkdown(exported) }
}

/** The calls of a part: as the model asked for it, then as the user had it made again. */
function callsOf(part: Part, calls: readonly ToolCall[]): ToolCall[] {
  const found: ToolCall[] = []
  let next = part.type === 'tool' ? calls.find(({ id }) => id === part.toolCallId) : undefined
  while (next && !found.includes(next)) {
    found.push(next)
    const { id } = next
    next = calls.find(({ repeats }) => repeats === id)
  }
  return found
}

// ─── JSON ───

// Hidden characters stay what they are, but in a spelling that can be seen.
const HIDDEN = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

const escaped = (text: string): string =>
  text.replace(HIDDEN, (hidden) =>
    hidden === '\n'
      ? hidden
      : Array.from(
          { length: hidden.length },
          (_, at) => `\\u${hidden.charCodeAt(at).toString(16).padStart(4, '0')}`,
        ).join(''),
  )

function asJson({ conversation, gpt, messages, calls }: Exported): string {
  const file = {
    format: 'switchboard-conversation',
    version: 1,
    title: conversation.title,
    gpt: gpt?.name,
    createdAt: timeOf(conversation.createdAt),
    updatedAt: timeOf(conversation.updatedAt),
    messages: messages.map(({ role, status, createdAt, model, usage, failure, parts }) => ({
      role,
      status,
      createdAt: timeOf(createdAt),
      model: model?.name,
      usage,
      failure,
      parts: parts.map((part) =>
        part.type === 'tool'
          ? { type: 'tool', calls: callsOf(part, calls).map(callForJson) }
          : part.type === 'attachment'
            ? attachmentForJson(part)
            : {
                type: part.type === 'task' ? 'text' : part.type,
                text: part.type === 'task' ? taskWords(part, calls) : part.text,
              },
      ),
    })),
  }
  return `${escaped(JSON.stringify(file, null, 2))}\n`
}

const timeOf = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())

/** Its address stays here like those of servers: a key may stand in one. */
const attachmentForJson = ({ type, serverName, name, mimeType, size, text, data }: Attachment) => ({
  type,
  server: serverName || undefined,
  name,
  mimeType,
  size,
  text,
  data,
})

function callForJson(call: ToolCall) {
  const { serverName, toolName, title, proposedArguments, status, approval, content, structuredContent, error } = call
  return {
    server: serverName,
    tool: toolName,
    title,
    arguments: call.arguments,
    proposedArguments,
    status,
    approval: approval && { state: approval.state, by: approval.by, scope: approval.scope, reason: approval.reason },
    startedAt: timeOf(call.startedAt),
    completedAt: timeOf(call.completedAt),
    content,
    structuredContent,
    error,
  }
}

// ─── Markdown ───

function asMarkdown({ conversation, gpt, messages, calls }: Exported): string {
  const about = [gpt?.name, timeOf(conversation.createdAt)?.slice(0, 10)].filter((one) => one !== undefined).join(' · ')
  const blocks = [
    `# ${oneLine(conversation.title)}`,
    oneLine(about),
    ...messages.flatMap((message) => inMarkdown(message, calls)),
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

function inMarkdown({ role, model, parts, status, failure }: Message, calls: readonly ToolCall[]): string[] {
  const who = role === 'user' ? 'You' : model ? `Assistant (${oneLine(model.name)})` : 'Assistant'
  const end = failure ? `*${oneLine(failure.message)}*` : status === 'stopped' ? '*Stopped.*' : ''
  return [`## ${who}`, ...parts.flatMap((part) => partInMarkdown(part, calls)), end]
}

function partInMarkdown(part: Part, calls: readonly ToolCall[]): string[] {
  switch (part.type) {
    case 'text':
      return [visibleText(part.text)]
    case 'reasoning':
      return part.text === '' ? [] : [visibleText(part.text).replace(/^/gm, '> ')]
    case 'tool':
      return callsOf(part, calls).flatMap(callInMarkdown)
    case 'attachment':
      return attachmentInMarkdown(part)
    case 'task':
      return [`*${oneLine(taskWords(part, calls))}*`]
  }
}

/** A message that nobody wrote: its result stands at the call. */
function taskWords({ toolCallId }: { toolCallId: string }, calls: readonly ToolCall[]): string {
  const call = calls.find(({ id }) => id === toolCallId)
  return `[The task of ${call?.toolName ?? 'a tool'} has ended.]`
}

function attachmentInMarkdown({ serverName, name, mimeType, text, data }: Attachment): string[] {
  return [
    `**Attached** ${oneLine(name)} (${oneLine(mimeType)})${serverName && ` of ${oneLine(serverName)}`}`,
    text === undefined ? '' : fenced(text, ''),
    data === undefined ? '' : '*The picture is not in this file.*',
  ]
}

function callInMarkdown(call: ToolCall): string[] {
  const denied = call.approval?.state === 'denied'
  const state = denied ? 'denied' : call.status
  const result = resultText(call)
  const pictures = (call.content ?? []).filter(({ type }) => type === 'image' || type === 'audio').length
  return [
    `**Tool** ${oneLine(call.title || call.toolName)} of ${oneLine(call.serverName)}: ${state}`,
    fenced(call.arguments, 'json'),
    result ? fenced(result, '') : '',
    pictures > 0 ? `*${pictures} pictures or sounds are not in this file.*` : '',
    denied && call.approval?.reason ? `*Reason: ${oneLine(call.approval.reason)}*` : '',
    call.error && !denied ? `*${oneLine(call.error.message)}*` : '',
  ]
}

/** A fence that nothing inside can close. */
function fenced(text: string, language: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${visibleText(text)}\n${fence}`
}

const oneLine = (text: string): string => visibleText(text).replace(/\s+/g, ' ').trim()
