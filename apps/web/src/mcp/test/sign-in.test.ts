import { expect, test } from 'vitest'
import type { Server, ServerSecretField } from '#domain/server.ts'
import { failureFrom } from './scenario.ts'
import { CALLBACK, keyPair, protectedScenario } from './signing-in.ts'

test('a server that wants a sign-in is offered one, and nothing but registering was done before', async () => {
  await using world = await protectedScenario()
  const failure = await failureFrom(world.app.mcp.connections.connect('a'))
  expect(failure).toMatchObject({ code: 'sign-in-needed', message: 'Server a wants you to sign in.' })
  const { url, host } = world.offer()
  expect(host).toBe(world.house.host)
  expect(new URL(url).searchParams.get('redirect_uri')).toBe(CALLBACK)
  expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256')
  expect(world.house.to('/authorize')).toEqual([])
  expect(world.house.to('/token')).toEqual([])
})

const rsa = keyPair('RS256')
const ec = keyPair('ES256')
const person = (more: object = {}): Partial<Server> => ({ authentication: { type: 'oauth2', flow: 'person', ...more } })
const PEOPLE: [name: string, record: Partial<Server>, secrets: [ServerSecretField, string][], clientId: RegExp][] = [
  ['found by itself', { authentication: { type: 'auto' } }, [], /^client-/],
  ['registered by itself', person(), [], /^client-/],
  ['known by its own document', person({ clientMetadataUrl: 'https://app.test/client.json' }), [], /^https:\/\/app/],
  ['registered before', person({ clientId: 'known' }), [], /^known$/],
  ['registered before with a secret', person({ clientId: 'trusted' }), [['clientSecret', 'canary-own']], /^trusted$/],
  ['registered with a key', person({ clientId: 'keyed', algorithm: 'RS256' }), [['privateKey', rsa.pem]], /^keyed$/],
  [
    'with a key of another kind',
    person({ clientId: 'curved', algorithm: 'ES256' }),
    [['privateKey', ec.pem]],
    /^curved$/,
  ],
]

async function preparedHouse(record: Partial<Server>, secrets: [ServerSecretField, string][]) {
  const world = await protectedScenario(record)
  const redirectUris = [CALLBACK]
  world.house.clients.set('known', { redirectUris })
  world.house.clients.set('trusted', { redirectUris, secret: 'canary-own' })
  world.house.clients.set('keyed', { redirectUris, publicKey: rsa.publicKey })
  world.house.clients.set('curved', { redirectUris, publicKey: ec.publicKey })
  world.house.metadata = {
    client_id_metadata_document_supported: true,
    revocation_endpoint: `${world.house.issuer}/revoke`,
  }
  for (const [field, value] of secrets) world.app.setSecret('a', field, value)
  return world
}

test.each(PEOPLE)(
  'a person signs in with a client %s, and the tools are there',
  async (_name, record, secrets, clientId) => {
    await using world = await preparedHouse(record, secrets)
    await failureFrom(world.app.mcp.connections.connect('a'))
    const { url } = world.offer()
    expect(new URL(url).searchParams.get('client_id')).toMatch(clientId)
    const done = await world.app.mcp.signIns.finish(await world.visit(url))
    expect(done).toEqual({ serverId: 'a' })
    await world.app.until(() => world.app.stateOf('a')?.state === 'connected')
    const { tools } = await world.app.offers(['a'])
    await world.app.call(tools[0]!, { mark: 'x' })
    expect(world.house.tokenRequests).toHaveLength(1)
    expect(world.app.notes.get('a')).toMatchObject({ serverId: 'a', expiresAt: expect.any(Number) })
  },
)

test.each(PEOPLE)('[A1.15] no secret of a sign-in with a client %s is seen', async (_name, record, secrets) => {
  await using world = await preparedHouse(record, secrets)
  await failureFrom(world.app.mcp.connections.connect('a'))
  await world.app.mcp.signIns.finish(await world.visit(world.offer().url))
  await world.app.until(() => world.app.stateOf('a')?.state === 'connected')
  // One that repeats what it was sent.
  const { tools } = await world.app.offers(['a'])
  world.protection.onRequest = (exchange) => {
    if (exchange.method === 'tools/call')
      exchange.json(exchange.failure(-32000, `You sent ${exchange.header('authorization')}`))
  }
  const failure = await failureFrom(world.app.call(tools[0]!, { mark: 'x' }))
  expect(failure.message).toContain('•••')
  const seen = world.seen() + JSON.stringify(failure)
  expect(world.house.secrets.length).toBeGreaterThan(2)
  for (const secret of [...world.house.secrets, ...secrets.map(([, value]) => value)])
    expect(seen).not.toContain(secret)
})

test.each<[string, Partial<Server>, [ServerSecretField, string][]]>([
  [
    'a secret',
    { authentication: { type: 'oauth2', flow: 'program', clientId: 'trusted' } },
    [['clientSecret', 'canary-own']],
  ],
  [
    'a key',
    { authentication: { type: 'oauth2', flow: 'program', clientId: 'keyed', algorithm: 'RS256' } },
    [['privateKey', rsa.pem]],
  ],
])('the app signs in by itself with %s, and nobody is asked', async (_name, record, secrets) => {
  await using world = await preparedHouse(record, secrets)
  await world.app.mcp.connections.connect('a')
  expect(world.app.stateOf('a')).toMatchObject({ state: 'connected' })
  expect(world.house.tokenRequests.map((form) => form.get('grant_type'))).toEqual(['client_credentials'])
  expect(world.house.to('/authorize')).toEqual([])
})

test('an app that is to sign in by itself says what it has not been given', async () => {
  await using world = await protectedScenario({ authentication: { type: 'oauth2', flow: 'program', clientId: 'x' } })
  const failure = await failureFrom(world.app.mcp.connections.connect('a'))
  expect(failure.message).toBe('Server a has no client secret yet. Enter it under Authentication.')
})

test('a server that wants nothing is asked without a word about signing in', async () => {
  await using world = await protectedScenario()
  world.far.onRequest = undefined
  await world.app.mcp.connections.connect('a')
  expect(world.house.requests).toEqual([])
})

test('the sign-in of a server that shows nothing before is offered as soon as it is known', async () => {
  await using world = await protectedScenario()
  const guarded = world.far.onRequest
  world.far.onRequest = async (exchange) => {
    const isOpen = ['initialize', 'notifications/initialized', 'server/discover'].includes(exchange.method ?? '')
    if (!isOpen) await guarded?.(exchange)
  }
  await world.app.mcp.connections.connect('a')
  await world.app.until(() => world.app.stateOf('a')?.state === 'error')
  expect(world.offer().host).toBe(world.house.host)
})
