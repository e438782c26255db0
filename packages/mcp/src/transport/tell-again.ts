import type { JsonRpcMessage } from '../jsonrpc.ts'
import { satisfies } from './authorize.ts'
import { aboutOf, asFailure, failureOf } from './describe-failure.ts'
import type { HttpLink } from './http-link.ts'
import { discard } from './response.ts'

/** A notification or an answer of ours was not taken: once more where a new token helps, else the caller must know. */
export async function tellAgain(
  link: HttpLink,
  message: JsonRpcMessage,
  signal: AbortSignal,
  post: () => Promise<Response>,
  response: Response | undefined,
  error: unknown,
): Promise<void> {
  const about = aboutOf(message)
  if (response) discard(response)
  try {
    if (!response) throw error
    if (await satisfies(link, response)) {
      response = await post()
      discard(response)
    }
  } catch (cause) {
    throw signal.aborted && !link.closed ? signal.reason : asFailure(link, about, cause)
  }
  const { ok, status } = response
  if (!ok) throw failureOf(link, about, `was refused (HTTP ${status})`, 'http', { statusCode: status })
}
