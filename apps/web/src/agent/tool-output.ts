import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import type { AcceptedMedia } from '#domain/accepted-media.ts'
import type { ServerError } from '#domain/failure.ts'
import { mediaForModel } from '#domain/media-for-model.ts'
import { resultForModel, TOLD } from '#domain/result-for-model.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { textForModel } from '#lib/visible-text.ts'
import { isOwnCall } from './own-tools.ts'

type MediaPart = Extract<
  Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>['value'][number],
  { type: 'file' }
>

function mediaPart(block: Record<string, unknown>, accepts: AcceptedMedia): MediaPart | undefined {
  const { type, data, mimeType } = block
  if ((type !== 'image' && type !== 'audio') || typeof data !== 'string' || typeof mimeType !== 'string')
    return undefined
  const media = mediaForModel(mimeType, data, accepts)
  return media && { type: 'file', data: { type: 'data', data: media.base64 }, mediaType: media.mediaType }
}

function mediaNote(call: ToolCall, shown: number): string {
  const kinds = (call.content ?? []).map(({ type }) => type).filter((type) => type === 'image' || type === 'audio')
  const unseen = kinds.length - shown
  return unseen > 0 ? `[${unseen} of the result's pictures or sounds are shown to the user, not to you.]` : ''
}

const faultNote = ({ error }: ToolCall): string => (error && error.code !== 'tool-failed' ? `[${error.message}]` : '')

const editNote = ({ proposedArguments, arguments: sent }: ToolCall): string =>
  proposedArguments === undefined ? '' : `[The user changed the arguments. The call was made with ${sent}]`

function resultOutput(call: ToolCall, accepts: AcceptedMedia, most?: number): LanguageModelV4ToolResultOutput {
  // Results that are errors are sent as text alone.
  const media = call.isError ? [] : (call.content ?? []).flatMap((block) => mediaPart(block, accepts) ?? [])
  const { text } = resultForModel(call, most, !isOwnCall(call))
  const said = [faultNote(call), editNote(call), text, mediaNote(call, media.length)].filter(Boolean).join('\n\n')
  const value = said || (media.length > 0 ? '' : 'The tool answered without content.')
  if (call.isError) return { type: 'error-text', value }
  if (media.length === 0) return { type: 'text', value }
  return { type: 'content', value: [...(value ? [{ type: 'text' as const, text: value }] : []), ...media] }
}

/** What a model is told of a call of its own, in so many characters of its result. Of one that became a task it hears the end later, as task-ending says it. */
export function toolOutput(call: ToolCall, accepts: AcceptedMedia, most?: number): LanguageModelV4ToolResultOutput {
  return call.taskId === undefined ? outputOf(call, accepts, most) : { type: 'text', value: taskReply(call) }
}

function taskReply({ serverName, taskReply: reply }: ToolCall): string {
  const said = reply === undefined ? '' : ` ${serverName} says: ${reply}`
  return `${TOLD.task} Its result will come in a later message: do not call it again for that, and tell the user that it is on its way.${said}`
}

/** What came of a call, whenever it did. */
export function outputOf(call: ToolCall, accepts: AcceptedMedia, most?: number): LanguageModelV4ToolResultOutput {
  if (call.status === 'success') return resultOutput(call, accepts, most)
  if (call.status === 'error' && call.content) return resultOutput({ ...call, isError: true }, accepts, most)
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
