import { closingSignal } from '../closing-signal.ts'
import { type FailureDetails, isMCPError, type MCPError, type Reason } from '../errors.ts'
import { failure } from '../failure.ts'
import { isObject, type JsonObject } from '../jsonrpc.ts'
import { backoffMs, pause } from '../transport/retry-law.ts'
import { answerQuestions, NotOffered } from './answer-input.ts'
import type { Connection } from './connection.ts'
import type { History } from './request.ts'

/** More rounds of questions than any honest tool needs. */
const MAX_ROUNDS = 8
const RETRIES = { maxRetries: 3, backoff: { baseMs: 250, capMs: 20_000 } }

/** Makes a request ready to be sent once more: waits after a loss, answers what the server asked; throws where it ends. */
export async function prepareNext(
  connection: Connection,
  history: History,
  result: JsonObject | undefined,
  error: unknown,
): Promise<void> {
  const { transport, elicit, place } = connection
  const { method, params, options, end, losses = 0, rounds = 0 } = history
  const signal = AbortSignal.any([closingSignal(connection), ...(options.signal ? [options.signal] : [])])
  const failed = (text: string, reason: Reason, details?: FailureDetails): MCPError =>
    failure(place, { method, params }, text, reason, details)
  const late = (details?: FailureDetails): MCPError => failed('was not over in time', 'timeout', details)
  if (!result) {
    if (!isMCPError(error)) throw error
    // With -32042 a server of the session era wants addresses visited before it runs the tool.
    if (error.code !== -32042 || !elicit) {
      const { maxRetries, backoff } = transport.options ?? RETRIES
      const { reason, lost, repeatable } = error
      if (reason !== 'network' || !lost || !repeatable || losses >= maxRetries) throw error
      history.losses = losses + 1
      await pause(Math.min(backoffMs(losses, backoff), end - performance.now()), signal)
      // A timer may be a little early.
      if (performance.now() + 1 < end) return
      throw late({ cause: error, lost, repeatable })
    }
  }
  history.rounds = rounds + 1
  if (rounds >= MAX_ROUNDS) throw failed(`asked back over ${MAX_ROUNDS} times`, 'limit')
  const refusal = result ? undefined : (error as MCPError)
  const { inputRequests, requestState } = result ?? {}
  const state = requestState !== undefined && { requestState }
  if (result) options.rounds?.onInputRequired({ inputRequests: isObject(inputRequests) ? inputRequests : {}, ...state })
  // The hard cap holds while a user thinks, too.
  const cap = new AbortController()
  const timer = setTimeout(() => cap.abort(late()), Math.min(end - performance.now(), 2 ** 31 - 1))
  const limits = AbortSignal.any([signal, cap.signal])
  const inputResponses = await answerQuestions(connection, inputRequests, limits, refusal)
    .catch((cause: unknown) => {
      throw cause instanceof NotOffered
        ? failed(`asks for ${cause.message}, which this client does not offer`, 'protocol')
        : cause
    })
    .finally(() => clearTimeout(timer))
  history.answers = result && { inputResponses, ...state }
}
