import { auth } from './auth.ts'
import { CHANNEL, flowKey } from './callback.ts'
import { OAuthError } from './oauth-error.ts'
import type { OAuthTokens } from './provider.ts'
import { StoredProvider, type StoredProviderOptions } from './stored-provider.ts'

/** What a provider for pages needs to know. */
export interface BrowserProviderOptions extends StoredProviderOptions {
  /** The page people come back to; of this origin. It calls {@link completeSignIn}. */
  redirectUrl: string | URL
  /** `'redirect'` leaves the page instead of opening a window. Default `'popup'`, which falls back to it when blocked. */
  display?: 'popup' | 'redirect' | undefined
  /** How long a window may stay open. Default five minutes. */
  timeoutMs?: number | undefined
}

/** What a page that went away to sign in finds when it comes back. */
interface Departure {
  flow: string
  serverUrl: string
  returnTo: string
}

/** When the window is closed, its last word may still be on the way. */
const GRACE_MS = 1000

/**
 * Signs people in with a window of its own, or by leaving the page where windows are blocked. Call `openWindow()` in the
 * click itself: browsers allow windows only there.
 *
 * @example
 * const provider = new BrowserOAuthProvider({ serverUrl, redirectUrl: '/callback.html', storage })
 * button.onclick = () => { provider.openWindow(); connect().finally(() => provider.closeWindow()) }
 */
export class BrowserOAuthProvider extends StoredProvider {
  readonly #options: BrowserProviderOptions
  #window: Window | undefined
  /** A person asked for it. */
  #clicked = false
  /** Where the person who is waited for signs in. */
  #waitingAt: string | undefined
  #answer: Promise<URLSearchParams | undefined> | undefined

  constructor(options: BrowserProviderOptions) {
    super(options)
    if (!options.redirectUrl) throw new TypeError('redirectUrl is needed: people come back to it')
    if (options.display === 'redirect' && !options.storage)
      throw new TypeError('storage is needed: what is in memory ends when the page is left')
    this.#options = options
    if (new URL(this.redirectUrl).origin !== location.origin)
      throw new TypeError('redirectUrl must be of this origin: nobody hears an answer elsewhere')
  }

  override get redirectUrl(): string {
    return new URL(this.#options.redirectUrl, location.href).href
  }

  /** Opens an empty window, to be filled when it is known where people sign in. Closed when it turns out not to be needed. */
  openWindow(): void {
    this.#clicked = true
    this.#open()
  }

  #open(): void {
    if (this.#options.display === 'redirect' || (this.#window && !this.#window.closed)) return
    const opened = window.open('about:blank', '_blank', 'popup,width=500,height=720') ?? undefined
    this.#window = opened
    if (!opened) return
    // The pages shown in it are strangers: none of them gets a hand on this one.
    opened.opener = null
    // Somebody is waited for already, and their window is gone: here it is again.
    if (this.#waitingAt) opened.location.replace(this.#waitingAt)
  }

  /** Closes a window that nobody needed after all; one that shows a stranger's page stays. */
  closeWindow(): void {
    this.#clicked = false
    this.#window?.close()
    this.#window = undefined
  }

  /** With tokens there is nothing left to show. */
  override async saveTokens(tokens: OAuthTokens): Promise<void> {
    await super.saveTokens(tokens)
    // A window in which somebody signs in for more is not this one's to close.
    if (!this.#waitingAt) this.closeWindow()
  }

  override redirectToAuthorization(url: URL): void {
    this.#open()
    const clicked = this.#clicked || this.#options.display === 'redirect'
    this.#clicked = false
    const state = url.searchParams.get('state') ?? ''
    if (this.#window) {
      this.#waitingAt = url.href
      this.#answer = this.#waitFor(state)
      // Whoever awaits it hears of it.
      this.#answer.catch(() => {})
      this.#window.location.replace(url.href)
      return
    }
    // Nobody is sent away from what they are doing unless they clicked, or come back to nothing.
    if (!clicked || !this.#options.storage) {
      throw new OAuthError('window-blocked', 'The browser opened no window: call openWindow() in the click itself')
    }
    const departure: Departure = {
      flow: this.pendingAuthorization() ?? '',
      serverUrl: this.serverUrl,
      returnTo: location.href,
    }
    // A tab is left by one at a time: what is still here was given up.
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(flowKey(''))) sessionStorage.removeItem(key)
    // Of this tab only, and only until the person is back.
    sessionStorage.setItem(flowKey(state), JSON.stringify(departure))
    this.#answer = new Promise((_, reject) => {
      // The page is left. Whoever comes back by the back button has not signed in.
      const back = ({ persisted }: PageTransitionEvent): void => {
        if (!persisted) return
        removeEventListener('pageshow', back)
        sessionStorage.removeItem(flowKey(state))
        reject(new OAuthError('sign-in-needed', 'Nobody signed in: try again'))
      }
      addEventListener('pageshow', back)
    })
    this.#answer.catch(() => {})
    location.assign(url.href)
  }

  authorizationResponse(): Promise<URLSearchParams | undefined> {
    return this.#answer ?? Promise.resolve(undefined)
  }

  /** Ends a sign-in for which the page was left, on the page people come back to; gives where they were before. */
  async finishRedirect(answer: URLSearchParams): Promise<string> {
    const key = flowKey(answer.get('state') ?? '')
    const departure = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Departure | null
    sessionStorage.removeItem(key)
    if (!departure || departure.serverUrl !== this.serverUrl) {
      throw new OAuthError('foreign-answer', 'Somebody came back from signing in, but nobody was sent: begin anew')
    }
    await this.savePendingAuthorization(departure.flow)
    await auth(this, { serverUrl: this.serverUrl, callback: answer })
    return departure.returnTo
  }

  #waitFor(state: string): Promise<URLSearchParams> {
    const { timeoutMs = 300_000 } = this.#options
    return new Promise<URLSearchParams>((resolve, reject) => {
      const channel = new BroadcastChannel(CHANNEL)
      let closedAt: number | undefined
      let cutOff = false
      const end = (): void => {
        this.#waitingAt = undefined
        channel.close()
        clearInterval(watch)
        clearTimeout(timer)
        this.closeWindow()
      }
      const timer = setTimeout(() => {
        end()
        reject(new OAuthError('timeout', 'Nobody signed in within the time: try again'))
      }, timeoutMs)
      const watch = setInterval(() => {
        if (this.#window && !this.#window.closed) return void (closedAt = undefined)
        closedAt ??= performance.now()
        const passed = performance.now() - closedAt > GRACE_MS
        // A stranger's page can make its window look closed (COOP). When people close it, they are back here at once.
        if (passed && !document.hasFocus()) cutOff = true
        if (!passed || cutOff) return
        end()
        reject(new OAuthError('window-closed', 'The sign-in window was closed: try again'))
      }, 250)
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        const { state: theirs, query } = (data ?? {}) as { state?: unknown; query?: unknown }
        if (theirs !== state || typeof query !== 'string') return
        channel.postMessage({ taken: state })
        end()
        resolve(new URLSearchParams(query))
      }
    })
  }
}
