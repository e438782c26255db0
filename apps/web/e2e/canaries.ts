import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A secret that occurs nowhere else in the world. */
export const canary = (name: string): string => `${name}-${randomBytes(12).toString('hex')}`

/** A text as base64 has it wherever it stands in what was encoded: without the letters that its neighbours share. */
function base64At(text: Buffer, offset: number): string {
  const padded = Buffer.concat([Buffer.alloc(offset), text])
  const first = Math.ceil((offset * 4) / 3)
  const last = Math.floor((padded.length * 4) / 3)
  return padded.toString('base64').slice(first, last)
}

/** A secret in every usual encoding, by name. */
export function encodingsOf(secret: string): Map<string, Buffer> {
  const utf8 = Buffer.from(secret)
  const utf16 = Buffer.from(secret, 'utf16le')
  const escape = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
  const percent = (byte: number) => `%${byte.toString(16).padStart(2, '0')}`
  const texts: [string, string][] = [
    ['hex', utf8.toString('hex')],
    ['HEX', utf8.toString('hex').toUpperCase()],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['JSON in JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ['JSON, all escaped', Array.from(secret, escape).join('')],
    ['a URL', encodeURIComponent(secret)],
    ['a form', String(new URLSearchParams({ '': secret })).slice(1)],
    ['a URL, all escaped', [...utf8].map(percent).join('')],
    ['a URL, ALL ESCAPED', [...utf8].map(percent).join('').toUpperCase()],
  ]
  for (const offset of [0, 1, 2]) {
    texts.push([`base64 at ${offset}`, base64At(utf8, offset)])
    texts.push([`base64url at ${offset}`, base64At(utf8, offset).replaceAll('+', '-').replaceAll('/', '_')])
    texts.push([`base64 of utf-16 at ${offset}`, base64At(utf16, offset)])
  }
  const found = new Map([
    ['utf-8', utf8],
    ['utf-16', utf16],
    ['latin-1', Buffer.from(secret, 'latin1')],
  ])
  for (const [name, text] of texts) {
    found.set(name, Buffer.from(text))
    found.set(`${name} in utf-16`, Buffer.from(text, 'utf16le'))
  }
  // Most of a plain secret are the same bytes, and a profile is large.
  return new Map([...found].filter(([, needle], at, all) => all.findIndex(([, other]) => other.equals(needle)) === at))
}

/** Which secrets a text or a file holds, and how. */
export function canariesIn(content: Buffer | string, secrets: Record<string, string>): string[] {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return Object.entries(secrets).flatMap(([name, secret]) =>
    [...encodingsOf(secret)].flatMap(([encoding, needle]) => (bytes.includes(needle) ? `${name} as ${encoding}` : [])),
  )
}

/** The same for every file under a folder. */
export function canariesUnder(folder: string, secrets: Record<string, string>): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => {
      const file = join(parentPath, name)
      return canariesIn(readFileSync(file), secrets).map((hit) => `${hit} in ${file.slice(folder.length + 1)}`)
    })
}
