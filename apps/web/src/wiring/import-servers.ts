import { Failed, failureOf } from '#domain/failure.ts'
import { secretId } from '#domain/sealed.ts'
import { type Server, type ServerSecrets, serverSecretFields } from '#domain/server.ts'
import { mayKeepSecrets } from '#mcp/endpoint-of.ts'
import type { ImportReport, ServerInput } from './commands.ts'
import type { EngineParts } from './engine-parts.ts'

const MAX_SERVERS = 100

type Wanted = { server: ServerInput; secrets: ServerSecrets }

/** Adds what a file or a command named. Whatever it says, it brings no trust and no permission with it. */
export async function importServers(
  wanted: readonly Wanted[],
  {
    save,
    names,
  }: {
    save: (server: ServerInput, secrets: ServerSecrets) => Promise<Server>
    names: () => Promise<string[]>
  },
): Promise<ImportReport> {
  if (wanted.length > MAX_SERVERS)
    throw new Failed('bad-input', `These are ${wanted.length} servers, and at most ${MAX_SERVERS} are added at once.`)
  const taken = new Set(await names())
  const results: ImportReport['results'] = []
  for (const { server, secrets } of wanted) {
    const name = freeName(server.name, taken)
    try {
      const saved = await save({ ...server, name, trusted: false, sampling: false, relay: false }, secrets)
      taken.add(name)
      results.push({ name, serverId: saved.id })
    } catch (error) {
      results.push({ name, failure: failureOf(error) })
    }
  }
  return { results }
}

/** The name, or the first with a number behind it that nobody has: two of one name cannot be told apart. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const name = wanted.trim().slice(0, 100)
  if (!taken.has(name)) return name
  for (let count = 2; ; count++) {
    const next = `${name.slice(0, 92)} (${count})`
    if (!taken.has(next)) return next
  }
}

type Parts = Pick<EngineParts, 'servers' | 'vault'>

const keyOf = (serverId: string, field: string) => secretId('mcpServers', serverId, field)

/** The same server once more, as if it had been typed in: nothing that was granted or stored for the first is the copy's. */
export async function duplicateServer(
  serverId: string,
  { servers, connectSoon }: Pick<Parts, 'servers'> & { connectSoon: (serverId: string) => void },
): Promise<{ serverId: string; hasSecrets: boolean }> {
  const original = await there(servers, serverId)
  const {
    id: _id,
    createdAt: _createdAt,
    updatedAt: _updatedAt,
    deletedAt: _deletedAt,
    found: _found,
    sessionId: _sessionId,
    lastConnectedAt: _lastConnectedAt,
    builtIn: _builtIn,
    ...settings
  } = original
  const taken = new Set((await servers.servers()).map(({ name }) => name))
  const name = freeName(`${original.name.slice(0, 90)} copy`, taken)
  const copy = await servers.add({ ...settings, name, trusted: false, sampling: false })
  if (copy.enabled) connectSoon(copy.id)
  const { type } = original.authentication
  return { serverId: copy.id, hasSecrets: (type !== 'auto' && type !== 'none') || original.headerNames.length > 0 }
}

/** Copies what is sealed for one server to another at the same place: they were entered for that place, and no other. */
export async function copySecrets(from: string, to: string, { servers, vault }: Parts): Promise<void> {
  const [original, copy] = [await there(servers, from), await there(servers, to)]
  if (!mayKeepSecrets(original, copy))
    throw new Failed('bad-input', `${copy.name} is at another address now. Enter its keys for that one.`)
  for (const { field, value } of await secretsOf(from, vault)) await vault.seal(keyOf(to, field), value)
}

async function secretsOf(serverId: string, vault: Parts['vault']) {
  const all = await Promise.all(
    serverSecretFields.map(async (field) => ({ field, value: await vault.open(keyOf(serverId, field)) })),
  )
  return all.flatMap(({ field, value }) => (value === undefined ? [] : { field, value }))
}

async function there(servers: Parts['servers'], serverId: string): Promise<Server> {
  const found = await servers.server(serverId)
  if (!found) throw new Failed('not-found', 'This server is not there any more.')
  return found
}
