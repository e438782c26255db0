import { AuthorizationServer, Listener } from '@switchboard/testkit/authorization-server'
import { expect, test } from 'vitest'
import { failureFrom, scenario } from './scenario.ts'
import { CALLBACK, protectedScenario } from './signing-in.ts'

type World = Awaited<ReturnType<typeof protectedScenario>>

async function signIn(world: World): Promise<void> {
  await failureFrom(world.app.mcp.connections.connect('a'))
  await world.app.mcp.signIns.finish(await world.visit(world.offer().url))
  await world.app.until(() => world.app.stateOf('a')?.state === 'connected')
}

/** What the app was told when the server refuses it from now on. */
async function refusedAnew(world: World) {
  world.app.mcp.connections.close('a')
  return failureFrom(world.app.mcp.connections.connect('a'))
}

test('[A1.2] another house than the one that signed in is a question, and hears nothing that the first one gave', async () => {
  await using world = await protectedScenario()
  await using other = await new AuthorizationServer().start()
  await signIn(world)
  world.house.expireTokens()
  world.protection.metadata = { authorization_servers: [other.issuer] }
  await refusedAnew(world)
  expect(world.offer()).toMatchObject({ host: other.host, changedFrom: world.house.host })
  for (const secret of world.house.secrets) expect(other.heard).not.toContain(secret)
  expect(other.to('/token')).toEqual([])
  // Who did not go has lost nothing.
  world.protection.metadata = {}
  world.app.mcp.connections.close('a')
  await world.app.mcp.connections.connect('a')
  expect(world.app.stateOf('a')).toMatchObject({ state: 'connected' })
})

test('[A1.2] a change of house is told even to who signed out before it', async () => {
  await using world = await protectedScenario()
  await using other = await new AuthorizationServer().start()
  await signIn(world)
  await world.app.mcp.signIns.signOut('a')
  world.protection.metadata = { authorization_servers: [other.issuer] }
  await refusedAnew(world)
  expect(world.offer()).toMatchObject({ host: other.host, changedFrom: world.house.host })
})

test('[A1.2] a client secret is for the house that it was first used at, and another gets neither it nor an offer', async () => {
  await using world = await protectedScenario({ authentication: { type: 'oauth2', clientId: 'mine' } })
  await using other = await new AuthorizationServer().start()
  world.house.clients.set('mine', { secret: 'canary-own', redirectUris: [CALLBACK] })
  world.app.setSecret('a', 'clientSecret', 'canary-own')
  await signIn(world)
  world.house.expireTokens()
  world.protection.metadata = { authorization_servers: [other.issuer] }
  const failure = await refusedAnew(world)
  expect(failure).toMatchObject({ code: 'sign-in-needed', message: expect.stringContaining('registered elsewhere') })
  expect(world.app.stateOf('a')).not.toHaveProperty('signIn')
  expect(other.heard).not.toContain('canary')
})

test('[A1.3] hosts that are not of the house are named before the click, and get nothing before it', async () => {
  await using world = await protectedScenario()
  await using evil = await new Listener().start()
  world.house.metadata = { token_endpoint: `${evil.origin}/token` }
  await failureFrom(world.app.mcp.connections.connect('a'))
  expect(world.offer().doubts).toEqual([{ kind: 'other-hosts', hosts: [world.house.host, evil.host] }])
  expect(evil.requests).toEqual([])
})

test('[A1.3] metadata on another origin is named with both hosts before the click, and asked about once', async () => {
  await using world = await protectedScenario()
  await using elsewhere = await new Listener().start()
  const path = '/.well-known/oauth-protected-resource/mcp'
  elsewhere.faults.set(path, () => ({
    body: { resource: world.far.url, authorization_servers: [world.house.issuer] },
  }))
  world.protection.challenge = () => `Bearer resource_metadata="${elsewhere.origin}${path}"`
  await failureFrom(world.app.mcp.connections.connect('a'))
  expect(world.offer().doubts).toEqual([
    { kind: 'foreign-metadata', server: new URL(world.far.url).host, metadata: elsewhere.host },
  ])
  await world.app.mcp.signIns.finish(await world.visit(world.offer().url))
  await world.app.until(() => world.app.stateOf('a')?.state === 'connected')
  world.house.revokeAll()
  await refusedAnew(world)
  expect(world.offer().doubts).toBeUndefined()
})

test('[A1.3] metadata on another origin is refused for a program that signs in without a person', async () => {
  await using world = await protectedScenario({
    authentication: { type: 'oauth2', flow: 'program', clientId: 'mine' },
  })
  await using elsewhere = await new Listener().start()
  world.app.setSecret('a', 'clientSecret', 'canary-own')
  world.protection.challenge = () => `Bearer resource_metadata="${elsewhere.origin}/metadata"`
  const failure = await failureFrom(world.app.mcp.connections.connect('a'))
  expect(failure.message).toContain(elsewhere.host)
  expect(failure.message).toContain(new URL(world.far.url).host)
  expect(elsewhere.requests).toEqual([])
})

test('[A1.3] a token endpoint that moves away gets no refresh token unasked', async () => {
  await using world = await protectedScenario()
  await using evil = await new Listener().start()
  await signIn(world)
  world.house.expireTokens()
  world.house.metadata = { token_endpoint: `${evil.origin}/token` }
  await refusedAnew(world)
  expect(world.offer().doubts).toMatchObject([{ kind: 'other-hosts' }])
  expect(evil.requests).toEqual([])
})

test.each<[string, (answer: URLSearchParams, other: string) => void]>([
  ['names another house', (answer, other) => answer.set('iss', other)],
  ['names the house with a slash more', (answer) => answer.set('iss', `${answer.get('iss')}/`)],
  ['names two houses', (answer, other) => answer.append('iss', other)],
  ['names none, though the house says it would', (answer) => answer.delete('iss')],
  ['has no state', (answer) => answer.delete('state')],
  ['has the state of nobody', (answer) => answer.set('state', `a.${'x'.repeat(43)}`)],
  ['has the state of another server', (answer) => answer.set('state', (answer.get('state') ?? '').replace(/^a/, 'b'))],
  ['has two codes', (answer) => answer.append('code', 'second')],
])('[A1.4] [A1.8] an answer that %s brings no token request', async (_name, change) => {
  await using world = await protectedScenario()
  await failureFrom(world.app.mcp.connections.connect('a'))
  const answer = new URLSearchParams(await world.visit(world.offer().url))
  change(answer, 'https://other.example')
  const failure = await failureFrom(world.app.mcp.signIns.finish(String(answer)))
  expect(failure.code).toMatch(/^(sign-in-needed|not-found)$/)
  expect(world.house.to('/token')).toEqual([])
})

test('[A1.8] an answer is good once', async () => {
  await using world = await protectedScenario()
  await failureFrom(world.app.mcp.connections.connect('a'))
  const answer = await world.visit(world.offer().url)
  await world.app.mcp.signIns.finish(answer)
  await failureFrom(world.app.mcp.signIns.finish(answer))
  expect(world.house.to('/token')).toHaveLength(1)
})

test('[A1.8] an answer after eleven minutes is too late, and says so', async () => {
  await using world = await protectedScenario()
  await failureFrom(world.app.mcp.connections.connect('a'))
  const answer = await world.visit(world.offer().url)
  for (const [id, record] of world.app.secrets) {
    if (!id.includes(':attempt ')) continue
    const { begunAt, ...flow } = JSON.parse(record) as { begunAt: number }
    world.app.secrets.set(id, JSON.stringify({ ...flow, begunAt: begunAt - 11 * 60_000 }))
  }
  const failure = await failureFrom(world.app.mcp.signIns.finish(answer))
  expect(failure.message).toContain('took too long')
  expect(world.house.to('/token')).toEqual([])
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '\tjavascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'https://user:pass@h.example/authorize',
  'http://192.168.0.1/authorize',
  'http://evil.example/authorize',
])('[A1.1] %j is never offered as a place to sign in', async (address) => {
  await using world = await protectedScenario()
  world.house.metadata = { authorization_endpoint: address }
  const failure = await failureFrom(world.app.mcp.connections.connect('a'))
  expect(failure).toMatchObject({ code: 'sign-in-needed', message: expect.stringContaining('not safe') })
  expect(world.app.stateOf('a')).not.toHaveProperty('signIn')
})

test.each([301, 302, 303, 307, 308])('[A1.7] a code is not sent on to where a %i points', async (status) => {
  await using world = await protectedScenario()
  await using elsewhere = await new Listener().start()
  await failureFrom(world.app.mcp.connections.connect('a'))
  const answer = await world.visit(world.offer().url)
  world.house.faults.set('/token', () => ({ status, headers: { location: `${elsewhere.origin}/token` } }))
  await failureFrom(world.app.mcp.signIns.finish(answer))
  expect(elsewhere.requests).toEqual([])
})

test('[A1.5] a description that speaks of another server leads to no sign-in', async () => {
  await using world = await protectedScenario()
  world.protection.metadata = { resource: 'https://mcp.example.evil/mcp' }
  const failure = await failureFrom(world.app.mcp.connections.connect('a'))
  expect(failure.message).toContain('another server')
  expect(world.app.stateOf('a')).not.toHaveProperty('signIn')
})

test('[A1.11] a house that protects codes in another way only is not used; one that does not say it is a doubt', async () => {
  await using world = await protectedScenario()
  world.house.metadata = { code_challenge_methods_supported: ['plain'] }
  await failureFrom(world.app.mcp.connections.connect('a'))
  expect(world.app.stateOf('a')).not.toHaveProperty('signIn')
  world.house.metadata = { code_challenge_methods_supported: undefined }
  await refusedAnew(world)
  expect(world.offer().doubts).toEqual([{ kind: 'no-pkce' }])
})

test('[A1.12] more rights are asked for together with those that were given, and marked as new', async () => {
  await using world = await protectedScenario({}, { scopeOf: () => 'read' })
  world.protection.metadata = { scopes_supported: ['read'] }
  await signIn(world)
  const { tools } = await world.app.offers(['a'])
  world.protection.scopeOf = ({ method }) => (method === 'tools/call' ? 'read write' : 'read')
  const failure = await failureFrom(world.app.call(tools[0]!, { mark: 'once' }))
  expect(failure.code).toBe('sign-in-needed')
  expect(world.offer()).toMatchObject({ scopes: ['read', 'write'], added: ['write'] })
  await world.app.mcp.signIns.finish(await world.visit(world.offer().url))
  await world.app.call(tools[0]!, { mark: 'once' })
  expect(world.far.ledger.executions).toHaveLength(1)
})

test('[A1.12] a server that is never content is not signed in to for ever', async () => {
  await using world = await protectedScenario(
    {},
    { scopeOf: ({ method }) => (method === 'tools/call' ? 'all' : undefined) },
  )
  await signIn(world)
  const { tools } = await world.app.offers(['a'])
  await failureFrom(world.app.call(tools[0]!, { mark: 'x' }))
  world.house.onCallback = undefined
  // The house gives no more than before, whatever it is asked for.
  world.house.faults.set('/token', (_asked, usual) => {
    const given = usual()
    return { ...given, body: { ...(given.body as object), scope: 'all' } }
  })
  await world.app.mcp.signIns.finish(await world.visit(world.offer().url))
  for (const token of world.house.tokens.values()) token.scope = undefined
  const again = await failureFrom(world.app.call(tools[0]!, { mark: 'x' }))
  expect(again.message).toContain('signing in again did not help')
  expect(world.app.stateOf('a')).not.toHaveProperty('signIn')
})

test('[A1.17] two engines with one vault renew a token once', async () => {
  await using world = await protectedScenario()
  await signIn(world)
  await using second = await scenario([...world.app.servers.values()], { vaultOf: world.app })
  await second.mcp.connections.connect('a')
  world.house.expireTokens()
  await Promise.all([world.app.offers(['a']), second.offers(['a'])])
  expect(world.house.tokenRequests.filter((form) => form.get('grant_type') === 'refresh_token')).toHaveLength(1)
  expect(world.house.reuses).toBe(0)
})

test('[A1.17] a renewal whose answer is lost on its way is asked for again, and nobody has to sign in', async () => {
  await using world = await protectedScenario()
  await signIn(world)
  world.house.expireTokens()
  let isLost = false
  world.house.faults.set('/token', () => {
    if (isLost) return undefined
    isLost = true
    return 'drop'
  })
  world.app.mcp.connections.close('a')
  await world.app.mcp.connections.connect('a')
  expect(world.app.stateOf('a')).toMatchObject({ state: 'connected' })
})

test('[A1.17] a renewal that was made and lost ends with the offer to sign in', async () => {
  await using world = await protectedScenario()
  await signIn(world)
  world.house.expireTokens()
  let isLost = false
  world.house.faults.set('/token', (_asked, usual) => {
    if (isLost) return undefined
    isLost = true
    usual()
    return 'drop'
  })
  await refusedAnew(world)
  expect(world.offer().host).toBe(world.house.host)
})

test('with the vault locked the connection ends, no token is used, and after unlocking nobody signs in again', async () => {
  await using world = await protectedScenario()
  await signIn(world)
  world.app.vault.isLocked = true
  world.app.mcp.connections.closeSecret()
  expect(world.app.stateOf('a')).toEqual({ state: 'disconnected' })
  const before = world.far.ledger.entries.length
  const failure = await failureFrom(world.app.mcp.connections.connect('a'))
  expect(failure.code).toBe('vault-locked')
  expect(world.far.ledger.entries).toHaveLength(before)
  world.app.vault.isLocked = false
  await world.app.mcp.connections.connect('a')
  expect(world.app.stateOf('a')).toMatchObject({ state: 'connected' })
})

test('a server that wants no sign-in is used while the vault is locked', async () => {
  await using world = await protectedScenario()
  world.far.onRequest = undefined
  world.app.vault.isLocked = true
  await world.app.mcp.connections.connect('a')
  world.app.mcp.connections.closeSecret()
  expect(world.app.stateOf('a')).toMatchObject({ state: 'connected' })
})

test('who comes back to a locked vault loses nothing: after unlocking, the same answer signs in', async () => {
  await using world = await protectedScenario()
  await failureFrom(world.app.mcp.connections.connect('a'))
  const answer = await world.visit(world.offer().url)
  world.app.vault.isLocked = true
  expect(await failureFrom(world.app.mcp.signIns.finish(answer))).toMatchObject({ code: 'vault-locked' })
  world.app.vault.isLocked = false
  expect(await world.app.mcp.signIns.finish(answer)).toEqual({ serverId: 'a' })
})

test('who comes back after a reload is signed in by the new engine', async () => {
  await using world = await protectedScenario()
  await failureFrom(world.app.mcp.connections.connect('a'))
  const answer = await world.visit(world.offer().url)
  await using reloaded = await scenario([...world.app.servers.values()], { vaultOf: world.app })
  expect(await reloaded.mcp.signIns.finish(answer)).toEqual({ serverId: 'a' })
  await reloaded.until(() => reloaded.stateOf('a')?.state === 'connected')
})

test('the rights that a call wanted are offered again after a reload', async () => {
  await using world = await protectedScenario({}, { scopeOf: () => 'read' })
  world.protection.metadata = { scopes_supported: ['read'] }
  await signIn(world)
  const { tools } = await world.app.offers(['a'])
  world.protection.scopeOf = ({ method }) => (method === 'tools/call' ? 'write' : 'read')
  await failureFrom(world.app.call(tools[0]!, { mark: 'x' }))
  await using reloaded = await scenario([...world.app.servers.values()], { vaultOf: world.app })
  const offer = await reloaded.mcp.signIns.prepare('a')
  expect(offer).toMatchObject({ scopes: ['read', 'write'], added: ['write'] })
  expect(offer.url).not.toBe(world.offer().url)
})

test('a sign-in that was declined says so, and can be begun anew', async () => {
  await using world = await protectedScenario()
  await failureFrom(world.app.mcp.connections.connect('a'))
  world.house.onCallback = (answer) => {
    answer.delete('code')
    answer.set('error', 'access_denied')
    answer.set('error_description', '<img src=x onerror=alert(1)>')
  }
  const failure = await failureFrom(world.app.mcp.signIns.finish(await world.visit(world.offer().url)))
  expect(failure.message).toBe('The sign-in to Server a was declined. You can try again.')
  world.house.onCallback = undefined
  const { url } = await world.app.mcp.signIns.prepare('a')
  expect(await world.app.mcp.signIns.finish(await world.visit(url))).toEqual({ serverId: 'a' })
})

test('signing out has the tokens ended, forgets them, and the server is asked without', async () => {
  await using world = await protectedScenario()
  world.house.metadata = { revocation_endpoint: `${world.house.issuer}/revoke` }
  await signIn(world)
  const tokens = [...world.house.tokens.keys()]
  expect(await world.app.mcp.signIns.signOut('a')).toEqual({ revoked: true })
  expect(tokens.filter((token) => world.house.inspect(token))).toEqual([])
  expect(world.app.notes.size).toBe(0)
  expect([...world.app.secrets.keys()].filter((id) => id.includes('tokens'))).toEqual([])
  expect(world.app.stateOf('a')).toEqual({ state: 'disconnected' })
  await world.far.ledger.until(() => world.far.ledger.deletes > 0, 'the end of the session')
  const before = world.far.ledger.entries.length
  await failureFrom(world.app.mcp.connections.connect('a'))
  for (const { headers } of world.far.ledger.entries.slice(before)) expect(headers['authorization']).toBeUndefined()
})

test.each<[string, (world: World) => void]>([
  ['offers no way to end tokens', () => {}],
  [
    'does not answer',
    ({ house }) => {
      house.metadata = { revocation_endpoint: `${house.issuer}/revoke` }
      house.faults.set('/revoke', () => 'drop')
    },
  ],
])('signing out of a house that %s forgets the tokens, and says that nobody was told', async (_name, prepare) => {
  await using world = await protectedScenario()
  prepare(world)
  await signIn(world)
  expect(await world.app.mcp.signIns.signOut('a')).toEqual({ revoked: false })
  expect([...world.app.secrets.keys()].filter((id) => id.includes('tokens'))).toEqual([])
})

test('a server is signed in to while it is tried, and what it offers is shown before it is saved', async () => {
  await using world = await protectedScenario()
  const { url } = world.app.servers.get('a')!
  world.app.servers.delete('a')
  const server = { ...world.record, name: 'New', url }
  const draftId = crypto.randomUUID()
  const report = await world.app.mcp.testServer({ server, secrets: {}, draftId })
  expect(report).toMatchObject({ failure: { code: 'sign-in-needed' }, signIn: { host: world.house.host } })
  const done = await world.app.mcp.signIns.finish(await world.visit(report.signIn?.url ?? ''))
  expect(done).toEqual({ serverId: draftId })
  const again = await world.app.mcp.testServer({ server, secrets: {}, draftId })
  expect(again.found?.tools.length).toBeGreaterThan(0)
  expect(again.steps.find(({ step }) => step === 'authorization')?.note).toBe('The sign-in was taken.')
  expect(JSON.stringify([report, again])).not.toContain('canary-access')
})

test('a server that is edited is signed in to as it is saved, not as it is tried', async () => {
  await using world = await protectedScenario()
  const server = { ...world.record, authentication: { type: 'oauth2' as const, scopes: 'other' } }
  const report = await world.app.mcp.testServer({ server, secrets: {}, serverId: 'a' })
  expect(report.signIn).toBeUndefined()
  expect(report.failure?.message).toContain('Save it as it is now, and sign in then.')
  expect([...world.app.secrets.keys()]).toEqual([])
})

test('a Basic challenge asks for a user name and a password, without looking for a sign-in page', async () => {
  await using world = await protectedScenario({}, { challenge: () => 'Basic realm="staff"' })
  const failure = await failureFrom(world.app.mcp.connections.connect('a'))
  expect(failure).toMatchObject({ code: 'sign-in-needed', wants: 'basic' })
  expect(failure.message).toContain('a user name and a password')
  expect(world.house.requests).toEqual([])
  // A second try within the pause says the same.
  expect(await failureFrom(world.app.mcp.connections.use('a', async () => {}))).toMatchObject({ wants: 'basic' })
})

test('a server without metadata is explained without names of library options', async () => {
  await using world = await protectedScenario({}, { challenge: () => undefined, metadataPaths: [] })
  const failure = await failureFrom(world.app.mcp.connections.connect('a'))
  expect(failure).toMatchObject({ code: 'sign-in-needed', wants: 'bearer' })
  expect(failure.message).toContain('requires authentication')
  expect(failure.message).not.toMatch(/allowLegacyDiscovery|2025-03-26/)
})
