import { Failed } from '#domain/failure.ts'

const isThisMachine = (host: string): boolean => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(host)

/** The address of a server, as it is used; `Failed` says what is wrong with it. */
export function checkAddress(text: string): string {
  const address = text.trim()
  if (!URL.canParse(address))
    throw new Failed('bad-input', 'This is no address. It should look like https://example.com/mcp.')
  const { protocol, username, password, hash, hostname, href } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new Failed('bad-input', `An address of a server begins with https://, not with ${protocol}//.`)
  if (protocol === 'http:' && !isThisMachine(hostname))
    throw new Failed(
      'bad-input',
      `${hostname} needs https://: over http anybody on the way can read and change what is sent.`,
    )
  if (username || password)
    throw new Failed(
      'bad-input',
      'Leave name and password out of the address: there are fields for them under Authentication.',
    )
  if (hash) throw new Failed('bad-input', `Leave out the part from # on: it is never sent to ${hostname}.`)
  return href
}
