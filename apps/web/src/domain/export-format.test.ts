import { expect, test } from 'vitest'
import { exportConversation, type Exported } from './export-format.ts'
import type { Message } from './message.ts'
import type { ToolCall } from './tool-call.ts'

const message = (change: Partial<Message>): Message => ({
  id: 'm',
  conversationId: 'c',
  branchId: 'b',
  order: 0,
  role: 'assistant',
  parts: [],
  status: 'done',
  createdAt: 1_700_000_000_000,
  ...change,
})

const call = (change: Partial<ToolCall>): ToolCall => ({
  id: 'call',
  conversationId: 'c',
  messageId: 'm',
  gptId: 'g',
  serverId: 's',
  serverName: 'Weather',
  toolName: 'forecast',
  title: 'Forecast',
  endpoint: 'https://weather.example/mcp?key=canary-endpoint',
  fingerprint: 'f',
  annotations: {},
  arguments: '{"city":"Lisbon"}',
  headerArguments: [],
  status: 'success',
  createdAt: 1,
  content: [{ type: 'text', text: 'Sunny' }],
  ...change,
})

const tool = { type: 'tool', toolCallId: 'call', providerCallId: 'p', modelName: 'weather__forecast' } as const
const exported = (change: Partial<Exported> = {}): Exported => ({
  conversation: { title: 'Weather: Lisbon / today?', createdAt: 1_700_000_000_000, updatedAt: 1_700_000_000_000 },
  gpt: { name: 'Helper' },
  messages: [
    message({ role: 'user', parts: [{ type: 'text', text: 'How is it?' }] }),
    message({
      parts: [
        { type: 'reasoning', text: 'Look.\nThen say.', metadata: { anthropic: { signature: 'canary-signature' } } },
        { type: 'text', text: 'Let me look.' },
        tool,
      ],
      model: { connectionId: 'x', modelId: 'm1', name: 'm1' },
    }),
    message({ status: 'stopped', parts: [{ type: 'text', text: 'It is su' }] }),
  ],
  calls: [call({})],
  ...change,
})

test('a conversation as Markdown reads from top to bottom, calls included', () => {
  const { name, text } = exportConversation(exported(), 'markdown')
  expect(name).toBe('Weather-Lisbon-today.md')
  expect(text).toBe(`# Weather: Lisbon / today?

Helper · 2023-11-14

## You

How is it?

## Assistant (m1)

> Look.
> Then say.

Let me look.

**Tool** Forecast of Weather: success

\`\`\`json
{"city":"Lisbon"}
\`\`\`

\`\`\`
Sunny
\`\`\`

## Assistant

It is su

*Stopped.*
`)
})

test('a conversation as JSON can be read again', () => {
  const { name, text } = exportConversation(exported(), 'json')
  expect(name).toBe('Weather-Lisbon-today.json')
  expect(JSON.parse(text)).toMatchObject({
    format: 'switchboard-conversation',
    title: 'Weather: Lisbon / today?',
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'How is it?' }] },
      {
        parts: [
          {},
          {},
          { calls: [{ server: 'Weather', tool: 'forecast', arguments: '{"city":"Lisbon"}', status: 'success' }] },
        ],
      },
      { status: 'stopped' },
    ],
  })
})

test('[A8.8] neither addresses nor what a provider signed leaves with it', () => {
  for (const format of ['markdown', 'json'] as const)
    expect(exportConversation(exported(), format).text).not.toContain('canary')
})

test('hidden characters are seen in both, and JSON keeps them', () => {
  const hidden = 'a\u202Eb\u{E0041}c'
  const messages = [message({ role: 'user', parts: [{ type: 'text', text: hidden }] })]
  const markdown = exportConversation(exported({ messages }), 'markdown').text
  const json = exportConversation(exported({ messages }), 'json').text
  for (const text of [markdown, json]) expect(text).not.toMatch(/[\u202E\u{E0041}]/u)
  expect((JSON.parse(json) as Exported).messages[0]?.parts[0]).toMatchObject({ text: hidden })
})

test('a result cannot climb out of its fence', () => {
  const calls = [call({ content: [{ type: 'text', text: '```\n# mine\n````\n' }] })]
  expect(exportConversation(exported({ calls }), 'markdown').text).toContain('`````\n```\n# mine\n````')
})

test('a denial, a failure, pictures and a call that was made again are told', () => {
  const messages = [message({ parts: [tool], failure: { code: 'call-limit', message: 'Enough.' }, status: 'failed' })]
  const denied = call({ status: 'cancelled', approval: { state: 'denied', reason: 'too early', at: 1 } })
  const { content: _, ...empty } = denied
  expect(exportConversation(exported({ messages, calls: [empty] }), 'markdown').text).toContain('denied')
  const failed = call({ status: 'error', error: { code: 'timeout', message: 'No answer.' } })
  const again = call({
    id: 'call:again',
    repeats: 'call',
    content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }],
  })
  const { text } = exportConversation(exported({ messages, calls: [failed, again] }), 'markdown')
  expect(text).toContain('*No answer.*')
  expect(text).toContain('1 pictures or sounds are not in this file')
  expect(text).toContain('*Enough.*')
})

test('a title of signs alone still gives a file a name', () => {
  const conversation = { title: '???', createdAt: 0, updatedAt: 0 }
  expect(exportConversation(exported({ conversation, gpt: undefined }), 'json').name).toBe('conversation.json')
})

test('a result is in the file whole, however little of it a model is given at once', () => {
  const long = '`Tick` and tock.\n'.repeat(300_000)
  const { text } = exportConversation(
    exported({ calls: [call({ content: [{ type: 'text', text: long }] })] }),
    'markdown',
  )
  expect(text).toContain(long)
  expect(text).not.toContain('left out')
})
