import { attachmentOf } from '#domain/attachments.ts'
import { MOST_ATTACHED } from '#domain/attachment-limits.ts'
import type { Attachment } from '#domain/message.ts'
import type { ResourcePart } from '#domain/resource.ts'
import { fileSize } from '#lib/file-size.ts'

const OWN = { serverId: '', serverName: '' }

/** Files of the user as attachments; those that a model cannot read are named with the reason. */
export async function readFiles(files: readonly File[]): Promise<{ attachments: Attachment[]; problems: string[] }> {
  const made = await Promise.all(files.map(readFile))
  return {
    attachments: made.flatMap((one) => ('problem' in one ? [] : [one])),
    problems: made.flatMap((one) => ('problem' in one ? [one.problem] : [])),
  }
}

async function readFile(file: File): Promise<Attachment | { problem: string }> {
  const { name, size, type: mimeType } = file
  if (size > MOST_ATTACHED)
    return { problem: `${name} has ${fileSize(size)}, and a message takes ${fileSize(MOST_ATTACHED)}.` }
  if (size === 0) return { problem: `${name} is empty.` }
  const bytes = await file.arrayBuffer().catch(() => undefined)
  if (!bytes) return { problem: `${name} could not be read.` }
  return attachmentOf(partOf(new Uint8Array(bytes), mimeType), OWN, name)
}

/** What is text is found out by reading it: names and kinds of files say anything. */
function partOf(bytes: Uint8Array, mimeType: string): ResourcePart {
  const about = { uri: '', mimeType, size: bytes.length }
  const text = textIn(bytes)
  return text === undefined
    ? { kind: 'bytes', ...about, base64: base64Of(bytes) }
    : { kind: 'text', ...about, mimeType: mimeType.startsWith('image/') ? 'text/plain' : mimeType, text, isCut: false }
}

function textIn(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const STEP = 32_768
function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += STEP) text += String.fromCharCode(...bytes.subarray(at, at + STEP))
  return btoa(text)
}
