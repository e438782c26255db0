import { expect, test, vi } from 'vitest'
import { createBridge, type ScreenHost } from './bridge.ts'

interface Told {
  id?: number
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { code: number; message: string }
}

function talk(more: Partial<ScreenHost> = {}) {
  let time = 0
  const told: Told[] = []
  const host = {
    input: { city: 'Oslo' },
    result: { content: [{ type: 'text', text: 'rain' }] },
    theme: 'dark' as const,
    callTool: vi.fn(async () => ({ content: [] })),
    openLink: vi.fn(async () => {}),
    offerMessage: vi.fn(async () => {}),
    resize: vi.fn(),
    onFlood: vi.fn(),
    ...more,
  }
  const bridge = createBridge(
    (text) => told.push(JSON.parse(text) as Told),
    host,
    () => time,
  )
  const ask = (id: number, method: string, params: object = {}) =>
    bridge.hear(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  const notify = (method: string, params: object = {}) =>
    bridge.hear(JSON.stringify({ jsonrpc: '2.0', method, params }))
  const answerTo = (id: number) => vi.waitFor(() => expect(told.find((one) => one.id === id)).toBeDefined(), 60_000)
  return {
    host,
    bridge,
    told,
    ask,
    notify,
    answerTo,
    of: (id: number) => told.find((one) => one.id === id),
    wait: (ms: number) => (time += ms),
  }
}

test('a screen that says hello is told what its own tool got and gave, once', () => {
  const { ask, notify, told, of } = talk()
  notify('ui/notifications/initialized')
  expect(told).toEqual([])
  ask(0, 'ui/initialize', { protocolVersion: 'x' })
  expect(of(0)?.result).toMatchObject({ protocolVersion: 'x', hostContext: { theme: 'dark' } })
  notify('ui/notifications/initialized')
  notify('ui/notifications/initialized')
  expect(told.slice(1)).toMatchObject([
    { method: 'ui/notifications/tool-input', params: { arguments: { city: 'Oslo' } } },
    { method: 'ui/notifications/tool-result', params: { content: [{ text: 'rain' }] } },
  ])
})

test('before it has said hello nothing is done for it', () => {
  const { ask, host, of } = talk()
  ask(1, 'tools/call', { name: 'pay', arguments: {} })
  expect(of(1)?.error?.code).toBe(-32600)
  expect(host.callTool).not.toHaveBeenCalled()
})

test.each([
  ['no text', 5],
  ['no JSON', '{'],
  ['a list', '[]'],
  ['another protocol', '{"method":"tools/call","id":1}'],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"tools/call"}'],
  ['a method that is a number', '{"jsonrpc":"2.0","id":1,"method":5}'],
  ['parameters that are a list', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}'],
  ['an answer to nothing', '{"jsonrpc":"2.0","id":1,"result":{}}'],
  ['too long a text', `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'y'.repeat(1_000_000)}"}}`],
])('what is no message is not answered: %s', (_, text) => {
  const { ask, bridge, told, host } = talk()
  ask(0, 'ui/initialize')
  bridge.hear(text)
  expect(told).toHaveLength(1)
  expect(host.callTool).not.toHaveBeenCalled()
})

test.each([
  ['ui/open-link', { url: 'javascript:alert(1)' }],
  ['ui/open-link', { url: 'file:///etc/passwd' }],
  ['ui/open-link', {}],
  ['ui/message', { role: 'user', content: [{ type: 'image' }] }],
  ['tools/call', { name: 5 }],
  ['tools/call', { name: 'x', arguments: [] }],
])('%s %j is refused before anybody is asked', async (method, params) => {
  const { ask, host, of, answerTo } = talk()
  ask(0, 'ui/initialize')
  ask(1, method, params)
  await answerTo(1)
  expect(of(1)?.error?.code).toBe(-32602)
  for (const deed of [host.openLink, host.offerMessage, host.callTool]) expect(deed).not.toHaveBeenCalled()
})

test('what is not known here is said to be unknown: resources, sampling, the context of the model', async () => {
  const { ask, of, answerTo } = talk()
  ask(0, 'ui/initialize')
  for (const [at, method] of ['resources/read', 'sampling/createMessage', 'ui/update-model-context'].entries()) {
    ask(at + 1, method)
    await answerTo(at + 1)
    expect(of(at + 1)?.error?.code).toBe(-32601)
  }
})

test('a refusal is told in its words', async () => {
  const { ask, of, answerTo } = talk({ callTool: () => Promise.reject(new Error('The user said no.')) })
  ask(0, 'ui/initialize')
  ask(1, 'tools/call', { name: 'x' })
  await answerTo(1)
  expect(of(1)?.error).toEqual({ code: -32000, message: 'The user said no.' })
})

test('a thousand calls at once are not a thousand calls, and one that goes on for ever is closed', async () => {
  const { ask, host, told, wait } = talk()
  ask(0, 'ui/initialize')
  for (let id = 1; id <= 1_000; id++) ask(id, 'tools/call', { name: 'x' })
  expect(host.callTool).toHaveBeenCalledTimes(99)
  expect(told.filter(({ error }) => error?.message.includes('Too many'))).toHaveLength(901)
  expect(host.onFlood).not.toHaveBeenCalled()
  wait(1_000)
  for (let id = 0; id < 40; id++) ask(id, 'tools/call', { name: 'x' })
  expect(host.callTool).toHaveBeenCalledTimes(119)
  for (let id = 0; id < 5_000; id++) ask(id, 'ping')
  expect(host.onFlood).toHaveBeenCalled()
})
