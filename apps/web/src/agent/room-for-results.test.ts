import { expect, test } from 'vitest'
import type { Message, Part } from '#domain/message.ts'
import { RESULT_BUDGET } from '#domain/result-for-model.ts'
import { handleOf } from '#domain/result-handle.ts'
import { RESULTS_BUDGET } from '#domain/share-room.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { buildPrompt } from './build-prompt.ts'
import { OWN_ENDPOINT, OWN_SERVER } from './own-tools.ts'
import { hasCutResult, roomForResults } from './room-for-results.ts'

const tool = (toolCallId: string): Part => ({
  type: 'tool',
  toolCallId,
  providerCallId: toolCallId,
  modelName: 'web__fetch',
})
const message = (role: 'user' | 'assistant', ...parts: Part[]) =>
  ({ role, parts, status: 'done' }) as unknown as Message
const callOf = (id: string, length: number, change: Partial<ToolCall> = {}) =>
  ({
    id,
    serverId: 'web',
    serverName: 'Web',
    toolName: 'fetch',
    arguments: '{}',
    status: 'success',
    content: [{ type: 'text', text: `${id} `.repeat(length).slice(0, length) }],
    ...change,
  }) as ToolCall

const build = (messages: Message[], calls: ToolCall[]) =>
  buildPrompt({
    instructions: '',
    messages,
    calls,
    missing: [],
    connectionId: 'mine',
    accepts: { pictures: false, audio: false },
    mediaInResults: true,
    today: '2026-11-17',
  })
const promptOf = (messages: Message[], calls: ToolCall[]): string => JSON.stringify(build(messages, calls))

test('what fits is whole, and nothing is cut', () => {
  const messages = [message('assistant', tool('c1'), tool('c2'))]
  const calls = [callOf('c1', 1_000), callOf('c2', RESULT_BUDGET)]
  expect(hasCutResult(messages, calls)).toBe(false)
  expect(promptOf(messages, calls)).not.toContain('read_result')
})

test('two hundred results of megabytes stay within the budget of all, and each is there by its handle', () => {
  const ids = Array.from({ length: 200 }, (_, at) => `call-${at}`)
  const messages = ids.map((id) => message('assistant', tool(id)))
  const one = callOf('c', 1_000_000).content ?? []
  // In no order: the messages say which is newest.
  const calls = ids.map((id) => callOf(id, 0, { content: one })).toReversed()
  const prompt = promptOf(messages, calls)
  const told = build(messages, calls).flatMap(({ role, content }) =>
    role === 'tool'
      ? content.map((part) => (part.type === 'tool-result' ? JSON.stringify(part.output).length : 0))
      : [],
  )
  expect(told).toHaveLength(200)
  const NOTE = 250
  expect(told.reduce((sum, one) => sum + one, 0)).toBeLessThan(RESULTS_BUDGET + ids.length * NOTE)
  for (const id of ids) expect(prompt).toContain(handleOf(id))
  const rooms = roomForResults(messages, calls)
  expect(rooms.get('call-199')?.most).toBe(RESULT_BUDGET)
  expect(rooms.get('call-100')?.most).toBe(0)
})

test('what a task brought counts where its end is told, not where it began', () => {
  const messages = [
    message('assistant', tool('task')),
    ...Array.from({ length: 5 }, (_, at) => message('assistant', tool(`c${at}`))),
    message('user', { type: 'task', toolCallId: 'task' }),
  ]
  const calls = [
    callOf('task', 50_000, { taskId: 't' }),
    ...Array.from({ length: 5 }, (_, at) => callOf(`c${at}`, 50_000)),
  ]
  const rooms = roomForResults(messages, calls)
  expect(rooms.get('task')?.most).toBe(RESULT_BUDGET)
  expect(rooms.get('c0')?.most).toBeLessThan(RESULT_BUDGET)
  expect(promptOf(messages, calls)).toContain(handleOf('task'))
})

test('of a call that was made again only the newest result takes room', () => {
  const messages = [message('assistant', tool('c1'))]
  const calls = [callOf('c1', 50_000, { status: 'error' }), callOf('c1:again', 60_000, { repeats: 'c1' })]
  expect([...roomForResults(messages, calls)]).toEqual([['c1:again', { most: RESULT_BUDGET, total: 60_000 }]])
})

test('what our own tools said shrinks like the rest, without a handle of its own', () => {
  const own = callOf('own', 10_000, { serverId: OWN_SERVER, endpoint: OWN_ENDPOINT })
  const ids = ['c1', 'c2', 'c3']
  const messages = [message('assistant', tool('own')), ...ids.map((id) => message('assistant', tool(id)))]
  const prompt = promptOf(messages, [own, ...ids.map((id) => callOf(id, 50_000))])
  expect(prompt).toContain('Call the tool again to see it.')
  expect(prompt).not.toContain(handleOf('own'))
})
