import { Failed } from '#domain/failure.ts'
import { SIGN_IN_CHANNEL, SIGN_IN_LEFT } from '#lib/sign-in-names.ts'

/** As long as an attempt is good. */
const LONGEST_MS = 10 * 60_000
/** When the window is closed, its last word may still be on the way. */
const GRACE_MS = 1000
const LOOK_MS = 250

const closed = () => new Failed('stopped', 'The window was closed before you were signed in.')

/**
 * Sends a person to sign in, and gives the query that they come back with. Call it in the click itself: later the browser
 * opens no window. Where it opens none even so, the page itself is left, and found again by `finish-sign-in`.
 */
export function visitSignIn(url: string, beforeLeaving: () => void = () => {}): Promise<string> {
  // An engine would not offer anything else; nothing else may ever be opened.
  if (!/^https?:\/\//.test(url)) return Promise.reject(new Failed('internal', 'This is no address to sign in at.'))
  const state = new URL(url).searchParams.get('state') ?? ''
  const opened = window.open('about:blank', '_blank', 'popup,width=520,height=720')
  if (!opened) return leave(url, state, beforeLeaving)
  // The pages shown in it are strangers: none of them gets a hand on this one.
  opened.opener = null
  opened.location.replace(url)
  return answerFrom(opened, state)
}

function answerFrom(opened: Window, state: string): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const channel = new BroadcastChannel(SIGN_IN_CHANNEL)
    let closedAt: number | undefined
    let isCutOff = false
    const end = (): void => {
      channel.close()
      clearInterval(watch)
      clearTimeout(timer)
    }
    const timer = setTimeout(() => {
      end()
      reject(new Failed('timeout', 'Nobody signed in for ten minutes.'))
    }, LONGEST_MS)
    const watch = setInterval(() => {
      if (!opened.closed) return void (closedAt = undefined)
      closedAt ??= performance.now()
      const isOver = performance.now() - closedAt > GRACE_MS
      // A stranger's page can make its window look closed (COOP). Who closes it is back here at once.
      if (isOver && !document.hasFocus()) isCutOff = true
      if (!isOver || isCutOff) return
      end()
      reject(closed())
    }, LOOK_MS)
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const { state: theirs, query } = (data ?? {}) as { state?: unknown; query?: unknown }
      if (theirs !== state || typeof query !== 'string') return
      channel.postMessage({ taken: state })
      end()
      resolve(query)
    })
  })
}

/** Settles only if they come back by the back button, without having signed in. */
function leave(url: string, state: string, beforeLeaving: () => void): Promise<string> {
  try {
    beforeLeaving()
    // Of this tab only, and only until they are back.
    sessionStorage.setItem(SIGN_IN_LEFT, JSON.stringify({ state, returnTo: location.hash || '#/' }))
  } catch {
    return Promise.reject(
      new Failed('bad-input', 'The browser opened no window to sign in. Allow this address to open one.'),
    )
  }
  location.assign(url)
  return new Promise<string>((_, reject) => {
    addEventListener('pageshow', function back({ persisted }) {
      if (!persisted) return
      removeEventListener('pageshow', back)
      sessionStorage.removeItem(SIGN_IN_LEFT)
      reject(closed())
    })
  })
}
