import { KEY_PARAMETER } from './pasted/read-address.ts'
import type { PastedProgram } from './pasted/entry.ts'
import type { Server } from './server.ts'

/** Whose file it is to be. */
export const configurationStyles = ['mcp.json', 'vscode', 'windsurf', 'gemini', 'zed', 'opencode'] as const
export type ConfigurationStyle = (typeof configurationStyles)[number]

export interface WrittenConfiguration {
  text: string
  /** What such a file is called. */
  file: string
  /** What is not in it, and why. */
  left: string[]
}

type Exported = Pick<Server, 'name' | 'transport' | 'url' | 'authentication' | 'headerNames' | 'enabled'>

interface Input {
  type: 'promptString'
  id: string
  description: string
  password: true
}

interface Dialect {
  file: string
  /** What stands in the place of a value that its user has to give. */
  placeholder: (id: string) => string
  entry: (url: string, headers: Record<string, string>, enabled: boolean) => object
  /** Whether it can say that a server is switched off. */
  saysOff: boolean
  whole: (servers: object, inputs: readonly Input[]) => object
}

const variable = (id: string): string => id.replaceAll('-', '_').toUpperCase()
const withHeaders = (headers: Record<string, string>) => (Object.keys(headers).length > 0 ? { headers } : {})
const MCP_SERVERS = (mcpServers: object) => ({ mcpServers })

const DIALECTS: Readonly<Record<ConfigurationStyle, Dialect>> = {
  'mcp.json': {
    file: 'mcp.json',
    placeholder: (id) => `\${${variable(id)}}`,
    entry: (url, headers, enabled) => ({
      type: 'http',
      url,
      ...withHeaders(headers),
      ...(!enabled && { disabled: true }),
    }),
    saysOff: true,
    whole: MCP_SERVERS,
  },
  vscode: {
    file: 'mcp.json',
    placeholder: (id) => `\${input:${id}}`,
    entry: (url, headers) => ({ type: 'http', url, ...withHeaders(headers) }),
    saysOff: false,
    whole: (servers, inputs) => ({ ...(inputs.length > 0 && { inputs }), servers }),
  },
  windsurf: {
    file: 'mcp_config.json',
    placeholder: (id) => `\${env:${variable(id)}}`,
    entry: (serverUrl, headers, enabled) => ({
      serverUrl,
      ...withHeaders(headers),
      ...(!enabled && { disabled: true }),
    }),
    saysOff: true,
    whole: MCP_SERVERS,
  },
  gemini: {
    file: 'settings.json',
    placeholder: (id) => `\${${variable(id)}}`,
    entry: (httpUrl, headers) => ({ httpUrl, ...withHeaders(headers) }),
    saysOff: false,
    whole: MCP_SERVERS,
  },
  zed: {
    file: 'settings.json',
    placeholder: (id) => `\${${variable(id)}}`,
    entry: (url, headers, enabled) => ({ url, ...withHeaders(headers), ...(!enabled && { enabled: false }) }),
    saysOff: true,
    whole: (servers) => ({ context_servers: servers }),
  },
  opencode: {
    file: 'opencode.json',
    placeholder: (id) => `{env:${variable(id)}}`,
    entry: (url, headers, enabled) => ({ type: 'remote', url, ...withHeaders(headers), enabled }),
    saysOff: true,
    whole: (mcp) => ({ $schema: 'https://opencode.ai/config.json', mcp }),
  },
}

/**
 * Servers as a file that other clients read. It is made of records, which hold no secrets; where one is needed stands
 * what asks for it: `${input:…}` for VS Code, which asks its user, and a variable for the others, most of which read their
 * environment.
 */
export function writeConfiguration(servers: readonly Exported[], style: ConfigurationStyle): WrittenConfiguration {
  const { file, placeholder, entry, saysOff, whole } = DIALECTS[style]
  const inputs: Input[] = []
  const left: string[] = []
  const written = new Map<string, object>()
  for (const server of servers) {
    if (server.transport !== 'streamable-http') {
      left.push(
        server.transport === 'stdio'
          ? `${server.name}: its command is in the companion's own file, which this app does not read.`
          : `${server.name}: these are tools of this app, and no server.`,
      )
      continue
    }
    const name = freeKey(server.name, written)
    const ask = (what: string): string => {
      const id = slug(`${name} ${what}`)
      if (!inputs.some((input) => input.id === id))
        inputs.push({ type: 'promptString', id, description: `${what} for ${name}`, password: true })
      return placeholder(id)
    }
    const headers = headersOf(server, ask)
    if (server.authentication.type === 'oauth2')
      left.push(`${server.name}: how it signs in. Whoever reads the file finds that out anew.`)
    if (!server.enabled && !saysOff) left.push(`${server.name}: that it is switched off, which such a file cannot say.`)
    written.set(name, entry(withoutKeys(server.url, ask), headers, server.enabled))
  }
  if (style === 'zed' && inputs.length > 0)
    left.push('Zed puts nothing in the place of ${…}: replace each by its value in the file.')
  const text = JSON.stringify(whole(Object.fromEntries(written), inputs), undefined, 2)
  return { text: `${text}\n`, file, left }
}

function headersOf({ authentication, headerNames }: Exported, ask: (what: string) => string): Record<string, string> {
  const own: Record<string, string> = {}
  if (authentication.type === 'bearer') own['Authorization'] = `Bearer ${ask('token')}`
  if (authentication.type === 'api-key') own[authentication.header] = ask('key')
  if (authentication.type === 'basic') own['Authorization'] = `Basic ${ask('user and password in base64')}`
  return { ...own, ...Object.fromEntries(headerNames.map((name) => [name, ask(name)])) }
}

/** An address may have a key in it, as some services want it. */
function withoutKeys(address: string, ask: (what: string) => string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  const asked = [...url.searchParams.keys()].filter((name) => KEY_PARAMETER.test(name))
  if (asked.length === 0) return address
  const query = [...url.searchParams].map(
    ([name, value]) => `${encodeURIComponent(name)}=${asked.includes(name) ? ask(name) : encodeURIComponent(value)}`,
  )
  url.search = ''
  return `${url.href}?${query.join('&')}`
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80) || 'value'

/** Two servers of one name are two in the file as well. */
function freeKey(name: string, taken: ReadonlyMap<string, object>): string {
  let key = name
  for (let count = 2; taken.has(key); count++) key = `${name} ${count}`
  return key
}

/** What to put into the companion's file, so that it runs these programs. */
export function companionFile(programs: readonly { name: string; program: PastedProgram }[]): string {
  const entries = programs.map(({ name, program: { command, args, env, cwd } }) => [
    companionName(name),
    { command, args, ...(Object.keys(env).length > 0 && { env }), ...(cwd?.startsWith('/') && { cwd }) },
  ])
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) as object }, undefined, 2)
}

/** The name as the companion takes it: a part of an address. */
export const companionName = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64) || 'program'
