import type { JsonRpcNotification, JsonRpcResponse } from '@switchboard/mcp'
import { errorAnswer, isObject } from './json-rpc.ts'
import { type Link, metaOf } from './link.ts'
import { LOG_LEVEL, SUBSCRIPTION } from './revisions.ts'
import type { Call } from './call.ts'
import type { Wire } from './wire.ts'

/** A program that knows requests without a session: they pass as they are, under ids of our own. */
export function createStatelessLink(wire: Wire): Link {
  const listening = new Set<Call>()
  /** Those who asked for logs; a program does not say whose they are. */
  const logging = new Set<Call>()
  wire.onnotification = (message) => {
    const [only, ...more] = logging
    if (message.method === 'notifications/message' && more.length === 0) only?.tell(message)
  }
  wire.onrequest = ({ id }) =>
    wire.answer(id, { error: { code: -32601, message: 'A server without sessions asks nothing' } })
  wire.onend = () => {
    for (const call of listening) call.drop()
  }
  return {
    isBusy: () => wire.waiting > 0,
    take(call, request) {
      const { method, params = {} } = request
      const abort = new AbortController()
      const own = method === 'subscriptions/listen' ? listening : logging
      if (own === listening || metaOf(request)[LOG_LEVEL] !== undefined) own.add(call)
      const over = (): void => void own.delete(call)
      call.onabandoned = () => {
        over()
        abort.abort()
        call.settle(errorAnswer(call.id, -32603, 'It was cancelled'))
      }
      const ontold = (message: JsonRpcNotification): void => call.tell(withSubscription(message, call))
      void wire.request(method, params, { signal: abort.signal, ontold }).then((answer) => {
        over()
        call.settle(tagged({ ...answer, id: call.id }, call), statusOf(answer))
      })
    },
  }
}

/** The status that goes with an error of the stateless era. */
export const statusOf = (answer: JsonRpcResponse): number =>
  ('error' in answer ? STATUSES.get(answer.error.code) : undefined) ?? 200

const STATUSES = new Map([
  [-32601, 404],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
])

/** The client knows its stream by the id that it gave. */
function withSubscription(message: JsonRpcNotification, call: Call): JsonRpcNotification {
  const meta = metaOf(message)
  if (!(SUBSCRIPTION in meta)) return message
  return { ...message, params: { ...message.params, _meta: { ...meta, [SUBSCRIPTION]: call.id } } }
}

function tagged(answer: JsonRpcResponse, call: Call): JsonRpcResponse {
  const meta = 'result' in answer ? answer.result['_meta'] : undefined
  if (!('result' in answer) || !isObject(meta) || !(SUBSCRIPTION in meta)) return answer
  return { ...answer, result: { ...answer.result, _meta: { ...meta, [SUBSCRIPTION]: call.id } } }
}
