import {
  BrowserOAuthProvider,
  type BrowserProviderOptions,
  memoryStorage,
  oauthErrorOf,
  type OAuthTokens,
} from '@switchboard/mcp/oauth'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

const ORIGIN = 'https://app.example'
const SIGN_IN = new URL('https://as.example/authorize?state=s1')

interface Opened {
  closed: boolean
  at: string | undefined
}

/** A page in which windows open or are blocked, and which can be left. */
const page = { blocked: false, opened: [] as Opened[], left: [] as string[] }

beforeEach(() => {
  Object.assign(page, { blocked: false, opened: [], left: [] })
  const kept = new Map<string, string>()
  vi.stubGlobal('location', { href: `${ORIGIN}/`, origin: ORIGIN, assign: (url: string) => page.left.push(url) })
  vi.stubGlobal('document', { hasFocus: () => true })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('window', {
    open: () => {
      if (page.blocked) return null
      const opened: Opened = { closed: false, at: undefined }
      page.opened.push(opened)
      return Object.assign(opened, {
        close: () => void (opened.closed = true),
        location: { replace: (url: string) => void (opened.at = url) },
      })
    },
  })
  return () => void vi.unstubAllGlobals()
})

function provide(options: Partial<BrowserProviderOptions> = {}): BrowserOAuthProvider {
  const storage = memoryStorage()
  return new BrowserOAuthProvider({
    serverUrl: 'https://mcp.example/mcp',
    redirectUrl: '/callback',
    storage,
    ...options,
  })
}

const tokens: OAuthTokens = { access_token: 'canary', token_type: 'Bearer' }
const faultOf = (deed: () => void): string | undefined => {
  try {
    deed()
    return undefined
  } catch (error) {
    return oauthErrorOf(error)?.fault
  }
}

describe('the window of a sign-in', () => {
  it('[O14] in which somebody signs in stays open when tokens come in another way', async () => {
    const provider = provide()
    provider.openWindow()
    provider.redirectToAuthorization(SIGN_IN)
    await provider.saveTokens(tokens)
    expect(page.opened).toMatchObject([{ closed: false, at: SIGN_IN.href }])
    // Its own answer closes it.
    const answer = provider.authorizationResponse()
    const callback = new BroadcastChannel('mcp-oauth')
    onTestFinished(() => callback.close())
    callback.postMessage({ state: 's1', query: '?code=c&state=s1' })
    expect((await answer)?.get('code')).toBe('c')
    expect(page.opened).toMatchObject([{ closed: true }])
  })

  it('[O14] that nobody needed is closed when tokens come', async () => {
    const provider = provide()
    provider.openWindow()
    await provider.saveTokens(tokens)
    expect(page.opened).toMatchObject([{ closed: true }])
  })

  it('[O14] blocked where nobody clicked leaves the page where it is', () => {
    page.blocked = true
    const provider = provide()
    expect(faultOf(() => provider.redirectToAuthorization(SIGN_IN))).toBe('window-blocked')
    expect(page.left).toEqual([])
  })

  it('[O14] blocked in the click means to leave the page, once', () => {
    page.blocked = true
    const provider = provide()
    provider.openWindow()
    provider.redirectToAuthorization(SIGN_IN)
    expect(page.left).toEqual([SIGN_IN.href])
    expect(faultOf(() => provider.redirectToAuthorization(SIGN_IN))).toBe('window-blocked')
    expect(page.left).toHaveLength(1)
  })

  it('[O14] blocked long after a click that needed no sign-in leaves the page where it is', () => {
    page.blocked = true
    const provider = provide()
    provider.openWindow()
    provider.closeWindow()
    expect(faultOf(() => provider.redirectToAuthorization(SIGN_IN))).toBe('window-blocked')
    expect(page.left).toEqual([])
  })

  it.each(['https://other.example/callback', 'http://app.example/callback', 'https://app.example:8443/callback'])(
    '[O14] does not begin where its answer at %s would be heard by nobody',
    (redirectUrl) => {
      expect(() => provide({ redirectUrl })).toThrow(/^redirectUrl must be of this origin/)
    },
  )
})
