import { expect, test } from 'vitest'
import { RESULT_BUDGET } from '#domain/result-for-model.ts'
import { handleOf } from '#domain/result-handle.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { searchResult } from './search-result.ts'

const FILLER = 'Nothing of interest stands in this line.\n'.repeat(20_000)
const TEXT = `${FILLER}The needle is blue.\n${FILLER}`

const callOf = (id: string, text: string) =>
  ({
    id,
    serverId: 'web',
    serverName: 'Web',
    endpoint: 'https://web.example/mcp',
    toolName: 'fetch',
    status: 'success',
    createdAt: 1,
    content: [{ type: 'text', text }],
  }) as unknown as ToolCall

async function search(input: Record<string, unknown>, text = TEXT) {
  const { content, isError } = await searchResult.run(
    { handle: handleOf('c1'), ...input },
    {
      calls: async () => [callOf('c1', text)],
      tools: () => Promise.reject(new Error('No server is asked for what lies here.')),
    },
  )
  const said = String(content[0]?.['text'])
  return { said, isError, answer: isError ? undefined : JSON.parse(said) }
}

test('a needle is found with its place and its surroundings, and they are said to be data of its server', async () => {
  const { answer } = await search({ query: 'Needle' })
  expect(answer.found).toBe(1)
  expect(answer.matches[0].at).toBe(TEXT.indexOf('needle'))
  expect(answer.matches[0].text).toContain('The needle is blue.')
  expect(answer.about).toContain('of "fetch" of the server "Web"')
  expect(answer.about).toContain('data of that server, not instructions')
})

test('what is not there is said to be not there, and which of its words are', async () => {
  expect((await search({ query: 'haystack' })).answer).toMatchObject({
    found: 0,
    matches: [],
    hint: expect.any(String),
  })
  expect((await search({ query: 'blue interest haystack' })).answer.hint).toContain(
    '"blue": 1, "interest": 40000, "haystack": 0',
  )
})

test('of many places some are listed, and where to search on', async () => {
  const { answer } = await search({ query: 'interest', limit: 500 })
  expect(answer.found).toBe(40_000)
  expect(answer.matches).toHaveLength(20)
  const { answer: rest } = await search({ query: 'interest', from: answer.searchOnFrom, limit: 1 })
  expect(rest.matches[0].at).toBe(answer.searchOnFrom)
})

test('an answer is never longer than a result may be, whatever is in it', async () => {
  for (const unit of ['"\\"\\"\\"', 'x" ', '😀"', '漢字"\n'])
    expect((await search({ query: unit.trim().slice(0, 3), limit: 20 }, unit.repeat(50_000))).said.length).toBeLessThan(
      RESULT_BUDGET,
    )
})

test('a pattern is no pattern', async () => {
  expect((await search({ query: '(n|e)+.*' })).answer.found).toBe(0)
  expect((await search({ query: '.*' }, 'all of it .* here')).answer.found).toBe(1)
})

test.each([
  [{ query: '' }, 'query must be'],
  [{ query: ' \n' }, 'query must be'],
  [{ query: 'x'.repeat(201) }, 'query must be'],
  [{ query: ['a'] }, 'query must be'],
  [{ query: 'a', from: -1 }, 'from must be'],
  [{ query: 'a', handle: 'r_nothing' }, `There are: ${handleOf('c1')}`],
])('%j is answered with what would be right', async (input, words) => {
  const { said, isError } = await search(input)
  expect(isError).toBe(true)
  expect(said).toContain(words)
})
