import type { FaultServer, Fields } from '@switchboard/testkit/fault-server'

const URI = 'ui://notes/screen'

/** What the screens of the tests say hello with, and then talk by. */
const TALK = `
const waiting = new Map(), told = []
let last = 0
const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
const tell = (method, params = {}) => post({ method, params })
const ask = (method, params = {}) => new Promise((resolve) => {
  waiting.set(++last, resolve)
  post({ id: last, method, params })
})
addEventListener('message', ({ data }) => {
  if (data?.method) told.push(data)
  waiting.get(data?.id)?.(data)
})
/** Words of the screen, one line each, for whoever looks at it. */
const write = (text) => document.body.append(Object.assign(document.createElement('p'), { textContent: text }))
const hello = async () => {
  await ask('ui/initialize', { protocolVersion: '2026-01-26' })
  tell('ui/notifications/initialized')
  write('hello')
}
`

/** A page whose script knows the words of MCP Apps. */
export const screenWith = (script: string, body = ''): string =>
  `<!doctype html><html><head><meta name="color-scheme" content="light dark"><style>body { font: 15px sans-serif }</style></head><body>${body}<script>${TALK}\n${script}</script></body></html>`

export interface OfferedScreen {
  /** The page, as it is from the next reading on. */
  html: string
}

/** Gives the server a tool `show`, which brings a page along. `ui` is what the page says of itself. */
export function offerScreen(server: FaultServer, html: string, ui: Fields = {}): OfferedScreen {
  const offered: OfferedScreen = { html }
  server.tools.set('show', { description: 'Shows a screen', definition: { _meta: { ui: { resourceUri: URI } } } })
  const before = server.onRequest
  server.onRequest = async (exchange) => {
    if (exchange.method !== 'resources/read') return before?.(exchange)
    const contents = [{ uri: URI, mimeType: 'text/html;profile=mcp-app', text: offered.html, _meta: { ui } }]
    exchange.json(exchange.reply({ ...exchange.result(), contents }))
  }
  return offered
}
