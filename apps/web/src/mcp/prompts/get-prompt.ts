import type { MCPClient } from '@switchboard/mcp'
import { Failed } from '#domain/failure.ts'
import type { FilledPrompt, PromptPiece } from '#domain/resource.ts'
import { boundedText } from '../describe-tool.ts'
import { isObject } from '../judge-schema.ts'
import { readPart } from '../resources/read-resource.ts'

const MOST_PIECES = 100
/** Characters of all texts: what does not fit into a message is no prompt. */
const LONGEST_PROMPT = 150_000

function readBlock(block: unknown, role: PromptPiece['role']): PromptPiece {
  const { type, text, data, uri, name, title, mimeType, resource } = isObject(block) ? block : {}
  if (type === 'text' && typeof text === 'string') return { role, kind: 'text', text }
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return { role, kind: type, base64: data, mimeType: boundedText(mimeType, 200) }
  if (type === 'resource_link' && typeof uri === 'string')
    return {
      role,
      kind: 'link',
      uri: boundedText(uri, 4_000),
      name: boundedText(title, 300) || boundedText(name, 300) || 'link',
    }
  const part = type === 'resource' ? readPart(resource, '') : undefined
  if (part) return { role, kind: 'resource', part }
  return { role, kind: 'other', what: 'A part of a kind that is not known here' }
}

function readMessage(message: unknown): PromptPiece[] {
  if (!isObject(message)) return []
  const role = message['role'] === 'assistant' ? 'assistant' : 'user'
  const { content } = message
  // One block, says the protocol; some servers send a list.
  return (Array.isArray(content) ? content : [content]).slice(0, MOST_PIECES).map((block) => readBlock(block, role))
}

/** The messages that a prompt becomes with these arguments. They are shown to the user, and nothing is sent by itself. */
export async function getPrompt(
  client: MCPClient,
  { name, values }: { name: string; values: Record<string, string> },
): Promise<FilledPrompt> {
  const { description, messages } = (await client.getPrompt({ name, arguments: values })) as {
    description?: unknown
    messages?: unknown
  }
  if (!Array.isArray(messages)) throw new Failed('not-given', 'The server answered without messages.')
  const pieces = messages.slice(0, MOST_PIECES).flatMap(readMessage)
  const length = pieces.reduce((total, piece) => total + (piece.kind === 'text' ? piece.text.length : 0), 0)
  if (messages.length > MOST_PIECES || pieces.length > MOST_PIECES || length > LONGEST_PROMPT)
    throw new Failed(
      'not-given',
      `The prompt is too long to be one: ${messages.length} messages, ${length} characters of text.`,
    )
  return { description: boundedText(description, 2_000), pieces }
}
