import { type JsonRpcMessage, validateJSONRPCMessage } from '@switchboard/mcp'
import { failed, json } from '../answers.ts'
import { isRequest, errorAnswer } from './json-rpc.ts'
import { createLedger, type LedgerLimits } from './ledger.ts'
import { metaOf } from './link.ts'
import { createLinks } from './links.ts'
import { Refused } from './refused.ts'
import { VERSION } from './revisions.ts'
import { createSessions, SESSION_HEADER } from './sessions.ts'
import { answerStateless } from './stateless.ts'
import type { Supervisor } from './supervisor.ts'

/** Which program the client means: one under the same name that is another must not be taken for it. */
const PROGRAM_HEADER = 'x-switchboard-program'

/** Every local server as Streamable HTTP in both eras, each under its name. */
export function createBridge(supervisor: Supervisor, limits?: Partial<LedgerLimits>) {
  const ledger = createLedger(limits)
  const sessions = createSessions(supervisor, ledger)
  const links = createLinks(supervisor)

  const post = async (name: string, request: Request, gone: AbortSignal): Promise<Response> => {
    const message = await readMessage(request)
    if (!message) return json(errorAnswer(null, -32700, 'The body is no message'), 400)
    const isStateless = 'method' in message && metaOf(message)[VERSION] !== undefined
    if (!isStateless) return sessions.answer(name, message, request.headers.get(SESSION_HEADER), gone)
    if (!isRequest(message)) return new Response(null, { status: 202 })
    return answerStateless(links, ledger, name, message, request.headers, gone)
  }

  return async (request: Request, name: string, gone: AbortSignal): Promise<Response> => {
    if (!supervisor.has(name)) return failed(404, 'There is no such local server.')
    const { method, headers } = request
    const session = headers.get(SESSION_HEADER)
    const meant = headers.get(PROGRAM_HEADER)
    if (meant !== null && meant !== supervisor.digestOf(name))
      return failed(409, `The command of ${name} was changed in the file. Look at it anew.`)
    try {
      if (method === 'POST') return await post(name, request, gone)
      if (session !== null && method === 'GET') return await sessions.listen(name, session, gone)
      if (session !== null && method === 'DELETE') return await sessions.end(name, session)
      return failed(405, 'Without a session there is only POST.', { allow: 'POST' })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return json(errorAnswer(null, -32603, error.message), error.status)
    }
  }
}

async function readMessage(request: Request): Promise<JsonRpcMessage | undefined> {
  try {
    return validateJSONRPCMessage(JSON.parse(await request.text()))
  } catch {
    return undefined
  }
}
