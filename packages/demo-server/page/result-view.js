import { element } from './element.js'
import { durationInWords, sizeInWords, visibleText } from './visible-text.js'

/** Longer texts are folded: a page that draws megabytes stands still. */
const FOLD_AT = 4000

/** @param {string} text @param {string} [kind] */
export function textView(text, kind = 'text') {
  const shown = visibleText(text)
  const node = element('pre', { class: kind, tabIndex: 0 }, shown.slice(0, FOLD_AT))
  if (shown.length <= FOLD_AT) return node
  const more = element(
    'button',
    {
      type: 'button',
      class: 'quiet',
      onclick: () => {
        node.textContent = shown
        more.remove()
      },
    },
    `Show all ${sizeInWords(shown.length)}`,
  )
  return element('div', {}, node, more)
}

/** @param {unknown} value */
export const jsonView = (value) => textView(JSON.stringify(value, null, 2), 'code')

/** @param {import('@switchboard/mcp').ContentBlock} part */
function partView(part) {
  switch (part.type) {
    case 'text':
      return textView(part.text)
    case 'image':
      // Only an image type: anything else in a data address would be a document.
      if (!/^image\/(png|jpeg|gif|webp|avif|svg\+xml)$/.test(part.mimeType))
        return textView(`An image of type ${part.mimeType}`)
      return element('img', {
        src: `data:${part.mimeType};base64,${part.data}`,
        alt: 'The image the tool answered with',
      })
    case 'audio':
      return textView(`Audio, ${part.mimeType}, ${sizeInWords(part.data.length * 0.75)}`)
    case 'resource_link':
      return element(
        'p',
        { class: 'chip' },
        element('strong', {}, visibleText(part.title ?? part.name)),
        ` ${visibleText(part.uri)}`,
      )
    case 'resource':
      return resourceView(part.resource)
    default:
      return jsonView(part)
  }
}

/** @param {import('@switchboard/mcp').ResourceContents} contents */
export function resourceView(contents) {
  const { uri, mimeType } = contents
  const about = element(
    'p',
    { class: 'chip' },
    visibleText(uri),
    mimeType !== undefined && ` · ${visibleText(mimeType)}`,
  )
  const body =
    'text' in contents ? textView(contents.text) : textView(`${sizeInWords(contents.blob.length * 0.75)} of data`)
  return element('div', {}, about, body)
}

/**
 * What a tool answered, and how long it took.
 * @param {import('@switchboard/mcp').CallToolResult} result
 * @param {number} elapsedMs
 */
export function resultView(result, elapsedMs) {
  const failed = result.isError === true
  const size = sizeInWords(JSON.stringify(result).length)
  const words = failed ? 'The tool failed and says:' : 'Done'
  const { structuredContent } = result
  // Servers repeat structured data as text for clients that cannot read it; once is enough.
  const parts =
    structuredContent === undefined
      ? result.content
      : result.content.filter((part) => part.type !== 'text' || !isJson(part.text))
  return element(
    'div',
    { class: failed ? 'notice bad' : 'notice', role: failed ? 'alert' : 'status' },
    element(
      'h3',
      {},
      `${failed ? '✕' : '✓'} ${words}`,
      element('small', {}, ` ${durationInWords(elapsedMs)} · ${size}`),
    ),
    ...parts.map(partView),
    structuredContent !== undefined && jsonView(structuredContent),
    parts.length === 0 && structuredContent === undefined && element('p', {}, 'It answered with nothing.'),
    element('details', {}, element('summary', {}, 'As it came'), jsonView(result)),
  )
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** @param {import('@switchboard/mcp').GetPromptResult} result */
export function promptView(result) {
  const messages = result.messages.map(({ role, content }) =>
    element('div', { class: 'message' }, element('small', {}, role), partView(content)),
  )
  return element('div', { class: 'notice', role: 'status' }, ...messages)
}
