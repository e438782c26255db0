/** A block of a result as it is shown. Everything in it was sent by a stranger: what does not fit is shown as JSON. */
export type Shown =
  | { type: 'text'; text: string }
  | { type: 'json'; value: unknown }
  | { type: 'image'; base64: string }
  | { type: 'audio'; base64: string; mimeType: string }
  | { type: 'link'; address: string; name: string; description: string }
  | { type: 'resource'; address: string; text: string | undefined; isMarkdown?: boolean; base64: string | undefined }

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export function readBlock(block: Record<string, unknown>): Shown {
  const { type, text, data, uri, name, title, description, mimeType, resource } = block
  if (type === 'text' && typeof text === 'string') return readText(text)
  if (type === 'image' && typeof data === 'string') return { type, base64: data }
  if (type === 'audio' && typeof data === 'string') return { type, base64: data, mimeType: textIn(mimeType) }
  if (type === 'resource_link' && typeof uri === 'string') {
    return { type: 'link', address: uri, name: textIn(title) || textIn(name) || uri, description: textIn(description) }
  }
  if (type === 'resource' && isRecord(resource)) {
    return {
      type,
      address: textIn(resource['uri']),
      text: typeof resource['text'] === 'string' ? resource['text'] : undefined,
      // The server says what it is.
      ...(/^text\//i.test(textIn(resource['mimeType'])) && {
        isMarkdown: /^text\/(?:x-)?markdown\b/i.test(textIn(resource['mimeType'])),
      }),
      base64: typeof resource['blob'] === 'string' ? resource['blob'] : undefined,
    }
  }
  return { type: 'json', value: block }
}

const MAX_PARSED = 1_000_000

/** Text that is JSON is shown as what it says. */
function readText(text: string): Shown {
  const value = /^\s*[[{]/.test(text) && text.length < MAX_PARSED ? parsed(text) : undefined
  return isRecord(value) ? { type: 'json', value } : { type: 'text', text }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The blocks of a result, without text that only repeats its structured content. */
export function readContent(content: readonly Record<string, unknown>[], structured: unknown): Shown[] {
  const repeated = structured === undefined ? undefined : JSON.stringify(structured)
  return content
    .map(readBlock)
    .filter((shown) => shown.type !== 'json' || repeated === undefined || JSON.stringify(shown.value) !== repeated)
}
