import { Failed } from '#domain/failure.ts'
import type { Server, ServerSecretField } from '#domain/server.ts'

export interface Credentials {
  headers: Record<string, string>
  /** What must not be seen in any message. */
  secrets: string[]
}

type Identified = Pick<Server, 'name' | 'authentication' | 'headerNames'>

const NAME = /^[!#$%&'*+.^_`|~\w-]+$/
// What the protocol, the browser or the companion says itself.
const RESERVED =
  /^(accept|content-type|content-length|host|origin|cookie|connection|last-event-id|mcp-.*|sec-.*|proxy-.*|x-switchboard-.*)$/

/** Whether a connection to this server carries secrets from the first: those end when the vault is locked. */
export const carriesSecrets = ({
  authentication,
  headerNames,
  transport,
  relay,
}: Pick<Server, 'authentication' | 'headerNames' | 'transport' | 'relay'>): boolean =>
  !/^(none|auto)$/.test(authentication.type) || headerNames.length > 0 || transport === 'stdio' || relay

/** The headers that tell a server who asks. `open` reads one of its secrets. */
export async function credentialsOf(
  server: Identified,
  open: (field: ServerSecretField) => Promise<string | undefined>,
): Promise<Credentials> {
  const extra = await extraHeaders(server, open)
  const own = await ownHeader(server, open)
  const headers = { ...extra, ...own.headers }
  for (const [name, value] of Object.entries(headers)) checkHeader(name, value, server.name)
  return { headers, secrets: [...Object.values(extra), ...own.secrets] }
}

/** Those that the record names, each with its value. */
async function extraHeaders(
  { name, headerNames }: Identified,
  open: (field: ServerSecretField) => Promise<string | undefined>,
): Promise<Record<string, string>> {
  if (headerNames.length === 0) return {}
  const known = readExtraHeaders(await open('headers'), name)
  const wanted = headerNames.map((header) => header.toLowerCase())
  const missing = wanted.find((header) => !known[header])
  // Without it the server would answer somebody else, or nobody, and it would look like its fault.
  if (missing !== undefined)
    throw new Failed('sign-in-needed', `The header "${missing}" for ${name} has no value yet. Enter it under Headers.`)
  return Object.fromEntries(wanted.map((header) => [header, known[header] ?? '']))
}

/** The headers by these names as JSON text: what was entered now goes before what was kept. */
export function mergeHeaders(
  names: readonly string[],
  kept: string | undefined,
  entered: string | undefined,
  server: string,
): string {
  const all = { ...readExtraHeaders(kept, server), ...readExtraHeaders(entered, server) }
  const wanted = new Set(names.map((name) => name.trim().toLowerCase()))
  return JSON.stringify(Object.fromEntries(Object.entries(all).filter(([name, value]) => wanted.has(name) && value)))
}

async function ownHeader(
  { name, authentication }: Identified,
  open: (field: ServerSecretField) => Promise<string | undefined>,
): Promise<Credentials> {
  const need = async (field: ServerSecretField, what: string): Promise<string> => {
    const secret = (await open(field))?.trim()
    if (!secret) throw new Failed('sign-in-needed', `${name} has no ${what} yet. Enter it under Authentication.`)
    return secret
  }
  switch (authentication.type) {
    case 'auto':
    case 'none':
    // Signing in comes with tokens of its own; until then the server is asked without, and says what it wants.
    case 'oauth2':
      return { headers: {}, secrets: [] }
    case 'bearer': {
      const token = (await need('token', 'token')).replace(/^bearer\s+/i, '')
      return { headers: { authorization: `Bearer ${token}` }, secrets: [token] }
    }
    case 'api-key': {
      const key = await need('key', 'key')
      return { headers: { [authentication.header.trim().toLowerCase() || 'x-api-key']: key }, secrets: [key] }
    }
    case 'basic': {
      const { user } = authentication
      if (user.includes(':')) throw new Failed('bad-input', `The user name for ${name} must not hold a colon.`)
      const password = (await open('password')) ?? ''
      const encoded = base64(`${user}:${password}`)
      return { headers: { authorization: `Basic ${encoded}` }, secrets: [password, encoded] }
    }
  }
}

/** The extra headers of a server, from their JSON text, with names in small letters: two spellings would both be sent. */
export function readExtraHeaders(text: string | undefined, server: string): Record<string, string> {
  const bad = (why: string) => new Failed('bad-input', `The extra headers of ${server} ${why}`)
  let value: unknown
  try {
    value = JSON.parse(text || '{}')
  } catch {
    // Without the cause: it quotes the text, which is secret.
    throw bad('are no JSON object. Write them as { "name": "value" }.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad('are no JSON object. Write them as { "name": "value" }.')
  const headers: Record<string, string> = {}
  for (const [name, content] of Object.entries(value)) {
    const lower = name.trim().toLowerCase()
    if (typeof content !== 'string') throw bad(`have a value for "${name}" that is no text.`)
    if (RESERVED.test(lower)) throw bad(`may not set "${name}": the app sets it itself.`)
    headers[lower] = content.trim()
  }
  return headers
}

function checkHeader(name: string, value: string, server: string): void {
  if (!NAME.test(name)) throw new Failed('bad-input', `"${name}" cannot be the name of a header for ${server}.`)
  if (!/^[\x20-\x7e\x80-\xff]*$/.test(value))
    throw new Failed(
      'bad-input',
      `The value of the header "${name}" for ${server} has characters that no header can carry.`,
    )
}

/** Of its UTF-8: names and passwords are not all of Latin letters. */
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
