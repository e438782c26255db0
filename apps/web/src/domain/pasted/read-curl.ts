import { addSentence, newEntry, type PastedEntry } from './entry.ts'
import { readAddress } from './read-address.ts'
import { readBasic, readHeaders } from './read-headers.ts'
import { nameOf } from './read-entry.ts'

/** Options with a value behind them that mean nothing for a server. */
const SKIPPED = new Set(
  '-o --output -m --max-time --connect-timeout --retry -A --user-agent -e --referer -w --write-out -x --proxy --cacert --cert --key -b --cookie -c --cookie-jar --resolve -D --dump-header'.split(
    ' ',
  ),
)
const DATA = new Set(['-d', '--data', '--data-raw', '--data-binary', '--data-urlencode', '--json', '-F', '--form'])

/** A `curl`: its address and what it says of who asks. What it would send is not the app's to send. */
export function readCurl(words: readonly string[]): PastedEntry {
  const entry = newEntry('')
  const headers: [string, string][] = []
  let address: string | undefined
  let user: string | undefined
  let at = 1
  const value = (word: string): string => {
    const sign = word.indexOf('=')
    return word.startsWith('--') && sign > 0 ? word.slice(sign + 1) : (words[++at] ?? '')
  }
  for (; at < words.length; at++) {
    const word = words[at] ?? ''
    const option = word.startsWith('--') ? word.split('=', 1)[0] : word
    // -H"Name: value" and -XPOST are written without a space too.
    const short = /^-[HXu]./.test(word) ? word.slice(0, 2) : option
    const rest = short === option ? undefined : word.slice(2)
    if (short === '-H' || short === '--header') readHeader(rest ?? value(word), headers)
    else if (short === '-u' || short === '--user') user = rest ?? value(word)
    else if (short === '--oauth2-bearer') headers.push(['authorization', `Bearer ${value(word)}`])
    else if (short === '-X' || short === '--request')
      addSentence(entry.left, `Method ${(rest ?? value(word)).slice(0, 10)}: MCP has its own`)
    else if (option !== undefined && DATA.has(option)) {
      value(word)
      addSentence(entry.left, 'The body: nothing of it is sent')
    } else if (short === '--url') address ??= value(word)
    else if (option !== undefined && SKIPPED.has(option)) {
      value(word)
      addSentence(entry.left, `${option}: it is curl's own`)
    } else if (!word.startsWith('-') && word !== '') address ??= word
    else if (short === '-k' || short === '--insecure')
      addSentence(entry.left, `${word}: a certificate that is not valid is not accepted here`)
  }
  if (address === undefined) entry.problem = 'It has no address.'
  else readAddress(entry, /^[a-z]+:\/\//i.test(address) ? address : `https://${address}`)
  readHeaders(entry, headers)
  if (user !== undefined && entry.authentication.type === 'auto')
    readBasic(entry, user.includes(':') ? user : `${user}:`)
  entry.name = nameOf(entry)
  return entry
}

function readHeader(text: string, headers: [string, string][]): void {
  const colon = text.indexOf(':')
  if (colon > 0) headers.push([text.slice(0, colon), text.slice(colon + 1).trim()])
}
