import type { Icon } from '@switchboard/mcp'
import { isLoopback } from '#domain/loopback.ts'
import { readRaster } from '#lib/read-raster.ts'
import { isObject } from './judge-schema.ts'

/** Where the icons of a server may come from, and what was read of them before. */
export interface IconSource {
  /** The server's own; undefined of a program, which brings its icons along or has none. */
  origin: string | undefined
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** By address, for as long as a connection lasts: a list that changes is no reason to load them again. */
  known: Map<string, Promise<string | undefined>>
}

/** Larger ones are photographs: a thousand of those would be the whole record. */
const MAX_BYTES = 48 * 1024
const MAX_SIDE = 1024
const MAX_FETCHED = 16
const MAX_TRIED = 3
const WITHIN_MS = 3_000
/** Characters that the icons of all tools may have together, each counted wherever it stands. */
const MAX_OF_TOOLS = 256 * 1024

/**
 * The icon of a server, and those of its tools in their order, as addresses that load nothing. They are its decoration and
 * no more: one that is too large, too slow, elsewhere or no picture is left out, and takes nothing from the others.
 */
export async function readIcons(
  ofServer: unknown,
  ofTools: readonly unknown[],
  source: IconSource,
): Promise<{ server?: string; tools: (string | undefined)[] }> {
  const signal = AbortSignal.timeout(WITHIN_MS)
  const read = (icons: unknown): Promise<string | undefined> => firstOf(icons, source, signal)
  const [server, ...tools] = await Promise.all([read(ofServer), ...ofTools.map(read)])
  let left = MAX_OF_TOOLS
  const kept = tools.map((icon) => {
    // One that the server has too is shown for its tools anyway.
    if (icon === undefined || icon === server || icon.length > left) return undefined
    left -= icon.length
    return icon
  })
  return { ...(server !== undefined && { server }), tools: kept }
}

async function firstOf(icons: unknown, source: IconSource, signal: AbortSignal): Promise<string | undefined> {
  const offered = (Array.isArray(icons) ? icons : []).filter(isIcon).slice(0, MAX_TRIED)
  for (const { src, mimeType } of offered) {
    const read = src.startsWith('data:') ? readData(src) : await readIcon(src, mimeType, source, signal)
    if (read !== undefined) return read
  }
  return undefined
}

const isIcon = (icon: unknown): icon is Icon => isObject(icon) && typeof icon['src'] === 'string'

const readData = (src: string): string | undefined =>
  /^data:image\/svg\+xml[;,]/i.test(src) ? drawingOf(src) : iconOf(/^data:[^,]{0,100};base64,(.*)$/s.exec(src)?.[1])

function readIcon(
  src: string,
  mimeType: unknown,
  source: IconSource,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { known, origin } = source
  if (mimeType === 'image/svg+xml' || !URL.canParse(src)) return Promise.resolve(undefined)
  const { href, protocol, hostname, origin: whose, username } = new URL(src)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  // Elsewhere it would tell somebody else who looks at this server, and could point into the user's own network.
  if (!isSafe || whose !== origin || username) return Promise.resolve(undefined)
  const present = known.get(href)
  if (present) return present
  if (known.size >= MAX_FETCHED) return Promise.resolve(undefined)
  const loading = load(href, source.fetch, signal).catch(() => undefined)
  known.set(href, loading)
  return loading
}

async function load(url: string, fetch: IconSource['fetch'], signal: AbortSignal): Promise<string | undefined> {
  const response = await fetch(url, {
    signal,
    credentials: 'omit',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
    headers: { accept: 'image/png, image/webp, image/jpeg, image/gif' },
  })
  if (!response.ok || !response.body) return undefined
  const reader = response.body.getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return iconOf(btoa(text))
    if (text.length + value.length > MAX_BYTES) {
      void reader.cancel().catch(() => {})
      return undefined
    }
    for (const byte of value) text += String.fromCharCode(byte)
  }
}

function iconOf(base64: string | undefined): string | undefined {
  if (base64 === undefined || base64.length * 0.75 > MAX_BYTES) return undefined
  const read = readRaster(base64)
  return 'problem' in read || read.width > MAX_SIDE || read.height > MAX_SIDE ? undefined : read.address
}

/** Larger ones are illustrations. */
const MAX_DRAWING = 16 * 1024
/** Entities and references can make a small drawing as large as anybody likes; the rest is for pages. */
const NO_ICON = /<!(?:DOCTYPE|ENTITY)|<(?:script|foreignObject|image|feImage|iframe)\b|\son\w+\s*=/i
const MAX_REFERENCES = 10

/** An SVG, as an address for `<img>`: there it runs no script and loads nothing. */
function drawingOf(src: string): string | undefined {
  const [, parameters = '', data = ''] = /^data:image\/svg\+xml([^,]{0,100}),(.*)$/is.exec(src) ?? []
  if (data === '' || data.length > MAX_DRAWING * 3) return undefined
  const text = /;base64$/i.test(parameters) ? decoded(data) : percentDecoded(data)
  if (text === undefined || text.length > MAX_DRAWING) return undefined
  const isDrawing = /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[^]*?-->\s*)*<svg[\s>/]/i.test(text)
  const references = text.match(/<(?:use|pattern)\b/gi)?.length ?? 0
  if (!isDrawing || NO_ICON.test(text) || references > MAX_REFERENCES) return undefined
  const bytes = new TextEncoder().encode(text)
  return `data:image/svg+xml;base64,${btoa(String.fromCharCode(...bytes))}`
}

function decoded(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
    )
  } catch {
    return undefined
  }
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
