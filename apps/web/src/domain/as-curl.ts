/** A secret that is not here: whoever runs the command sets the variable. */
export type Placeholder =
  | { header: string /** What stands before it in the header. */; before: string; variable: string }
  | { user: string; variable: string }

export interface CurlRequest {
  headers: [name: string, value: string][]
  /** It goes on in the session that the first one opened. */
  inSession: boolean
  body: string
}

export interface CurlNeeds {
  url: string
  credentials: Placeholder[]
  /** The first request opens a session, which the others name. */
  hasSession: boolean
  mayNeedSignIn: boolean
  /** In the order in which they are sent; the last is the call. */
  requests: CurlRequest[]
}

/** Text that a shell takes as it stands, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
/** Text with a variable at its end. */
const withVariable = (text: string, variable: string): string => `${text && quoted(text)}"$${variable}"`

const credential = (placeholder: Placeholder): string =>
  'user' in placeholder
    ? `-u ${withVariable(`${placeholder.user}:`, placeholder.variable)}`
    : `-H ${withVariable(`${placeholder.header}: ${placeholder.before}`, placeholder.variable)}`

/**
 * A call as a command line that can be pasted into any shell of the POSIX kind. It holds no secret: each has a variable in its
 * place. Where the server keeps sessions, one is opened first.
 */
export function asCurl({ url, credentials, hasSession, mayNeedSignIn, requests }: CurlNeeds): string {
  const variables = credentials.map(({ variable }) => variable)
  // Without globoff curl would take brackets in an address for a range.
  const command = ({ headers, inSession, body }: CurlRequest, ...options: string[]) =>
    [
      ['curl --globoff', ...options, quoted(url)].join(' '),
      ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
      ...(inSession ? [`-H ${withVariable('mcp-session-id: ', 'MCP_SESSION_ID')}`] : []),
      ...credentials.map(credential),
      // Raw: a body that begins with @ would otherwise be the name of a file.
      `--data-raw ${quoted(body)}`,
    ].join(' \\\n  ')

  const notes = [
    ...(variables.length > 0
      ? [`# First set ${variables.map((name) => `$${name}`).join(' and ')}: secrets are not copied.`]
      : []),
    ...(mayNeedSignIn ? ['# Where the server wants a sign-in, add: -H "authorization: Bearer $TOKEN"'] : []),
  ]
  const [opening, ...others] = requests
  if (!hasSession || !opening) return [...notes, ...requests.map((request) => command(request, '-sS -N'))].join('\n')
  const id = `awk 'tolower($1) == "mcp-session-id:" { print $2 }'`
  return [
    ...notes,
    '# This server keeps sessions: the first command opens one, and the last is the call.',
    `MCP_SESSION_ID=$(${command(opening, '-sS -D - -o /dev/null')} | tr -d '\\r' | ${id})`,
    ...others.map((request, index) => command(request, index < others.length - 1 ? '-sS -o /dev/null' : '-sS -N')),
  ].join('\n')
}
