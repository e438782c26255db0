import { visibleText } from '#lib/visible-text.ts'
import {
  addSentence,
  isFields,
  newEntry,
  type PastedEntry,
  type PastedProgram,
  placeholderIn,
  textOf,
} from './entry.ts'
import { readAddress } from './read-address.ts'
import { readHeaders } from './read-headers.ts'
import { readProgram } from './read-program.ts'

const MAX_ARGUMENTS = 200
/** As long as a server keeps. */
const MAX_DESCRIPTION = 500
const ADDRESSES = ['url', 'serverUrl', 'httpUrl', 'endpoint', 'uri'] as const
/** Fields that say nothing which is not known otherwise. */
const NEUTRAL = new Set(['type', 'transport', 'transportType', 'name', 'source', 'enabled', 'disabled'])
const APPROVAL = new Set(['autoApprove', 'alwaysAllow', 'trust', 'autoAllow', 'autoRun', 'allowedTools'])
const CHOICE = new Set(['includeTools', 'excludeTools', 'disabledTools', 'enabledTools', 'tools'])

/** One server of a configuration file, in the words of whichever client wrote it. */
export function readEntry(name: string, value: unknown): PastedEntry {
  const entry = newEntry(visibleText(name.slice(0, 200)))
  if (!isFields(value)) {
    entry.problem = 'It is no object with fields.'
    return entry
  }
  const used = new Set<string>()
  const take = (field: string): unknown => {
    used.add(field)
    return value[field]
  }
  const field = ADDRESSES.find((one) => typeof value[one] === 'string')
  const program = field === undefined ? programOf(value, take) : undefined
  if (field !== undefined) readAddress(entry, String(take(field)).trim().slice(0, 4_000))
  else if (program) readProgram(entry, program)
  else entry.problem = 'It has neither an address nor a command.'

  readHeaders(entry, pairsOf(take('headers')))
  if (isFields(value['requestInit']))
    readHeaders(entry, pairsOf((take('requestInit') as { headers?: unknown }).headers))
  readClient(entry, value['oauth'] === undefined ? value['auth'] : take('oauth'), used)
  if (take('disabled') === true || take('enabled') === false) {
    entry.enabled = false
    addSentence(entry.taken, 'Switched off')
  }
  readTimeout(entry, take('timeout'))
  readDescription(entry, take('description'))
  tellRest(entry, value, used)
  if (entry.name === '') entry.name = nameOf(entry)
  return entry
}

const pairsOf = (value: unknown): [string, string][] =>
  isFields(value)
    ? Object.entries(value).flatMap(([name, text]): [string, string][] =>
        typeof text === 'string' ? [[name, text]] : [],
      )
    : []

function programOf(value: Record<string, unknown>, take: (field: string) => unknown): PastedProgram | undefined {
  const given = take('command')
  // Older Zed: { command: { path, args, env } }; opencode: { command: ["npx", …] }.
  const inner = isFields(given) ? given : undefined
  const list = Array.isArray(given) ? texts(given) : undefined
  const command = inner ? textOf(inner['path']) : list ? list[0] : textOf(given)
  if (command === undefined || command.trim() === '') return undefined
  const args = texts(inner ? inner['args'] : take('args'))
  const env = inner?.['env'] ?? take('env') ?? take('environment')
  const cwd = textOf(take('cwd'))
  return {
    command: command.trim(),
    args: [...(list?.slice(1) ?? []), ...args].slice(0, MAX_ARGUMENTS),
    env: Object.fromEntries(isFields(env) ? Object.entries(env).flatMap(variableOf) : []),
    ...(cwd !== undefined && { cwd }),
  }
}

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value.slice(0, MAX_ARGUMENTS) : []).flatMap((one: unknown) =>
    typeof one === 'number' ? String(one) : (textOf(one) ?? []),
  )

const variableOf = ([name, value]: [string, unknown]): [string, string][] =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? [[name.slice(0, 200), String(value).slice(0, 8_000)]]
    : []

function readDescription(entry: PastedEntry, value: unknown): void {
  if (value === undefined) return
  // What is hidden is written out, and so longer.
  const said = typeof value === 'string' ? visibleText(value.slice(0, MAX_DESCRIPTION)).trim() : ''
  if (said === '') return addSentence(entry.left, 'description: no words')
  entry.description = said.slice(0, MAX_DESCRIPTION)
  addSentence(entry.taken, 'Description')
}

/** A client that is known to the authorization server already. */
function readClient(entry: PastedEntry, value: unknown, used: Set<string>): void {
  if (!isFields(value) || entry.program) return
  used.add('auth')
  const pick = (...names: string[]) => names.map((name) => textOf(value[name])).find(Boolean)
  const clientId = pick('clientId', 'CLIENT_ID', 'client_id')
  const secret = pick('clientSecret', 'CLIENT_SECRET', 'client_secret')
  const scopes = Array.isArray(value['scopes']) ? texts(value['scopes']).join(' ') : pick('scopes', 'scope')
  if (clientId === undefined || entry.authentication.type !== 'auto') return
  const placeholder = placeholderIn(clientId)
  if (placeholder !== undefined) return addSentence(entry.needs, `Client id: ${placeholder}`)
  entry.authentication = { type: 'oauth2', clientId, ...(scopes !== undefined && { scopes }) }
  addSentence(entry.taken, 'Client id for signing in')
  if (secret === undefined) return
  const missing = placeholderIn(secret)
  if (missing !== undefined) return addSentence(entry.needs, `Client secret: ${missing}`)
  entry.secrets = { ...entry.secrets, clientSecret: secret }
  addSentence(entry.taken, 'Client secret')
}

/** Some clients count seconds, others milliseconds. */
function readTimeout(entry: PastedEntry, value: unknown): void {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return
  const seconds = Math.min(300, Math.max(1, Math.round(value >= 1000 ? value / 1000 : value)))
  entry.timeoutSeconds = seconds
  addSentence(entry.taken, `Time-out ${seconds} s`)
}

function tellRest(entry: PastedEntry, value: Record<string, unknown>, used: ReadonlySet<string>): void {
  for (const name of Object.keys(value)) {
    if (used.has(name) || NEUTRAL.has(name)) continue
    const shown = visibleText(name.slice(0, 50))
    if (APPROVAL.has(name)) addSentence(entry.left, `${shown}: a file gives no permissions, you do`)
    else if (CHOICE.has(name)) addSentence(entry.left, `${shown}: tools are chosen in each GPT`)
    else if (name === 'env' || name === 'args' || name === 'command')
      addSentence(entry.left, `${shown}: a server at an address is not started from here`)
    else if (name === 'envFile')
      addSentence(entry.left, 'envFile: the companion reads no such file; write its lines into env')
    else if (name === 'headersHelper')
      addSentence(entry.left, 'headersHelper: a browser starts no program for headers; enter what it gives as a header')
    else addSentence(entry.left, `${shown}: not known here`)
  }
}

/** What to call one that was given no name. */
export function nameOf({ url, program }: Pick<PastedEntry, 'url' | 'program'>): string {
  if (program) return program.command.split(/[/\\]/).at(-1)?.slice(0, 60) || 'program'
  return URL.canParse(url) ? new URL(url).host : 'server'
}
