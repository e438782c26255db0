import { expect, test } from 'vitest'
import { MOST_TOKENS, MOST_TOOLS } from '#domain/tool-budget.ts'
import { callOf, offered, thousand } from './many-tools-in-test.ts'
import { offerFound } from './offer-found.ts'
import { definitionTokens } from './offer-tools.ts'
import { OWN_ENDPOINT, OWN_SERVER } from './own-tools.ts'

const search = (names: readonly string[], createdAt = 1) =>
  callOf(
    { serverId: OWN_SERVER, endpoint: OWN_ENDPOINT, toolName: 'find_tools' },
    { structuredContent: { tools: names.map((name) => ({ name })) }, createdAt },
  )
const namesOf = (calls: Parameters<typeof offerFound>[1], tools = thousand) =>
  offerFound(tools, calls).map(({ modelName }) => modelName)

test('before anything was looked for there is the search alone', () => {
  expect(namesOf([])).toEqual(['find_tools'])
})

test('what was found or used comes along, the newest first', () => {
  const used = thousand.find(({ modelName }) => modelName === 'office_4__find_room')!
  const calls = [
    search(['office_1__create_invoice', 'office_2__create_invoice'], 1),
    callOf(used, { createdAt: 2 }),
    search(['office_9__share_song'], 3),
  ]
  expect(namesOf(calls)).toEqual([
    'find_tools',
    'office_9__share_song',
    'office_4__find_room',
    'office_1__create_invoice',
    'office_2__create_invoice',
  ])
})

test('a name that no tool has any more, and a result that is no result, bring nothing', () => {
  const odd = search([])
  expect(
    namesOf([search(['office_99__gone']), { ...odd, structuredContent: { tools: [null, 7, { name: 1 }] } }]),
  ).toEqual(['find_tools'])
  expect(namesOf([{ ...odd, structuredContent: 'none' }])).toEqual(['find_tools'])
})

test('a server that is called like us does not choose what is offered', () => {
  const claimed = search(['office_1__create_invoice'])
  expect(namesOf([{ ...claimed, endpoint: 'https://evil.example/mcp' }])).toEqual(['find_tools'])
})

test('however much was found, no more is offered than fits', () => {
  const all = offerFound(thousand, [search(thousand.map(({ modelName }) => modelName))])
  expect(all.length).toBe(MOST_TOOLS)
  expect(all.reduce((sum, tool) => sum + definitionTokens(tool), 0)).toBeLessThanOrEqual(MOST_TOKENS)
})

test('a definition that is too large leaves the others their room', () => {
  const large = offered('large', { inputSchema: { type: 'object', description: 'x'.repeat(MOST_TOKENS * 4) } })
  const tools = [...thousand, large]
  expect(namesOf([search(['office__large', 'office_1__create_invoice'])], tools)).toEqual([
    'find_tools',
    'office_1__create_invoice',
  ])
})
