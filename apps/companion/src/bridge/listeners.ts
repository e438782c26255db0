import type { JsonObject, JsonRpcNotification, JsonRpcRequest } from '@switchboard/mcp'
import type { Call } from './call.ts'
import { isObject } from './json-rpc.ts'
import { SUBSCRIPTION } from './revisions.ts'
import type { Wire } from './wire.ts'

const MAX_RESOURCES = 200
const KINDS = ['tools', 'prompts', 'resources'] as const

/** The streams of clients without a session that want to hear what a program says unasked. */
export interface Listeners {
  readonly count: number
  add(call: Call, request: JsonRpcRequest): void
  hear(message: JsonRpcNotification): void
  /** The program is gone: they come back by themselves. */
  dropAll(): void
}

export function createListeners(wire: Wire, offered: JsonObject): Listeners {
  const streams = new Map<Call, { methods: Set<string>; uris: Set<string> }>()
  const isWatched = (uri: string): boolean => [...streams.values()].some(({ uris }) => uris.has(uri))
  const subscribe = (deed: 'subscribe' | 'unsubscribe', uri: string): void =>
    void wire.request(`resources/${deed}`, { uri })

  const tell = (call: Call, { jsonrpc, method, params }: JsonRpcNotification): void => {
    const meta = isObject(params?.['_meta']) ? params['_meta'] : {}
    call.tell({ jsonrpc, method, params: { ...params, _meta: { ...meta, [SUBSCRIPTION]: call.id } } })
  }
  return {
    get count() {
      return streams.size
    },
    add(call, request) {
      const { honoured, methods, uris } = judgeWishes(request.params?.['notifications'], offered)
      call.begin()
      tell(call, {
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: honoured },
      })
      for (const uri of uris) if (!isWatched(uri)) subscribe('subscribe', uri)
      streams.set(call, { methods, uris })
      call.onabandoned = () => {
        streams.delete(call)
        for (const uri of uris) if (!isWatched(uri)) subscribe('unsubscribe', uri)
      }
    },
    hear(message) {
      const uri = String(message.params?.['uri'])
      for (const [call, { methods, uris }] of streams) {
        const isAbout =
          message.method === 'notifications/resources/updated' && [...uris].some((own) => isPart(uri, own))
        if (isAbout || methods.has(message.method)) tell(call, message)
      }
    },
    dropAll() {
      for (const call of streams.keys()) call.drop()
      streams.clear()
    },
  }
}

const isPart = (uri: string, whole: string): boolean => `${uri}/`.startsWith(`${whole}/`)

/** What of a client's wishes the program can fulfil. */
function judgeWishes(value: unknown, offered: JsonObject) {
  const wishes = isObject(value) ? value : {}
  const honoured: JsonObject = {}
  const methods = new Set<string>()
  const uris = new Set<string>()
  const can = (kind: string, what: string): boolean => isObject(offered[kind]) && offered[kind][what] === true
  for (const kind of KINDS) {
    if (wishes[`${kind}ListChanged`] !== true || !can(kind, 'listChanged')) continue
    honoured[`${kind}ListChanged`] = true
    methods.add(`notifications/${kind}/list_changed`)
  }
  const wanted = wishes['resourceSubscriptions']
  if (Array.isArray(wanted) && can('resources', 'subscribe')) {
    for (const uri of wanted.slice(0, MAX_RESOURCES)) if (typeof uri === 'string') uris.add(uri)
    honoured['resourceSubscriptions'] = [...uris]
  }
  return { honoured, methods, uris }
}
