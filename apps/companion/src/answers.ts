/** Nothing that we answer may be kept, guessed at or shown in a frame. */
export const SAFE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
} as const

export const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { ...SAFE_HEADERS, 'content-type': 'application/json', ...headers },
  })

export const text = (words: string): Response =>
  new Response(words, { headers: { ...SAFE_HEADERS, 'content-type': 'text/plain; charset=utf-8' } })

/** A failure in words, for a person or a program. */
export const failed = (status: number, words: string, headers?: Record<string, string>): Response =>
  json({ error: words }, status, headers)

export const nothingHere = (): Response => failed(404, 'There is nothing here.')
