import { Failed } from '#domain/failure.ts'
import { secretId } from '#domain/sealed.ts'
import { type Authentication, type ServerSecretField, type ServerSecrets, serverSecretFields } from '#domain/server.ts'
import { checkAddress } from '#mcp/check-address.ts'
import type { ServerInput } from './commands.ts'
import type { Carried, EngineParts } from './engine-parts.ts'

type Names =
  | 'testServer'
  | 'saveServer'
  | 'enableServer'
  | 'connectServer'
  | 'deleteServer'
  | 'restoreServer'
  | 'companionServers'
  | 'restartCompanionServer'

const FIELDS: Record<Authentication['type'], readonly ServerSecretField[]> = {
  none: [],
  bearer: ['token'],
  'api-key': ['key'],
  basic: ['password'],
  oauth2: ['clientSecret', 'privateKey'],
}

/** A header that a request may carry by the rules of HTTP, and that is not one of its own. */
const isHeaderName = (name: string) =>
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name) && !/^(host|content-|mcp-|accept|origin|cookie)/i.test(name)

/** The input with its address as it will be compared: what is trusted is bound to it, letter by letter. */
function checkInput(server: ServerInput): ServerInput {
  const { transport, url, authentication } = server
  if (authentication.type === 'api-key' && !isHeaderName(authentication.header))
    throw new Failed('bad-input', `“${authentication.header}” is no header for a key. A usual one is x-api-key.`)
  return transport === 'streamable-http' ? { ...server, url: checkAddress(url) } : server
}

export function serverCommands({ servers, vault, mcp }: EngineParts): Carried<Names> {
  const { connections, companion } = mcp
  const idOf = (serverId: string, field: string) => secretId('mcpServers', serverId, field)
  /** Connecting is told by the state of the server; nobody waits for it here. */
  const connectSoon = (serverId: string) => void connections.connect(serverId).catch(() => {})

  async function keepSecrets(serverId: string, { type }: Authentication, secrets: ServerSecrets): Promise<void> {
    const wanted = FIELDS[type]
    for (const field of serverSecretFields) {
      const value = secrets[field]
      if (!wanted.includes(field)) await vault.remove(idOf(serverId, field))
      else if (value) await vault.seal(idOf(serverId, field), value)
    }
  }

  return {
    testServer: (input) => mcp.testServer(input),
    async saveServer({ server, secrets, serverId }) {
      const input = checkInput(server)
      const hasSecrets = Object.values(secrets).some(Boolean)
      if (hasSecrets && vault.state().state === 'locked')
        throw new Failed('vault-locked', 'Unlock the vault first: the key of this server is kept there.')
      const saved = serverId ? await servers.change(serverId, input) : await servers.add({ ...input, headerNames: [] })
      await keepSecrets(saved.id, server.authentication, secrets)
      // Other changes are noticed by the connection itself, which lets calls under way finish.
      if (hasSecrets || !saved.enabled) connections.close(saved.id)
      if (saved.enabled) connectSoon(saved.id)
      return { serverId: saved.id }
    },
    async enableServer({ serverId, enabled }) {
      await servers.change(serverId, { enabled })
      if (enabled) connectSoon(serverId)
      else connections.close(serverId)
    },
    connectServer: ({ serverId }) => connections.connect(serverId),
    async deleteServer({ serverId }) {
      const also = await servers.remove(serverId)
      connections.close(serverId)
      return also
    },
    async restoreServer({ serverId }) {
      await servers.restore(serverId)
      connectSoon(serverId)
    },
    companionServers: () => companion.servers(),
    restartCompanionServer: ({ name }) => companion.restart(name),
  }
}
