import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { othersMayWrite } from './who-may-write.ts'

/** A program that is a server: what is run, and nothing that a shell would read. */
export interface ServerSpec {
  readonly command: string
  readonly args: string[]
  readonly env: Record<string, string>
  readonly cwd: string
}

export interface Config {
  readonly servers: ReadonlyMap<string, ServerSpec>
  /** The origins that the relay reaches wherever they are, also on this machine. */
  readonly relayOrigins: readonly string[]
  /** What is wrong with the file. What it said before still counts, unless others may write it. */
  readonly problem?: string
  /** There is no file. */
  readonly missing?: true
}

const NOTHING: Config = { servers: new Map(), relayOrigins: [] }
const MAX_SERVERS = 100

/** Where the file is, unless another is named. */
export const configFile = (env: NodeJS.ProcessEnv = process.env): string =>
  join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'switchboard', 'servers.json')

/** Reads the file, and reads it again when it or who may write it has changed. The browser has no way to write it. */
export function watchConfig(file: string, uid?: number): () => Config {
  let known: { stamp: string; config: Config } | undefined
  return () => {
    const stat = stampOf(file)
    const danger = stat === undefined ? undefined : judgeWriters(file, uid)
    const stamp = `${stat} ${danger}`
    if (known?.stamp !== stamp) known = { stamp, config: loadConfig(file, danger, known?.config ?? NOTHING) }
    return known.config
  }
}

function judgeWriters(file: string, uid: number | undefined): string | undefined {
  try {
    return othersMayWrite(file, uid)
  } catch (error) {
    // It was removed meanwhile, or this user may not look at a folder above it.
    return `${file}: ${(error as Error).message}`
  }
}

function stampOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat && `${stat.ino} ${stat.mtimeNs} ${stat.size} ${stat.mode}`
}

function loadConfig(file: string, danger: string | undefined, before: Config): Config {
  if (danger !== undefined) return { ...NOTHING, problem: danger }
  if (!existsSync(file)) return { ...NOTHING, missing: true }
  try {
    return parseConfig(readFileSync(file, 'utf8'))
  } catch (error) {
    // Half-written, perhaps: what runs must not end for it.
    const { servers, relayOrigins } = before
    return { servers, relayOrigins, problem: `${file}: ${(error as Error).message}` }
  }
}

/** The file as it is meant; throws an Error that names the field and what it should be. */
export function parseConfig(text: string): Config {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`no JSON (${(error as Error).message})`, { cause: error })
  }
  const { mcpServers = {}, relay = {} } = fields(value, 'the file', ['mcpServers', 'relay'])
  const entries = Object.entries(fields(mcpServers, 'mcpServers'))
  if (entries.length > MAX_SERVERS) throw new Error(`mcpServers has over ${MAX_SERVERS} entries`)
  const servers = new Map(entries.map(([name, entry]) => [checkName(name), readServer(entry, `mcpServers.${name}`)]))
  const { allow = [] } = fields(relay, 'relay', ['allow'])
  return { servers, relayOrigins: strings(allow, 'relay.allow').map(checkOrigin) }
}

function readServer(value: unknown, where: string): ServerSpec {
  // `type` is what other programs write beside a command, and says nothing more.
  const entry = fields(value, where, ['command', 'args', 'env', 'cwd', 'type'])
  const { command, args = [], env = {}, cwd = homedir() } = entry
  if (typeof command !== 'string' || command === '' || /[\0\r\n]/.test(command))
    throw new Error(`${where}.command must be the name or the absolute path of a program`)
  if (/[/\\]/.test(command) && !isAbsolute(command))
    throw new Error(`${where}.command is a relative path: write the absolute one`)
  if (typeof cwd !== 'string' || !isAbsolute(cwd)) throw new Error(`${where}.cwd must be an absolute path`)
  const variables = Object.entries(fields(env, `${where}.env`))
  const wrong = variables.find(([, variable]) => typeof variable !== 'string')
  if (wrong) throw new Error(`${where}.env.${wrong[0]} must be a text`)
  return {
    command,
    args: strings(args, `${where}.args`),
    env: Object.fromEntries(variables) as Record<string, string>,
    cwd,
  }
}

/** A name is a part of an address. */
function checkName(name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name))
    throw new Error(
      `mcpServers has the name ${JSON.stringify(name)}: use up to 64 letters, digits, dots, dashes, underscores`,
    )
  return name
}

function checkOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || (url.origin !== text && `${url.origin}/` !== text))
    throw new Error(`relay.allow has ${JSON.stringify(text)}: write an origin, such as https://example.com`)
  return url.origin
}

function fields(value: unknown, where: string, known?: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${where} must be an object`)
  const unknown = known && Object.keys(value).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw new Error(`${where} has the unknown field ${JSON.stringify(unknown)}: there are ${known?.join(', ')}`)
  return value as Record<string, unknown>
}

function strings(value: unknown, where: string): string[] {
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string'))
    throw new Error(`${where} must be a list of texts`)
  return value as string[]
}
