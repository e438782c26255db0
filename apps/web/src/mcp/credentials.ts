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

/** Whether a connection to this server carries secrets: those end when the vault is locked. */
export const carriesSecrets = ({
  authentication,
  headerNames,
  transport,
  relay,
}: Pick<Server, 'authentication' | 'headerNames' | 'transport' | 'relay'>): boolean =>
  authentication.type !== 'none' || headerNames.length > 0 || transport === 'stdio' || relay

/** The headers that tell a server who asks. `open` reads one of its secrets. */
export async function credentialsOf(
  server: Identified,
  open: (field: ServerSecretField) => Promise<string | undefined>,
): Promise<Credentials> {
  const extra = server.headerNames.length > 0 ? readExtraHeaders(await open('headers'), server.name) : {}
  const own = await ownHeader(server, open)
  const headers = { ...extra, ...own.headers }
  for (const [name, value] of Object.entries(headers)) checkHeader(name, value, server.name)
  return { headers, secrets: [...Object.values(extra), ...own.secrets] }
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
