import type { MCPError } from '../errors.ts'
import { isObject, type JsonObject, type JsonRpcRequest } from '../jsonrpc.ts'
import type { ElicitationRequest, SamplingRequest } from '../model.ts'
import { unlessAborted } from '../transport/retry-law.ts'
import type { Connection, Inquiry } from './connection.ts'

/** A question that this client did not offer to answer; its message is the name of the question. */
export class NotOffered extends Error {}

/** Answers one question of the server. */
export async function answerInput(
  { elicit, sample, roots }: Connection,
  question: unknown,
  signal: AbortSignal,
  task?: Inquiry['task'],
): Promise<JsonObject> {
  const inquiry: Inquiry = { signal, ...(task && { task }) }
  const { method, params = {} } = (isObject(question) ? question : {}) as { method?: unknown; params?: JsonObject }
  if (method === 'elicitation/create' && elicit) {
    const answer = await elicit({ method, params } as ElicitationRequest, inquiry)
    // Only who accepts has content to give.
    if (answer.action !== 'accept') return { action: answer.action }
    if (params['mode'] === 'url') return answer
    return { ...answer, content: withDefaults(params['requestedSchema'], answer.content) }
  }
  if (method === 'sampling/createMessage' && sample) return sample({ method, params } as SamplingRequest, inquiry)
  if (method === 'roots/list' && roots) return { roots: typeof roots === 'function' ? await roots() : roots }
  if (method === 'ping') return {}
  throw new NotOffered(String(method))
}

/** Fills what the user left out with the defaults of the form. */
function withDefaults(schema: unknown, content: JsonObject = {}): JsonObject {
  const filled = { ...content }
  const { properties } = (isObject(schema) ? schema : {}) as { properties?: JsonObject }
  for (const [key, property] of Object.entries(properties ?? {})) {
    if (isObject(property) && property['default'] !== undefined && !Object.hasOwn(filled, key))
      filled[key] = property['default']
  }
  return filled
}

/** Answers a request of the server, in the era where servers send them. */
export async function answerRequest(
  connection: Connection,
  message: JsonRpcRequest,
  abort: AbortController,
): Promise<void> {
  const { id } = message
  const { inquiries, transport, era, answering = answerInput } = connection
  if (!era.stateless && !abort.signal.aborted) {
    const answer = await answering(connection, message, abort.signal).then(
      (result) => ({ result }),
      (error: Error) => ({
        error:
          error instanceof NotOffered
            ? { code: -32601, message: 'Method not found' }
            : { code: -32603, message: String(error?.message) },
      }),
    )
    // A question taken back gets no answer, and one of another session with the same id none that was meant for this.
    if (!abort.signal.aborted && inquiries.get(id) === abort) await transport.send({ jsonrpc: '2.0', id, ...answer })
  }
  if (inquiries.get(id) === abort) inquiries.delete(id)
}

/** Answers all questions of a round, one after the other. Addresses that must be visited first are questions too. */
export async function answerQuestions(
  connection: Connection,
  questions: unknown,
  signal: AbortSignal,
  refusal: MCPError | undefined,
): Promise<JsonObject> {
  const asked = refusal ? addressesOf(refusal) : Object.entries(isObject(questions) ? questions : {})
  const answers: [string, JsonObject][] = []
  for (const [key, question] of asked) {
    // A handler need not listen to the signal for the call to end.
    const answer = await unlessAborted(answerInput(connection, question, signal), signal)
    if (refusal && answer['action'] !== 'accept') throw refusal
    answers.push([key, answer])
  }
  if (refusal && answers.length === 0) throw refusal
  return Object.fromEntries(answers)
}

/** The addresses that a refusal wants visited, as questions; no more than a user would bear. */
function addressesOf({ data }: MCPError): [string, unknown][] {
  const elicitations = isObject(data) ? data['elicitations'] : undefined
  if (!Array.isArray(elicitations)) return []
  return elicitations
    .slice(0, 8)
    .map((params: unknown, index) => [String(index), { method: 'elicitation/create', params }])
}
