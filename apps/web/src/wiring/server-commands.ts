import { Failed } from '#domain/failure.ts'
import { secretId } from '#domain/sealed.ts'
import {
  type Authentication,
  type Server,
  type ServerSecretField,
  type ServerSecrets,
  serverSecretFields,
} from '#domain/server.ts'
import { checkAddress } from '#mcp/check-address.ts'
import { mergeHeaders, readExtraHeaders } from '#mcp/credentials.ts'
import { draftId as draftRow } from '#mcp/sign-ins.ts'
import type { ServerInput } from './commands.ts'
import type { Carried, EngineParts } from './engine-parts.ts'

type Names =
  | 'testServer'
  | 'stopTest'
  | 'saveServer'
  | 'importServers'
  | 'duplicateServer'
  | 'copySecrets'
  | 'enableServer'
  | 'trustServer'
  | 'connectServer'
  | 'deleteServer'
  | 'restoreServer'
  | 'relayReach'
  | 'companionServers'
  | 'restartCompanionServer'

/** The secret that an authentication has. Every other one goes when it is chosen. */
function fieldOf(authentication: Authentication): ServerSecretField | undefined {
  switch (authentication.type) {
    case 'auto':
    case 'none':
      return undefined
    case 'bearer':
      return 'token'
    case 'api-key':
      return 'key'
    case 'basic':
      return 'password'
    case 'oauth2':
      return authentication.algorithm ? 'privateKey' : 'clientSecret'
  }
}

/** A header that a request may carry by the rules of HTTP, and that is not one of its own. */
const isHeaderName = (name: string) =>
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name) && !/^(host|content-|mcp-|accept|origin|cookie)/i.test(name)

/** The input with its address as it will be compared: what is trusted is bound to it, letter by letter. */
function checkInput(server: ServerInput, secrets: ServerSecrets): ServerInput {
  const { transport, url, authentication, name } = server
  if (authentication.type === 'api-key' && !isHeaderName(authentication.header))
    throw new Failed('bad-input', `“${authentication.header}” is no header for a key. A usual one is x-api-key.`)
  // Said now: when it connects, nobody may be looking.
  readExtraHeaders(secrets.headers, name)
  const wrong = server.headerNames?.find((header) => !isHeaderName(header))
  if (wrong !== undefined) throw new Failed('bad-input', `“${wrong}” is no header that you can set.`)
  const headers = server.headerNames && { headerNames: server.headerNames.map((header) => header.toLowerCase()) }
  const hasAddress = transport === 'streamable-http' || (transport === 'custom' && url !== '')
  return { ...server, ...headers, ...(hasAddress && { url: checkAddress(url) }) }
}

export function serverCommands({ servers, vault, mcp }: EngineParts): Carried<Names> {
  const { connections, companion } = mcp
  const tests = new Map<string, AbortController>()
  const idOf = (serverId: string, field: string) => secretId('mcpServers', serverId, field)
  /** Connecting is told by the state of the server; nobody waits for it here. */
  const connectSoon = (serverId: string) => void connections.connect(serverId).catch(() => {})

  async function keepSecrets({ id, name, authentication, headerNames }: Server, secrets: ServerSecrets): Promise<void> {
    const wanted = fieldOf(authentication)
    for (const field of serverSecretFields) {
      if (field === 'headers') continue
      const value = secrets[field]
      if (field !== wanted) await vault.remove(idOf(id, field))
      else if (value) await vault.seal(idOf(id, field), value)
    }
    const headers = idOf(id, 'headers')
    if (headerNames.length === 0) await vault.remove(headers)
    // Those that were not entered anew stay as they are; those that are not named any more go.
    else if (vault.state().state !== 'locked')
      await vault.seal(headers, mergeHeaders(headerNames, await vault.open(headers), secrets.headers, name))
  }

  /** What was tried before it is saved, if that was at this address: a sign-in for it goes on with it. */
  async function takeDraft(id: string | undefined, url: string) {
    if (id === undefined || !/^[0-9a-f-]{36}$/.test(id)) return undefined
    const draft = await mcp.signIns.draft(id)
    if (draft?.server.url !== url) return undefined
    await vault.remove(draftRow(id))
    return draft
  }

  async function save(
    given: ServerInput,
    entered: ServerSecrets,
    serverId?: string,
    draftId?: string,
  ): Promise<Server> {
    const input = checkInput(given, entered)
    const draft = serverId ? undefined : await takeDraft(draftId, input.url)
    const secrets = { ...draft?.secrets, ...entered }
    const hasSecrets = Object.values(secrets).some(Boolean)
    if (hasSecrets && vault.state().state === 'locked')
      throw new Failed('vault-locked', 'Unlock the vault first: the key of this server is kept there.')
    const headers = Object.keys(readExtraHeaders(secrets.headers, input.name))
    const saved = serverId
      ? await servers.change(serverId, input)
      : await servers.add({ ...input, headerNames: input.headerNames ?? headers }, draft?.server.id)
    await keepSecrets(saved, secrets)
    // They may be known to somebody else than those before.
    if (serverId && (secrets.clientSecret || secrets.privateKey)) await servers.forgetSignIn(serverId)
    // Other changes are noticed by the connection itself, which lets calls under way finish.
    if (hasSecrets || !saved.enabled) connections.close(saved.id)
    if (saved.enabled) connectSoon(saved.id)
    return saved
  }

  return {
    async testServer({ testId, ...input }) {
      if (testId === undefined) return mcp.testServer(input)
      const abort = new AbortController()
      tests.set(testId, abort)
      try {
        return await mcp.testServer(input, abort.signal)
      } finally {
        tests.delete(testId)
      }
    },
    async stopTest({ testId }) {
      tests.get(testId)?.abort()
    },
    saveServer: async ({ server, secrets, serverId, draftId }) => ({
      serverId: (await save(server, secrets, serverId, draftId)).id,
    }),
    async importServers({ servers: wanted }) {
      const { importServers } = await import('./import-servers.ts')
      return importServers(wanted, { save, names: async () => (await servers.servers()).map(({ name }) => name) })
    },
    async duplicateServer({ serverId }) {
      const { duplicateServer } = await import('./import-servers.ts')
      return duplicateServer(serverId, { servers, connectSoon })
    },
    async copySecrets({ from, to }) {
      const { copySecrets } = await import('./import-servers.ts')
      await copySecrets(from, to, { servers, vault })
      connections.close(to)
      if ((await servers.server(to))?.enabled) connectSoon(to)
    },
    async trustServer({ serverId, trusted }) {
      await servers.change(serverId, { trusted })
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
    async relayReach({ origin }) {
      const { isAllowed, help } = await companion.relayReach(origin)
      return { isAllowed, ...(help && { help }) }
    },
    companionServers: () => companion.servers(),
    restartCompanionServer: ({ name }) => companion.restart(name),
  }
}
