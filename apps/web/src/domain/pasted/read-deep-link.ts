import { MAX_VALUE } from './entry.ts'
import { type Configuration, readConfiguration } from './read-configuration.ts'
import { readEntry } from './read-entry.ts'
import { readJsonc } from './read-jsonc.ts'

/** A link that would add a server to an editor; undefined where it is another link. */
export function readDeepLink(link: URL): Configuration | undefined {
  const { protocol, hostname, pathname, searchParams, search } = link
  const isInstall = /mcp\/install|install-mcp/.test(`${hostname}${pathname}`)
  if (/^vscode(-insiders)?:$|^vscodium:$/.test(protocol) && isInstall) {
    const value = readJsonc(unescaped(search.slice(1)))
    const { name } = (value ?? {}) as { name?: unknown }
    return one('a link for VS Code', typeof name === 'string' ? name : '', value)
  }
  const isCursor = protocol === 'cursor:' || /(^|\.)cursor\.com$/.test(hostname)
  const isVsCode = /(^|\.)vscode\.dev$/.test(hostname)
  const config = searchParams.get('config')
  if (!isInstall || !(isCursor || isVsCode) || config === null || config.length > 4 * MAX_VALUE) return undefined
  // A + in a link arrives as a space.
  const value = isCursor ? (readJsonc(decoded(config.replaceAll(' ', '+'))) ?? readJsonc(config)) : readJsonc(config)
  return one(isCursor ? 'a link for Cursor' : 'a link for VS Code', searchParams.get('name') ?? '', value)
}

function one(format: string, name: string, value: unknown): Configuration | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const several = readConfiguration(value)
  return several && several.entries.length > 1
    ? { ...several, format }
    : { format, entries: [readEntry(name, value)], notes: [] }
}

function decoded(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))
  } catch {
    return ''
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
