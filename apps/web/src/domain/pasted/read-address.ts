import { addSentence, type PastedEntry, placeholderIn } from './entry.ts'
import { readBasic } from './read-headers.ts'

/** Names of parameters that are mostly keys. */
export const KEY_PARAMETER = /key|token|secret|auth|pass|sig|credential/i

/** Takes over the address of a server; name and password leave it for the vault. */
export function readAddress(entry: PastedEntry, text: string): void {
  const placeholder = placeholderIn(text)
  if (placeholder !== undefined) {
    entry.url = text
    addSentence(entry.needs, `Address: ${placeholder}`)
    entry.problem = `Its address has ${placeholder} in it. Put the value there in what you pasted.`
    return
  }
  if (!URL.canParse(text)) {
    entry.problem = 'It has no address that can be read.'
    return
  }
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    entry.problem = `Its address begins with ${url.protocol.slice(0, 50)}, and only https:// can be reached.`
    return
  }
  if (url.username || url.password) {
    readBasic(entry, `${unescaped(url.username)}:${unescaped(url.password)}`)
    url.username = ''
    url.password = ''
  }
  if (url.hash) {
    url.hash = ''
    addSentence(entry.left, 'The part of the address from # on: it is never sent.')
  }
  const keys = [...url.searchParams.keys()].filter((name) => KEY_PARAMETER.test(name))
  if (keys.length > 0)
    addSentence(
      entry.taken,
      `“${keys[0]?.slice(0, 50)}” in the address: it looks like a key, and stays there, for an address is not kept in the vault`,
    )
  entry.url = url.href
  addSentence(entry.taken, `Address ${url.host}`)
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
