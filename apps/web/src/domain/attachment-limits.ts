import { fileSize } from '#lib/file-size.ts'
import { bytesOf } from '#lib/in-words.ts'
import type { Attachment } from './message.ts'

/** Bytes that are stored with one message, at most. */
export const MOST_ATTACHED = 5_000_000
export const MOST_ATTACHMENTS = 10

/** Characters of base64: services refuse a conversation with a larger picture or sound. */
export const LARGEST_MEDIA = 5_000_000
/** The kind of an attachment that only says which prompt of a server the words came from. */
export const PROMPT_TYPE = 'application/x-prompt'

const sizeOf = (attachments: readonly Attachment[]): number =>
  attachments.reduce((total, { text = '', data = '' }) => total + bytesOf(text) + Math.floor(data.length * 0.75), 0)

/** Why these do not all go with one message; undefined where they do. */
export function whyNotAttach(attachments: readonly Attachment[]): string | undefined {
  if (attachments.length > MOST_ATTACHMENTS) return `A message takes ${MOST_ATTACHMENTS} attachments, and no more.`
  const size = sizeOf(attachments)
  return size > MOST_ATTACHED
    ? `Together the attachments have ${fileSize(size)}, and a message takes ${fileSize(MOST_ATTACHED)}: leave one out, or attach a smaller part.`
    : undefined
}
