import { Failed } from '#domain/failure.ts'
import { type Asked, explainRefusal, explainSilence, mediaInRequest, retryAfter } from './explain-provider.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>
/** As providers call it. */
export type ProviderFetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>

const LARGEST_REFUSAL = 64 * 1024
/** Bytes of one answer, with all that is around its words. */
const LARGEST_ANSWER = 64 * 1024 * 1024

/** The beginning of a body, as text: what a stranger sends is not read to its end to learn why he refuses. */
export async function readText(response: Response, largest: number): Promise<{ text: string; isWhole: boolean }> {
  const reader = response.body?.getReader()
  if (!reader) return { text: '', isWhole: true }
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { text: text + decoder.decode(), isWhole: true }
    text += decoder.decode(value, { stream: true })
    if (text.length > largest) {
      await reader.cancel()
      return { text: text.slice(0, largest), isWhole: false }
    }
  }
}

/** A line that never ends would fill the memory before any part of it is read. */
function bounded(response: Response, { name }: Asked): Response {
  let size = 0
  const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      size += chunk.byteLength
      if (size <= LARGEST_ANSWER) return controller.enqueue(chunk)
      controller.error(new Failed('too-long', `The answer of ${name} was cut off at ${LARGEST_ANSWER} bytes.`))
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body?.pipeThrough(count) ?? null, { status, statusText, headers })
}

/** Asks a model service: its answer, or a failure in words. */
export function createProviderFetch(
  { fetch, now, isOnline }: { fetch: Fetch; now: () => number; isOnline: () => boolean },
  asked: Asked,
): ProviderFetch {
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input)
    const headers = new Headers(init.headers)
    // Browsers other than Chromium would ask the service's leave for it, which few give.
    headers.delete('user-agent')
    let response: Response
    try {
      // A redirect would carry the key to an address that nobody entered.
      response = await fetch(url, {
        ...init,
        headers,
        redirect: 'error',
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
      })
    } catch (error) {
      if (init.signal?.aborted) throw error
      throw explainSilence(asked, isOnline())
    }
    if (response.ok) return bounded(response, asked)
    const { text } = await readText(response, LARGEST_REFUSAL)
    throw explainRefusal(
      {
        status: response.status,
        body: text,
        retryAfterMs: retryAfter(response.headers, now()),
        sent: mediaInRequest(init.body),
      },
      asked,
      now(),
    )
  }
}
