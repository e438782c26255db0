import { expect, test } from 'vitest'
import { handleOf } from '#domain/result-handle.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { OfferedTool } from './needs.ts'
import {
  CONVERSATION,
  type Line,
  memoryStorage,
  sampleGpt,
  sampleModel,
  sampleTool,
  sampleTools,
  sampleTurns,
  textOutcome,
} from './sample-turn.ts'

const LONG = `${'Some words of a stranger.\n'.repeat(4_000)}The needle.\n${'More words of a stranger.\n'.repeat(4_000)}`
const READING = ['search_result', 'read_result']

async function begin(lines: Line[], offered: OfferedTool[] = [sampleTool('look')], said = LONG) {
  const gpt = sampleGpt()
  const storage = memoryStorage({ ...gpt, tools: { ...gpt.tools, serverIds: ['server', 'other'] } })
  const tools = sampleTools(offered, async () => textOutcome(said))
  const model = sampleModel(lines)
  const tab = sampleTurns({
    storage,
    tools,
    models: model,
    // Handles are made of ids: the lines of the model have to know them.
    newId: (
      (count) => () =>
        `id-${(count += 1)}`
    )(0),
  })
  await storage.say('Hello')
  const calls = () => [...storage.calls.values()]
  const namesOffered = (at: number) => model.asked[at]?.tools?.map(({ name }) => name) ?? []
  return { storage, tools, tab, calls, model, namesOffered, run: () => tab.run(CONVERSATION) }
}

const LOOK: Line = { calls: [{ name: 'server__look', input: '{}' }] }
const using = (name: string, input: object): Line => ({ calls: [{ name, input: JSON.stringify(input) }] })
/** The first message is id-1, its first call id-2. */
const HANDLE = handleOf('id-2')

test('the model finds a needle in a result that it was given in part, and nobody is asked for it', async () => {
  const { calls, tools, model, namesOffered, run } = await begin([
    LOOK,
    using('search_result', { handle: HANDLE, query: 'needle' }),
    using('read_result', { handle: HANDLE, from: LONG.indexOf('The needle'), length: 11 }),
  ])
  await run()
  expect(JSON.stringify(model.asked[1]?.prompt)).toContain(HANDLE)
  expect(namesOffered(0)).toEqual(['server__look'])
  expect(namesOffered(1)).toEqual(['server__look', ...READING])
  expect(calls().map(({ toolName, status, approval }) => [toolName, status, approval?.by])).toEqual([
    ['look', 'success', 'policy'],
    ['search_result', 'success', 'policy'],
    ['read_result', 'success', 'policy'],
  ])
  expect(JSON.stringify(calls()[1]?.content)).toContain('The needle.')
  expect(JSON.stringify(calls()[2]?.content)).toContain('\\nThe needle.\\n')
  expect(tools.executed).toHaveLength(1)
})

test('where no result is cut, nothing is offered to read on, and nothing is there to be called', async () => {
  const { calls, namesOffered, run } = await begin(
    [LOOK, using('read_result', { handle: HANDLE })],
    [sampleTool('look')],
    'short',
  )
  await run()
  expect(namesOffered(1)).toEqual(['server__look'])
  expect(calls()[1]).toMatchObject({ status: 'error', error: { code: 'no-such-tool' } })
})

test('[A3.8] a conversation in which a result was read on is one with text of its server, as before', async () => {
  const risky = sampleTool('send', {
    modelName: 'other__send',
    serverId: 'other',
    serverName: 'Other',
    annotations: { destructive: true, openWorld: true },
  })
  const { calls, run } = await begin(
    [LOOK, using('read_result', { handle: HANDLE }), using('other__send', {})],
    [sampleTool('look'), risky],
  )
  await run()
  expect(calls().at(-1)).toMatchObject({
    toolName: 'send',
    status: 'pending',
    approval: { state: 'requested', foreign: ['Server'] },
  })
})

test('what another conversation brought cannot be read, not even by its handle', async () => {
  const { storage, calls, run } = await begin([LOOK, using('read_result', { handle: handleOf('elsewhere') })])
  storage.calls.set('elsewhere', {
    ...({ id: 'elsewhere', messageId: 'of another', conversationId: 'another' } as ToolCall),
    serverId: 'server',
    serverName: 'Server',
    toolName: 'look',
    status: 'success',
    content: [{ type: 'text', text: 'a secret of another conversation' }],
  })
  await run()
  const read = calls().find(({ toolName }) => toolName === 'read_result')
  expect(read).toMatchObject({ status: 'error', isError: true })
  expect(JSON.stringify(read?.content)).toContain('no result with this handle')
  expect(JSON.stringify(read?.content)).not.toContain('secret')
})

test('no tool of a server passes for one of ours', async () => {
  const { calls, namesOffered, run } = await begin(
    [LOOK],
    [sampleTool('look'), sampleTool('read_result', { modelName: 'read_result' })],
  )
  await run()
  expect(namesOffered(0)).toEqual(['server__look'])
  expect(calls()).toHaveLength(1)
})
