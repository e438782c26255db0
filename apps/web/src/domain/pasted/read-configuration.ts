import { visibleText } from '#lib/visible-text.ts'
import { isFields, MAX_ENTRIES, type PastedEntry } from './entry.ts'
import { readEntry } from './read-entry.ts'

export interface Configuration {
  format: string
  entries: PastedEntry[]
  notes: string[]
}

interface Listed {
  format: string
  servers: [name: string, value: unknown][]
  /** What else the file holds, by name. */
  beside?: string[]
}

/** The servers of a parsed configuration file; undefined where there are none in it. */
export function readConfiguration(value: unknown): Configuration | undefined {
  const listed = listOf(value)
  if (!listed || listed.servers.length === 0) return undefined
  const { servers, format, beside } = listed
  const notes: string[] = []
  if (servers.length > MAX_ENTRIES) notes.push(`Only the first ${MAX_ENTRIES} of ${servers.length} servers were read.`)
  const inputs = isFields(value) ? describedInputs(value['inputs']) : new Map<string, string>()
  const entries = servers.slice(0, MAX_ENTRIES).map(([name, server]) => withInputs(readEntry(name, server), inputs))
  if (inputs.size > 0)
    notes.push('What the file would ask for (inputs) is marked as a value that is needed; enter it here.')
  if (beside && beside.length > 0) notes.push(`Beside its servers the file holds ${beside.join(', ')}: left out.`)
  return { format, entries, notes }
}

function listOf(value: unknown): Listed | undefined {
  if (Array.isArray(value)) return named(value)
  if (!isFields(value)) return undefined
  const { mcpServers, servers, context_servers: zed, mcp } = value
  const beside = otherParts(value)
  if (isFields(mcpServers)) return { format: dialect(mcpServers), servers: Object.entries(mcpServers), beside }
  if (Array.isArray(mcpServers)) return named(mcpServers)
  if (isFields(zed)) return { format: 'settings of Zed', servers: Object.entries(zed), beside }
  if (isFields(servers)) return { format: 'an mcp.json of VS Code', servers: Object.entries(servers), beside }
  if (isFields(mcp) && isFields(mcp['servers']))
    return { format: 'settings of VS Code', servers: Object.entries(mcp['servers']), beside }
  if (isFields(mcp)) return { format: 'a configuration of opencode', servers: Object.entries(mcp), beside }
  const ofProjects = isFields(value['projects']) ? serversOfProjects(value['projects']) : []
  if (ofProjects.length > 0)
    return { format: 'a file of Claude Code, with the servers of its projects', servers: ofProjects }
  if (isServer(value)) {
    const { name } = value
    return { format: 'one server', servers: [[typeof name === 'string' ? name : '', value]] }
  }
  const all = Object.entries(value)
  return all.length > 0 && all.every(([, one]) => isServer(one))
    ? { format: 'a list of servers', servers: all }
    : undefined
}

const SAID_OTHERWISE = new Set(['mcpServers', 'servers', 'context_servers', 'mcp', 'inputs', '$schema'])
const MAX_BESIDE = 8

/** The names of what a file holds that is none of its servers. */
function otherParts(file: Record<string, unknown>): string[] {
  const names = Object.keys(file).filter((name) => !SAID_OTHERWISE.has(name))
  const shown = names.slice(0, MAX_BESIDE).map((name) => visibleText(name.slice(0, 50)))
  return names.length > MAX_BESIDE ? [...shown, `${names.length - MAX_BESIDE} more`] : shown
}

const isServer = (value: unknown): value is Record<string, unknown> =>
  isFields(value) &&
  ['command', 'url', 'serverUrl', 'httpUrl'].some(
    (field) => typeof value[field] === 'string' || isCommand(value[field]),
  )

/** Some clients part a command into its words, others into path and arguments. */
const isCommand = (value: unknown): boolean => Array.isArray(value) || (isFields(value) && 'path' in value)

function named(list: readonly unknown[]): Listed | undefined {
  const servers = list.filter(isServer).map((one): [string, unknown] => {
    const { name } = one
    return [typeof name === 'string' ? name : '', one]
  })
  return servers.length > 0 ? { format: 'a list of servers', servers } : undefined
}

const serversOfProjects = (projects: Record<string, unknown>): [string, unknown][] =>
  Object.values(projects).flatMap((project) =>
    isFields(project) && isFields(project['mcpServers']) ? Object.entries(project['mcpServers']) : [],
  )

/** Whose words the entries are in, where that shows. */
function dialect(servers: Record<string, unknown>): string {
  const fields = new Set(Object.values(servers).flatMap((server) => (isFields(server) ? Object.keys(server) : [])))
  if (fields.has('serverUrl')) return 'a configuration of Windsurf'
  if (fields.has('httpUrl')) return 'settings of Gemini CLI'
  if (fields.has('autoApprove') || fields.has('alwaysAllow')) return 'settings of Cline or Roo'
  return 'a configuration with mcpServers, as of Claude or Cursor'
}

/** VS Code says beside its servers what it would ask the user for. */
function describedInputs(inputs: unknown): Map<string, string> {
  const found = new Map<string, string>()
  for (const input of Array.isArray(inputs) ? inputs.slice(0, MAX_ENTRIES) : []) {
    if (!isFields(input) || typeof input['id'] !== 'string') continue
    const { id, description } = input
    found.set(`\${input:${id}}`, typeof description === 'string' ? description.slice(0, 100) : '')
  }
  return found
}

function withInputs(entry: PastedEntry, inputs: ReadonlyMap<string, string>): PastedEntry {
  const needs = entry.needs.map((need) => {
    const said = inputs.get(/\$\{[^}]*\}/.exec(need)?.[0] ?? '')
    return said ? `${need} (${said})` : need
  })
  return { ...entry, needs }
}
