import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import type { ServerError } from '#domain/failure.ts'
import { resultForModel, TOLD } from '#domain/result-for-model.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { textForModel } from '#lib/visible-text.ts'
import { isOwnCall } from './own-tools.ts'

type MediaPart = Extract<
  Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>['value'][number],
  { type: 'file' }
>

const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
/** Of base64; services refuse larger ones, and with them the whole conversation. */
const LARGEST_IMAGE = 5_000_000

function imageOf({ type, data, mimeType }: Record<string, unknown>): MediaPart | undefined {
  if (type !== 'image' || typeof data !== 'string' || typeof mimeType !== 'string') return undefined
  if (!IMAGES.has(mimeType) || data.length > LARGEST_IMAGE) return undefined
  return { type: 'file', data: { type: 'data', data }, mediaType: mimeType }
}

function mediaNote(call: ToolCall, shown: number): string {
  const kinds = (call.content ?? []).map(({ type }) => type).filter((type) => type === 'image' || type === 'audio')
  const unseen = kinds.length - shown
  return unseen > 0 ? `[${unseen} of the result's pictures or sounds are shown to the user, not to you.]` : ''
}

const faultNote = ({ error }: ToolCall): string => (error && error.code !== 'tool-failed' ? `[${error.message}]` : '')

const editNote = ({ proposedArguments, arguments: sent }: ToolCall): string =>
  proposedArguments === undefined ? '' : `[The user changed the arguments. The call was made with ${sent}]`

function resultOutput(call: ToolCall, takesImages: boolean, most?: number): LanguageModelV4ToolResultOutput {
  const images = takesImages ? (call.content ?? []).map(imageOf).filter((image) => image !== undefined) : []
  const { text } = resultForModel(call, most, !isOwnCall(call))
  const said = [faultNote(call), editNote(call), text, mediaNote(call, images.length)].filter(Boolean).join('\n\n')
  const value = said || (images.length > 0 ? '' : 'The tool answered without content.')
  if (call.isError) return { type: 'error-text', value }
  if (images.length === 0) return { type: 'text', value }
  return { type: 'content', value: [...(value ? [{ type: 'text' as const, text: value }] : []), ...images] }
}

/** What a model is told of a call of its own, in so many characters of its result. Of one that became a task it hears the end later, as task-ending says it. */
export function toolOutput(call: ToolCall, takesImages: boolean, most?: number): LanguageModelV4ToolResultOutput {
  return call.taskId === undefined ? outputOf(call, takesImages, most) : { type: 'text', value: taskReply(call) }
}

function taskReply({ serverName, taskReply: reply }: ToolCall): string {
  const said = reply === undefined ? '' : ` ${serverName} says: ${reply}`
  return `${TOLD.task} Its result will come in a later message: do not call it again for that, and tell the user that it is on its way.${said}`
}

/** What came of a call, whenever it did. */
export function outputOf(call: ToolCall, takesImages: boolean, most?: number): LanguageModelV4ToolResultOutput {
  if (call.status === 'success') return resultOutput(call, takesImages, most)
  if (call.status === 'error' && call.content) return resultOutput({ ...call, isError: true }, false, most)
  return { type: 'error-text', value: troubleOf(call) }
}

const MAX_DATA_FOR_MODEL = 2_000

/** The code and the data of a server's error; its message is quoted in ours. */
function serverErrorNote(error: ServerError | undefined): string {
  if (!error) return ''
  const code = error.code === undefined ? '' : ` Error code ${error.code}.`
  return error.data === undefined
    ? code
    : `${code} Data of the error: ${textForModel(error.data.slice(0, MAX_DATA_FOR_MODEL))}`
}

function troubleOf({ status, error, approval, arguments: given }: ToolCall): string {
  switch (status) {
    case 'success':
    case 'error':
      return error?.code === 'bad-arguments'
        ? `${TOLD.notMade} ${error.message}${serverErrorNote(error.serverError)} The arguments began with: ${given.slice(0, 500)}`
        : `${TOLD.failed} ${error?.message ?? ''}${serverErrorNote(error?.serverError)}`.trim()
    case 'unknown':
      return `${TOLD.unknown}: the connection broke before its result came. Do not simply call again; tell the user.`
    case 'cancelled':
      if (approval?.state !== 'denied') return `${TOLD.cancelled} If it had begun, it may have taken effect.`
      return `${TOLD.denied}${approval.reason ? ` Reason: ${approval.reason}` : ''}`
    case 'pending':
    case 'running':
    case 'asking':
    case 'task':
      return 'This call has not ended yet.'
  }
}
