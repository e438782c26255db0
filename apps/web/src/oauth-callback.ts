import { SIGN_IN_ANSWER, SIGN_IN_CHANNEL, SIGN_IN_LEFT } from './lib/sign-in-names.ts'

/** How long the tab that waits may take to say so. */
const TAKEN_MS = 3000

// First of all, so that it stays in no history and is sent to nobody.
const query = location.search
history.replaceState(null, '', location.pathname)
const state = new URLSearchParams(query).get('state') ?? ''

/** Where the app was when it was left for this, if it was this tab that was left. */
function placeLeft(): string | undefined {
  try {
    const left = JSON.parse(sessionStorage.getItem(SIGN_IN_LEFT) ?? 'null') as Record<string, unknown> | null
    sessionStorage.removeItem(SIGN_IN_LEFT)
    const returnTo = left?.['returnTo']
    return left?.['state'] === state && typeof returnTo === 'string' && returnTo.startsWith('#/') ? returnTo : undefined
  } catch {
    return undefined
  }
}

/** Hands the answer to the tab that waits for it. False where none does. */
function handOver(): Promise<boolean> {
  const channel = new BroadcastChannel(SIGN_IN_CHANNEL)
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), TAKEN_MS)
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if ((data as { taken?: unknown } | null)?.taken !== state) return
      clearTimeout(timer)
      resolve(true)
    })
    channel.postMessage({ state, query })
  }).finally(() => channel.close())
}

function say(title: string, text: string): void {
  const heading = document.querySelector('h1')
  const says = document.getElementById('says')
  if (heading) heading.textContent = title
  if (says) says.textContent = text
}

const returnTo = placeLeft()
if (returnTo === undefined && state === '') {
  say('Nobody was signing in', 'This page is for coming back from a sign-in. You can close it.')
} else if (returnTo === undefined && (await handOver())) {
  say('Back to Switchboard', 'It goes on where you came from. You can close this window.')
  window.close()
} else {
  // The app was left for this, or reloaded meanwhile: here it is again, and finds the answer.
  sessionStorage.setItem(SIGN_IN_ANSWER, query)
  location.replace(`../${returnTo ?? '#/servers'}`)
}
