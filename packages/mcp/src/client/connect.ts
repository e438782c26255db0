import type { JsonObject, JsonRpcMessage, JsonRpcRequest } from '../jsonrpc.ts'
import type { InitializeResult } from '../model.ts'
import type { MessageExtra } from '../transport/transport.ts'
import { judgeDiscovery, readDiscovery, readInitialize } from '../wire/choose-era.ts'
import type { Era } from '../wire/era.ts'
import { sessionEra } from '../wire/era-2025-11-25.ts'
import { statelessEra } from '../wire/era-2026-07-28.ts'
import { INITIALIZE_REVISIONS, SESSION_REVISIONS, STATELESS_REVISIONS } from '../wire/revisions.ts'
import { capabilitiesOf, type Connection, fail, meanwhile, onDemand, onDemandOr, report } from './connection.ts'
import { leaveAll } from './leave-all.ts'
import { receive } from './receive.ts'
import { notify, type OwnOptions, request, requestOnce, TOTAL_MS } from './request.ts'

/** A session-era server may ignore a request that it doesn't know: after so much silence `initialize` is sent as well. */
const QUIET_MS = 10_000
/** How long `server/discover` may stay without an answer where nothing bounds connecting. */
const DISCOVERY_MS = 60_000

/** Finds out which era the server speaks, and meets it. */
export async function connect(connection: Connection): Promise<void> {
  const { transport, config } = connection
  const { session, initialInitializeResult, protocolVersionDiscovery, onNotification } = config
  if (!transport.onmessage) await wire(connection)

  if (session ?? initialInitializeResult) (await onDemand()).goOn(connection)
  else if (protocolVersionDiscovery === false || !transport.supportsProtocolVersionDiscovery)
    await initialize(connection)
  else {
    const failure = await discover(connection, STATELESS_REVISIONS[0]!)
    if (failure) await (await onDemandOr(failure)).meetOtherwise(connection, failure)
  }
  const { elicitation, sampling, roots } = connection.era.stateless ? {} : capabilitiesOf(connection)
  // Before anything is called: a question that finds no stream is lost, and the call that needs it hangs.
  if (elicitation ?? sampling ?? roots ?? onNotification)
    await (await onDemand()).openStream(connection).catch(report(connection))
}

/** Ties client and transport together, once: some transports can be started only so often. */
export async function wire(connection: Connection): Promise<void> {
  const { transport } = connection
  transport.onmessage = (message: JsonRpcMessage, extra?: MessageExtra) => receive(connection, message, extra)
  transport.onerror = report(connection)
  // Nobody may wait for what cannot come.
  transport.onclose = () => leaveAll(connection)
  transport.on?.('session', ({ renewed }) => {
    if (renewed) meanwhile(connection, ({ resubscribe }) => resubscribe(connection))
  })
  transport.on?.('authorized', () => connection.cache.forget())
  // In the background: most servers of today need it to connect.
  void onDemand()
  await transport.start()
}

/** From now on it is this revision; the transport is told, before the first message in it: its headers may have to say so. */
export function useEra(
  connection: Connection,
  revision: string,
  isStateless = STATELESS_REVISIONS.includes(revision),
): Era {
  connection.meta = undefined
  const { transport } = connection
  if (transport.setProtocolVersion) transport.setProtocolVersion(revision)
  else transport.protocolVersion = revision
  return (connection.era = isStateless ? statelessEra(revision) : sessionEra(revision))
}

/** How `server/discover` ended. */
export type Discovery = { result: JsonObject } | { failure: unknown }

/**
 * Sends `server/discover` once. Resolves to the failure, to true if the server only knows other eras, and to undefined once
 * the server is met. Silence says nothing about the era: it only starts `initialize` beside the discovery.
 */
export async function discover(connection: Connection, revision: string): Promise<unknown> {
  const { bounds, config } = connection
  const callMs = config.requestOptions?.timeout
  const leaving = new AbortController()
  let onquiet!: () => void
  const silence = new Promise<undefined>((resolve) => (onquiet = () => resolve(undefined)))
  const options: OwnOptions = {
    // Short time-outs are meant for calls. A slow server has to be met once.
    timeout: Math.max(callMs ?? 0, DISCOVERY_MS),
    ...bounds,
    signal: bounds ? AbortSignal.any([bounds.signal, leaving.signal]) : leaving.signal,
    quietMs: Math.min(bounds?.probeMs ?? callMs ?? QUIET_MS, QUIET_MS),
    onquiet,
  }
  useEra(connection, revision)
  const end = performance.now() + (bounds?.maxTotalTimeout ?? TOTAL_MS)
  const discovering: Promise<Discovery> = requestOnce(connection, 'server/discover', {}, options, end).then(
    (result) => ({ result }),
    (failure: unknown) => ({ failure }),
  )
  const outcome =
    (await Promise.race([discovering, silence])) ??
    (await (await onDemand()).initializeBeside(connection, discovering, leaving))
  if (!outcome) return undefined
  if ('failure' in outcome) return outcome.failure
  const found = judgeDiscovery(outcome.result)
  if (!found) return true
  connection.server = readDiscovery(useEra(connection, found), outcome.result)
  return undefined
}

export function initializeMessage(connection: Connection): JsonRpcRequest {
  const [protocolVersion] = SESSION_REVISIONS
  const params = { protocolVersion, capabilities: capabilitiesOf(connection), clientInfo: connection.clientInfo }
  return { jsonrpc: '2.0', id: connection.nextId++, method: 'initialize', params }
}

export async function initialize(connection: Connection): Promise<void> {
  await beginSession(connection, await askForSession(connection, connection.bounds))
}

/** Sends `initialize`, and checks what the server answers. */
export async function askForSession(connection: Connection, options?: OwnOptions): Promise<InitializeResult> {
  useEra(connection, SESSION_REVISIONS[0]!)
  const message = initializeMessage(connection)
  const server = readInitialize(await request(connection, message.method, message.params, options))
  const { protocolVersion } = server
  if (INITIALIZE_REVISIONS.includes(protocolVersion)) return server
  return fail(connection, message, `met an unknown revision: ${protocolVersion}`, 'protocol')
}

/** Tells the server that the session begins. */
export async function beginSession(connection: Connection, server: InitializeResult): Promise<void> {
  const { logLevel } = connection
  connection.server = server
  useEra(connection, server.protocolVersion, false)
  await notify(connection, 'notifications/initialized')
  if (logLevel && server.capabilities.logging) await (await onDemand()).setLogLevel(connection, logLevel)
}
