import { type MCPError, must } from '../errors.ts'
import { quote } from '../failure.ts'
import { isObject, type JsonObject, type JsonRpcRequest } from '../jsonrpc.ts'
import type { ElicitationRequest, ElicitResult, SamplingRequest } from '../model.ts'
import { unlessAborted } from '../transport/retry-law.ts'
import { capabilitiesOf, type Connection, type Inquiry, report } from './connection.ts'

/** So many questions no honest server has at once; each would be a window for its user. */
const MAX_INQUIRIES = 32
/** How many each client is answering. */
const busy = new WeakMap<Connection, number>()

/** A question that this client did not offer to answer; its message is the name of the question. */
export class NotOffered extends Error {
  /** What a server with sessions is told. */
  readonly code: number

  constructor(question: string, code = -32601) {
    super(question)
    this.code = code
  }
}

/** Answers one question of the server. */
export async function answerInput(
  connection: Connection,
  question: unknown,
  signal: AbortSignal,
  task?: Inquiry['task'],
): Promise<JsonObject> {
  const { elicit, sample, roots } = connection
  const inquiry: Inquiry = { signal, ...(task && { task }) }
  const { method, params: given } = (isObject(question) ? question : {}) as { method?: unknown; params?: unknown }
  const params = isObject(given) ? given : {}
  if (method === 'elicitation/create' && elicit) {
    checkQuestion(connection, params)
    const answer = checkAnswer(await elicit({ method, params } as ElicitationRequest, inquiry))
    // Only who accepts has content to give.
    if (answer.action !== 'accept') return { action: answer.action }
    if (params['mode'] === 'url') return answer
    return { ...answer, content: withDefaults(params['requestedSchema'], answer.content) }
  }
  if (method === 'sampling/createMessage' && sample) {
    const answer = await sample({ method, params } as SamplingRequest, inquiry)
    must(isObject(answer), 'onSamplingRequest must answer with an object')
    return answer
  }
  if (method === 'roots/list' && roots) return { roots: typeof roots === 'function' ? await roots() : roots }
  if (method === 'ping') return {}
  throw new NotOffered(String(method))
}

/** Who offered to fill in forms must not be sent to an address: their handler would take it for a form, and say yes to it. */
function checkQuestion(connection: Connection, { mode = 'form', message }: JsonObject): void {
  const { elicitation } = capabilitiesOf(connection)
  const { url, form = url ? undefined : {} } = isObject(elicitation) ? elicitation : {}
  if (!(mode === 'form' ? form : mode === 'url' && url))
    throw new NotOffered(`elicitation/create of mode ${quote(mode)}`, -32602)
  if (typeof message !== 'string') throw new NotOffered('elicitation/create without a message', -32602)
}

/** What goes to the server is an answer, whatever the handler gave. */
function checkAnswer(answer: ElicitResult): ElicitResult {
  const { action, content } = (isObject(answer) ? answer : {}) as Partial<ElicitResult>
  must(
    /^(accept|decline|cancel)$/.test(String(action)) && (content === undefined || isObject(content)),
    'onElicitationRequest must answer with an action (accept, decline or cancel), and content that is an object',
  )
  return answer
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
  const { inquiries, transport, answering = answerInput } = connection
  if (!abort.signal.aborted) {
    const others = busy.get(connection) ?? 0
    busy.set(connection, others + 1)
    const asked =
      // Nobody has to be asked to answer a ping.
      others < MAX_INQUIRIES || message.method === 'ping'
        ? unlessAborted(answering(connection, message, abort.signal), abort.signal)
        : Promise.reject(new NotOffered(`${message.method} beside ${MAX_INQUIRIES} others`, -32603))
    const answer = await asked.then(
      (result) => ({ result }),
      (error: Error) => {
        if (error instanceof NotOffered)
          return { error: { code: error.code, message: `${error.message} is not offered here` } }
        // The server hears that it failed; why, its own side has to know.
        if (!abort.signal.aborted) report(connection)(error)
        return { error: { code: -32603, message: String(error?.message) } }
      },
    )
    busy.set(connection, busy.get(connection)! - 1)
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
  if (asked.length > MAX_INQUIRIES) throw new NotOffered(`${asked.length} answers at once`)
  const answers: [string, JsonObject][] = []
  for (const [key, question] of asked) {
    // A handler need not listen to the signal for the call to end.
    const answer = await unlessAborted(answerInput(connection, question, signal), signal).catch((error: unknown) => {
      throw refusal && error instanceof NotOffered ? refusal : error
    })
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
  return elicitations.slice(0, 8).map((params: unknown, index) => [
    String(index),
    // Whatever it calls itself: taken for a form, it would be filled in.
    { method: 'elicitation/create', params: isObject(params) ? { ...params, mode: 'url' } : params },
  ])
}
