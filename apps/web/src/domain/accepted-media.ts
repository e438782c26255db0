import type { Gpt } from './gpt.ts'
import type { ModelConnection } from './model-connection.ts'

/** What a model reads besides text. */
export interface AcceptedMedia {
  pictures: boolean
  audio: boolean
}

/** Whether the wire format of a connection can carry audio: of the three, only chat completions can. */
export const carriesAudio = ({ kind, api }: Pick<ModelConnection, 'kind' | 'api'>): boolean =>
  kind === 'compatible' || (kind === 'openai' && api === 'chat')

/**
 * What the chosen model of a GPT is sent: what the user says it accepts, else what its service says, else pictures and no
 * audio. Most models read pictures; few read audio, and a service refuses the whole request for one that does not.
 */
export function acceptedMedia(
  { modelId, acceptsPictures, acceptsAudio }: Gpt['model'],
  connection: Pick<ModelConnection, 'kind' | 'api' | 'acceptedMedia'>,
): AcceptedMedia {
  const listed = connection.acceptedMedia
  const known = listed && Object.hasOwn(listed, modelId) ? listed[modelId] : undefined
  return {
    pictures: acceptsPictures ?? known?.pictures ?? true,
    audio: carriesAudio(connection) && (acceptsAudio ?? known?.audio ?? false),
  }
}
