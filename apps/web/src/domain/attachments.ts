import { fileSize } from '#lib/file-size.ts'
import { readAudio } from '#lib/read-audio.ts'
import { readRaster } from '#lib/read-raster.ts'
import { LARGEST_MEDIA } from './attachment-limits.ts'
import type { Attachment } from './message.ts'
import type { ResourcePart } from './resource.ts'

/** Where something comes from. `serverId` is empty for a file of the user. */
export interface Origin {
  serverId: string
  serverName: string
}

/** The kind of a raster picture, from its bytes. */
function rasterType(base64: string): string | undefined {
  const raster = readRaster(base64)
  return 'problem' in raster ? undefined : raster.address.slice('data:'.length, raster.address.indexOf(';'))
}

/** A piece of a resource as an attachment, or why a model has no use for it. */
export function attachmentOf(
  part: ResourcePart,
  { serverId, serverName }: Origin,
  name: string,
): Attachment | { problem: string } {
  const about = {
    type: 'attachment' as const,
    serverId,
    serverName: serverName.slice(0, 200),
    uri: part.uri.slice(0, 4_000),
  }
  const named = { ...about, name: name.slice(0, 300) || 'resource', size: part.size }
  if (part.kind === 'text') {
    if (part.isCut) return { problem: `${name} is longer than what can be attached.` }
    return { ...named, mimeType: part.mimeType.slice(0, 200) || 'text/plain', text: part.text }
  }
  const mimeType = rasterType(part.base64) ?? readAudio(part.base64)
  if (mimeType === undefined)
    return {
      problem: `${name} is neither text nor a PNG, JPEG, GIF or WebP picture, nor WAV or MP3 audio: a model cannot read it.`,
    }
  if (part.base64.length > LARGEST_MEDIA)
    return {
      problem: `${name} has ${fileSize(part.size)}: models take pictures and audio of up to ${fileSize(LARGEST_MEDIA * 0.75)}.`,
    }
  return { ...named, mimeType, data: part.base64 }
}

/** A resource, which may come in several pieces. */
export function attachResource(
  parts: readonly ResourcePart[],
  origin: Origin,
  name: string,
): { attachments: Attachment[] } | { problem: string } {
  if (parts.length === 0) return { problem: `${name} is empty.` }
  const made = parts.map((part, at) => attachmentOf(part, origin, parts.length > 1 ? `${name} (${at + 1})` : name))
  const [problem] = made.flatMap((one) => ('problem' in one ? [one.problem] : []))
  if (problem !== undefined) return { problem }
  return { attachments: made.flatMap((one) => ('problem' in one ? [] : [one])) }
}
