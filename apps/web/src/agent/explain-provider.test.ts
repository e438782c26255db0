import { expect, test } from 'vitest'
import {
  type Asked,
  explainRefusal,
  explainSilence,
  explainTrouble,
  mediaInRequest,
  retryAfter,
} from './explain-provider.ts'

const KEY = 'sk-canary-0123456789'
const asked: Asked = {
  kind: 'openai',
  name: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  modelId: 'gpt-x',
  key: KEY,
}
const body = (message: string, type = '', code?: string) => JSON.stringify({ error: { message, type, code } })
const codeOf = (status: number | undefined, text: string, who = asked) =>
  explainRefusal({ status, body: text }, who, 0).failure.code

test('each refusal of a service has its own name', () => {
  const table: [number | undefined, string, string][] = [
    [401, body('Incorrect API key provided', 'invalid_request_error', 'invalid_api_key'), 'wrong-key'],
    [403, '', 'wrong-key'],
    [404, body('The model `gpt-x` does not exist', 'invalid_request_error', 'model_not_found'), 'unknown-model'],
    [
      404,
      JSON.stringify({ type: 'error', error: { type: 'not_found_error', message: 'model: claude-x' } }),
      'unknown-model',
    ],
    [404, JSON.stringify({ error: 'model "llama9" not found, try pulling it first' }), 'unknown-model'],
    [404, '<html>nothing here</html>', 'unknown-model'],
    [429, body('Rate limit reached', 'tokens', 'rate_limit_exceeded'), 'rate-limit'],
    [429, body('You exceeded your current quota', 'insufficient_quota', 'insufficient_quota'), 'rate-limit'],
    [529, JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }), 'rate-limit'],
    [400, body('This model has a maximum context length of 8192 tokens', '', 'context_length_exceeded'), 'too-long'],
    [
      400,
      JSON.stringify({
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 250000 tokens' },
      }),
      'too-long',
    ],
    [413, '', 'too-long'],
    [
      400,
      JSON.stringify({
        type: 'error',
        error: { type: 'invalid_request_error', message: 'Your credit balance is too low' },
      }),
      'rate-limit',
    ],
    [400, body('blocked', '', 'content_filter'), 'refused-by-model'],
    [400, body('Unsupported parameter: temperature'), 'refused-by-model'],
    [500, 'oops', 'no-network'],
    [504, '', 'timeout'],
    [undefined, body('terminated'), 'no-network'],
  ]
  for (const [status, text, code] of table) expect([status, text, codeOf(status, text)]).toEqual([status, text, code])
})

test('a missing model whose name speaks of pictures is not taken for a refusal of pictures', () => {
  const sent = { pictures: true, audio: false }
  const vision = { ...asked, modelId: 'Llama-Vision' }
  const refusal = (status: number, message: string) => explainRefusal({ status, body: body(message), sent }, vision, 0)
  expect(refusal(404, 'model "llama-vision" not found').failure.code).toBe('unknown-model')
  expect(refusal(404, 'llama-vision: no endpoint supports image input').failure.message).toContain('“Accepts pictures”')
  expect(refusal(429, 'Too many images').failure.code).toBe('rate-limit')
})

test('finds pictures and audio in a request, and not in its words', () => {
  const request = (content: unknown) => mediaInRequest(JSON.stringify({ messages: [{ role: 'user', content }] }))
  expect(request('"type":"image_url" "type":"input_audio"')).toEqual({ pictures: false, audio: false })
  expect(request([{ type: 'image_url' }])).toEqual({ pictures: true, audio: false })
  expect(request([{ type: 'input_audio' }])).toEqual({ pictures: false, audio: true })
})

test('no credit has words of its own, and does not pass by waiting', () => {
  const refused = explainRefusal(
    { status: 429, body: body('You exceeded your current quota', 'insufficient_quota') },
    asked,
    0,
  )
  expect(refused.message).toContain('no credit left')
  expect(refused.mayPass).toBe(false)
})

test('without a key the user hears that one is needed', () => {
  expect(explainRefusal({ status: 401, body: '' }, { ...asked, key: undefined }, 0).message).toContain('none is set')
})

test('[I1] the key is in no failure, also where the service repeats it, whole or in part', () => {
  const echoes = [
    body(`Incorrect API key provided: ${KEY}. You can find your key …`),
    body('Incorrect API key provided: sk-canar**********6789.'),
    `plain text with ${KEY}`,
    JSON.stringify({ message: `x ${KEY}` }),
    JSON.stringify(KEY),
  ]
  for (const status of [400, 401, 404, 429, 500, undefined])
    for (const echo of echoes) {
      const { message, failure, cause } = explainRefusal({ status, body: echo }, asked, 0)
      expect(JSON.stringify([message, failure, cause])).not.toMatch(/canar|6789/)
    }
  const odd = { ...asked, key: 'plainword' }
  expect(explainRefusal({ status: 500, body: 'no plainword here' }, odd, 0).message).not.toContain('plainword')
})

test('what a service says is quoted briefly, with nothing hidden in it', () => {
  const { message } = explainRefusal({ status: 400, body: body(`bad\u202E ${'x'.repeat(5_000)}`) }, asked, 0)
  expect(message.length).toBeLessThan(600)
  expect(message).not.toContain('\u202E')
})

test('when to come back is read from seconds, milliseconds and dates, and bounded', () => {
  const now = Date.parse('2026-11-16T12:00:00Z')
  const read = (headers: Record<string, string>) => retryAfter(new Headers(headers), now)
  expect(read({ 'retry-after': '7' })).toBe(7_000)
  expect(read({ 'retry-after-ms': '250', 'retry-after': '7' })).toBe(250)
  expect(read({ 'retry-after': 'Mon, 16 Nov 2026 12:01:00 GMT' })).toBe(60_000)
  expect(read({ 'retry-after': 'Mon, 16 Nov 2026 11:00:00 GMT' })).toBe(0)
  expect(read({ 'retry-after': 'soon' })).toBeUndefined()
  expect(read({})).toBeUndefined()
  const { failure } = explainRefusal({ status: 429, body: '', retryAfterMs: 1e12 }, asked, now)
  expect(failure.retryAt).toBe(now + 600_000)
})

test('silence names both reasons and what to check, on this machine and elsewhere', () => {
  expect(explainSilence(asked, true).message).toMatch(/no connection.*CORS/s)
  const local = explainSilence({ ...asked, kind: 'compatible', baseUrl: 'http://localhost:11434/v1' }, true)
  expect(local.message).toContain('OLLAMA_ORIGINS')
  expect(explainSilence(asked, false).failure.code).toBe('no-network')
})

test('trouble within a stream is put into the same words; what is ours stays ours', () => {
  const overloaded = { type: 'overloaded_error', message: 'Overloaded' }
  expect(
    explainTrouble({ statusCode: 529, responseBody: JSON.stringify({ error: overloaded }) }, asked, 0).failure.code,
  ).toBe('rate-limit')
  expect(explainTrouble({ data: { error: overloaded } }, asked, 0).failure.code).toBe('rate-limit')
  expect(explainTrouble(new TypeError('terminated'), asked, 0).failure.code).toBe('no-network')
  expect(explainTrouble('odd', asked, 0).failure.code).toBe('no-network')
  const broken = explainTrouble({ statusCode: 200, message: 'Failed to process successful response' }, asked, 0)
  expect(broken.failure).toMatchObject({ code: 'no-network', message: expect.not.stringContaining('Failed to') })
  const own = explainSilence(asked, true)
  expect(explainTrouble(own, asked, 0)).toBe(own)
})
