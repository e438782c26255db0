import { describe, expect, it, onTestFinished } from 'vitest'
import { AuthorizationServer } from './authorization-server.ts'

const VERIFIER = 'v'.repeat(43)
// The SHA-256 of the verifier, in base64url.
const challengeOf = async (verifier: string) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))).toString('base64url')

async function start() {
  const as = await new AuthorizationServer().start()
  onTestFinished(() => as.close())
  as.clients.set('app', { redirectUris: ['http://localhost/cb'] })
  const post = async (fields: Record<string, string>) => {
    const response = await fetch(`${as.origin}/token`, { method: 'POST', body: new URLSearchParams(fields) })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }
  const code = async () => {
    const url = new URL(`${as.origin}/authorize`)
    const asked = {
      response_type: 'code',
      client_id: 'app',
      redirect_uri: 'http://localhost/cb',
      code_challenge: await challengeOf(VERIFIER),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
    return (await as.signIn(url)).get('code') ?? ''
  }
  const good = async () => ({
    grant_type: 'authorization_code',
    client_id: 'app',
    redirect_uri: 'http://localhost/cb',
    code: await code(),
    code_verifier: VERIFIER,
  })
  return { as, post, good }
}

describe('the authorization server of the tests', () => {
  it('[T1] gives tokens for a code once', async () => {
    const { as, post, good } = await start()
    const form = await good()
    const { status, body } = await post(form)
    expect([status, as.inspect(body['access_token'] ?? '')?.clientId]).toEqual([200, 'app'])
    expect(await post(form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it.each([
    { code_verifier: 'x' },
    { redirect_uri: 'http://localhost/other' },
    { client_id: 'other' },
    { resource: 'x' },
  ])('[T1] gives none for a code with %j', async (change) => {
    const { as, post, good } = await start()
    expect((await post({ ...(await good()), ...(change as Record<string, string>) })).status).toBeGreaterThan(399)
    expect(as.tokens.size).toBe(0)
  })

  it('[T1] counts a refresh token that is used twice, and ends all that came of it', async () => {
    const { as, post, good } = await start()
    const first = (await post(await good())).body
    const refresh = { grant_type: 'refresh_token', client_id: 'app', refresh_token: first['refresh_token'] ?? '' }
    const second = (await post(refresh)).body
    expect(as.inspect(second['access_token'] ?? '')).toBeDefined()
    expect(as.reuses).toBe(0)
    expect((await post(refresh)).body['error']).toBe('invalid_grant')
    expect(as.reuses).toBe(1)
    expect(as.inspect(second['access_token'] ?? '')).toBeUndefined()
  })

  it('[T1] hears what is hidden in a header', async () => {
    const { as } = await start()
    const authorization = `Basic ${btoa('app:canary%2Dsecret')}`
    await fetch(`${as.origin}/x`, { headers: { authorization } })
    expect(as.heard).toContain('canary-secret')
  })
})
