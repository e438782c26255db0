import { addSentence, newEntry, type PastedEntry } from './entry.ts'
import type { Configuration } from './read-configuration.ts'
import { readAddress } from './read-address.ts'
import { readCurl } from './read-curl.ts'
import { readEntry } from './read-entry.ts'
import { readHeaders } from './read-headers.ts'
import { readJsonc } from './read-jsonc.ts'
import { readProgram } from './read-program.ts'
import { splitWords } from './split-words.ts'

const MAX_LENGTH = 50_000
const LAUNCHER =
  /^(npx|npm|pnpm|pnpx|yarn|bun|bunx|deno|node|tsx|uvx|uv|pipx|python\d?(\.\d+)?|docker|podman|go|cargo|java|dotnet|ruby|php|cmd|wsl|mcp-[\w-]+|[\w-]+-mcp(-server)?)(\.(exe|cmd))?$/i
const PATH = /^(\/|~\/|\.\.?\/|[A-Za-z]:[\\/]).|\.(js|mjs|py|sh|exe)$/
const VARIABLE = /^([A-Za-z_]\w{0,100})=(.*)$/s

type Commanded = Configuration | { problem: string }

/** A command line; undefined where these are just words. */
export function readCommand(text: string): Commanded | undefined {
  // As a terminal shows it.
  const line = text.slice(0, MAX_LENGTH + 1).replace(/^\s*[$>]\s+/, '')
  if (line.length > MAX_LENGTH) return undefined
  const { words, cutAt, problem } = splitWords(line)
  const env: Record<string, string> = {}
  let at = 0
  const isCommand = /^(curl(\.exe)?|claude|gemini|codex|code(-insiders)?|codium|cursor|env|export|set|sudo)$/
  for (; at < words.length; at++) {
    const word = words[at] ?? ''
    const [, name, value] = VARIABLE.exec(word) ?? []
    if (name !== undefined && value !== undefined) env[name] = value
    else if (word !== 'env' && word !== 'sudo') break
  }
  const rest = words.slice(at)
  const [command = ''] = rest
  if (!isCommand.test(command) && !LAUNCHER.test(command) && !PATH.test(command)) return undefined
  if (problem !== undefined) return { problem }
  const read = readWords(rest, env)
  if ('problem' in read) return read
  if (cutAt !== undefined) read.notes.push(`What follows “${cutAt}” was left out.`)
  return read
}

function readWords(words: readonly string[], env: Record<string, string>): Commanded {
  const [command = '', first, second] = words
  const one = (format: string, entry: PastedEntry): Configuration => ({ format, entries: [entry], notes: [] })
  if (command.startsWith('curl')) return one('a curl command', readCurl(words))
  if (/^(code(-insiders)?|codium|cursor)$/.test(command)) {
    const at = words.indexOf('--add-mcp')
    const value = readJsonc(words[at + 1] ?? '')
    if (at < 0 || typeof value !== 'object' || value === null)
      return { problem: `${command} is understood with --add-mcp and a server as JSON.` }
    const { name } = value as { name?: unknown }
    return one('a command that adds a server to an editor', readEntry(typeof name === 'string' ? name : '', value))
  }
  if (/^(claude|gemini|codex)$/.test(command)) {
    if (first !== 'mcp' || (second !== 'add' && second !== 'add-json'))
      return { problem: `${command} is understood with “mcp add”.` }
    const format = 'a command that adds a server to an agent'
    if (second === 'add') return one(format, readAdd(words.slice(3), env))
    const [name = '', json = ''] = positional(words.slice(3)).words
    const value = readJsonc(json)
    return value === undefined ? { problem: 'Its JSON cannot be read.' } : one(format, readEntry(name, value))
  }
  const entry = newEntry(nameOfProgram(words))
  readProgram(entry, { command, args: words.slice(1), env })
  return one('a command', entry)
}

const VALUED = new Set(
  '-s --scope -t --transport -e --env -H --header --url --client-id --client-secret --callback-port --timeout --description --include-tools --exclude-tools'.split(
    ' ',
  ),
)

/** The options of `mcp add`, and the words that are none. What stands behind -- belongs to the program. */
function positional(words: readonly string[]) {
  const options: [string, string][] = []
  const plain: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '--') {
      plain.push(...words.slice(at + 1))
      break
    }
    const [option = '', ...inline] = word.startsWith('--') ? word.split('=') : [word]
    if (VALUED.has(option)) {
      options.push([option, inline.length > 0 ? inline.join('=') : (words[++at] ?? '')])
      // -e takes several: -e A=1 B=2
      while (/^(-e|--env)$/.test(option) && VARIABLE.test(words[at + 1] ?? ''))
        options.push([option, words[++at] ?? ''])
    } else if (word.startsWith('-') && plain.length < 2) options.push([word, ''])
    else plain.push(word)
  }
  return { options, words: plain }
}

function readAdd(words: readonly string[], before: Record<string, string>): PastedEntry {
  const { options, words: plain } = positional(words)
  const [name = '', ...target] = plain
  const entry = newEntry(name)
  const env = { ...before }
  const headers: [string, string][] = []
  let [url] = target
  for (const [option, value] of options) {
    const [, variable, content] = VARIABLE.exec(value) ?? []
    const colon = value.indexOf(':')
    if (/^(-e|--env)$/.test(option) && variable !== undefined) env[variable] = content ?? ''
    else if (/^(-H|--header)$/.test(option) && colon > 0) headers.push([value.slice(0, colon), value.slice(colon + 1)])
    else if (option === '--url') url = value
    else if (option === '--client-id') entry.authentication = { type: 'oauth2', clientId: value.slice(0, 500) }
    else if (/scope$|^-s$/.test(option)) addSentence(entry.left, `${option}: it says where another program keeps it`)
    else if (!/transport$|^-t$/.test(option)) addSentence(entry.left, `${option.slice(0, 40)}: not known here`)
  }
  if (url !== undefined && /^https?:\/\//.test(url)) {
    readAddress(entry, url)
    readHeaders(entry, headers)
    if (Object.keys(env).length > 0)
      addSentence(entry.left, 'Variables: a server at an address is not started from here')
  } else if (target[0] !== undefined) readProgram(entry, { command: target[0], args: target.slice(1), env })
  else entry.problem = 'It names neither an address nor a command.'
  return entry
}

const PACKAGE_RUNNERS =
  /^(npx|npm|pnpm|pnpx|yarn|bun|bunx|uvx|uv|pipx|deno|node|python\d?(\.\d+)?|tsx|cmd|go)(\.exe|\.cmd)?$/i
const FILLERS = /^(-.*|exec|dlx|run|x|tool|\/c|npx|run-server|run-script)$/i

/** After the package or the image, in letters that the companion takes for a name. */
function nameOfProgram(words: readonly string[]): string {
  const [command = '', ...args] = words
  const isContainer = /^(docker|podman)$/.test(command)
  const candidates = isContainer ? args.filter((arg) => /^[\w.-]+(\/[\w.-]+)*(:[\w.-]+)?$/.test(arg)) : args
  const found = PACKAGE_RUNNERS.test(command)
    ? candidates.find((arg) => !FILLERS.test(arg))
    : isContainer
      ? (candidates.find((arg) => arg.includes('/')) ?? candidates.findLast((arg) => !FILLERS.test(arg)))
      : command
  const file = (found ?? command).split(/[/\\]/).at(-1) ?? ''
  // Without its version, and without what says how it is run.
  const last = file.replace(/(?<=.)[@:].*$/s, '').replace(/\.(js|mjs|ts|py|exe|cmd)$/i, '')
  const short = last.replace(/^(mcp-server-|server-|mcp-)/, '').replace(/-mcp(-server)?$|-server$/, '')
  return (
    (short || last)
      .replace(/[^A-Za-z0-9._-]/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 64) || 'program'
  )
}
