import type { JsonObject, JsonRpcRequest } from '@switchboard/mcp'
import { json } from '../answers.ts'
import { checkEnvelope } from './check-envelope.ts'
import { errorAnswer } from './json-rpc.ts'
import type { Ledger } from './ledger.ts'
import { metaOf } from './link.ts'
import type { Links } from './links.ts'
import { Refused } from './refused.ts'
import { createReply } from './reply.ts'
import { CAPABILITIES, revisionHeader } from './revisions.ts'

/** Answers a request that describes itself. */
export async function answerStateless(
  links: Links,
  ledger: Ledger,
  name: string,
  request: JsonRpcRequest,
  headers: Headers,
  gone: AbortSignal,
): Promise<Response> {
  const problem = checkEnvelope(request, headers)
  if (problem) return json(problem, 400)
  const { call, isNew } = ledger.enter(name, request)
  let revision: unknown
  const reply = createReply(gone, () => revisionHeader(revision))
  call.attach(reply)
  if (!isNew) return reply.response
  try {
    const open = await links.of(name, metaOf(request)[CAPABILITIES] as JsonObject)
    revision = open.revision
    // Now that it will run: what has begun to be answered is not sent again by a browser.
    if (request.method === 'tools/call') call.begin()
    open.link.take(call, request)
  } catch (error) {
    const { status, message } = error instanceof Refused ? error : new Refused(500, (error as Error).message)
    call.settle(errorAnswer(call.id, -32603, message), status)
  }
  return reply.response
}
