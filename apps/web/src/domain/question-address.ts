import { isLoopback } from './loopback.ts'

/** An address that a server wants the user to visit, as it is shown: whole, with the host standing out. */
export interface JudgedAddress {
  /** What is opened, and exactly what is shown. */
  href: string
  before: string
  host: string
  after: string
  warnings: string[]
}

const LONGEST = 8_000
const LONG = 300

const isPrivate = (hostname: string): boolean =>
  /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|0\.)/.test(
    hostname,
  ) ||
  /^\[(f[cd]|fe[89ab]|::ffff:)/i.test(hostname) ||
  /(^|\.)(local|internal|lan|home|corp|intranet|localdomain)\.?$/i.test(hostname) ||
  (!hostname.includes('.') && !hostname.startsWith('['))

const isNumeric = (hostname: string): boolean => /^[\d.]+$/.test(hostname) || hostname.startsWith('[')

/** Whether an address may be offered at all, and what to think of it. Nothing is asked of anybody. */
export function judgeAddress(text: string): JudgedAddress | { refused: string } {
  if (text.length > LONGEST) return { refused: 'The address is too long to be looked at.' }
  // A browser reads these otherwise than a person does.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(text)) return { refused: 'The address holds characters that hide where it leads.' }
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return { refused: 'It is not an address of a web page.' }
  if (url.username !== '' || url.password !== '' || /^[a-z]+:\/*[^/?#]*@/i.test(text))
    return { refused: 'The address looks as if it led elsewhere than it does: it has a name before the host.' }
  const { href, host, hostname, protocol } = url
  const begin = `${protocol}//`.length
  const warnings = [
    ...(hostname.split('.').some((label) => label.startsWith('xn--'))
      ? ['The host is written in letters that can look like others. Compare it letter by letter with the one you know.']
      : []),
    ...(protocol === 'http:' && !isLoopback(hostname)
      ? ['It is not encrypted (http): others on the way can read and change the page.']
      : []),
    ...(isLoopback(hostname)
      ? ['It leads to this very computer.']
      : isPrivate(hostname)
        ? ['It leads into a private network.']
        : isNumeric(hostname)
          ? ['It names a machine by number, which well-known sites do not do.']
          : []),
    ...(href.length > LONG ? [`It is ${href.length} characters long. Only the host says whose page it is.`] : []),
  ]
  return { href, before: href.slice(0, begin), host, after: href.slice(begin + host.length), warnings }
}
