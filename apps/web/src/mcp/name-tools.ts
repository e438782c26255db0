/** A tool that needs a name for a model. */
export interface Nameless {
  serverId: string
  serverName: string
  toolName: string
}

const MAX_LENGTH = 64
const SERVER_PART = 24

/**
 * A name for each tool: unique, fit for every provider, the same for the same tools whatever their order. It is only for the
 * model to say; which server is meant is never read from it. Tools whose names would look alike all get a mark of their own,
 * so that no server can take the place of another.
 */
export async function nameTools(tools: readonly Nameless[]): Promise<string[]> {
  const wanted = tools.map(({ serverName, toolName }) => {
    const server = slug(serverName.toLowerCase()).slice(0, SERVER_PART) || 'server'
    return `${server}__${slug(toolName) || 'tool'}`
  })
  const counts = new Map<string, number>()
  for (const name of wanted) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1)
  const taken = new Set<string>()
  const names: string[] = []
  for (const [index, tool] of tools.entries()) {
    const name = wanted[index] ?? ''
    const isPlain =
      slug(tool.toolName) === tool.toolName && name.length <= MAX_LENGTH && counts.get(name.toLowerCase()) === 1
    const digest = isPlain ? '' : await digestOf(tool)
    let given = isPlain ? name : marked(name, digest, 8)
    for (let length = 12; taken.has(given.toLowerCase()); length += 4)
      given = marked(name, digest || (await digestOf(tool)), length)
    taken.add(given.toLowerCase())
    names.push(given)
  }
  return names
}

const slug = (text: string): string => text.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+$/, '')

const marked = (name: string, digest: string, length: number): string =>
  `${name.slice(0, MAX_LENGTH - length - 1)}_${digest.slice(0, length)}`

async function digestOf({ serverId, toolName }: Nameless): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([serverId, toolName]))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
