import { MCPError } from '../errors.ts'
import { isObject, type JsonObject, type JsonRpcRequest } from '../jsonrpc.ts'
import type { ElicitationRequest, SamplingRequest } from '../model.ts'
import type { Connection } from './connection.ts'
import { type OwnOptions, request } from './request.ts'

/** More rounds of questions than any honest tool needs. */
const MAX_ROUNDS = 8

/** Answers one question of the server; throws a TypeError where this client offers no answer. */
export async function answerInput(
  { elicit, sample, roots }: Connection,
  question: { method?: unknown; params?: unknown },
  signal: AbortSignal,
): Promise<JsonObject> {
  const { method } = question
  const params = isObject(question.params) ? question.params : {}
  if (method === 'elicitation/create' && elicit) {
    const answer = await elicit({ method, params } as ElicitationRequest, { signal })
    return answer.action === 'accept' && params['mode'] !== 'url'
      ? { ...answer, content: withDefaults(params['requestedSchema'], answer.content) }
      : answer
  }
  if (method === 'sampling/createMessage' && sample) return sample({ method, params } as SamplingRequest, { signal })
  if (method === 'roots/list' && roots) return { roots: typeof roots === 'function' ? await roots() : roots }
  throw new TypeError(`This client does not answer ${String(method)}`)
}

/** Fills what the user left out with the defaults of the form. */
function withDefaults(schema: unknown, content: JsonObject = {}): JsonObject {
  const filled = { ...content }
  const properties = isObject(schema) ? schema['properties'] : undefined
  if (isObject(properties)) {
    for (const [key, property] of Object.entries(properties)) {
      if (!Object.hasOwn(filled, key) && isObject(property) && property['default'] !== undefined)
        filled[key] = property['default']
    }
  }
  return filled
}

/** Answers a request of the server, in the era where servers send them. */
export async function answerRequest(connection: Connection, message: JsonRpcRequest): Promise<void> {
  const { id, method } = message
  const abort = new AbortController()
  connection.inquiries.set(id, abort)
  let answer: { result: JsonObject } | { error: { code: number; message: string } }
  try {
    answer = { result: method === 'ping' ? {} : await answerInput(connection, message, abort.signal) }
  } catch (error) {
    const unknown = error instanceof TypeError && error.message.startsWith('This client does not')
    answer = { error: { code: unknown ? -32601 : -32603, message: error instanceof Error ? error.message : 'failed' } }
  }
  // A question taken back gets no answer.
  if (connection.inquiries.delete(id) && !abort.signal.aborted) {
    await connection.transport.send({ jsonrpc: '2.0', id, ...answer })
  }
}

/** Asks the server, and answers what it asks back before it answers. */
export async function requestWithInput(
  connection: Connection,
  method: string,
  params: JsonObject,
  options: OwnOptions,
): Promise<{ result: JsonObject; asked: boolean }> {
  const { signal = new AbortController().signal } = options
  let answers: JsonObject = {}
  for (let round = 0; round <= MAX_ROUNDS; round++) {
    let questions: unknown
    let result: JsonObject = {}
    try {
      result = await request(connection, method, { ...params, ...answers }, options)
      if (result['resultType'] !== 'input_required') return { result, asked: round > 0 }
      questions = result['inputRequests']
    } catch (error) {
      questions = urlQuestions(error)
      if (!questions || !connection.elicit) throw error
    }
    const inputResponses: JsonObject = {}
    for (const [key, question] of Object.entries(questions ?? {})) {
      const answer = await answerInput(connection, question as JsonObject, signal)
      signal.throwIfAborted()
      Object.defineProperty(inputResponses, key, { value: answer, enumerable: true })
    }
    if (result['resultType']) {
      const { requestState } = result
      answers = {
        ...(questions !== undefined && { inputResponses }),
        ...(requestState !== undefined && { requestState }),
      }
    } else if (Object.values(inputResponses).some((answer) => (answer as JsonObject)['action'] !== 'accept')) {
      throw new MCPError(`${method} at ${connection.place} needs what the user declined`, 'rpc', {
        code: -32042,
        method,
      })
    }
  }
  throw new MCPError(`${method} at ${connection.place} asked back more than ${MAX_ROUNDS} times`, 'limit', { method })
}

/** The addresses that a server of the session era wants visited before it runs a tool. */
function urlQuestions(error: unknown): JsonObject[] | undefined {
  const data = error instanceof MCPError && error.code === -32042 ? error.data : undefined
  const elicitations = isObject(data) ? data['elicitations'] : undefined
  if (!Array.isArray(elicitations)) return undefined
  return elicitations.slice(0, MAX_ROUNDS).map((params: unknown) => ({ method: 'elicitation/create', params }))
}
