import { SseTooLarge } from './sse.ts'

/** The body as text, never more than `maxBytes` of it: beyond, the rest is refused and {@link SseTooLarge} thrown. */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  const { headers, body } = response
  const length = Number(headers.get('content-length'))
  // A page of another origin cannot see whether the body was compressed, so the length proves nothing there.
  if (length > 0 && length <= maxBytes && response.type !== 'cors' && !headers.has('content-encoding'))
    return response.text()
  if (!body) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.length
    if (size > maxBytes) {
      reader.cancel().catch(() => {})
      throw new SseTooLarge()
    }
    text += decoder.decode(value, { stream: true })
  }
}
