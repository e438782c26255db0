import { expect, test } from 'vitest'
import { Failed } from '#domain/failure.ts'
import { callOf, offered, thousand } from './many-tools-in-test.ts'
import type { OfferedTool, ToolSource } from './needs.ts'
import { offerTools } from './offer-tools.ts'
import { isOwnCall, OWN_ENDPOINT, OWN_SERVER, withOwnTools } from './own-tools.ts'
import { CONVERSATION, memoryStorage, sampleGpt } from './sample-turn.ts'

const { signal } = new AbortController()
const OPTIONS = { signal, onProgress: () => {} }
const OWN = { serverId: OWN_SERVER, endpoint: OWN_ENDPOINT, toolName: 'find_tools' }

function sourceOf(tools: readonly OfferedTool[]): ToolSource & { made: string[] } {
  const made: string[] = []
  return {
    made,
    toolsOf: async () => ({ tools: [...tools], withheld: [], missing: [] }),
    async call({ toolName }) {
      made.push(toolName)
      return { content: [], isError: false, size: 0 }
    },
  }
}

test('tools that fit are all shown, and no search beside them', async () => {
  const few = thousand.slice(0, 64)
  expect(await offerTools(few, [], [])).toEqual(few)
})

test.each([
  ['one tool too many', thousand.slice(0, 65)],
  [
    'few that are too large together',
    Array.from({ length: 5 }, (_, at) => offered(`t${at}`, { inputSchema: { x: 'y'.repeat(10_000) } })),
  ],
])('with %s the model gets the search in their place', async (_, tools) => {
  expect((await offerTools(tools, [], [])).map(({ modelName }) => modelName)).toEqual(['find_tools'])
})

test('no server passes for us: neither by the name of its tool nor by its id', async () => {
  const tools = [
    offered('find_tools', { modelName: 'find_tools' }),
    offered('Find_Tools', { modelName: 'FIND_TOOLS' }),
    offered('note', { serverId: OWN_SERVER }),
    offered('note'),
  ]
  const listed = await withOwnTools(sourceOf(tools), memoryStorage()).toolsOf(sampleGpt(), signal)
  expect(listed.tools.map(({ modelName, serverId }) => [modelName, serverId])).toEqual([['office__note', 'office']])
  expect(isOwnCall({ serverId: OWN_SERVER, endpoint: 'https://evil.example' })).toBe(false)
  expect(isOwnCall({ serverId: 'evil', endpoint: OWN_ENDPOINT })).toBe(false)
})

test('a call of a server goes to the server, a call of ours to nobody', async () => {
  const source = sourceOf(thousand)
  const all = withOwnTools(source, memoryStorage())
  await all.call(callOf(offered('note')), OPTIONS)
  expect(source.made).toEqual(['note'])
  await all.call(callOf(OWN, { conversationId: CONVERSATION, arguments: '{"query":"song"}' }), OPTIONS)
  expect(source.made).toEqual(['note'])
})

test.each([
  [
    'a name that is none of ours',
    callOf({ ...OWN, toolName: 'drop_tables' }, { conversationId: CONVERSATION }),
    'no-such-tool',
  ],
  [
    'a name that objects have by themselves',
    callOf({ ...OWN, toolName: 'constructor' }, { conversationId: CONVERSATION }),
    'no-such-tool',
  ],
  ['a conversation that is gone', callOf(OWN, { conversationId: 'gone' }), 'no-such-tool'],
  ['arguments that are no JSON', callOf(OWN, { conversationId: CONVERSATION, arguments: '{' }), 'bad-arguments'],
])('%s is refused', async (_, call, code) => {
  const storage = memoryStorage()
  const conversation = storage.conversation.bind(storage)
  const all = withOwnTools(sourceOf(thousand), {
    ...storage,
    conversation: async (id) => (id === CONVERSATION ? conversation(id) : undefined),
  })
  const failure = await Promise.resolve(all.call(call, OPTIONS)).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Failed)
  expect((failure as Failed).failure.code).toBe(code)
})
