import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type LlmEndpoint, startLlmEndpoint } from '@switchboard/testkit/llm-endpoint'
import { afterEach, expect, test } from 'vitest'
import type { Gpt } from '#domain/gpt.ts'
import { createModels } from './models.ts'
import { KEY, sampleConnection, sampleModels, type Wire, WIRES, wires } from './sample-service.ts'

let endpoint: LlmEndpoint | undefined
afterEach(() => endpoint?.close())

const addressOf = (wire: Wire, baseUrl: string) => ({ ...WIRES[wire], name: 'Service', baseUrl })

/** A service that answers every request with this. */
async function answering(status: number, body: string, headers: Record<string, string> = {}) {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(JSON.stringify(request.headers))
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise((resolve) => server.close(resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen, close }
}

for (const wire of wires)
  test(`${wire}: the list of models is fetched with the key that was typed`, async () => {
    endpoint = await startLlmEndpoint([], { key: KEY, models: ['b', 'a', 'b'] })
    const { list } = sampleModels(undefined)
    expect((await list({ model: addressOf(wire, endpoint.url), key: KEY })).models).toEqual(['a', 'b'])
    expect(await sampleModels(undefined).test({ model: addressOf(wire, endpoint.url), key: 'wrong' })).toMatchObject({
      models: [],
      failure: { code: 'wrong-key' },
    })
    if (wire === 'messages') {
      expect(endpoint.listings[0]?.path).toContain('limit=')
      expect(endpoint.listings[0]?.headers).toHaveProperty('anthropic-dangerous-direct-browser-access', 'true')
    }
  })

test('a saved connection is asked with its saved key, at its own address', async () => {
  endpoint = await startLlmEndpoint([], { key: KEY })
  const saved = sampleConnection('compatible', endpoint.url)
  expect((await sampleModels(saved).list({ model: saved, connectionId: 'connection' })).models).toEqual(['practice'])
  expect((await sampleModels(saved).list({ model: saved, key: '', connectionId: 'connection' })).models).toEqual([
    'practice',
  ])
})

test('[I1] a saved key is sent nowhere else: another origin or kind needs the key again', async () => {
  const thief = await answering(200, '{"data":[]}')
  const saved = sampleConnection('compatible', 'https://mine.example/v1')
  const { test: ask } = sampleModels(saved)
  for (const model of [addressOf('compatible', thief.url), addressOf('chat', 'https://mine.example/v1')])
    expect(await ask({ model, connectionId: 'connection' })).toMatchObject({ failure: { code: 'bad-input' } })
  expect(thief.seen).toEqual([])
  await thief.close()
})

test('[I1] a key that is entered for a new address while the old one is read is not sent to the old one', async () => {
  const before = sampleConnection('compatible', 'https://before.example/v1')
  const after = { ...before, baseUrl: 'https://after.example/v1' }
  const rows = [before, after]
  const models = createModels({
    storage: { modelConnection: async () => rows.shift() },
    keys: { keyOf: async () => KEY },
    fetch: () => Promise.reject(new Error('Nobody is to be asked')),
    now: Date.now,
    isOnline: () => true,
    wordDelayMs: 0,
  })
  await expect(models.modelOf({ connectionId: 'connection', modelId: 'm' })).rejects.toMatchObject({
    failure: { code: 'no-model' },
  })
})

test('[A1.7] a redirect is not followed, and the key stays', async () => {
  const thief = await answering(200, '{"data":[]}')
  const service = await answering(307, '', { location: `${thief.url}/models` })
  const { failure } = await sampleModels(undefined).test({ model: addressOf('compatible', service.url), key: KEY })
  expect(failure?.code).toBe('cors')
  expect(thief.seen).toEqual([])
  await Promise.all([thief.close(), service.close()])
})

test('a key does not travel in clear, but for this machine; without a key a neighbour may be asked', async () => {
  const { test: ask } = sampleModels(undefined, { ask: async () => Response.json({ data: [{ id: 'm' }] }) })
  const model = addressOf('compatible', 'http://192.168.1.9:11434/v1')
  expect(await ask({ model, key: KEY })).toMatchObject({ failure: { code: 'bad-input' } })
  expect(await ask({ model })).toEqual({ models: ['m'] })
  expect(await ask({ model: addressOf('compatible', 'http://localhost:1234/v1'), key: KEY })).toEqual({ models: ['m'] })
})

test('an address that is none is refused in words', async () => {
  for (const baseUrl of [
    '',
    'mine.example',
    'ftp://mine.example',
    'javascript:alert(1)',
    'https://me:pass@mine.example/v1',
  ])
    expect(await sampleModels(undefined).test({ model: addressOf('compatible', baseUrl), key: KEY })).toMatchObject({
      failure: { code: 'bad-input' },
    })
})

test('leaves no hole in a message when no name is entered', async () => {
  const unnamed = (baseUrl: string) => ({ ...addressOf('compatible', baseUrl), name: ' ' })
  const said = async (baseUrl: string, ask?: () => Promise<Response>) =>
    (await sampleModels(undefined, ask && { ask }).test({ model: unnamed(baseUrl), key: KEY })).failure?.message
  expect(await said('nonsense')).toMatch(/^The address isn't a valid URL\./)
  expect(await said('http://10.1.2.3/v1')).toMatch(/^The key is not sent to 10\.1\.2\.3/)
  const answer = (status: number, body: unknown) => async () => Response.json(body, { status })
  expect(await said('https://a.example/v1', answer(401, {}))).toMatch(/^a\.example refused the key\./)
  expect(await said('https://a.example/v1', answer(500, {}))).toMatch(/^a\.example answered 500\./)
  expect(await said('https://a.example/v1', answer(200, {}))).toMatch(/^a\.example sent no list/)
})

test('OpenAI and Anthropic have their own addresses where none is given', async () => {
  const asked: string[] = []
  const { list } = sampleModels(undefined, {
    ask: async (url) => {
      asked.push(url)
      return Response.json({ data: [] })
    },
  })
  await list({ model: addressOf('chat', ''), key: KEY })
  await list({ model: addressOf('messages', ' '), key: KEY })
  expect(asked).toEqual(['https://api.openai.com/v1/models', 'https://api.anthropic.com/v1/models?limit=1000'])
})

test('a list that is none, or too long, is refused in words', async () => {
  for (const body of ['<html>', '{}', '{"data":{}}', 'null', `{"data":[${'"x",'.repeat(2_000_000)}"x"]}`]) {
    const service = await answering(200, body)
    expect(await sampleModels(undefined).test({ model: addressOf('compatible', service.url) })).toMatchObject({
      failure: { code: 'protocol' },
    })
    await service.close()
  }
})

test('entries without a proper name are left out, and there is an end to a list', async () => {
  const data = [
    null,
    3,
    {},
    { id: 7 },
    { id: '' },
    { id: 'x'.repeat(300) },
    ...Array.from({ length: 3_000 }, (_, at) => ({ id: `m${at}` })),
  ]
  const { list } = sampleModels(undefined, { ask: async () => Response.json({ data }) })
  expect((await list({ model: addressOf('compatible', 'https://mine.example') })).models).toHaveLength(2_000)
})

test('a list that says what its models accept is read: OpenRouter and Mistral', async () => {
  const inputs = (id: string, input_modalities: string[]) => ({ id, architecture: { input_modalities } })
  const data = [
    inputs('eyes', ['text', 'image']),
    inputs('ears', ['text', 'audio']),
    inputs('__proto__', ['text']),
    { id: 'mistral', capabilities: { vision: false } },
    { id: 'silent' },
  ]
  const address = addressOf('compatible', 'https://mine.example')
  const { acceptedMedia } = await sampleModels(undefined, { ask: async () => Response.json({ data }) }).list({
    model: address,
  })
  const ready = (modelId: string, change: Partial<Gpt['model']> = {}) =>
    sampleModels(sampleConnection('compatible', 'https://mine.example', { acceptedMedia }))
      .modelOf({ connectionId: 'connection', modelId, ...change })
      .then(({ accepts }) => accepts)
  expect(await ready('eyes')).toEqual({ pictures: true, audio: false })
  expect(await ready('ears')).toEqual({ pictures: false, audio: true })
  expect(await ready('__proto__')).toEqual({ pictures: false, audio: false })
  expect(await ready('mistral')).toEqual({ pictures: false, audio: false })
  expect(await ready('silent')).toEqual({ pictures: true, audio: false })
  expect(await ready('constructor')).toEqual({ pictures: true, audio: false })
  expect(await ready('mistral', { acceptsPictures: true })).toEqual({ pictures: true, audio: false })
})

test('Ollama is asked what each of its models accepts', async () => {
  const capabilities: Record<string, string[]> = { 'llama3:8b': ['completion'], 'gemma3:4b': ['completion', 'vision'] }
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body))
    if (request.url === '/v1/models') {
      const data = [...Object.keys(capabilities), 'old'].map((id) => ({ id, object: 'model', owned_by: 'library' }))
      return void answer(200, { object: 'list', data })
    }
    if (request.method !== 'POST' || request.url !== '/api/show') return void answer(404, {})
    let body = ''
    for await (const chunk of request) body += chunk
    const found = capabilities[JSON.parse(body).model]
    return void (found ? answer(200, { capabilities: found }) : answer(404, { error: 'not found' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  expect(await sampleModels(undefined).list({ model: addressOf('compatible', baseUrl) })).toEqual({
    models: ['gemma3:4b', 'llama3:8b', 'old'],
    acceptedMedia: { 'gemma3:4b': { pictures: true, audio: false }, 'llama3:8b': { pictures: false, audio: false } },
  })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('the practice model is there without address or key', async () => {
  const connection = sampleConnection('compatible', '', { kind: 'practice', hasKey: false })
  const models = sampleModels(connection)
  expect((await models.list({ model: connection })).models).toEqual(['practice'])
  const ready = await models.modelOf({ connectionId: 'practice', modelId: 'practice' })
  expect(ready).toMatchObject({ name: 'Practice model', modelId: 'practice' })
  expect(ready.explain(new Error('x')).failure.code).toBe('no-network')
})

test('a GPT whose connection is gone, or that names no model, is told so', async () => {
  const chosen = { connectionId: 'connection', modelId: '' }
  await expect(sampleModels(undefined).modelOf(chosen)).rejects.toMatchObject({ failure: { code: 'no-model' } })
  const connection = sampleConnection('chat', 'https://mine.example')
  await expect(sampleModels(connection).modelOf(chosen)).rejects.toMatchObject({ failure: { code: 'no-model' } })
})

test('neither cookies nor a referrer nor a user agent of ours go to a service', async () => {
  const inits: RequestInit[] = []
  const models = sampleModels(sampleConnection('chat', 'https://mine.example/v1'), {
    ask: async (_, init) => {
      inits.push(init)
      return new Response('data: [DONE]\n\n', { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  const { model } = await models.modelOf({ connectionId: 'connection', modelId: 'm' })
  await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] })
  expect(inits[0]).toMatchObject({ redirect: 'error', credentials: 'omit', referrerPolicy: 'no-referrer' })
  const headers = new Headers(inits[0]?.headers)
  expect(headers.get('user-agent')).toBeNull()
  expect([...headers.keys()].sort()).toEqual(['authorization', 'content-type'])
})

test('[A2.1] an answer without a line end is cut off before it fills the memory', async () => {
  const chunk = new Uint8Array(4 * 1024 * 1024).fill(120)
  let sent = 0
  const models = sampleModels(sampleConnection('chat', 'https://mine.example/v1'), {
    ask: async () => {
      const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull(controller) {
          sent += chunk.byteLength
          controller.enqueue(chunk)
        },
      })
      return new Response(endless, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  const { model, explain } = await models.modelOf({ connectionId: 'connection', modelId: 'm' })
  const failure = await Promise.resolve(model.doStream({ prompt: [] })).catch(
    (error: unknown) => explain(error).failure,
  )
  expect(failure).toMatchObject({ code: 'too-long' })
  expect(sent).toBeLessThan(100 * 1024 * 1024)
})
