import type { Answer, BodyKind } from './evidence.ts'

/** How one question is sent: directly, or through the companion. */
export type Send = (url: string, init: RequestInit) => Promise<Response>

const LIMIT_MS = 3_000
const MAX_BODY = 16_384

/** Asks once, without any credential, follows nobody, and reads no more than the beginning of the answer. */
export async function ask(send: Send, url: string, init: RequestInit, signal: AbortSignal): Promise<Answer> {
  const own = new AbortController()
  const limit = AbortSignal.any([own.signal, signal, AbortSignal.timeout(LIMIT_MS)])
  try {
    const response = await send(url, {
      redirect: 'manual',
      ...init,
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: limit,
    })
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
      return { type: 'redirected' }
    if (response.type === 'opaque') return { type: 'hidden' }
    const sessionId = response.headers.get('mcp-session-id')
    const challenge = response.headers.get('www-authenticate')
    const contentType = (response.headers.get('content-type') ?? '').toLowerCase().slice(0, 200)
    return {
      type: 'answered',
      status: response.status,
      contentType,
      // A stream that nobody asked anything may stay silent for hours.
      body:
        init.method === 'POST' || !contentType.startsWith('text/event-stream')
          ? await bodyKind(response, contentType, limit)
          : 'stream',
      ...(sessionId !== null && { sessionId }),
      ...(challenge !== null && { challenge: challenge.slice(0, 2_000) }),
    }
  } catch {
    return { type: limit.aborted ? 'late' : 'failed' }
  } finally {
    // Streams that the server would hold open end with this.
    own.abort()
  }
}

async function bodyKind(response: Response, contentType: string, signal: AbortSignal): Promise<BodyKind> {
  const isStream = contentType.startsWith('text/event-stream')
  const text = await beginning(response, isStream, signal)
  if (contentType.startsWith('text/html') || /^\s*<(!doctype|html|\?xml)/i.test(text)) return 'html'
  const data = isStream ? (/^data: ?(\{.*)/m.exec(text)?.[1] ?? '') : text.trimStart()
  const isJson = /^[{[]/.test(data)
  // By its words: the end of a long one is not there to be parsed.
  if (isJson && /"jsonrpc"\s*:\s*"2\.0"/.test(data)) return /"result"\s*:/.test(data) ? 'mcp' : 'mcp-error'
  if (isStream) return 'stream'
  return isJson ? 'json' : 'other'
}

/** Of a stream, its first event with data: more may not come for hours. */
async function beginning(response: Response, isStream: boolean, signal: AbortSignal): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  const stop = (): void => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', stop)
  let text = ''
  try {
    while (text.length < MAX_BODY) {
      const { value, done } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
      if (isStream && /^data:.*\r?\n\r?\n/m.test(text)) break
    }
  } catch {
    // What came until then is judged.
  }
  signal.removeEventListener('abort', stop)
  stop()
  return text
}
