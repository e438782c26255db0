import { createHash } from 'node:crypto'

const STYLE = 'html,body{height:100%;margin:0}iframe{display:block;width:100%;height:100%;border:0}'

/**
 * Stands between the app and the page of a stranger. It has the only port to the app, which it takes from nobody but the
 * window above and only with the word that is in its own address; and it passes on only what the frame below says, as text,
 * for as long as that frame is the page that was put there.
 */
const SCRIPT = `
const word = location.hash.slice(1)
let port, inner
function begin(event) {
  if (event.source !== parent || event.data !== word || word.length < 32 || !event.ports[0]) return
  port = event.ports[0]
  inner = document.createElement('iframe')
  inner.setAttribute('sandbox', 'allow-scripts')
  inner.setAttribute('allow', '')
  inner.title = 'Screen'
  let loads = 0
  inner.onload = () => { if (++loads > 1) end() }
  port.onmessage = ({ data }) => inner.contentWindow?.postMessage(JSON.parse(data), '*')
  port.postMessage(word)
  inner.src = 'content'
  document.body.append(inner)
}
// It may try to go elsewhere before it was there.
addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
  if (inner?.isConnected && effectiveDirective === 'frame-src') end()
})
function end() {
  port.postMessage('')
  port.close()
  inner.remove()
}
addEventListener('message', (event) => {
  if (!port) return begin(event)
  if (event.source !== inner.contentWindow) return
  let text
  try { text = JSON.stringify(event.data) } catch { return }
  if (typeof text === 'string' && text.length <= 1000000) port.postMessage(text)
})
`

export const OUTER_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screen</title><style>${STYLE}</style><body><script>${SCRIPT}</script></body></html>`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** `below`: the one address that its frame may have, wherever the page in it wants to go. */
export const outerPolicy = (below: string, app: readonly string[]): string =>
  [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${hashOf(SCRIPT)}`,
    `style-src ${hashOf(STYLE)}`,
    `frame-src ${below}`,
    // An address in brackets is none to a policy.
    `frame-ancestors ${app.filter((origin) => !origin.includes('[')).join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
