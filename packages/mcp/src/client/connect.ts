import type { JsonRpcMessage, JsonRpcRequest } from '../jsonrpc.ts'
import type { MessageExtra } from '../transport/transport.ts'
import { judgeDiscovery, readDiscovery, readInitialize } from '../wire/choose-era.ts'
import type { Era } from '../wire/era.ts'
import { sessionEra } from '../wire/era-2025-11-25.ts'
import { statelessEra } from '../wire/era-2026-07-28.ts'
import { SESSION_REVISIONS, STATELESS_REVISIONS } from '../wire/revisions.ts'
import { capabilitiesOf, type Connection, fail, meanwhile, onDemand, report } from './connection.ts'
import { receive } from './receive.ts'
import { notify, request, requestOnce } from './request.ts'

/** A server that swallows what it does not know would keep us waiting: then sessions are tried. */
const PROBE_MS = 10_000

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
    if (failure) await (await onDemand()).meetOtherwise(connection, failure)
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
  transport.onclose = () => void leavePending(connection)
  transport.on?.('session', ({ renewed }) => {
    if (renewed) meanwhile(connection, ({ resubscribe }) => resubscribe(connection))
  })
  transport.on?.('authorized', () => connection.cache.forget())
  // In the background: most servers of today need it to connect.
  void onDemand()
  await transport.start()
}

/** From now on it is this revision; the transport is told, before the first message in it: its headers may have to say so. */
export function useEra(connection: Connection, revision: string): Era {
  connection.meta = undefined
  const { transport } = connection
  if (transport.setProtocolVersion) transport.setProtocolVersion(revision)
  else transport.protocolVersion = revision
  return (connection.era = STATELESS_REVISIONS.includes(revision) ? statelessEra(revision) : sessionEra(revision))
}

/** Asks as a client of the stateless era does, once. Tells what failed, or true where the server knows other eras only. */
export async function discover(connection: Connection, revision: string): Promise<unknown> {
  const { bounds, config } = connection
  const { probeMs = config.requestOptions?.timeout ?? PROBE_MS } = bounds ?? {}
  useEra(connection, revision)
  try {
    const options = { ...bounds, timeout: Math.min(probeMs, PROBE_MS) }
    const result = await requestOnce(connection, 'server/discover', {}, options, performance.now() + 3 * PROBE_MS)
    const found = judgeDiscovery(result)
    if (!found) return true
    connection.server = readDiscovery(useEra(connection, found), result)
  } catch (error) {
    return error
  }
  return undefined
}

export function initializeMessage(connection: Connection): JsonRpcRequest {
  const [protocolVersion] = SESSION_REVISIONS
  const params = { protocolVersion, capabilities: capabilitiesOf(connection), clientInfo: connection.clientInfo }
  return { jsonrpc: '2.0', id: connection.nextId++, method: 'initialize', params }
}

export async function initialize(connection: Connection): Promise<void> {
  const { bounds, logLevel } = connection
  useEra(connection, SESSION_REVISIONS[0]!)
  const message = initializeMessage(connection)
  const server = readInitialize(await request(connection, message.method, message.params, bounds))
  const { protocolVersion, capabilities } = server
  if (!SESSION_REVISIONS.includes(protocolVersion)) {
    return fail(connection, message, `met an unknown revision: ${protocolVersion}`, 'protocol')
  }
  connection.server = server
  useEra(connection, protocolVersion)
  await notify(connection, 'notifications/initialized')
  if (logLevel && capabilities.logging) await (await onDemand()).setLogLevel(connection, logLevel)
}

/** The transport is gone: nobody may wait for what cannot come. */
export async function leavePending(connection: Connection): Promise<void> {
  if (connection.pending.size > 0) (await onDemand()).leaveAll(connection)
}
