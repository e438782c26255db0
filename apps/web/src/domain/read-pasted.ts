import { isLoopback } from './loopback.ts'
import { newEntry, type PastedEntry } from './pasted/entry.ts'
import { readAddress } from './pasted/read-address.ts'
import { readCommand } from './pasted/read-command.ts'
import { type Configuration, readConfiguration } from './pasted/read-configuration.ts'
import { readDeepLink } from './pasted/read-deep-link.ts'
import { nameOf } from './pasted/read-entry.ts'
import { readJsonc } from './pasted/read-jsonc.ts'

export type { PastedEntry, PastedProgram } from './pasted/entry.ts'

/** What a paste is. */
export type Pasted =
  | { kind: 'nothing' }
  /** One address and nothing else. */
  | { kind: 'address'; url: string }
  /** Servers, each with what was understood of it. */
  | ({ kind: 'servers' } & Configuration)
  | { kind: 'unreadable'; problem: string }

const MAX_LENGTH = 1_000_000

/** Reads whatever names servers. It throws nothing, asks nobody, and takes a time that grows with the length alone. */
export function readPasted(given: string): Pasted {
  if (given.length > MAX_LENGTH)
    return {
      kind: 'unreadable',
      problem: `This is over ${MAX_LENGTH.toLocaleString('en')} characters long, and no configuration is.`,
    }
  const text = withoutFence(given.replace(/^\uFEFF/, '').trim())
  if (text === '') return { kind: 'nothing' }
  const found = /^["{[/]/.test(text) ? readJson(text) : undefined
  if (found) return found
  return readLink(text) ?? readLine(text) ?? UNKNOWN
}

const UNKNOWN: Pasted = {
  kind: 'unreadable',
  problem:
    'This is not understood. Paste an address (https://…), a configuration file (mcp.json and the like), or a command (npx …, claude mcp add …, curl …).',
}

/** As a README has it. */
function withoutFence(text: string): string {
  if (!text.startsWith('```')) return text
  const begin = text.indexOf('\n')
  const end = text.lastIndexOf('```')
  return begin > 0 && end > begin ? text.slice(begin + 1, end).trim() : text
}

function readJson(text: string): Pasted | undefined {
  // "name": { … } is how many READMEs show a server: a piece of a file, without the braces around it.
  const value = readJsonc(text) ?? (text.startsWith('"') ? readJsonc(`{${text.replace(/,\s*$/, '')}}`) : undefined)
  if (value !== undefined && typeof value !== 'string') {
    const configuration = readConfiguration(value)
    return configuration
      ? { kind: 'servers', ...configuration }
      : { kind: 'unreadable', problem: 'This is JSON, but it names no servers.' }
  }
  return /^[{[]/.test(text) ? { kind: 'unreadable', problem: faultOf(text) } : undefined
}

/** Where it stops being JSON, in words without the text itself, which may hold a key. */
function faultOf(text: string): string {
  const open = (text.match(/[{[]/g) ?? []).length - (text.match(/[}\]]/g) ?? []).length
  return open > 0
    ? `This begins like a configuration file, and ${open === 1 ? 'one of its brackets is' : `${open} of its brackets are`} not closed. Was all of it copied?`
    : 'This begins like a configuration file, and is no JSON.'
}

function readLink(text: string): Pasted | undefined {
  if (/\s/.test(text)) return undefined
  if (
    /^[\w.-]+(:\d{1,5})?(\/\S*)?$/.test(text) &&
    (/^[\w-]+(\.[\w-]+)*\.[a-z]{2,}([:/]|$)/i.test(text) || isLocal(text))
  )
    return { kind: 'address', url: `${isLocal(text) ? 'http' : 'https'}://${text}` }
  if (!/^[a-z][a-z0-9+.-]{0,30}:/i.test(text) || !URL.canParse(text)) return undefined
  const link = new URL(text)
  const installed = readDeepLink(link)
  if (installed) return { kind: 'servers', ...installed }
  if (!link.username && !link.password) return text.includes('://') ? { kind: 'address', url: text } : undefined
  const entry: PastedEntry = newEntry('')
  readAddress(entry, text)
  entry.name = nameOf(entry)
  return { kind: 'servers', format: 'an address with a name and a password', entries: [entry], notes: [] }
}

const isLocal = (text: string): boolean => isLoopback(text.split(/[:/]/, 1)[0] ?? '')

function readLine(text: string): Pasted | undefined {
  const command = readCommand(text)
  if (!command) return undefined
  return 'problem' in command ? { kind: 'unreadable', ...command } : { kind: 'servers', ...command }
}
