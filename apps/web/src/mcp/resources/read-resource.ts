import type { MCPClient } from '@switchboard/mcp'
import { Failed } from '#domain/failure.ts'
import type { ResourcePart } from '#domain/resource.ts'
import { bytesOf } from '#lib/in-words.ts'
import { boundedText } from '../describe-tool.ts'
import { isObject } from '../judge-schema.ts'
import { whyNotRead } from './judge-address.ts'

const MOST_PARTS = 50
/** Characters of one text: more would stop the screen that shows it. */
const LONGEST_TEXT = 5_000_000
const BASE64 = /^[A-Za-z\d+/]*={0,2}$/

/** A piece of a resource as a server sent it; undefined where it is none. */
export function readPart(contents: unknown, fallbackUri: string): ResourcePart | undefined {
  if (!isObject(contents)) return undefined
  const { uri, mimeType, text, blob } = contents
  const about = { uri: boundedText(uri, 4_000) || fallbackUri, mimeType: boundedText(mimeType, 200) }
  if (typeof text === 'string') {
    const isCut = text.length > LONGEST_TEXT
    return { kind: 'text', ...about, text: isCut ? text.slice(0, LONGEST_TEXT) : text, size: bytesOf(text), isCut }
  }
  if (typeof blob !== 'string') return undefined
  const base64 = blob.replace(/\s+/g, '')
  if (base64.length % 4 !== 0 || !BASE64.test(base64)) return undefined
  return {
    kind: 'bytes',
    ...about,
    base64,
    size: Math.floor(base64.length * 0.75) - (/=*$/.exec(base64)?.[0].length ?? 0),
  }
}

/** What is in a resource now. Its address goes to this server alone. */
export async function readResource(
  client: MCPClient,
  uri: string,
): Promise<{ parts: ResourcePart[]; leftOut: number }> {
  const problem = whyNotRead(uri)
  if (problem !== undefined) throw new Failed('bad-input', problem)
  const { contents } = (await client.readResource({ uri })) as { contents: unknown }
  if (!Array.isArray(contents)) throw new Failed('not-given', 'The server answered without contents.')
  const parts = contents.slice(0, MOST_PARTS).flatMap((one) => readPart(one, uri) ?? [])
  return { parts, leftOut: contents.length - parts.length }
}
