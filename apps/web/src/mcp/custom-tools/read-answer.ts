import type { CallToolResult } from '@switchboard/mcp'
import { hideSecrets } from '../hide-secrets.ts'
import type { Answer } from './send-request.ts'

const MAX_ERROR_CHARACTERS = 4000
/** Deeper than anybody writes by hand; what is deeper breaks those who walk through it. */
const MAX_DEPTH = 200

/** What an answer over HTTP is as the result of a tool. A refusal is a result too: the model is to learn of it. */
export function readAnswer(answer: Answer, host: string, secrets: readonly string[]): CallToolResult {
  const { status, bytes } = answer
  const text = textOf(answer)
  // Some servers repeat what they were sent, headers too.
  const said = text === undefined ? undefined : hideSecrets(text, secrets)
  if (status >= 400 || status < 200)
    return { isError: true, content: [{ type: 'text', text: refusal(status, host, said) }] }
  if (bytes.length === 0) return { content: [{ type: 'text', text: `HTTP ${status}, without content.` }] }
  if (said !== undefined) {
    const value = parse(said)
    return {
      content: [{ type: 'text', text: said }],
      ...(typeof value === 'object' && value !== null && !Array.isArray(value) && { structuredContent: value }),
    } as CallToolResult
  }
  return { content: [binary(answer, host)] }
}

function refusal(status: number, host: string, said = ''): string {
  const cut =
    said.length > MAX_ERROR_CHARACTERS ? `${said.slice(0, MAX_ERROR_CHARACTERS)}… (${said.length} characters)` : said
  return `HTTP ${status} from ${host}.${cut && `\n${cut}`}`
}

/** The answer as text, where it is text; what it says of itself does not count. */
function textOf({ bytes }: Answer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

function parse(text: string): unknown {
  if (!/^\s*\{/.test(text) || depthOf(text) > MAX_DEPTH) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How deep brackets stand in each other, strings left out. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '{' || token === '[') deepest = Math.max(deepest, ++depth)
    else if (token === '}' || token === ']') depth -= 1
  }
  return deepest
}

const RASTERS: readonly [type: string, head: readonly number[]][] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46]],
]

function binary({ bytes, type }: Answer, host: string): CallToolResult['content'][number] {
  const data = base64(bytes)
  const raster = RASTERS.find(([, head]) => head.every((byte, at) => bytes[at] === byte))?.[0]
  const [claimed = ''] = type.toLowerCase().split(';', 1)
  if (raster !== undefined && !(raster === 'image/webp' && claimed.startsWith('audio/')))
    return { type: 'image', data, mimeType: raster }
  if (/^audio\/[\w.+-]+$/.test(claimed.trim())) return { type: 'audio', data, mimeType: claimed.trim() }
  const mimeType = /^[\w.+-]+\/[\w.+-]+$/.test(claimed.trim()) ? claimed.trim() : 'application/octet-stream'
  return { type: 'resource', resource: { uri: `answer://${host}`, mimeType, blob: data } }
}

const CHUNK = 0x8000

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}
