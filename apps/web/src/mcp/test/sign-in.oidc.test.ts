import { signInAsPerson } from '@switchboard/testkit/oidc-person'
import { type OidcServers, startOidcServers } from '@switchboard/testkit/oidc-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Server, ServerSecretField } from '#domain/server.ts'
import { failureFrom, scenario, serverRecord } from './scenario.ts'
import { CALLBACK, keyPair } from './signing-in.ts'

// With an authorization server that others wrote.

const DOCUMENT = 'https://app.test/client.json'
const rsa = keyPair('RS256')
const ec = keyPair('ES256')
const jwks = (pair: typeof rsa, alg: string) => ({
  keys: [{ ...pair.publicKey.export({ format: 'jwk' }), alg, use: 'sig' }],
})
const byHand = {
  application_type: 'native',
  redirect_uris: [CALLBACK],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
}
const program = { redirect_uris: [], response_types: [], grant_types: ['client_credentials'] }

let far: OidcServers
beforeAll(async () => {
  far = await startOidcServers({
    clients: [
      { ...byHand, client_id: 'known', token_endpoint_auth_method: 'none' },
      { ...byHand, client_id: 'trusted', client_secret: 'canary-own-secret' },
      { ...byHand, client_id: 'keyed', token_endpoint_auth_method: 'private_key_jwt', jwks: jwks(rsa, 'RS256') },
      { ...byHand, client_id: 'curved', token_endpoint_auth_method: 'private_key_jwt', jwks: jwks(ec, 'ES256') },
      { ...program, client_id: 'machine', client_secret: 'canary-own-secret' },
      {
        ...program,
        client_id: 'keyed-machine',
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: jwks(rsa, 'RS256'),
      },
    ],
    documents: {
      [DOCUMENT]: { ...byHand, client_id: DOCUMENT, client_name: 'Switchboard', token_endpoint_auth_method: 'none' },
    },
  })
})
afterAll(() => far.close())

type Variant = [name: string, authentication: Server['authentication'], secrets: [ServerSecretField, string][]]
const secret: [ServerSecretField, string] = ['clientSecret', 'canary-own-secret']

test.each<Variant>([
  ['nothing at all', { type: 'auto' }, []],
  ['a document of its own', { type: 'oauth2', clientMetadataUrl: DOCUMENT }, []],
  ['a client id', { type: 'oauth2', clientId: 'known' }, []],
  ['a client id and a secret', { type: 'oauth2', clientId: 'trusted' }, [secret]],
  ['a client id and an RSA key', { type: 'oauth2', clientId: 'keyed', algorithm: 'RS256' }, [['privateKey', rsa.pem]]],
  ['a client id and an EC key', { type: 'oauth2', clientId: 'curved', algorithm: 'ES256' }, [['privateKey', ec.pem]]],
])('with %s a person signs in, uses a tool, is renewed, and signs out', async (_name, authentication, secrets) => {
  await using app = await scenario([serverRecord('a', far.mcpUrl, { authentication })])
  for (const [field, value] of secrets) app.setSecret('a', field, value)
  await failureFrom(app.mcp.connections.connect('a'))
  const { signIn } = app.stateOf('a') as { signIn: { url: string; scopes: string[] } }
  expect(signIn.scopes).toContain('notes')
  await app.mcp.signIns.finish(String(await signInAsPerson(signIn.url, CALLBACK)))
  const { tools } = await app.offers(['a'])
  const whoami = tools.find(({ toolName }) => toolName === 'whoami')!
  expect(await app.call(whoami, {})).toMatchObject({ content: [{ text: 'somebody who is signed in' }] })
  const grants = far.grants.length
  far.expireAccessTokens()
  await app.call(whoami, {})
  expect(far.grants.slice(grants)).toMatchObject([{ type: 'refresh_token' }])
  expect(await app.mcp.signIns.signOut('a')).toEqual({ revoked: true })
  const seen = JSON.stringify([app.states, app.learnt, [...app.notes.values()]])
  for (const one of far.secrets) expect(seen).not.toContain(one)
})

test.each<Variant>([
  ['a secret', { type: 'oauth2', flow: 'program', clientId: 'machine', scopes: 'notes' }, [secret]],
  [
    'a key',
    { type: 'oauth2', flow: 'program', clientId: 'keyed-machine', algorithm: 'RS256', scopes: 'notes' },
    [['privateKey', rsa.pem]],
  ],
])('with %s the app signs in by itself', async (_name, authentication, secrets) => {
  await using app = await scenario([serverRecord('a', far.mcpUrl, { authentication })])
  for (const [field, value] of secrets) app.setSecret('a', field, value)
  const { tools, missing } = await app.offers(['a'])
  expect(missing).toEqual([])
  await app.call(tools.find(({ toolName }) => toolName === 'whoami')!, {})
  expect(far.grants.at(-1)).toMatchObject({ type: 'client_credentials' })
})

test('a tool that wants more is run once, after the person has agreed to more', async () => {
  await using app = await scenario([serverRecord('a', far.mcpUrl, { authentication: { type: 'auto' } })])
  await failureFrom(app.mcp.connections.connect('a'))
  const offer = () => (app.stateOf('a') as { signIn: { url: string; added: string[] } }).signIn
  await app.mcp.signIns.finish(String(await signInAsPerson(offer().url, CALLBACK)))
  const { tools } = await app.offers(['a'])
  const keep = tools.find(({ toolName }) => toolName === 'keep_note')!
  expect(await failureFrom(app.call(keep, { text: 'once' }))).toMatchObject({ code: 'sign-in-needed' })
  expect(offer().added).toEqual(['write'])
  await app.mcp.signIns.finish(String(await signInAsPerson(offer().url, CALLBACK)))
  await app.call(keep, { text: 'once' })
  expect(far.notes).toEqual(['once'])
})
