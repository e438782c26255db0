import { MCPError, type Reason } from '@switchboard/mcp'
import { expect, test } from 'vitest'
import { Failed, type FailureCode } from '#domain/failure.ts'
import { failureOf } from './failure-of.ts'

type FailureDetails = ConstructorParameters<typeof MCPError>[2]

const server = {
  name: 'Weather',
  transport: 'streamable-http' as const,
  url: 'https://weather.example/mcp',
  relay: false,
  timeoutSeconds: 30,
}
const about = { server, secrets: ['canary-secret'], appOrigin: 'http://localhost:4114', now: 1000 }

test.each<[Reason, FailureDetails, FailureCode, RegExp]>([
  ['network', {}, 'server-unreachable', /No answer from Weather at weather\.example\..*CORS.*companion/],
  ['timeout', {}, 'timeout', /after 30 s/],
  ['unauthorized', { statusCode: 401 }, 'sign-in-needed', /HTTP 401.*Authentication/],
  ['http', { statusCode: 403 }, 'sign-in-needed', /HTTP 403/],
  ['http', { statusCode: 404 }, 'protocol', /address of an MCP server/],
  ['http', { statusCode: 503 }, 'server-unreachable', /HTTP 503/],
  ['rpc', { code: -32603 }, 'protocol', /Weather: /],
  ['session-expired', {}, 'server-unreachable', /Connect again/],
  ['closed', {}, 'stopped', /closed/],
  ['cancelled', {}, 'stopped', /cancelled/],
  ['expired', {}, 'outcome-unknown', /Check before you run it again/],
  ['redirect', {}, 'protocol', /Weather: /],
  ['protocol', {}, 'protocol', /Weather: /],
  ['too-large', {}, 'protocol', /Weather: /],
  ['limit', {}, 'protocol', /Weather: /],
])('%s %j is %s', (reason, details, code, words) => {
  const { failure } = failureOf(new MCPError('What happened', reason, details), about)
  expect(failure.code).toBe(code)
  expect(failure.message).toMatch(words)
  expect(failure.message).toMatch(/[.?]$/)
})

test.each<[Reason, RegExp]>([
  ['timeout', /^No answer came in time\. search of Weather may have run/],
  ['network', /^The connection broke/],
  ['closed', /^The connection was closed/],
  ['http', /^tools\/call failed with HTTP 502\. search of Weather may have run: check before you run it again\.$/],
])('a call that may have run is told as that, whatever the reason (%s)', (reason, words) => {
  const text = 'tools/call failed with HTTP 502. It may have run: check before running it again'
  const { failure } = failureOf(new MCPError(text, reason, { lost: true }), { ...about, tool: 'search' })
  expect(failure.code).toBe('outcome-unknown')
  expect(failure.message).toMatch(words)
})

test('a limit of requests says when to come back', () => {
  const error = new MCPError('Busy', 'http', { statusCode: 429, retryAfterMs: 5000 })
  expect(failureOf(error, about).failure).toMatchObject({ code: 'rate-limit', retryAt: 6000 })
})

test('a server of our own origin is not suspected of CORS', () => {
  const { message } = failureOf(new MCPError('', 'network'), { ...about, appOrigin: 'https://weather.example' })
  expect(message).not.toContain('CORS')
})

test.each([{ transport: 'stdio' as const }, { relay: true }])(
  'behind the companion (%j) it is the companion that does not answer',
  (change) => {
    const { failure } = failureOf(new MCPError('', 'network'), { ...about, server: { ...server, ...change } })
    expect(failure).toMatchObject({ code: 'companion', message: expect.stringContaining('npm start') })
  },
)

test('what is thrown by others holds no secret either, and nothing hidden', () => {
  const { failure, cause } = failureOf(new Error('canary-secret\u202E'), about)
  expect(failure).toEqual({ code: 'internal', message: 'Weather: Error: •••⟨U+202E⟩.' })
  expect(cause).toBeUndefined()
})

test('a failure that has its words keeps them', () => {
  const failed = new Failed('vault-locked', 'The vault is locked.')
  expect(failureOf(failed, about)).toBe(failed)
})

const ofTool = { ...about, tool: 'search' }

test('a JSON-RPC error keeps its code, its whole message and its data', () => {
  const serverMessage = `Line 1\n${'long '.repeat(100)}end`
  const error = new MCPError('tools/call failed: Line 1…', 'rpc', { code: -32050, serverMessage, data: { row: 7 } })
  expect(failureOf(error, ofTool).failure).toMatchObject({
    code: 'tool-failed',
    serverError: { code: -32050, message: serverMessage, data: '{"row":7}' },
  })
})

test('a JSON-RPC error repeats no credential, and is cut where it is long', () => {
  const data = { token: 'canary-secret', rest: 'x'.repeat(1_000_000) }
  const error = new MCPError('', 'rpc', { code: 1, serverMessage: `canary-secret ${'y'.repeat(1_000_000)}`, data })
  const { serverError } = failureOf(error, ofTool).failure
  expect(JSON.stringify(serverError)).not.toContain('canary')
  expect(serverError?.message.length).toBeLessThan(5_000)
  expect(serverError?.data?.length).toBeLessThan(20_000)
})

test.each<[number, string, FailureCode]>([
  [-32602, 'Unknown tool: search', 'tool-gone'],
  [-32601, 'Method not found', 'tool-gone'],
  [-32602, 'User not found', 'bad-arguments'],
])('error %i "%s" of a tool call is %s', (code, serverMessage, expected) => {
  const error = new MCPError(serverMessage, 'rpc', { code, serverMessage, method: 'tools/call' })
  expect(failureOf(error, ofTool).failure.code).toBe(expected)
})

test('ends with one full stop, whatever the server wrote', () => {
  for (const said of ['Mend its entry, then restart it.', 'Mend its entry, then restart it', 'Mend it…', 'Mended?']) {
    const { message } = failureOf(new MCPError(said, 'protocol'), about)
    expect(message).toMatch(/^Weather: .*[^.][.…?]$/)
  }
})

test('a server that is named after its host is named once', () => {
  const unnamed = { ...about, server: { ...server, name: 'weather.example' } }
  expect(failureOf(new MCPError('', 'network'), unnamed).message).toMatch(/^No answer from weather\.example\. /)
})
