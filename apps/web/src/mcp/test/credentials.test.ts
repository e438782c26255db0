import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FaultServer } from '@switchboard/testkit/fault-server'
import { expect, test } from 'vitest'
import type { Server, ServerSecretField } from '#domain/server.ts'
import { failureFrom, scenario, serverRecord } from './scenario.ts'

const CANARY = 'canary-5f1d9c-secret'

const VARIANTS: [
  name: string,
  record: Partial<Server>,
  secrets: [ServerSecretField, string][],
  header: string,
  value: string,
][] = [
  ['a bearer token', { authentication: { type: 'bearer' } }, [['token', CANARY]], 'authorization', `Bearer ${CANARY}`],
  [
    'a token pasted with its scheme',
    { authentication: { type: 'bearer' } },
    [['token', ` Bearer ${CANARY}\n`]],
    'authorization',
    `Bearer ${CANARY}`,
  ],
  ['an API key', { authentication: { type: 'api-key', header: 'X-Api-Key' } }, [['key', CANARY]], 'x-api-key', CANARY],
  [
    'an API key in a header of its own',
    { authentication: { type: 'api-key', header: 'x-weather-key' } },
    [['key', CANARY]],
    'x-weather-key',
    CANARY,
  ],
  [
    'name and password',
    { authentication: { type: 'basic', user: 'ada' } },
    [['password', CANARY]],
    'authorization',
    `Basic ${Buffer.from(`ada:${CANARY}`).toString('base64')}`,
  ],
  [
    'name and password beyond Latin letters',
    { authentication: { type: 'basic', user: 'Ада' } },
    [['password', `пароль ${CANARY}`]],
    'authorization',
    `Basic ${Buffer.from(`Ада:пароль ${CANARY}`).toString('base64')}`,
  ],
  [
    'an extra header',
    { headerNames: ['X-Tenant'] },
    [['headers', JSON.stringify({ 'X-Tenant': CANARY })]],
    'x-tenant',
    CANARY,
  ],
]

test.each(VARIANTS)('%s reaches the server with every request', async (_name, record, secrets, header, value) => {
  await using far = await new FaultServer({ era: 'sessions' }).start()
  await using app = await scenario([serverRecord('a', far.url, record)])
  for (const [field, secret] of secrets) app.setSecret('a', field, secret)
  const { tools } = await app.offers(['a'])
  await app.call(tools[0]!, { mark: 'x' })
  expect(far.ledger.entries.length).toBeGreaterThan(4)
  for (const entry of far.ledger.entries) expect(entry.headers[header]).toBe(value)
})

/** Listens, and remembers everything that it was sent. */
async function listener() {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(JSON.stringify([request.method, request.url, request.rawHeaders]))
    request.on('data', (chunk: Buffer) => heard.push(chunk.toString()))
    request.on('end', () => response.writeHead(404).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    heard,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

test.each(VARIANTS)('[I1] %s goes to nobody else, whatever the server tries', async (_name, record, secrets) => {
  await using stranger = await listener()
  for (const status of [301, 302, 303, 307, 308]) {
    await using far = await new FaultServer({ era: 'both' }).start()
    far.onRequest = (exchange) => {
      if (exchange.method === 'tools/list' || exchange.httpMethod === 'GET')
        exchange.send(status, { location: stranger.url })
    }
    await using app = await scenario([serverRecord('a', far.url, record)])
    for (const [field, secret] of secrets) app.setSecret('a', field, secret)
    const { missing } = await app.offers(['a'])
    expect(missing).toMatchObject([{ failure: { code: 'protocol' } }])
  }
  await using old = await new FaultServer({ era: 'http+sse' }).start()
  old.onRequest = (exchange) => {
    if (exchange.httpMethod === 'GET') void exchange.stream().event({ event: 'endpoint', data: stranger.url })
  }
  await using app = await scenario([serverRecord('a', old.url, { ...record, timeoutSeconds: 1 })])
  for (const [field, secret] of secrets) app.setSecret('a', field, secret)
  await app.offers(['a'])
  expect(stranger.heard).toEqual([])
})

test.each(VARIANTS)(
  '[A1.15] %s is in no failure, no state and nothing that is kept, though the server repeats it',
  async (_name, record, secrets, header) => {
    await using far = await new FaultServer({ era: 'sessions' }).start()
    let isTested = false
    far.onRequest = (exchange) => {
      const echo = `You sent ${exchange.header(header)} (${CANARY}), and that is wrong`
      if (exchange.method === 'tools/call') exchange.json(exchange.failure(-32000, echo))
      if (isTested && exchange.method === 'tools/list') exchange.send(400, { 'content-type': 'text/plain' }, echo)
    }
    await using app = await scenario([serverRecord('a', far.url, record)])
    for (const [field, secret] of secrets) app.setSecret('a', field, secret)
    const { tools } = await app.offers(['a'])
    const failure = await failureFrom(app.call(tools[0]!, { mark: 'x' }))
    isTested = true
    const report = await app.mcp.testServer({ server: app.servers.get('a')!, secrets: {}, serverId: 'a' })
    far.onRequest = (exchange) => exchange.send(401, {}, CANARY)
    app.mcp.connections.close('a')
    const refused = await failureFrom(app.mcp.connections.connect('a'))
    expect(report.failure?.message).toContain('•••')
    const seen = JSON.stringify([failure, refused, report, app.states, app.learnt])
    expect(failure).toMatchObject({ code: 'tool-failed', message: expect.stringContaining('•••') })
    expect(seen).not.toContain(CANARY)
    expect(seen).not.toContain(Buffer.from(`ada:${CANARY}`).toString('base64'))
  },
)

test.each<[string, Partial<Server>, [ServerSecretField, string][], string]>([
  ['no token', { authentication: { type: 'bearer' } }, [], 'sign-in-needed'],
  ['an empty key', { authentication: { type: 'api-key', header: 'x-key' } }, [['key', '  ']], 'sign-in-needed'],
  ['a token of two lines', { authentication: { type: 'bearer' } }, [['token', `${CANARY}\r\nx-evil: 1`]], 'bad-input'],
  ['a token beyond Latin letters', { authentication: { type: 'bearer' } }, [['token', `${CANARY}→`]], 'bad-input'],
  [
    'a header name with a space',
    { authentication: { type: 'api-key', header: 'x key' } },
    [['key', CANARY]],
    'bad-input',
  ],
  ['a user with a colon', { authentication: { type: 'basic', user: 'a:b' } }, [['password', CANARY]], 'bad-input'],
  ['extra headers that are no JSON', { headerNames: ['a'] }, [['headers', `{${CANARY}`]], 'bad-input'],
  [
    'an extra header of the protocol',
    { headerNames: ['a'] },
    [['headers', `{"Mcp-Session-Id":"${CANARY}"}`]],
    'bad-input',
  ],
  [
    'an extra header of the companion',
    { headerNames: ['a'] },
    [['headers', `{"x-switchboard-token":"${CANARY}"}`]],
    'bad-input',
  ],
])('%s is told before anything is sent, and not repeated', async (_name, record, secrets, code) => {
  await using far = await new FaultServer().start()
  await using app = await scenario([serverRecord('a', far.url, record)])
  for (const [field, secret] of secrets) app.setSecret('a', field, secret)
  const failure = await failureFrom(app.mcp.connections.connect('a'))
  expect(failure).toMatchObject({ code })
  expect(failure.message).not.toContain(CANARY)
  expect(far.ledger.entries).toEqual([])
})

test.each(VARIANTS)(
  '[A1.15] %s that a server repeats in a result reaches neither the chat nor a model',
  async (_name, record, secrets, header, value) => {
    await using far = await new FaultServer({
      era: 'sessions',
      tools: {
        echo: {
          run: (_given, exchange) => ({
            content: [{ type: 'text', text: `You sent "${exchange.header(header)}".` }],
            structuredContent: { deep: [{ sent: exchange.header(header) }] },
          }),
        },
      },
    }).start()
    await using app = await scenario([serverRecord('a', far.url, record)])
    for (const [field, secret] of secrets) app.setSecret('a', field, secret)
    const { tools } = await app.offers(['a'])
    const told = JSON.stringify(await app.call(tools[0]!, {}))
    expect(told).toContain('You sent')
    expect(told).not.toContain(value.split(' ').at(-1))
  },
)

test('what is no secret by its length stays in a result', async () => {
  await using far = await new FaultServer({
    era: 'sessions',
    tools: { echo: { run: () => ({ content: [{ type: 'text', text: 'It is true.' }] }) } },
  }).start()
  await using app = await scenario([serverRecord('a', far.url, { headerNames: ['x-debug'] })])
  app.setSecret('a', 'headers', JSON.stringify({ 'x-debug': 'true' }))
  const { tools } = await app.offers(['a'])
  expect(await app.call(tools[0]!, {})).toMatchObject({ content: [{ text: 'It is true.' }] })
})
