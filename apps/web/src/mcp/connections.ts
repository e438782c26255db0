import { Failed, type Failure, type FailureCode } from '#domain/failure.ts'
import { secretId } from '#domain/sealed.ts'
import type { ConnectionState, Server, ServerSecretField, SignInOffer } from '#domain/server.ts'
import type { MCPClient, SavedSession } from '@switchboard/mcp'
import type { Companion } from './companion.ts'
import { revisionOf, routeOf } from './companion-route.ts'
import { carriesSecrets, type Credentials, credentialsOf } from './credentials.ts'
import { endpointAt } from './endpoint-of.ts'
import { failureOf } from './failure-of.ts'
import { followSignIn, signInNeeds } from './follow-sign-in.ts'
import type { McpNeeds } from './needs.ts'
import { openClient } from './open-client.ts'
import { createPace, type Pace } from './pace-requests.ts'
import type { WatchedTransport } from './questions/call-streams.ts'
import { hearQuestions } from './questions/hear-questions.ts'
import type { RawMessages } from './raw-messages.ts'
import { iconSource, readFound } from './read-found.ts'
import type { IconSource } from './read-icons.ts'
import type { ListedTool } from './read-tools.ts'
import { createSetbacks } from './setbacks.ts'
import { createToolList } from './tool-list.ts'

/** A server that answers. */
export interface Connected {
  server: Server
  client: MCPClient
  endpoint: string
  /** Its tools, looked at once for each list that the server gives. Fresh ones are asked for now. */
  tools: (isFresh?: boolean) => Promise<ListedTool[]>
  /** A problem that showed when a tool was used: it is not offered again until its definition changes. */
  mark: (fingerprint: string, problem: string) => void
  /** Under the client, for those who look at what it carries. */
  transport: WatchedTransport
  /** Whatever was thrown here, in whole sentences and without secrets. */
  failed: (error: unknown, tool: string) => Failed
  /** What it was sent to tell who asks. */
  secrets: () => readonly string[]
  /** Which program of the companion it is. */
  program?: string | undefined
  /** The protocol version that the server itself speaks; empty where that is not known. */
  revision: () => string
}

export interface UseOptions {
  signal?: AbortSignal | undefined
  /** The tool that is called, for the words of a failure. */
  tool?: string
  /** It asks for one thing of many, such as a resource: who refuses that is no worse a server, and stays connected. */
  asked?: boolean
  /** A session that another engine left, to go on in. Those who do share it; it is given back after the last. */
  session?: SavedSession | undefined
}

export interface Connections {
  /** Does something with a server, connecting first where needed. Rejects with `Failed`. */
  use<T>(serverId: string, deed: (connected: Connected) => Promise<T>, options?: UseOptions): Promise<T>
  /** The user wants it now: what failed before does not count. */
  connect(serverId: string): Promise<void>
  /**
   * The network was away, or the machine slept: what is open may be dead without a word. It is asked something cheap, or opened anew
   * where nothing is lost by that. Rejects with `Failed` where the server does not answer; calls under way end then.
   */
  revive(serverId: string): Promise<void>
  /** At once, for a server that was turned off, removed or given other secrets. Other changes are noticed by themselves. */
  close(serverId: string): void
  /** Looks once more at what the server has, where it is connected. */
  look(serverId: string): void
  /** For a vault that was locked: what carries secrets ends. */
  closeSecret(): void
  closeAll(): void
}

interface Link {
  /** What the connection was made for; a record that says otherwise needs another. */
  readonly key: string
  readonly serverId: string
  readonly abort: AbortController
  /** Once it has sent a token, a connection that began without one is as secret as any. */
  isSecret: boolean
  readonly ready: Promise<Connected>
  client?: MCPClient
  readonly session?: SavedSession | undefined
  look?: () => void
  /** Where to sign in, if that is why it failed. */
  offer?: () => SignInOffer | undefined
  secrets: readonly string[]
  /** Deeds under way: unless it has to end at once, they are let finish before it closes. */
  users: number
  isRetired: boolean
  /** It failed: nobody else begins anything on it. */
  isBroken?: boolean
}

/** A server that tells of changes all the time is listed this often, and no more. */
const REFRESH_GAP_MS = 1000
/** Who is there says so in less. */
const ALIVE_MS = 10_000

/** After these a connection is no use to the next. */
const BROKEN: ReadonlySet<FailureCode> = new Set(['sign-in-needed', 'protocol', 'server-unreachable'])

const keyOf = ({
  transport,
  url,
  companionName,
  authentication,
  headerNames,
  relay,
  timeoutSeconds,
  retries,
  requestsPerMinute,
  sampling,
}: Server) =>
  JSON.stringify([
    transport,
    url,
    companionName,
    authentication,
    headerNames,
    relay,
    timeoutSeconds,
    retries,
    requestsPerMinute,
    sampling,
  ])

/** One client for each server that is used, made when it is first needed and kept. */
export function createConnections(needs: McpNeeds, companion: Companion, raw: RawMessages): Connections {
  const { servers, secrets, now, onState } = needs
  const { origin } = needs.companion
  const problems = new Map<string, string>()
  const links = new Map<string, Link>()
  /** All that are open, those too that only let others finish: when a server is turned off, or the vault locked, they end as well. */
  const open = new Set<Link>()
  const setbacks = createSetbacks(now)
  /** Kept when a connection ends: whoever connects anew has no fresh minute by that. */
  const paces = new Map<string, { perMinute: number; pace: Pace }>()

  function paceOf({ id, requestsPerMinute: perMinute }: Server): Pace | undefined {
    if (perMinute === undefined) return undefined
    const present = paces.get(id)
    if (present?.perMinute === perMinute) return present.pace
    const pace = createPace(perMinute, needs.minuteMs)
    paces.set(id, { perMinute, pace })
    return pace
  }

  const circumstances = (server: Server, link: Link, { signal, tool, asked }: UseOptions = {}) => ({
    server,
    secrets: link.secrets,
    appOrigin: origin,
    now: now(),
    signal,
    tool,
    asked,
  })

  async function enabledServer(serverId: string): Promise<Server> {
    const server = await servers.server(serverId)
    if (server?.enabled && server.deletedAt === undefined) return server
    // Perhaps another tab did it.
    if ([...open].some((link) => link.serverId === serverId)) close(serverId)
    if (!server || server.deletedAt !== undefined) throw new Failed('not-found', 'This server was removed.')
    throw new Failed('server-disabled', `${server.name} is turned off.`)
  }

  /** The link to a server; nothing is awaited between looking for one and making it, so that there is never a second. */
  function linkOf(server: Server): Link {
    const { id } = server
    const key = keyOf(server)
    const present = links.get(id)
    if (present?.key === key) return present
    if (present) retire(present)
    setbacks.check(id, key)
    const link = newLink(server)
    links.set(id, link)
    onState(id, { state: 'connecting' })
    link.ready.catch((error: unknown) => {
      const { failure } = failureOf(error, circumstances(server, link))
      if (drop(id, link, failure)) setbacks.add(id, key, failure)
    })
    return link
  }

  const newLink = (server: Server, session?: SavedSession): Link => {
    const link: Link = {
      key: keyOf(server),
      serverId: server.id,
      abort: new AbortController(),
      isSecret: carriesSecrets(server),
      ready: Promise.resolve().then(() => openLink(server, link)),
      session,
      secrets: [],
      users: 0,
      isRetired: false,
    }
    open.add(link)
    return link
  }

  /**
   * In a session that another engine left. All who go on in it share one connection: a browser has six for each origin, and
   * one for each task would leave none for a question about them.
   */
  function linkIn(server: Server, session: SavedSession): Link {
    const { id } = server
    const key = keyOf(server)
    const isIn = (link: Link | undefined): link is Link =>
      link?.key === key && !link.abort.signal.aborted && link.client?.getSessionId() === session.sessionId
    const present = links.get(id)
    if (isIn(present)) return present
    const shared = [...open].find(
      (one) => one.serverId === id && one.key === key && one.session?.sessionId === session.sessionId && !one.isBroken,
    )
    if (shared) return shared
    const link = newLink(server, session)
    link.isRetired = true
    return link
  }

  /** A collection of custom tools has no server; its client talks to us. */
  async function openTools(server: Server, credentials: Credentials) {
    const { openCollection } = await import('./custom-tools/open-collection.ts')
    const { fetch, customTools } = needs
    const surroundings = { server, credentials, companion, appOrigin: origin, fetch, pace: paceOf(server) }
    return openCollection(server, surroundings, await customTools())
  }

  async function openLink(server: Server, link: Link): Promise<Connected> {
    const { id } = server
    const { signal } = link.abort
    const openSecret = (field: ServerSecretField) => secrets.open(secretId('mcpServers', id, field))
    const credentials = await credentialsOf(server, openSecret)
    link.secrets = credentials.secrets
    const following = followSignIn(server, openSecret, signInNeeds(needs), (token) => {
      link.isSecret = true
      if (!link.secrets.includes(token)) link.secrets = [...link.secrets, token]
    })
    if (following) link.offer = following.offer
    // Entered a moment ago for another address, they are not for the one that we set out for.
    const current = await servers.server(id)
    if (!current || keyOf(current) !== link.key)
      throw new Failed('stopped', `${server.name} was changed while it was being connected.`)
    const route = await routeOf(server, credentials.headers, companion, origin)
    signal.throwIfAborted()
    if (server.trusted && isAnother(route.program, server.found?.program)) await servers.learn(id, { trusted: false })
    const { client, transport } =
      server.transport === 'custom'
        ? await openTools(server, credentials)
        : openClient(route, server, needs.fetch, signal, paceOf(server), following, {
            ...(needs.questions && hearQuestions(() => link.client, server.sampling)),
            ...(link.session && { session: link.session }),
          })
    link.client = client
    needs.recorder?.watch(server, transport, () => link.secrets)
    await client.connect()
    raw.watch(transport)
    const endpoint = endpointAt(server, route.program)
    // What the user described is changed by the user, who need not be told of it.
    const ledger = server.transport === 'custom' ? undefined : needs.ledger
    const tools = createToolList(server, { client, endpoint, ledger, problems })
    const mark = (fingerprint: string, problem: string): void => {
      problems.set(fingerprint, problem)
      refresh()
    }
    const failed = (error: unknown, tool: string): Failed => failureOf(error, circumstances(server, link, { tool }))
    const connected: Connected = {
      server,
      client,
      endpoint,
      tools,
      mark,
      transport,
      failed,
      secrets: () => link.secrets,
      program: route.program,
      revision: () => revisionOf(route, client),
    }
    const icons = iconSource(server, needs.fetch)
    const refresh = oneAtATime(() => learn(connected, link, icons))
    const tellState = (): void => {
      if (links.get(id) === link) onState(id, stateOf(connected))
    }
    setbacks.forget(id)
    // Who comes back to a session wants something of it, and no second stream of its news.
    if (link.session) return connected
    link.look = refresh
    tellState()
    refresh()
    const tellAnew = (): void => {
      tellState()
      refresh()
    }
    transport.on('session', tellAnew)
    if (route.revision) route.revision.onchange = tellAnew
    if (client.capabilities.tools?.listChanged) client.onListChanged('tools', refresh)
    return connected
  }

  /** Keeps what is known of the server now. A list that fails is told to whoever needs it. */
  async function learn(
    { server, client, tools, program, revision }: Connected,
    link: Link,
    icons: IconSource,
  ): Promise<void> {
    try {
      const listed = await tools()
      const found = {
        ...(await readFound(client, listed, icons, revision())),
        ...(program !== undefined && { program }),
      }
      if (links.get(server.id) !== link) return
      const sessionId = client.getSessionId()
      await servers.learn(server.id, { found, lastConnectedAt: now(), ...(sessionId !== undefined && { sessionId }) })
    } catch (error) {
      // Nothing was learnt; what was known before stays. Some let everybody in, and show nothing before a sign-in.
      const { failure } = failureOf(error, circumstances(server, link))
      if (link.offer && failure.code === 'sign-in-needed') drop(server.id, link, failure)
    }
  }

  /** Nobody uses it from now on. False where it was out of use before. */
  function drop(serverId: string, link: Link, failure: Failure): boolean {
    if (links.get(serverId) !== link) return false
    links.delete(serverId)
    retire(link)
    const signIn = failure.code === 'sign-in-needed' ? link.offer?.() : undefined
    onState(serverId, { state: 'error', failure, ...(signIn && { signIn }) })
    return true
  }

  function retire(link: Link): void {
    link.isRetired = true
    if (link.users === 0) end(link)
  }

  function end(link: Link): void {
    const { abort, client } = link
    open.delete(link)
    abort.abort(new Failed('stopped', 'The connection was closed.'))
    void client?.close().catch(() => {})
  }

  function close(serverId: string): void {
    links.delete(serverId)
    setbacks.forget(serverId)
    for (const link of open) if (link.serverId === serverId) end(link)
    onState(serverId, { state: 'disconnected' })
  }

  async function use<T>(
    serverId: string,
    deed: (connected: Connected) => Promise<T>,
    options: UseOptions = {},
  ): Promise<T> {
    const server = await enabledServer(serverId)
    const link = options.session ? linkIn(server, options.session) : linkOf(server)
    link.users += 1
    try {
      const connected = await unlessAborted(link.ready, options.signal)
      // With the record as it is now: a server that was trusted when we met may not be any more, nor a program that we just met.
      const trusted = server.trusted && (!connected.program || (await servers.server(serverId))?.trusted === true)
      return await deed({ ...connected, server: { ...server, trusted } })
    } catch (error) {
      const failed = failureOf(error, circumstances(server, link, options))
      // The next who comes connects anew, with what is entered then.
      if (BROKEN.has(failed.failure.code)) {
        link.isBroken = true
        drop(serverId, link, failed.failure)
      }
      throw failed
    } finally {
      link.users -= 1
      if (link.isRetired) retire(link)
    }
  }

  async function revive(serverId: string): Promise<void> {
    setbacks.forget(serverId)
    const link = links.get(serverId)
    // One that is being opened tells by itself what comes of it.
    if (link?.look && !(await isAlive(link)) && links.get(serverId) === link) {
      links.delete(serverId)
      retire(link)
    }
    try {
      await use(serverId, async () => {})
    } catch (error) {
      // Calls on it would else wait for their time to be over, for answers that do not come.
      if (link && open.has(link)) end(link)
      throw error
    }
  }

  /** Whether it answers. Without a session there is nothing to lose, and whoever connects anew has asked: it counts as dead. */
  async function isAlive({ client }: Link): Promise<boolean> {
    if (client?.getSessionId() === undefined) return false
    return client.ping({ timeout: ALIVE_MS }).then(
      () => true,
      () => false,
    )
  }

  return {
    use,
    close,
    revive,
    async connect(serverId) {
      setbacks.forget(serverId)
      await use(serverId, async () => {})
    },
    look: (serverId) => links.get(serverId)?.look?.(),
    closeSecret() {
      for (const link of open) if (link.isSecret) close(link.serverId)
    },
    closeAll() {
      for (const { serverId } of open) close(serverId)
    },
  }
}

/** What was believed of a program says nothing of one that took its name. */
const isAnother = (program: string | undefined, before: string | undefined): boolean =>
  program !== undefined && before !== undefined && program !== before

function stateOf({ client, revision }: Connected): ConnectionState {
  const sessionId = client.getSessionId()
  return {
    state: 'connected',
    protocolVersion: revision(),
    ...(sessionId !== undefined && { sessionId }),
  }
}

/** Waits for what others wait for too; whoever leaves takes nothing from them. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error)
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

/** A deed that is never under way twice, however often it is asked for, and once more after the last time. */
function oneAtATime(deed: () => Promise<void>): () => void {
  let isRunning = false
  let isWanted = false
  return () => {
    isWanted = true
    if (isRunning) return
    isRunning = true
    void (async () => {
      while (isWanted) {
        isWanted = false
        await deed()
        await new Promise((resolve) => setTimeout(resolve, REFRESH_GAP_MS))
      }
      isRunning = false
    })()
  }
}
