import { expect, test, vi } from 'vitest'
import type { Recording } from '#domain/recording.ts'
import { createFlightRecorder } from './flight-recorder.ts'
import { createRawMessages } from './raw-messages.ts'

type Heard = (message: object, extra?: { text?: string; failure?: unknown }) => void

function begin(secrets: string[] = []) {
  const kept: Omit<Recording, 'id'>[] = []
  const keep = (batch: Omit<Recording, 'id'>[]): Promise<void> => {
    kept.push(...batch)
    return Promise.resolve()
  }
  const recorder = createFlightRecorder(keep, () => 7)
  const sent: object[] = []
  const transport: { send: (message: object) => Promise<void>; onmessage?: Heard } = {
    send(message) {
      sent.push(message)
      return Promise.resolve()
    },
  }
  recorder.watch({ id: 's', name: 'Web' }, transport, () => secrets)
  const hear: Heard = (message, extra) => transport.onmessage?.(message, extra)
  const read = () => {
    recorder.flush()
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
  recorder.flush()
  await expect(transport.send(call)).resolves.toBeUndefined()
})
