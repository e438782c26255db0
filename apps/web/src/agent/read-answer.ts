import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { Failed } from '#domain/failure.ts'
import type { Message, Part, Stream, ToolPart } from '#domain/message.ts'

/** Characters of one answer, each part counting a little more than it holds: a stream that never ends is cut off here. */
const LONGEST_ANSWER = 1_000_000
const PART_COST = 200

export interface AskedCall {
  part: ToolPart
  input: string
}

/** What a model has said so far. */
export interface Answer {
  take(part: LanguageModelV4StreamPart): void
  /** Whether anything has arrived that the user could have seen. */
  hasBegun(): boolean
  /** Text and reasoning alone: a call counts when the whole answer does. */
  soFar(): Pick<Stream, 'parts' | 'arriving'>
  parts(): Part[]
  calls(): AskedCall[]
  finish: { reason: LanguageModelV4FinishReason; usage: Message['usage'] } | undefined
  error: { cause: unknown } | undefined
}

type Metadata = Record<string, Record<string, unknown>>
type Written = Extract<Part, { type: 'text' | 'reasoning' }>

/** Collects the parts of one stream. Nothing here runs: that begins when the answer has ended well. */
export function createAnswer(newId: () => string): Answer {
  const parts: Part[] = []
  const open = new Map<string, Written>()
  const arriving = new Map<string, { modelName: string; characters: number }>()
  const calls: AskedCall[] = []
  let size = 0

  function grow(characters: number): void {
    size += characters
    if (size > LONGEST_ANSWER)
      throw new Failed('too-long', `The model's answer was cut off at ${LONGEST_ANSWER} characters.`)
  }

  function openPart(id: string, part: Written): Written {
    grow(PART_COST)
    parts.push(part)
    open.set(id, part)
    return part
  }

  function write(id: string, type: Written['type'], delta: string, metadata: Metadata | undefined): void {
    const part = open.get(id) ?? openPart(id, { type, text: '' })
    grow(delta.length)
    part.text += delta
    if (metadata && part.type === 'reasoning') part.metadata = merge(part.metadata, metadata)
  }

  const answer: Answer = {
    finish: undefined,
    error: undefined,
    hasBegun: () => arriving.size > 0 || parts.some((part) => !('text' in part) || part.text !== ''),
    parts: () => parts.filter(isWorthKeeping).map((part) => ({ ...part })),
    calls: () => calls,
    soFar: () => ({
      parts: parts.filter((part) => part.type !== 'tool' && isWorthKeeping(part)).map((part) => ({ ...part })),
      arriving: [...arriving.values()].map((call) => ({ ...call })),
    }),

    take(part) {
      switch (part.type) {
        case 'text-start':
          open.delete(`text:${part.id}`)
          break
        case 'text-delta':
          write(`text:${part.id}`, 'text', part.delta, undefined)
          break
        case 'reasoning-start':
          open.delete(`reasoning:${part.id}`)
          write(`reasoning:${part.id}`, 'reasoning', '', part.providerMetadata)
          break
        case 'reasoning-delta':
          write(`reasoning:${part.id}`, 'reasoning', part.delta, part.providerMetadata)
          break
        case 'reasoning-end':
          write(`reasoning:${part.id}`, 'reasoning', '', part.providerMetadata)
          break
        case 'tool-input-start':
          grow(PART_COST)
          arriving.set(part.id, { modelName: part.toolName.slice(0, 200), characters: 0 })
          break
        case 'tool-input-delta': {
          grow(part.delta.length)
          const call = arriving.get(part.id)
          if (call) call.characters += part.delta.length
          break
        }
        case 'tool-call': {
          if (part.providerExecuted) break
          const { toolCallId: providerCallId, toolName, input, providerMetadata } = part
          if (!arriving.has(providerCallId)) grow(PART_COST + input.length)
          const modelName = toolName.slice(0, 200)
          arriving.set(providerCallId, { modelName, characters: input.length })
          const asked: ToolPart = { type: 'tool', toolCallId: newId(), providerCallId, modelName }
          if (providerMetadata) asked.metadata = { ...providerMetadata }
          parts.push(asked)
          calls.push({ part: asked, input })
          break
        }
        case 'finish':
          answer.finish = { reason: part.finishReason, usage: usageOf(part.usage) }
          break
        case 'error':
          answer.error ??= { cause: part.error }
          break
        default:
        // Sources, files and what providers add later: nothing of ours is made of it.
      }
    },
  }
  return answer
}

// An empty thought may still carry what its provider wants back.
const isWorthKeeping = (part: Part): boolean =>
  !('text' in part) || part.text !== '' || (part.type === 'reasoning' && part.metadata !== undefined)

function merge(known: Metadata | undefined, more: Metadata): Metadata {
  const merged: Metadata = { ...known }
  for (const [provider, fields] of Object.entries(more)) merged[provider] = { ...merged[provider], ...fields }
  return merged
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Message['usage'] {
  const isCount = (value: number | undefined): value is number => value !== undefined && Number.isFinite(value)
  const usage: NonNullable<Message['usage']> = {}
  if (isCount(inputTokens.total)) usage.inputTokens = inputTokens.total
  if (isCount(outputTokens.total)) usage.outputTokens = outputTokens.total
  return isCount(inputTokens.total) || isCount(outputTokens.total) ? usage : undefined
}
