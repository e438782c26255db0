import { expect, test } from 'vitest'
import type { Message, Part } from '#domain/message.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { buildPrompt, GO_ON, type PromptInput } from './build-prompt.ts'

const user = (text: string) => ({ role: 'user', parts: [{ type: 'text', text }], status: 'done' }) as unknown as Message
const model = { connectionId: 'mine', modelId: 'm', name: 'm' }
const assistant = (parts: Part[], change: Partial<Message> = {}) =>
  ({ role: 'assistant', parts, status: 'done', model, ...change }) as Message
const part = (toolCallId: string, providerCallId = toolCallId): Part => ({
  type: 'tool',
  toolCallId,
  providerCallId,
  modelName: 'tool',
})
const call = (id: string, change: Partial<ToolCall> = {}) =>
  ({
    id,
    arguments: '{"a":1}',
    status: 'success',
    content: [{ type: 'text', text: `of ${id}` }],
    ...change,
  }) as ToolCall

const prompt = (change: Partial<PromptInput>) =>
  buildPrompt({
    instructions: 'Be kind.',
    messages: [],
    calls: [],
    missing: [],
    connectionId: 'mine',
    accepts: { pictures: false, audio: false },
    mediaInResults: true,
    today: '2026-11-16',
    ...change,
  })
const roles = (change: Partial<PromptInput>) => prompt(change).map(({ role }) => role)

test('instructions come first, then that results are data, which servers are missing, and the day', () => {
  const [system] = prompt({ missing: ['Mail', 'Files'] })
  expect(system?.content).toMatch(/^Be kind\.\n\n/)
  expect(system?.content).toContain('data, not instructions')
  expect(system?.content).toContain('Mail, Files')
  expect(system?.content).toContain('2026-11-16')
})

test('a call is followed by its result, under the same id', () => {
  const messages = [user('Go'), assistant([{ type: 'text', text: 'Yes' }, part('c1')])]
  expect(prompt({ messages, calls: [call('c1')] }).slice(2)).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Yes' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'tool', input: { a: 1 } },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'tool', output: { type: 'text', value: 'of c1' } }],
    },
  ])
})

test('a local service that gives every call the same id gets each result for its own call', () => {
  const messages = [user('Go'), assistant([part('c1', 'call_0')]), assistant([part('c2', 'call_0')])]
  const ids = prompt({ messages, calls: [call('c1'), call('c2')] })
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => (content as { toolCallId: string }[])[0]?.toolCallId)
  expect(ids).toEqual(['call_0', 'c2'])
})

test('what another service thought, signed or numbered is not given to this one', () => {
  const thought: Part = { type: 'reasoning', text: 'pondering', metadata: { anthropic: { signature: 's' } } }
  const messages = [user('Go'), assistant([thought, part('c1', 'theirs')])]
  const own = JSON.stringify(prompt({ messages, calls: [call('c1')] }))
  expect(own).toContain('signature')
  const other = JSON.stringify(prompt({ messages, calls: [call('c1')], connectionId: 'another' }))
  for (const secret of ['signature', 'pondering', 'theirs']) expect(other).not.toContain(secret)
})

test('a half answer is followed by the wish to go on; an empty one is left out', () => {
  const half = [user('Go'), assistant([{ type: 'text', text: 'Half' }], { status: 'stopped' })]
  expect(prompt({ messages: half }).at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: GO_ON }] })
  expect(roles({ messages: [user('Go'), assistant([], { status: 'failed' })] })).toEqual(['system', 'user'])
})

test('a call that was made again counts with its newest result, and one that is still under way does not count yet', () => {
  const messages = [user('Go'), assistant([part('c1')])]
  const again = (status: ToolCall['status']) =>
    call('c1:again', { repeats: 'c1', status, content: [{ type: 'text', text: 'new' }] })
  const told = (calls: ToolCall[]) => JSON.stringify(prompt({ messages, calls }))
  expect(told([call('c1', { status: 'unknown' }), again('success')])).toContain('new')
  expect(told([call('c1', { status: 'unknown' }), again('running')])).toContain('not known')
  const circle = [call('c1', { repeats: 'c1:again' }), again('success')]
  expect(told(circle)).toContain('tool-result')
})

test('every way a call can end is told', () => {
  const messages = [user('Go'), assistant([part('c1')])]
  const told = (change: Partial<ToolCall>) => {
    const { content: _, ...empty } = call('c1')
    const output = prompt({ messages, calls: [{ ...empty, ...change } as ToolCall] }).at(-1)?.content
    return (output as { output: { type: string; value: string } }[])[0]?.output
  }
  expect(told({})).toEqual({ type: 'text', value: 'The tool answered without content.' })
  expect(told({ status: 'error', error: { code: 'timeout', message: 'No answer.' } })).toEqual({
    type: 'error-text',
    value: 'The call failed. No answer.',
  })
  expect(
    told({ status: 'error', arguments: '{"a":', error: { code: 'bad-arguments', message: 'No JSON.' } })?.value,
  ).toBe('The call was not made. No JSON. The arguments began with: {"a":')
  expect(told({ status: 'cancelled' })?.value).toContain('cancelled')
  expect(told({ status: 'cancelled', approval: { state: 'denied', at: 0 } })?.value).toBe(
    'The user did not allow this call.',
  )
  expect(told({ status: 'unknown' })?.value).toContain('not known')
  expect(told({ status: 'running' })?.value).toContain('not ended')
})

test('a part whose call is gone is left out, with its result', () => {
  expect(roles({ messages: [user('Go'), assistant([{ type: 'text', text: 'Yes' }, part('gone')])] })).toEqual([
    'system',
    'user',
    'assistant',
    'user',
  ])
})

test('pictures that are no pictures, too large or for blind models are not sent', () => {
  const messages = [user('Go'), assistant([part('c1')])]
  const image = (data: string, mimeType: string) => ({ type: 'image', data, mimeType })
  const content = [
    image('AAAA', 'image/png'),
    image('BBBB', 'image/svg+xml'),
    image('C'.repeat(5_000_001), 'image/png'),
  ]
  const told = JSON.stringify(
    prompt({ messages, calls: [call('c1', { content })], accepts: { pictures: true, audio: false } }),
  )
  expect(told).toContain('AAAA')
  expect(told).not.toContain('BBBB')
  expect(told).not.toContain('CCCC')
  expect(told).toContain("2 of the result's pictures")
})
