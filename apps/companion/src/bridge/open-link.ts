import type { JsonObject, JsonRpcResponse } from '@switchboard/mcp'
import type { Child } from './child.ts'
import { type Link, metaOf } from './link.ts'
import { Refused } from './refused.ts'
import { CAPABILITIES, CLIENT, SESSIONS, STATELESS, SUBSCRIPTION, VERSION } from './revisions.ts'
import { createSessionLink } from './session-link.ts'
import { createStatelessLink } from './stateless-link.ts'
import { createWire, type Wire } from './wire.ts'

const COMPANION = { name: 'switchboard-companion', version: '0.1.0' }
/** A program that swallows what it does not know would keep us waiting: then sessions are tried. */
const PROBE_MS = 5000
/** Programs that are fetched before they run take their time. */
const MEETING_MS = 60_000

export interface OpenLink {
  readonly link: Link
  readonly era: 'stateless' | 'sessions'
  /** The protocol version that the program agreed to. */
  readonly revision: unknown
  onend: () => void
}

/** Meets a program in the era that it knows, newest first. */
export async function openLink(child: Child, capabilities: JsonObject, mayProbe: boolean): Promise<OpenLink> {
  const wire = createWire(child, (message) => metaOf(message)[SUBSCRIPTION])
  child.isBusy = () => true
  const met = mayProbe && (await isStateless(wire)) ? undefined : await initialize(wire, capabilities)
  const link = met ? createSessionLink(wire, met) : createStatelessLink(wire)
  child.isBusy = () => link.isBusy()
  const { onend } = wire
  const open: OpenLink = {
    link,
    era: met ? 'sessions' : 'stateless',
    revision: met ? met['protocolVersion'] : STATELESS,
    onend: () => {},
  }
  wire.onend = () => {
    open.onend()
    onend()
  }
  return open
}

async function isStateless(wire: Wire): Promise<boolean> {
  const _meta = { [VERSION]: STATELESS, [CLIENT]: COMPANION, [CAPABILITIES]: {} }
  const answer = await within(wire, 'server/discover', { _meta }, PROBE_MS)
  const versions = answer && 'result' in answer ? answer.result['supportedVersions'] : undefined
  return Array.isArray(versions) && versions.includes(STATELESS)
}

async function initialize(wire: Wire, capabilities: JsonObject): Promise<JsonObject> {
  const params = { protocolVersion: SESSIONS, capabilities, clientInfo: COMPANION }
  const answer = await within(wire, 'initialize', params, MEETING_MS)
  if (!answer) throw new Refused(500, `It did not answer initialize within ${MEETING_MS} ms.`)
  if ('error' in answer) throw new Refused(500, `It refused initialize: ${answer.error.message}`)
  wire.notify('notifications/initialized')
  return answer.result
}

async function within(
  wire: Wire,
  method: string,
  params: JsonObject,
  ms: number,
): Promise<JsonRpcResponse | undefined> {
  const abort = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      abort.abort()
      resolve(undefined)
    }, ms)
  })
  try {
    return await Promise.race([wire.request(method, params, { signal: abort.signal }), late])
  } finally {
    clearTimeout(timer)
  }
}
