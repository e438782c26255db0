import { isLoopback } from './loopback.ts'

const PARTS = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)([^?#]*)(\?[^#]*)?$/i
const PLACE = /\{([^{}]*)\}/g

/** The address of a custom tool in its parts; undefined where it is none. */
export function addressParts(url: string): { origin: string; path: string; query: string } | undefined {
  const [, origin, path = '', query = ''] = PARTS.exec(url.trim()) ?? []
  return origin === undefined ? undefined : { origin, path, query }
}

/** The names of the {places} of an address, in their order, each once. */
export const placesIn = (url: string): string[] => [...new Set([...url.matchAll(PLACE)].map(([, name = '']) => name))]

/** What stands in the places of an address; `fill` gives the text for each name. */
export const fillPlaces = (text: string, fill: (name: string) => string): string =>
  text.replace(PLACE, (_, name: string) => fill(name))

/** What is wrong with the address of a custom tool, in words that say what to do; undefined where nothing is. */
export function addressFault(url: string): string | undefined {
  const address = url.trim()
  if (address.includes('#')) return 'Leave out the part from # on: it is never sent.'
  const parts = addressParts(address)
  if (!parts) return 'This is no address. It should look like https://example.com/items/{id}.'
  const { origin, path, query } = parts
  // An argument there would choose who gets the request.
  if (/[{}]/.test(origin)) return 'Arguments cannot choose the host: {places} belong behind it.'
  if (!URL.canParse(origin)) return 'This is no address. It should look like https://example.com/items/{id}.'
  const { protocol, hostname, username, password } = new URL(origin)
  if (protocol !== 'https:' && protocol !== 'http:') return `An address begins with https://, not with ${protocol}//.`
  if (username || password || origin.includes('@'))
    return 'Leave name and password out of the address: there are fields for them in the settings of the collection.'
  if (protocol === 'http:' && !isLoopback(hostname))
    return `${hostname} needs https://: over http anybody on the way can read and change what is sent.`
  const rest = `${path}${query}`
  if (rest.replace(PLACE, '').match(/[{}]/)) return 'A { has no } here, or the other way round.'
  if (placesIn(rest).some((name) => name.trim() !== name || name === ''))
    return 'A place needs the name of an argument between its braces: {id}.'
  return undefined
}

/** What is wrong with an address that paths are put behind. */
export function baseFault(base: string): string | undefined {
  const fault = addressFault(base)
  if (fault !== undefined) return fault
  const { path, query } = addressParts(base) ?? { path: '', query: '' }
  if (query !== '') return 'The address of an API ends before the question mark.'
  return /[{}]/.test(path)
    ? 'Put values in the place of the braces: this address is the same for all tools.'
    : undefined
}
