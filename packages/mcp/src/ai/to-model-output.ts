import { say } from '../failure.ts'
import { isObject, type JsonObject } from '../jsonrpc.ts'

/** Which parts of the three versions of `ai` media go into; each version drops, or trips over, those of another. */
export type MediaParts = 5 | 6 | 7

type Part = { type: string; [key: string]: unknown }
export type ModelOutput = { type: 'text' | 'error-text' | 'json' | 'error-json' | 'content'; value: unknown }

const text = (value: string): Part => ({ type: 'text', text: value })

/** What `toModelOutput` was given: `ai` 5 hands over the output alone, later ones an object around it. */
export function unwrapOutput(given: unknown): { output: unknown; before6: boolean } {
  const wrapped = isObject(given) && typeof given['toolCallId'] === 'string' && 'input' in given && 'output' in given
  return wrapped ? { output: given['output'], before6: false } : { output: given, before6: true }
}

/** A tool's answer for the model: text first, pictures and sound as media, structured content where there is no text. */
export function toModelOutput(output: unknown, parts: MediaParts): ModelOutput {
  if (typeof output === 'string') return { type: 'text', value: output }
  if (!isObject(output) || !Array.isArray(output['content'])) return { type: 'json', value: output ?? null }
  const { content, structuredContent, isError, toolResult } = output
  const failed = isError === true
  const found = content.flatMap((block: unknown) => convertBlock(block, parts))
  const data = structuredContent ?? toolResult
  if (found.length === 0 && data !== undefined) return { type: failed ? 'error-json' : 'json', value: data }
  const isText = ({ type }: Part): boolean => type === 'text'
  if (data !== undefined && !content.some(hasText)) found.unshift(text(JSON.stringify(data)))
  if (found.every(isText)) {
    const joined = found.map((part) => String(part['text'])).join('\n')
    const nothing = failed ? 'The tool failed and did not say why.' : 'The tool answered without content.'
    return { type: failed ? 'error-text' : 'text', value: joined || nothing }
  }
  if (failed) found.unshift(text('The tool failed.'))
  // Models, and endpoints that take only text, read what comes first.
  else if (!isText(found[0]!)) found.sort((a, b) => Number(isText(b)) - Number(isText(a)))
  return { type: 'content', value: found }
}

const hasText = (block: unknown): boolean => isObject(block) && block['type'] === 'text'

function convertBlock(block: unknown, parts: MediaParts): Part[] {
  if (!isObject(block)) return [text(typeof block === 'string' ? block : JSON.stringify(block))]
  const { type, data, mimeType, resource } = block
  if (type === 'text' && typeof block['text'] === 'string') return block['text'] === '' ? [] : [text(block['text'])]
  if (type === 'image' || type === 'audio') return convertMedia(type, data, mimeType, parts)
  if (type === 'resource_link') return [text(describeLink(block))]
  if (type === 'resource' && isObject(resource)) return convertResource(resource, parts)
  return [text(JSON.stringify(block))]
}

/** What every provider can see. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Providers compare types letter by letter. */
const plainType = (mimeType: string): string =>
  mimeType.toLowerCase().replace(/;.*/s, '').replace('image/jpg', 'image/jpeg')

/** Sound is named in words too, as most models hear nothing. */
function convertMedia(kind: 'image' | 'audio', data: unknown, mimeType: unknown, parts: MediaParts, name = ''): Part[] {
  const mediaType = typeof mimeType === 'string' && isKind(mimeType, kind) ? plainType(mimeType) : undefined
  const what = `${kind === 'image' ? 'Image' : 'Audio'}${name}${mediaType ? `, ${mediaType}` : ''}`
  // One broken picture would make a provider refuse the whole conversation, now and ever after.
  const bare = typeof data === 'string' ? data.replace(/\s+/g, '') : ''
  const seen = mediaType && (kind === 'audio' || PICTURES.has(mediaType))
  if (!seen || !isBase64(bare)) return [text(`${what}: not readable.`)]
  const label = kind === 'audio' || name ? [text(`${what}:`)] : []
  return [...label, mediaPart(kind, bare, mediaType, parts)]
}

function mediaPart(kind: 'image' | 'audio', data: string, mediaType: string, parts: MediaParts): Part {
  if (parts === 5) return { type: 'media', data, mediaType }
  if (parts === 6) return { type: kind === 'image' ? 'image-data' : 'file-data', data, mediaType }
  return { type: 'file', mediaType, data: { type: 'data', data } }
}

const isKind = (mimeType: string, kind: string): boolean => new RegExp(`^${kind}/[\\w.+-]+(;|$)`, 'i').test(mimeType)
const isBase64 = (data: string): boolean => /^[A-Za-z0-9+/]+={0,2}$/.test(data)

function convertResource(resource: JsonObject, parts: MediaParts): Part[] {
  const { uri, mimeType, text: words, blob } = resource
  const name = ` ${say(uri)}`
  if (typeof words === 'string') return [text(`Resource${name}:\n${words}`)]
  const type = say(mimeType)
  for (const kind of ['image', 'audio'] as const)
    if (isKind(type, kind)) return convertMedia(kind, blob, type, parts, name)
  const bytes = typeof blob === 'string' ? Math.floor((blob.length * 3) / 4) : 0
  return [text(`Resource${name}: ${mimeType === undefined ? '' : `${type}, `}${bytes} bytes.`)]
}

function describeLink({ uri, name, title, mimeType, description }: JsonObject): string {
  const about = [title ?? name, mimeType, description].filter((one) => typeof one === 'string')
  return `Link ${say(uri)}${about.length > 0 ? ` (${about.join(', ')})` : ''}`
}
