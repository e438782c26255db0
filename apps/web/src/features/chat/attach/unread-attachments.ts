import { acceptedMedia, carriesAudio } from '#domain/accepted-media.ts'
import type { Gpt } from '#domain/gpt.ts'
import { mediaType } from '#domain/media-for-model.ts'
import type { Attachment } from '#domain/message.ts'
import type { ModelConnection } from '#domain/model-connection.ts'
import { visibleText } from '#lib/visible-text.ts'

/** What to tell the user, before sending, about pictures and audio that the chosen model won't get. */
export function unreadAttachments(
  attachments: readonly Attachment[],
  model: Gpt['model'],
  connection: ModelConnection,
): string[] {
  const isPractice = connection.kind === 'practice'
  const accepts = isPractice ? { pictures: false, audio: false } : acceptedMedia(model, connection)
  const name = isPractice ? 'The practice model' : visibleText(model.modelId) || 'The model'
  const say = (kind: 'pictures' | 'audio', setting: string | undefined): string[] => {
    if (accepts[kind]) return []
    const unread = attachments.filter(({ data, mimeType }) => data !== undefined && mediaType(mimeType)?.kind === kind)
    if (unread.length === 0) return []
    const names = unread.map((one) => visibleText(one.name)).join(', ')
    const step = setting ? `Choose another model, or turn on “${setting}” if this one does.` : 'Choose another model.'
    return [`${name} doesn't accept ${kind}, so it won't get ${names}. ${step}`]
  }
  return [
    ...say('pictures', isPractice ? undefined : 'Accepts pictures'),
    ...say('audio', carriesAudio(connection) ? 'Accepts audio' : undefined),
  ]
}
