import { auth, ClientCredentialsProvider, type OAuthError } from '@switchboard/mcp/oauth'
import type { Asked } from '@switchboard/testkit/authorization-server'
import { everythingIn } from '@switchboard/testkit/fault-oracle'
import { describe, expect, it } from 'vitest'
import { connect, person, refusalOf, startListener, world } from './scenario.ts'

const call = { name: 'echo', arguments: { mark: 'once' } }

/** Everything a server was told, in every place of an answer that somebody might show. */
function echo({ headers, body }: Asked) {
  const told = `${headers.authorization ?? ''} ${body}`.replace(/[\r\n]/g, ' ')
  return [
    { status: 400, body: { error: 'invalid_grant', error_description: told, error_uri: `https://x.example/?${told}` } },
    { status: 400, body: { error: told } },
    { status: 400, body: told },
    { status: 500, body: told },
    { status: 200, body: told },
    { status: 200, body: `{"access_token": "${told}` },
    { status: 200, body: { access_token: { told }, token_type: told } },
    { status: 401, body: told, headers: { 'www-authenticate': `Basic realm="${encodeURIComponent(told)}"` } },
    { status: 302, body: told, headers: { location: `https://x.example/?${encodeURIComponent(told)}` } },
  ]
}

describe('[A1.15] what a server was told in confidence', () => {
  it.each(echo({ headers: {}, body: '' } as Asked).map((_, nth) => [nth]))(
    '[A1.15] is in no error, log or address when the token endpoint echoes it (way %i)',
    async (nth) => {
      const place = await world()
      place.as.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] }
      const provider = person(place)
      const client = await connect(place, provider)
      place.as.faults.set('/token', (asked) => echo(asked)[nth])
      place.as.expireTokens()
      // The refresh, then a code, with a secret each.
      const { secrets } = place.as
      const errors = [
        await client.callTool(call).catch((error: unknown) => error),
        await auth(provider, { serverUrl: place.mcp.url, forceReauthorization: true }).catch((error: unknown) => error),
      ]
      for (const error of errors) {
        const shown = `${everythingIn(error)} ${JSON.stringify(error)} ${String(error)}`
        expect(error).toMatchObject({ reason: 'unauthorized' })
        expect(shown).not.toMatch(/canary/)
        for (const secret of [...secrets, ...place.as.secrets]) expect(shown.includes(secret)).toBe(false)
      }
    },
  )

  it('[A1.15] is in no error when the network layer quotes it', async () => {
    const place = await world()
    place.as.clients.set('machine', { secret: 'canary-secret-of-machine' })
    const provider = new ClientCredentialsProvider({
      serverUrl: place.mcp.url,
      clientId: 'machine',
      clientSecret: 'canary-secret-of-machine',
    })
    for (const name of ['Error', 'TypeError', 'AbortError', 'SseTooLarge', 'TimeoutError']) {
      const fetchFn = (url: string, init: RequestInit): Promise<Response> => {
        if (!url.endsWith('/token')) return globalThis.fetch(url, init)
        const text = `could not send ${JSON.stringify(init.headers)} ${String(init.body)} canary`
        return Promise.reject(Object.assign(new Error(text, { cause: new Error(text) }), { name }))
      }
      const error = await refusalOf(auth(provider, { serverUrl: place.mcp.url, fetchFn }), ['network', 'bad-document'])
      expect(error.message).toContain(place.as.host)
      expect(error.cause).toBeUndefined()
    }
  })

  it('[A1.15] is in no error when the MCP server echoes the token', async () => {
    const place = await world()
    const client = await connect(place, person(place))
    for (const status of [400, 401, 403, 404, 500]) {
      place.protection.onRequest = (exchange) =>
        exchange.send(status, { 'content-type': 'text/plain' }, `You sent ${exchange.header('authorization')}`)
      const error = await client.callTool(call).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(Error)
      expect(`${everythingIn(error)} ${JSON.stringify(error)}`).not.toMatch(/canary/)
    }
  })

  it('[A1.15] is in no error when a challenge echoes it', async () => {
    const place = await world()
    const client = await connect(place, person(place, { signIn: () => {} })).catch(() => undefined)
    expect(client).toBeUndefined()
    const provider = person(place)
    const good = await connect(place, provider)
    place.protection.onRequest = (exchange) => {
      const token = exchange.header('authorization')?.split(' ')[1] ?? ''
      exchange.json({}, 403, { 'www-authenticate': `Bearer error="insufficient_scope", scope="${token}"` })
    }
    const first = await good.callTool(call).catch((thrown: unknown) => thrown)
    const second = await good.callTool(call).catch((thrown: unknown) => thrown)
    for (const error of [first, second]) expect(`${everythingIn(error)} ${JSON.stringify(error)}`).not.toMatch(/canary/)
    // Nor is it asked for as a right.
    for (const url of provider.opened) expect(url.href).not.toContain('canary')
  })

  it('[A1.15] leaves in a header or a body, never in an address', async () => {
    const canary = await startListener()
    const place = await world()
    place.as.metadata = {
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      revocation_endpoint: `${place.as.origin}/revoke`,
    }
    const provider = person(place)
    const client = await connect(place, provider)
    place.as.expireTokens()
    await client.callTool(call)
    for (const url of provider.opened) expect(url.href).not.toMatch(/canary|code_verifier/)
    for (const { path, query } of place.as.requests) expect(path + String(query)).not.toMatch(/canary/)
    for (const { path } of place.mcp.ledger.entries) expect(path).not.toMatch(/canary/)
    expect(canary.connections).toBe(0)
  })

  it('[O16] [A1.15] errors are typed, and say the host and the document', async () => {
    const place = await world()
    place.as.faults.set('/token', () => ({ status: 400, body: { error: 'invalid_target' } }))
    const error: OAuthError = await refusalOf(connect(place, person(place)), 'token-refused')
    expect(error).toMatchObject({ name: 'MCPError', reason: 'unauthorized', oauthCode: 'invalid_target' })
    expect(error.message).toContain(place.as.host)
  })
})
