import { expect, test, vi } from 'vitest'
import type { Recording } from '#domain/recording.ts'
import { createFlightRecorder } from './flight-recorder.ts'
import { createRawMessages } from './raw-messages.ts'

type Heard = (message: object, extra?: { text?: string; failure?: unknown }) => void

function begin(secrets: string[] = [], sessionId?: string) {
  const kept: Omit<Recording, 'id'>[] = []
  const keep = (batch: Omit<Recording, 'id'>[]): Promise<void> => {
    kept.push(...batch)
    return Promise.resolve()
  }
  const recorder = createFlightRecorder(keep, () => 7)
  const sent: object[] = []
  const transport: { send: (message: object) => Promise<void>; onmessage?: Heard; sessionId?: string | undefined } = {
    sessionId,
    send(message) {
      sent.push(message)
      return Promise.resolve()
    },
  }
  recorder.watch({ id: 's', name: 'Web' }, transport, () => secrets)
  const hear: Heard = (message, extra) => transport.onmessage?.(message, extra)
  const read = () => {
    void recorder.flush()
    return kept
  }
  return { recorder, transport, sent, hear, read }
}

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'find' } }

test('what is sent and what comes back is recorded, in order, with what it answers', async () => {
  const { transport, sent, hear, read } = begin()
  const listener = vi.fn()
  transport.onmessage = listener
  await transport.send(call)
  hear({ jsonrpc: '2.0', method: 'notifications/progress', params: {} })
  hear({ jsonrpc: '2.0', id: 1, result: { content: [] } })
  expect(read().map(({ direction, method }) => [direction, method])).toEqual([
    ['sent', 'tools/call'],
    ['received', 'notifications/progress'],
    ['received', 'tools/call'],
  ])
  expect(read()[0]).toMatchObject({ serverId: 's', serverName: 'Web', at: 7, text: JSON.stringify(call) })
  expect(sent).toEqual([call])
  expect(listener).toHaveBeenCalledTimes(2)
})

test('a message is recorded once, however many listen', () => {
  const { transport, hear, read } = begin()
  transport.onmessage = vi.fn()
  createRawMessages(() => 1).watch(transport)
  hear({ jsonrpc: '2.0', id: 1, result: {} })
  expect(read()).toHaveLength(1)
})

test('an answer that never came is told apart from one of the server', () => {
  const { transport, hear, read } = begin()
  transport.onmessage = vi.fn()
  hear({ jsonrpc: '2.0', id: 1, error: { message: 'no answer' } }, { failure: {} })
  expect(read()[0]?.direction).toBe('failed')
})

test('no secret is recorded: neither one that is known nor one that is called so', async () => {
  const { transport, hear, read } = begin(['s3cr3t-token'])
  transport.onmessage = vi.fn()
  await transport.send({
    ...call,
    params: { arguments: { text: 'Bearer s3cr3t-token', password: 'hunter2', 'x-api-key': 'K1' } },
  })
  hear({
    jsonrpc: '2.0',
    id: 1,
    result: { echo: 's3cr3t-token', nested: [{ access_token: 'T2', clientSecret: 'C3' }] },
  })
  const all = JSON.stringify(read())
  for (const secret of ['s3cr3t', 'hunter2', 'K1', 'T2', 'C3']) expect(all).not.toContain(secret)
})

test('a secret is not recorded where it needs escapes, nor as the half that a cut leaves', () => {
  const quoted = 's3cr"t\\token'
  const { transport, hear, read } = begin([quoted, 'canary-half-of-it'])
  transport.onmessage = vi.fn()
  hear({ id: 1, result: { echo: `You sent ${quoted}` } })
  hear({ id: 2, result: { echo: `${'x'.repeat(1_990)}canary-half-of-it${'y'.repeat(100)}` } })
  const all = read().map(({ text }) => text)
  expect(all[0]).not.toContain('token')
  expect(all[1]).not.toContain('canary')
})

/** Of messages as they are, what is recorded is told by `text`. */
const texts = (recordings: Omit<Recording, 'id'>[]) => recordings.map(({ text }) => text)

test('[R-43] the state of a call that asks is not recorded, and one can see where it went', async () => {
  const { transport, hear, read } = begin()
  transport.onmessage = vi.fn()
  const requestState = 'canary-state ✓'
  hear({ id: 1, result: { resultType: 'input_required', inputRequests: {}, requestState } })
  await transport.send({ ...call, id: 2, params: { name: 'find', arguments: {}, requestState } })
  hear({ id: 2, result: { resultType: 'input_required', requestState: { of: ['canary-object'] } } })
  expect(texts(read()).join()).not.toContain('canary')
  const labels = texts(read()).map((text) => /"requestState":"(‹state \w+›)"/.exec(text)?.[1])
  expect(labels[0]).toBeDefined()
  expect(labels[1]).toBe(labels[0])
  expect(labels[2]).not.toBe(labels[0])
})

test('[I1] what somebody answers is not recorded, in either era; that they did, and how, is', async () => {
  const { transport, hear, read } = begin()
  transport.onmessage = vi.fn()
  const content = { name: 'canary-name' }
  const answer = { action: 'accept', content }
  await transport.send({ ...call, params: { inputResponses: { one: answer, two: { action: 'decline' } } } })
  hear({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: { message: 'Who?' } })
  await transport.send({ jsonrpc: '2.0', id: 1, result: answer })
  await transport.send({ jsonrpc: '2.0', id: 9, result: { role: 'assistant', content: { text: 'canary-model' } } })
  expect(texts(read()).join()).not.toContain('canary')
  expect(texts(read())[0]).toContain('{"one":{"action":"accept","content":"•••"},"two":{"action":"decline"}}')
  expect(texts(read())[2]).toContain('"result":{"action":"accept","content":"•••"}')
})

test('an answer of ours belongs to the question of the server, whatever the ids', async () => {
  const { transport, hear, read } = begin()
  transport.onmessage = vi.fn()
  await transport.send(call)
  hear({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: {} })
  await transport.send({ jsonrpc: '2.0', id: 1, result: { action: 'cancel' } })
  hear({ jsonrpc: '2.0', id: 1, result: { content: [] } })
  expect(read().map(({ method }) => method)).toEqual([
    'tools/call',
    'elicitation/create',
    'elicitation/create',
    'tools/call',
  ])
})

test('[I1] ids of tasks have labels: the same wherever they stand, and another for another task', async () => {
  const { transport, hear, read } = begin()
  transport.onmessage = vi.fn()
  const related = { 'io.modelcontextprotocol/related-task': { taskId: 'canary-task-1' } }
  hear({ id: 1, result: { content: [{ text: 'canary-task-1 has begun' }], task: { taskId: 'canary-task-1' } } })
  await transport.send({ jsonrpc: '2.0', id: 2, method: 'tasks/get', params: { taskId: 'canary-task-1' } })
  hear({ jsonrpc: '2.0', method: 'notifications/message', params: { _meta: related, data: 'of canary-task-1' } })
  hear({ id: 3, result: { task: { taskId: 'canary-task-2' } } })
  const all = texts(read())
  expect(all.join()).not.toContain('canary')
  const label = /"taskId":"(‹task \w+›)"/.exec(all[0] ?? '')?.[1] ?? 'none'
  expect(all.slice(0, 3).every((text) => text.includes(label))).toBe(true)
  expect(all[3]).not.toContain(label)
  expect(all[0]).toContain(`${label} has begun`)
})

test('[A2.8] the id of the session has a label too, wherever a server puts it', () => {
  const { transport, hear, read } = begin([], 'canary-session-7')
  transport.onmessage = vi.fn()
  hear({ id: 1, result: { content: [{ text: 'You are in canary-session-7.' }] } })
  hear({ id: 2, result: { sessionId: 'canary-other', mcp_session_id: 'canary-third' } })
  expect(texts(read()).join()).not.toContain('canary')
  expect(texts(read())[0]).toMatch(/You are in ‹session \w+›\./)
})

test('long strings and long messages are cut, and their size is told', () => {
  const { transport, hear, read } = begin()
  transport.onmessage = vi.fn()
  hear({ id: 1, result: { data: 'x'.repeat(1_000_000) } }, { text: 'y'.repeat(1_000_020) })
  hear({ id: 2, result: Array.from({ length: 10_000 }, () => 'abcdefgh') })
  const [data, list] = read()
  expect(data?.text.length).toBeLessThan(3_000)
  expect(data?.size).toBe(1_000_020)
  expect(list?.text.length).toBeLessThanOrEqual(20_001)
})

test('[A2] a flood is not recorded message by message', () => {
  const { transport, hear, read } = begin()
  transport.onmessage = vi.fn()
  for (let n = 0; n < 10_000; n++) hear({ jsonrpc: '2.0', method: 'notifications/message', params: { n } })
  expect(read()).toHaveLength(500)
  expect(read().at(-1)?.text).toContain('9500 more messages')
})

test('storage that refuses does not disturb the messages', async () => {
  const recorder = createFlightRecorder(
    () => Promise.reject(new Error('full')),
    () => 1,
  )
  const transport: { send: (message: object) => Promise<void>; onmessage?: Heard } = { send: () => Promise.resolve() }
  recorder.watch({ id: 's', name: 'S' }, transport, () => [])
  await expect(transport.send(call)).resolves.toBeUndefined()
  await recorder.flush()
  await expect(transport.send(call)).resolves.toBeUndefined()
})

test('who flushes waits until all is stored, also what was handed over before', async () => {
  const writes: (() => void)[] = []
  const recorder = createFlightRecorder(
    () => new Promise<void>((resolve) => writes.push(resolve)),
    () => 1,
  )
  const transport: { send: (message: object) => Promise<void>; onmessage?: Heard } = { send: () => Promise.resolve() }
  recorder.watch({ id: 's', name: 'S' }, transport, () => [])
  await transport.send(call)
  void recorder.flush()
  await transport.send(call)
  let isStored = false
  const stored = recorder.flush().then(() => (isStored = true))
  writes[1]?.()
  await new Promise((resolve) => setTimeout(resolve))
  expect(isStored).toBe(false)
  writes[0]?.()
  await stored
})
