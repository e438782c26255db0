const LIMIT_MS = 5_000

/**
 * Whether the host of this page has the demo server beside the app. A plain static host answers with an error or a web page,
 * whatever it is sent. Where nothing answers at all, nobody can tell.
 */
export async function hasDemo(
  origin: string,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/demo/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      redirect: 'error',
      cache: 'no-store',
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    const type = response.headers.get('content-type') ?? ''
    if (type.startsWith('text/event-stream')) {
      void response.body?.cancel()
      return true
    }
    return type.startsWith('application/json') && /"jsonrpc"\s*:\s*"2\.0"/.test(await response.text())
  } catch {
    return true
  }
}
