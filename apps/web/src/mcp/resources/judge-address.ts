/** Longer addresses are no addresses. */
const LONGEST = 4_000
const SCHEME = /^[a-z][a-z\d+.-]*:/i
/** Addresses that say what to do or hold their own content: no server has anything there. */
const NEVER = /^(?:javascript|vbscript|data|blob|about):/i

/**
 * Why an address is not asked for; undefined where it is. Whatever its scheme, it is only ever handed to the server that it
 * belongs to: a file: is one of the server's machine.
 */
export function whyNotRead(uri: string): string | undefined {
  const address = uri.trim()
  if (address.length > LONGEST) return `The address is longer than ${LONGEST} characters.`
  if (!SCHEME.test(address)) return 'The address has no scheme, such as file: or https:.'
  if (NEVER.test(address)) return `Addresses with ${address.slice(0, address.indexOf(':') + 1)} are never read.`
  return undefined
}
