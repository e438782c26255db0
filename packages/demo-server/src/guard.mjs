/**
 * Whether a request may be answered. A page of any site can reach a port of this machine, under our name or, by DNS, under its
 * own: so the Host must be ours, and a page that is not must have been allowed.
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {number} port
 * @param {readonly string[]} allowedOrigins
 * @returns {string | undefined} why not
 */
export function refusal({ host = '', origin }, port, allowedOrigins) {
  const hosts = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`)
  if (!hosts.includes(host)) return `This server answers to ${hosts.join(', ')}, not to the Host of this request.`
  if (origin === undefined || allowedOrigins.includes(origin)) return undefined
  if (hosts.some((name) => origin === `http://${name}`)) return undefined
  return 'This server does not answer pages of other origins.'
}
