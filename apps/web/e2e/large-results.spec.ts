import type { LlmRequest } from '@switchboard/testkit/llm-endpoint'
import { RESULT_BUDGET } from '#domain/result-for-model.ts'
import { RESULTS_BUDGET } from '#domain/share-room.ts'
import { call, callLine, expect, lastAnswer, say, test } from './chat-fixtures.ts'
import type { ToolServer } from './tool-server.ts'

/** Instructions, definitions of tools, the calls themselves, and notes: all that is no result. */
const THE_REST = 12_000

const wires = [
  { title: 'OpenAI, Responses', format: 'responses', wire: { kind: 'openai', api: 'responses' } },
  { title: 'OpenAI, Chat completions', format: 'chat', wire: { kind: 'openai', api: 'chat' } },
  { title: 'Anthropic', format: 'messages', wire: { kind: 'anthropic', api: 'chat' } },
] as const

// Five megabytes are written down, read and sent several times.
test.slow()
const PATIENCE = { timeout: 60_000 }

const NEEDLE = 'The code word of the harbour master is heron-4711.'

const line = (at: number) => `Entry ${100_000 + at}: a ship came in, and another one left.\n`

/** So many bytes of lines that all differ, with a needle in their middle. */
function haystack(bytes: number, needle: string): string {
  const lines = Array.from({ length: Math.ceil(bytes / line(0).length) }, (_, at) => line(at))
  lines.splice(lines.length / 2, 0, `${needle}\n`)
  return lines.join('').slice(0, bytes)
}

/** The server has an archive that is read at once, whole. */
function keepArchive(server: ToolServer, read: (name: string) => string): void {
  server.tools.set('archive', {
    description: 'Reads the archive',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: ({ name }) => ({ resultType: 'complete', content: [{ type: 'text', text: read(String(name)) }] }),
  })
}

const bytesOf = ({ headers }: LlmRequest): number => Number(headers['content-length'] ?? Number.NaN)

/** What the tools have answered, each in words, whatever the format. */
const resultsIn = ({ results }: LlmRequest): string[] =>
  results.map(({ output }) =>
    typeof output === 'string' ? output : (output as { text?: string }[]).map(({ text = '' }) => text).join(''),
  )

const handlesIn = (request: LlmRequest): string[] =>
  resultsIn(request).map((told) => /handle "(r_[0-9a-z]+)"/.exec(told)?.[1] ?? '')

for (const { title, format, wire } of wires) {
  test(`5 MB of a result stay out of the request, and a needle in it is found by the handle: ${title}`, async ({
    app,
    model,
    server,
    openGpt,
  }) => {
    const archive = haystack(5 * 1024 * 1024, NEEDLE)
    keepArchive(server, () => archive)
    // It knows nothing but what stands in the request.
    const find = (request: LlmRequest) => {
      const told = resultsIn(request)
      const [handle] = handlesIn(request)
      switch (told.length) {
        case 0:
          return { calls: [call('archive')] }
        case 1:
          return { calls: [{ name: 'search_result', input: { handle, query: 'the CODE WORD of' } }] }
        case 2: {
          const from = JSON.parse(told[1] ?? '{}').matches[0].at
          return { calls: [{ name: 'read_result', input: { handle, from, length: NEEDLE.length } }] }
        }
        default:
          return { text: `I read: ${/\n(The code word[^\n]*)\n/.exec(told[2] ?? '')?.[1] ?? 'nothing'}!` }
      }
    }
    model.follow(find)
    await openGpt({ wire, approval: 'auto' })
    await say(app, 'What is the code word?')
    await expect(lastAnswer(app)).toContainText(`I read: ${NEEDLE}!`, PATIENCE)

    expect(model.requests.map((request) => request.format)).toEqual([format, format, format, format])
    for (const request of model.requests) expect(bytesOf(request)).toBeLessThan(RESULT_BUDGET + THE_REST)
    const [first, second] = model.requests
    expect(first?.tools).not.toContain('read_result')
    expect(second?.tools).toEqual(expect.arrayContaining(['read_result', 'search_result']))
    const [excerpt = ''] = second ? resultsIn(second) : []
    expect(excerpt).toContain('Entry 100000:')
    expect(excerpt).toContain('This result has 5242880 characters')
    expect(excerpt).not.toContain('heron')
    expect(server.ledger.executionsOf('archive')).toBe(1)

    // The user sees how much there is, and how much of it the model was given.
    await callLine(app, '3 tools').click()
    await expect(callLine(app, 'archive')).toContainText('5.3 MB')
    await expect(callLine(app, 'archive')).toContainText('the model got 24 KB')
    await callLine(app, 'archive').click()
    await expect(lastAnswer(app)).toContainText(
      'The model was given the first and last part, 24 KB of 5.2 MB; it can look up the rest. That is about 6,000 tokens, 25% of the room for results',
    )
    await expect(lastAnswer(app).getByRole('button', { name: 'Show all 5.2 MB' })).toBeVisible()

    // It lies in storage, whole: whoever comes back can read on.
    await app.reload()
    await expect(callLine(app, 'archive')).toContainText('the model got 24 KB')
    model.follow((request) =>
      resultsIn(request).length === 3
        ? { calls: [{ name: 'search_result', input: { handle: handlesIn(request)[0], query: 'heron-4711' } }] }
        : { text: `Found ${JSON.parse(resultsIn(request)[3] ?? '{}').found} time.` },
    )
    await say(app, 'Is that all of it?')
    await expect(lastAnswer(app)).toContainText('Found 1 time.', PATIENCE)
    expect(server.ledger.executionsOf('archive')).toBe(1)
  })
}

test('twelve large results share one budget, and what the oldest has lost is found by its handle', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  keepArchive(server, (name) => haystack(300_000, `The word of ${name} is heron-${name}.`))
  const names = Array.from({ length: 12 }, (_, at) => `shelf${at}`)
  model.follow((request) => {
    const told = resultsIn(request)
    if (told.length < names.length) return { calls: [call('archive', { name: names[told.length] ?? '' })] }
    if (told.length === names.length)
      return { calls: [{ name: 'search_result', input: { handle: handlesIn(request)[0], query: 'The word of' } }] }
    return { text: JSON.parse(told.at(-1) ?? '{}').matches[0].text.replace(/[^]*(The word of [^\n]*)[^]*/, '$1') }
  })
  await openGpt({ wire: { kind: 'anthropic', api: 'chat' }, approval: 'auto' })
  await say(app, 'Read all shelves')
  await expect(lastAnswer(app)).toContainText('The word of shelf0 is heron-shelf0.', PATIENCE)
  for (const request of model.requests) expect(bytesOf(request)).toBeLessThan(RESULTS_BUDGET + THE_REST)
  const last = model.requests.at(-1)
  expect(new Set(last && handlesIn(last).slice(0, 12)).size).toBe(12)
  const lengths = (last ? resultsIn(last) : []).slice(0, 12).map(({ length }) => length)
  expect(lengths.at(-1)).toBeGreaterThan(20_000)
  expect(lengths[0]).toBeLessThan(1_500)
})

test('the practice model reports the beginning of a large result, and calls nothing that nobody wanted', async ({
  app,
  server,
  openGpt,
}) => {
  // It says word by word what it read: long words are said sooner.
  keepArchive(server, () => haystack(5 * 1024 * 1024, NEEDLE).replaceAll(' ', '-'))
  await openGpt({ wire: { kind: 'practice', api: 'chat' }, approval: 'auto' })
  await say(app, 'Read the archive')
  await expect(lastAnswer(app)).toContainText('This is what archive says', PATIENCE)
  await expect(lastAnswer(app)).toContainText('Entry-100000')
  await expect(callLine(app, 'archive')).toContainText('the model got 24 KB')
  await expect(lastAnswer(app).getByRole('button', { name: 'Answer again' })).toBeVisible(PATIENCE)
  // Of these words its own tools are made; of the tools that it may think of, `look` comes nearest.
  await say(app, 'Search in a result for "heron"')
  await expect(lastAnswer(app)).toContainText('Read the note "heron"', PATIENCE)
  await expect(callLine(app, 'a result')).toHaveCount(0)
  expect(server.ledger.executionsOf('archive')).toBe(1)
})
