import { asksForSecret } from '#domain/asks-for-secret.ts'
import type { Question } from '#domain/question.ts'
import { judgeAddress } from '#domain/question-address.ts'
import { isObject } from '../judge-schema.ts'

/** What a server asks, as far as it is kept. */
export type ReadQuestion = Pick<Question, 'kind' | 'message' | 'schema' | 'url' | 'sampling' | 'refused'>

const LONGEST_MESSAGE = 4_000
const LARGEST_SCHEMA = 65_536
const MOST_MESSAGES = 50
const LONGEST_PROMPT = 100_000
/** However many a server would like. */
export const MOST_TOKENS = 2_000

/** A question of a server: data of a stranger, bounded. `problem`: it cannot be put to anybody. */
export function readQuestion(method: string, params: Record<string, unknown>): ReadQuestion | { problem: string } {
  if (method === 'sampling/createMessage') return readSampling(params)
  const { mode, message: said, requestedSchema, url } = params
  const message = typeof said === 'string' ? said.slice(0, LONGEST_MESSAGE) : ''
  if (mode === 'url') {
    if (typeof url !== 'string') return { problem: 'It wants an address visited, and names none.' }
    const judged = judgeAddress(url)
    // One that is refused is not kept where somebody could open it.
    return 'refused' in judged
      ? { kind: 'url', message, refused: judged.refused }
      : { kind: 'url', message, url: judged.href }
  }
  const schema = requestedSchema ?? { type: 'object', properties: {} }
  if (!isObject(schema) || JSON.stringify(schema).length > LARGEST_SCHEMA)
    return { problem: 'Its form is not one, or is too large.' }
  const field = asksForSecret(schema, message)
  return { kind: 'form', message, schema, ...(field !== undefined && { refused: secretRefused(field) }) }
}

const secretRefused = (field: string): string =>
  `It asks for something secret (${field.slice(0, 100)}). Secrets are never typed into the form of a server: a server that needs you to sign in has to ask you to visit its page.`

function readSampling({ systemPrompt, messages, maxTokens, tools }: Record<string, unknown>) {
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > MOST_MESSAGES)
    return { problem: 'It asks a model, and has nothing for it to read, or too much.' }
  if (Array.isArray(tools) && tools.length > 0)
    return { problem: 'It wants a model to use tools, which is not offered.' }
  const read = messages.map(readMessage)
  if (read.some((one) => one === undefined))
    return { problem: 'It wants a model to read something other than text, which is not offered.' }
  const texts = read.filter((one) => one !== undefined)
  const system = typeof systemPrompt === 'string' ? systemPrompt : undefined
  if (texts.reduce((sum, { text }) => sum + text.length, system?.length ?? 0) > LONGEST_PROMPT)
    return { problem: `It asks a model to read over ${LONGEST_PROMPT} characters.` }
  const wanted = typeof maxTokens === 'number' && maxTokens >= 1 ? Math.floor(maxTokens) : MOST_TOKENS
  return {
    kind: 'sampling',
    message: '',
    sampling: {
      ...(system !== undefined && { system }),
      messages: texts,
      maxTokens: Math.min(wanted, MOST_TOKENS),
    },
  } satisfies ReadQuestion
}

function readMessage(message: unknown): { role: 'user' | 'assistant'; text: string } | undefined {
  if (!isObject(message)) return undefined
  const { role, content } = message
  if (role !== 'user' && role !== 'assistant') return undefined
  const parts = (Array.isArray(content) ? content : [content]) as unknown[]
  const texts = parts.map((part) => (isObject(part) && part['type'] === 'text' ? part['text'] : undefined))
  return texts.every((text) => typeof text === 'string') ? { role, text: texts.join('\n\n') } : undefined
}
