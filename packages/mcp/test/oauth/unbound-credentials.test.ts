import {
  auth,
  type OAuthAuthorizationServerInformation,
  type OAuthClientInformation,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
} from '@switchboard/mcp/oauth'
import { describe, expect, it } from 'vitest'
import { REDIRECT, refusalOf, startHouse, world } from './scenario.ts'

interface Stored {
  tokens?: OAuthTokens | undefined
  client?: OAuthClientInformation | undefined
  verifier?: string
  sentTo?: URL
  discovery?: OAuthDiscoveryState | undefined
  information?: OAuthAuthorizationServerInformation | undefined
}

/** A provider with the standard columns only: it drops the issuer of tokens and clients. */
function columns(stored: Stored): OAuthClientProvider {
  return {
    redirectUrl: REDIRECT,
    clientMetadata: { redirect_uris: [REDIRECT] },
    clientInformation: () => stored.client,
    tokens: () => stored.tokens,
    saveTokens: ({ access_token, token_type, refresh_token }) =>
      void (stored.tokens = { access_token, token_type, refresh_token }),
    redirectToAuthorization: (url) => void (stored.sentTo = url),
    saveCodeVerifier: (verifier) => void (stored.verifier = verifier),
    codeVerifier: () => stored.verifier ?? '',
  }
}

const withDiscoveryState = (stored: Stored): OAuthClientProvider => ({
  ...columns(stored),
  discoveryState: () => stored.discovery,
  saveDiscoveryState: (state) => void (stored.discovery = state),
})

const withServerInformation = (stored: Stored): OAuthClientProvider => ({
  ...columns(stored),
  authorizationServerInformation: () => stored.information,
  saveAuthorizationServerInformation: (information) => void (stored.information = information),
})

const REFRESHABLE = { access_token: 'at', token_type: 'bearer', refresh_token: 'canary-refresh-token' }
const PUBLIC = { client_id: 'public-client' }
const SECRET = { client_id: 'confidential-client', client_secret: 'canary-secret' }

describe.each([
  ['discoveryState', withDiscoveryState],
  ['authorizationServerInformation', withServerInformation],
])('[O11] a provider that records the authorization server in %s', (_, make) => {
  it('[A1.2] sends no refresh token of unknown origin to the server discovered now', async () => {
    const { mcp, as } = await world()
    const stored: Stored = { tokens: REFRESHABLE, client: PUBLIC }
    for (let visit = 0; visit < 2; visit++) {
      expect(await auth(make(stored), { serverUrl: mcp.url })).toBe('REDIRECT')
      expect(as.heard).not.toContain('canary')
    }
    expect(stored.sentTo?.origin).toBe(as.origin)
    // The access token goes to the MCP server only, so it stays.
    expect(stored.tokens).toEqual({ access_token: 'at', token_type: 'bearer', refresh_token: undefined })
  })

  it('[A1.2] sends no client secret of unknown origin to the server discovered now', async () => {
    const { mcp, as } = await world()
    const stored: Stored = { client: SECRET, verifier: 'v'.repeat(43) }
    for (let visit = 0; visit < 2; visit++) await refusalOf(auth(make(stored), { serverUrl: mcp.url }), 'no-client')
    await refusalOf(auth(make(stored), { serverUrl: mcp.url, authorizationCode: 'code' }), 'foreign-answer')
    expect(as.requests.filter(({ method }) => method === 'POST')).toEqual([])
    expect([stored.discovery, stored.information]).toEqual([undefined, undefined])
  })

  it('[A1.2] records nothing when the user has not agreed to another authorization server', async () => {
    const { mcp, as } = await world()
    const home = await startHouse()
    const stored: Stored = { tokens: REFRESHABLE, client: { ...PUBLIC, issuer: home.issuer } }
    for (let visit = 0; visit < 2; visit++)
      await refusalOf(auth(make(stored), { serverUrl: mcp.url }), 'provider-changed')
    expect(as.heard).not.toContain('canary')
    expect([stored.discovery, stored.information]).toEqual([undefined, undefined])
    expect(stored.tokens).toEqual(REFRESHABLE)
  })

  it('[O9] keeps a refresh token when the earlier record names the same server', async () => {
    const { mcp, as } = await world()
    const stored: Stored = {
      tokens: REFRESHABLE,
      client: PUBLIC,
      information: { authorizationServerUrl: as.issuer, tokenEndpoint: `${as.origin}/token` },
      discovery: { authorizationServerUrl: as.issuer },
    }
    // The server has never issued this token, but it is the one to ask.
    await refusalOf(auth(make(stored), { serverUrl: mcp.url }), 'token-refused')
    expect(as.tokenRequests.map((form) => form.get('grant_type'))).toEqual(['refresh_token'])
  })

  it('[O13] refuses a code in another process when its record is gone', async () => {
    const { mcp, as } = await world()
    const stored: Stored = { client: PUBLIC }
    expect(await auth(make(stored), { serverUrl: mcp.url })).toBe('REDIRECT')
    stored.discovery = undefined
    stored.information = undefined
    await refusalOf(auth(make(stored), { serverUrl: mcp.url, authorizationCode: 'code' }), 'foreign-answer')
    expect(as.tokenRequests).toEqual([])
  })
})

it('[O11] [O13] ends no sign-in in another process with a client secret of unknown origin', async () => {
  for (const extra of [{}, { redirect_uris: [REDIRECT] }]) {
    const { mcp, as } = await world()
    const stored: Stored = { client: { ...SECRET, ...extra, issuer: as.issuer } }
    expect(await auth(columns(stored), { serverUrl: mcp.url })).toBe('REDIRECT')
    stored.client = { ...SECRET, ...extra }
    const ending = auth(columns(stored), { serverUrl: mcp.url, authorizationCode: 'code' })
    await refusalOf(ending, 'no-client')
    expect(as.requests.filter(({ method }) => method === 'POST')).toEqual([])
  }
})
