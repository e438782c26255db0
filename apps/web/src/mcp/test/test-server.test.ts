import { FaultServer } from '@switchboard/testkit/fault-server'
import { expect, test } from 'vitest'
import { scenario, serverRecord } from './scenario.ts'

const outcomes = (report: { steps: { step: string; outcome: string }[] }) =>
  report.steps.map(({ step, outcome }) => `${step} ${outcome}`)
const ALL = ['address', 'reach', 'protocol', 'authorization', 'lists']
const upTo = (failed: string) => {
  const at = ALL.indexOf(failed)
  return ALL.map((step, index) => `${step} ${index < at ? 'ok' : index === at ? 'failed' : 'skipped'}`)
}

test.each(['sessions', 'stateless', 'http+sse'] as const)(
  'a good server passes every step, and nothing is kept or left open (%s)',
  async (era) => {
    await using far = await new FaultServer({
      era,
      tools: { echo: {}, bad: { inputSchema: { type: 'string' } } },
    }).start()
    await using app = await scenario([])
    const report = await app.mcp.testServer({ server: serverRecord('', far.url), secrets: {} })
    expect(outcomes(report)).toEqual(ALL.map((step) => `${step} ok`))
    expect(report.steps[4]?.note).toBe('2 tools, 1 of them not usable · 1 resource · 1 prompt')
    expect(report.found?.tools.map(({ name }) => name)).toEqual(['bad', 'echo'])
    expect(report.failure).toBeUndefined()
    if (era === 'sessions') expect(report.sessionId).toMatch(/^canary-session/)
    expect(app.learnt).toEqual([])
    expect(app.states).toEqual([])
    await far.ledger.until(() => far.ledger.open.size === 0, 'the end of every request')
  },
)

test.each([
  ['example.com', /no address/],
  ['http://example.com/mcp', /needs https/],
  ['https://a:b@example.com/', /Leave name and password out/],
  ['https://example.com/#x', /from # on/],
])('%s fails at the address, and nobody is asked', async (url, note) => {
  await using app = await scenario([], { fetch: () => Promise.reject(new Error('nobody may be asked')) })
  const report = await app.mcp.testServer({ server: serverRecord('', url), secrets: {} })
  expect(outcomes(report)).toEqual(upTo('address'))
  expect(report.steps[0]?.note).toMatch(note)
  expect(report.failure).toMatchObject({ code: 'bad-input' })
})

test('a server that is down fails at being reached, with both reasons', async () => {
  const far = await new FaultServer().start()
  await far.stop()
  await using app = await scenario([])
  const report = await app.mcp.testServer({ server: serverRecord('', far.url), secrets: {} })
  expect(outcomes(report)).toEqual(upTo('reach'))
  expect(report.steps[1]?.note).toMatch(/No answer.*CORS/)
})

test('a server that says nothing fails at being reached, in its time', async () => {
  await using far = await new FaultServer({ onRequest: (exchange) => void exchange.take() }).start()
  await using app = await scenario([])
  const report = await app.mcp.testServer({ server: serverRecord('', far.url, { timeoutSeconds: 1 }), secrets: {} })
  expect(outcomes(report)).toEqual(upTo('reach'))
  expect(report.failure).toMatchObject({ code: 'timeout' })
})

test('a web page fails at the protocol', async () => {
  await using far = await new FaultServer({
    onRequest: (exchange) => exchange.send(200, { 'content-type': 'text/html' }, '<h1>Hello</h1>'),
  }).start()
  await using app = await scenario([])
  const report = await app.mcp.testServer({ server: serverRecord('', far.url), secrets: {} })
  expect(outcomes(report)).toEqual(upTo('protocol'))
})

test.each(['at once', 'at the list'])('a server that wants a sign-in %s fails at the authorization', async (when) => {
  await using far = await new FaultServer({ era: 'stateless' }).start()
  far.onRequest = (exchange) => {
    if (when === 'at once' || exchange.method === 'tools/list') exchange.send(401)
  }
  await using app = await scenario([])
  const report = await app.mcp.testServer({ server: serverRecord('', far.url), secrets: {} })
  expect(outcomes(report).filter((step) => !step.startsWith('protocol'))).toEqual(
    upTo('authorization').filter((step) => !step.startsWith('protocol')),
  )
  expect(report.failure).toMatchObject({ code: 'sign-in-needed' })
})

test('a server whose tools cannot be listed fails at the lists', async () => {
  await using far = await new FaultServer({
    onRequest: (exchange) => {
      if (exchange.method === 'tools/list') exchange.json(exchange.failure(-32603, 'Out of order'))
    },
  }).start()
  await using app = await scenario([])
  const report = await app.mcp.testServer({ server: serverRecord('', far.url), secrets: {} })
  expect(outcomes(report)).toEqual(upTo('lists'))
  expect(report.steps.at(-1)?.note).toContain('Out of order')
})

test('what is entered is tried; what is not is taken from what is saved', async () => {
  await using far = await new FaultServer().start()
  const record = serverRecord('a', far.url, { authentication: { type: 'bearer' }, headerNames: ['x-tenant'] })
  await using app = await scenario([record])
  app.setSecret('a', 'token', 'saved-token')
  app.setSecret('a', 'headers', '{"x-tenant":"saved-tenant"}')
  const headers = () => far.ledger.of('server/discover').at(-1)?.headers
  await app.mcp.testServer({ server: record, secrets: {}, serverId: 'a' })
  expect(headers()).toMatchObject({ authorization: 'Bearer saved-token', 'x-tenant': 'saved-tenant' })
  const two = { ...record, headerNames: ['x-tenant', 'x-region'] }
  await app.mcp.testServer({ server: two, secrets: { headers: '{"X-Region":"north"}' }, serverId: 'a' })
  expect(headers()).toMatchObject({ 'x-tenant': 'saved-tenant', 'x-region': 'north' })
  const none = { ...record, headerNames: [] }
  await app.mcp.testServer({ server: none, secrets: { token: 'new-token' }, serverId: 'a' })
  expect(headers()).toMatchObject({ authorization: 'Bearer new-token' })
  expect(headers()).not.toHaveProperty('x-tenant')
})

test.each([
  ['', undefined],
  [' that may ask its model', true],
])('a server%s is told by a test the same of us as by the connection later', async (_, sampling) => {
  await using far = await new FaultServer({ era: 'sessions' }).start()
  const record = serverRecord('a', far.url, { sampling })
  const unused = () => Promise.reject(new Error('Nobody asks anything here.'))
  const questions = {
    questionsOf: unused,
    questionsSince: unused,
    putQuestions: unused,
    changeQuestion: unused,
    noteTold: unused,
    untilAnswered: unused,
  }
  await using app = await scenario([record], { questions })
  const told = () => far.ledger.of('initialize').at(-1)?.params['capabilities'] as Record<string, unknown>
  await app.mcp.testServer({ server: record, secrets: {} })
  const tested = told()
  await app.mcp.connections.connect('a')
  expect(far.ledger.of('initialize')).toHaveLength(2)
  expect(tested).toEqual(told())
  expect(Object.keys(tested)).toContain('elicitation')
  expect('sampling' in tested).toBe(sampling === true)
})

test('a header without a value is told before anything is sent', async () => {
  await using far = await new FaultServer().start()
  await using app = await scenario([])
  const server = { ...serverRecord('', far.url), headerNames: ['x-tenant'] }
  const report = await app.mcp.testServer({ server, secrets: {} })
  expect(report.failure).toMatchObject({ code: 'sign-in-needed', message: expect.stringContaining('"x-tenant"') })
  expect(far.ledger.entries).toEqual([])
})

test('a test that nobody waits for any more is stopped, and leaves nothing open', async () => {
  await using far = await new FaultServer({ onRequest: (exchange) => void exchange.take() }).start()
  await using app = await scenario([])
  const abort = new AbortController()
  const report = app.mcp.testServer({ server: serverRecord('', far.url), secrets: {} }, abort.signal)
  await far.ledger.until(() => far.ledger.entries.length > 0, 'a request')
  abort.abort()
  expect((await report).failure).toMatchObject({ code: 'stopped' })
  await far.ledger.until(() => far.ledger.open.size === 0, 'the end of every request')
})

test('[I1] what is saved for one origin is not sent to another that is tested in its place', async () => {
  await using mine = await new FaultServer().start()
  await using other = await new FaultServer().start()
  const record = serverRecord('a', mine.url, { authentication: { type: 'bearer' }, headerNames: ['x-tenant'] })
  await using app = await scenario([record])
  app.setSecret('a', 'token', 'canary-token')
  app.setSecret('a', 'headers', '{"x-tenant":"canary-tenant"}')
  const report = await app.mcp.testServer({ server: { ...record, url: other.url }, secrets: {}, serverId: 'a' })
  expect(report.failure).toMatchObject({ code: 'sign-in-needed', message: expect.stringContaining('another address') })
  expect(other.ledger.entries).toEqual([])
  const fresh = { ...record, url: other.url, headerNames: [] }
  await app.mcp.testServer({ server: fresh, secrets: { token: 'for-other' }, serverId: 'a' })
  expect(JSON.stringify(other.ledger.entries.map(({ headers }) => headers))).not.toMatch(/canary-t/)
  expect(other.ledger.entries[0]?.headers['authorization']).toBe('Bearer for-other')
})

test('a locked vault is told as that', async () => {
  await using far = await new FaultServer().start()
  const record = serverRecord('a', far.url, { authentication: { type: 'bearer' } })
  await using app = await scenario([record])
  app.setSecret('a', 'token', 'canary-token')
  app.setSecret('a', 'token', 'canary-token')
  app.vault.isLocked = true
  const report = await app.mcp.testServer({ server: record, secrets: {}, serverId: 'a' })
  expect(report.failure).toMatchObject({ code: 'vault-locked' })
  expect(report.steps[3]).toMatchObject({ step: 'authorization', outcome: 'failed' })
})
