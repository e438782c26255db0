import type { AcceptedMedia } from './accepted-media.ts'
import { LARGEST_MEDIA } from './attachment-limits.ts'

interface MediaType {
  kind: keyof AcceptedMedia
  /** As the wire formats name it. */
  mediaType: string
}

const picture = (mediaType: string): MediaType => ({ kind: 'pictures', mediaType })
const WAV: MediaType = { kind: 'audio', mediaType: 'audio/wav' }
const MP3: MediaType = { kind: 'audio', mediaType: 'audio/mpeg' }

/** What the wire formats can carry. Anything else would make a service refuse the whole conversation. */
const MEDIA_TYPES = new Map<string, MediaType>([
  ['image/png', picture('image/png')],
  ['image/jpeg', picture('image/jpeg')],
  ['image/gif', picture('image/gif')],
  ['image/webp', picture('image/webp')],
  ['audio/wav', WAV],
  ['audio/x-wav', WAV],
  ['audio/wave', WAV],
  ['audio/vnd.wave', WAV],
  ['audio/mpeg', MP3],
  ['audio/mp3', MP3],
])

export const mediaType = (mimeType: string): MediaType | undefined =>
  MEDIA_TYPES.get(mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '')

/** A picture or sound as a model is sent it; undefined if the model doesn't accept it or no wire format carries it. */
export function mediaForModel(
  mimeType: string,
  base64: string,
  accepts: AcceptedMedia,
): { mediaType: string; base64: string } | undefined {
  const found = mediaType(mimeType)
  if (!found || !accepts[found.kind] || base64.length > LARGEST_MEDIA) return undefined
  return { mediaType: found.mediaType, base64 }
}
