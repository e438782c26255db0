import { asObject } from './fetch-document.ts'

export const CHANNEL = 'mcp-oauth'
export const flowKey = (state: string): string => `mcp-oauth ${state}`

/** For which server the page was left, on the page people come back to. */
export function serverOf(answer: URLSearchParams): string | undefined {
  const departure = asObject(sessionStorage.getItem(flowKey(answer.get('state') ?? '')) ?? '')
  const serverUrl = departure?.['serverUrl']
  return typeof serverUrl === 'string' ? serverUrl : undefined
}

/** How long the page that waits may take to say so. */
const TAKEN_MS = 3000

/**
 * What the page people come back to calls. It takes the answer out of the address first, so that it stays in no history.
 * `'delivered'`: the page that opened this window has it, and the window closes. `'nobody'`: no page waits for it; say so,
 * and let people begin anew. Else the page was left to sign in: hand the answer to `finishRedirect`.
 *
 * @example
 * const answer = await completeSignIn()
 * if (answer instanceof URLSearchParams) location.replace(await provider.finishRedirect(answer))
 */
export async function completeSignIn(): Promise<'delivered' | 'nobody' | URLSearchParams> {
  const query = location.search
  history.replaceState(null, '', location.pathname)
  const answer = new URLSearchParams(query)
  const state = answer.get('state') ?? ''
  if (sessionStorage.getItem(flowKey(state)) !== null) return answer
  const channel = new BroadcastChannel(CHANNEL)
  const taken = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), TAKEN_MS)
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if ((data as { taken?: unknown } | null)?.taken !== state) return
      clearTimeout(timer)
      resolve(true)
    }
    channel.postMessage({ state, query })
  })
  channel.close()
  if (taken) window.close()
  return taken ? 'delivered' : 'nobody'
}
