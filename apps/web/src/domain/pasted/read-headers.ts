import { addSentence, MAX_VALUE, type PastedEntry, placeholderIn } from './entry.ts'

const NAME = /^[!#$%&'*+.^_`|~\w-]{1,100}$/
/** What the protocol, the browser or the app says itself, or what no page may set. */
const OWN =
  /^(host|content-.*|mcp-.*|accept.*|origin|referer|cookie2?|connection|last-event-id|sec-.*|proxy-.*|x-switchboard-.*|user-agent|te|trailer|transfer-encoding|upgrade|keep-alive|date|via|expect|dnt|access-control-.*|set-cookie)$/
const KEY = /(^|[-_])(api[-_]?key|key|token|secret|apikey)$/
const MAX_HEADERS = 30

/**
 * Takes over the headers of a server. One that says who asks becomes its authentication, as if it had been typed in; the
 * others stay headers. Their values go into `secrets`, and into no sentence.
 */
export function readHeaders(entry: PastedEntry, headers: readonly (readonly [string, string])[]): void {
  const extra = new Map<string, string>()
  for (const [given, value] of headers.slice(0, MAX_HEADERS)) {
    const name = given.trim().toLowerCase()
    if (!NAME.test(name) || value.length > MAX_VALUE || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      addSentence(entry.left, `A header that cannot be sent${NAME.test(name) ? `: ${name}` : ''}.`)
    else if (OWN.test(name)) addSentence(entry.left, `Header ${name}: the app or the browser sets it.`)
    else if (entry.authentication.type === 'auto' && readsAsAuthentication(entry, name, value.trim())) continue
    else extra.set(name, value.trim())
  }
  if (headers.length > MAX_HEADERS) addSentence(entry.left, `Headers beyond the first ${MAX_HEADERS}.`)
  for (const [name, value] of extra) {
    const placeholder = value === '' ? 'a value' : placeholderIn(value)
    if (placeholder === undefined) addSentence(entry.taken, `Header ${name}`)
    else {
      addSentence(entry.needs, `Header ${name}: ${placeholder}`)
      extra.set(name, '')
    }
    entry.headerNames.push(name)
  }
  const known = [...extra].filter(([, value]) => value !== '')
  if (known.length > 0) entry.secrets = { ...entry.secrets, headers: JSON.stringify(Object.fromEntries(known)) }
}

function readsAsAuthentication(entry: PastedEntry, name: string, value: string): boolean {
  if (name === 'authorization') return readAuthorization(entry, value)
  if (!KEY.test(name)) return false
  entry.authentication = { type: 'api-key', header: name }
  keep(entry, 'key', `API key in ${name}`, value)
  return true
}

function readAuthorization(entry: PastedEntry, value: string): boolean {
  const [scheme = '', ...rest] = value.split(/\s+/)
  const credentials = rest.join(' ')
  if (/^bearer$/i.test(scheme)) {
    entry.authentication = { type: 'bearer' }
    keep(entry, 'token', 'Bearer token', credentials)
    return true
  }
  // Only the scheme is known, or not even that: ${input:authorization}.
  if (/^basic$/i.test(scheme)) return readBasic(entry, decode(credentials))
  return false
}

/** A name and a password with a colon between them. */
export function readBasic(entry: PastedEntry, pair: string | undefined): boolean {
  const colon = pair?.indexOf(':') ?? -1
  if (pair === undefined || colon < 0) return false
  entry.authentication = { type: 'basic', user: pair.slice(0, colon).slice(0, 200) }
  keep(entry, 'password', 'User and password', pair.slice(colon + 1))
  return true
}

function keep(entry: PastedEntry, field: 'token' | 'key' | 'password', what: string, value: string): void {
  const placeholder = value === '' ? 'a value' : placeholderIn(value)
  if (placeholder !== undefined) {
    addSentence(entry.needs, `${what}: ${placeholder}`)
    return
  }
  addSentence(entry.taken, what)
  entry.secrets = { ...entry.secrets, [field]: value }
}

function decode(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
    )
  } catch {
    return undefined
  }
}
