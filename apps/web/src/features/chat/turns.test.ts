import { expect, test } from 'vitest'
import type { Message, Part } from '#domain/message.ts'
import { keepSame, segmentsOf, turnsOf, usageOf, wordsOf } from './turns.ts'

const message = (id: string, role: Message['role'], parts: Part[] = [], over: Partial<Message> = {}): Message => ({
  id,
  conversationId: 'chat-1',
  branchId: 'main',
  order: 0,
  role,
  parts,
  status: 'done',
  createdAt: 1,
  ...over,
})
const text = (words: string): Part => ({ type: 'text', text: words })
const tool = (toolCallId: string): Part => ({ type: 'tool', toolCallId, providerCallId: toolCallId, modelName: 'tool' })

test('all that a GPT does until the next question is one turn', () => {
  const turns = turnsOf([
    message('1', 'user'),
    message('2', 'assistant'),
    message('3', 'assistant'),
    message('4', 'user'),
  ])
  expect(turns.map((turn) => (turn.role === 'user' ? turn.message.id : turn.messages.map(({ id }) => id)))).toEqual([
    '1',
    ['2', '3'],
    '4',
  ])
})

test('calls that follow each other are one stretch, also over the border of two messages', () => {
  const segments = segmentsOf([
    message('1', 'assistant', [text('Looking'), tool('a'), tool('b')]),
    message('2', 'assistant', [tool('c')]),
    message('3', 'assistant', [{ type: 'reasoning', text: 'hm' }, text('Done')]),
  ])
  expect(segments).toEqual([
    { type: 'text', key: '1:0', text: 'Looking' },
    { type: 'tools', key: '1:1', callIds: ['a', 'b', 'c'] },
    { type: 'reasoning', key: '3:0', text: 'hm' },
    { type: 'text', key: '3:1', text: 'Done' },
  ])
})

test('a stretch keeps its key while it streams and after, so that nothing is drawn anew', () => {
  const growing = segmentsOf([{ id: '1', parts: [text('Hel')] }])
  const whole = segmentsOf([{ id: '1', parts: [text('Hello'), tool('a')] }])
  expect(whole[0]?.key).toBe(growing[0]?.key)
})

test('empty words are no stretch', () => {
  expect(segmentsOf([message('1', 'assistant', [text(''), tool('a'), text(''), tool('b')])])).toEqual([
    { type: 'tools', key: '1:1', callIds: ['a', 'b'] },
  ])
})

test('copied are the words of a turn, without thoughts and calls', () => {
  expect(
    wordsOf([
      message('1', 'assistant', [{ type: 'reasoning', text: 'hm' }, text('One')]),
      message('2', 'assistant', [tool('a'), text('Two')]),
    ]),
  ).toBe('One\n\nTwo')
})

test('tokens of a turn are added up, where the provider tells', () => {
  const used = (inputTokens?: number, outputTokens?: number) =>
    message('1', 'assistant', [], {
      usage: { ...(inputTokens ? { inputTokens } : {}), ...(outputTokens ? { outputTokens } : {}) },
    })
  expect(usageOf([used(10, 5), message('2', 'assistant'), used(20)])).toEqual({ input: 30, output: 5 })
  expect(usageOf([message('2', 'assistant')])).toBeUndefined()
})

test('rows that were read again and did not change stay the same objects', () => {
  const before = [message('1', 'user'), message('2', 'assistant', [], { status: 'streaming' })]
  const after = [message('1', 'user'), message('2', 'assistant', [text('x')], { status: 'done', completedAt: 5 })]
  const kept = keepSame(before, after)
  expect(kept[0]).toBe(before[0])
  expect(kept[1]).toBe(after[1])
})
