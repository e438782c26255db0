import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { GO_ON } from './build-prompt.ts'
import { offerReading } from './offer-reading.ts'
import { createPracticeModel } from './practice-model.ts'

type Properties = Record<string, object>
const tool = (
  name: string,
  title: string,
  description: string,
  properties: Properties = {},
  required = Object.keys(properties),
) =>
  ({
    type: 'function',
    name: `demo_tools__${name}`,
    description: `${title}: ${description}`,
    inputSchema: { type: 'object', properties, required },
  }) as LanguageModelV4FunctionTool

const CITIES = ['Lima', 'Lisbon', 'London', 'Nairobi', 'Oslo', 'Tokyo']
const NAME = { type: 'string', title: 'Name' }
/** The tools that the product ships with. */
const DEMO = [
  tool('world_clock', 'World clock', 'Tells what time it is in a time zone.', {
    timeZone: {
      type: 'string',
      title: 'Time zone',
      description: 'A name such as Asia/Tokyo',
      default: 'Europe/Lisbon',
    },
  }),
  tool(
    'forecast',
    'Forecast',
    'Invents the weather of the next days, as structured data.',
    {
      city: { type: 'string', title: 'City', enum: CITIES, default: 'Lisbon' },
      days: { type: 'integer', title: 'Days', minimum: 1, maximum: 7, default: 3 },
    },
    ['city'],
  ),
  tool('draw_chart', 'Draw a chart', 'Draws numbers as bars and answers with a PNG image.', {
    values: { type: 'array', title: 'Values', items: { type: 'number' }, default: [12, 30] },
  }),
  tool('write_note', 'Write a note', 'Writes a note, which is a resource: whoever watches it is told.', {
    name: { ...NAME, default: 'ideas' },
    text: { type: 'string', title: 'Text', default: 'Paint the fence.' },
  }),
  tool('delete_note', 'Delete a note', 'Deletes a note for ever.', { name: { ...NAME, default: 'travel' } }),
  tool(
    'make_backup',
    'Make a backup',
    'Pretends to copy files one by one, and tells how far it is. Can be cancelled.',
    {
      files: { type: 'integer', title: 'Files', minimum: 1, maximum: 100, default: 8 },
      millisecondsPerFile: { type: 'integer', title: 'Milliseconds per file', minimum: 0, maximum: 5000, default: 500 },
    },
    [],
  ),
  tool(
    'bake_bread',
    'Bake bread',
    'Takes its time, and asks how you like it. Goes on when you leave.',
    {
      millisecondsPerStep: { type: 'integer', title: 'Milliseconds per step', default: 3000 },
    },
    [],
  ),
  tool('book_table', 'Book a table', 'Asks who comes and when, with a form, before it pretends to book.', {
    restaurant: { type: 'string', title: 'Restaurant', default: 'The Lighthouse' },
  }),
  tool('fail_on_purpose', 'Fail on purpose', 'Fails in the way you choose, to show what a client makes of it.', {
    how: {
      type: 'string',
      title: 'How',
      enum: ['answer with an error', 'refuse the call', 'hang up in the middle'],
      default: 'answer with an error',
    },
  }),
]

const user = (text: string): LanguageModelV4Prompt[number] => ({ role: 'user', content: [{ type: 'text', text }] })

async function reply(prompt: LanguageModelV4Prompt, tools = DEMO) {
  const model = createPracticeModel({ wordDelayMs: 0, today: () => new Date('2026-11-16T12:00:00Z') })
  const { stream } = await model.doStream({ prompt, tools })
  let text = ''
  const calls: [name: string, input: unknown][] = []
  let finish = ''
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { text, calls, finish }
    if (value.type === 'text-delta') text += value.delta
    if (value.type === 'tool-call') calls.push([value.toolName.replace('demo_tools__', ''), JSON.parse(value.input)])
    if (value.type === 'finish') finish = value.finishReason.unified
  }
}

const called = async (text: string, tools = DEMO) => (await reply([user(text)], tools)).calls

test('the starters of the demo find their tools, with the arguments that were said', async () => {
  expect(await called('What will the weather be in Lisbon for the next 3 days?')).toEqual([
    ['forecast', { city: 'Lisbon', days: 3 }],
  ])
  expect(await called('Bake a bread while we go on talking')).toEqual([['bake_bread', {}]])
  expect(await called('Book a table at The Lighthouse')).toEqual([['book_table', { restaurant: 'The Lighthouse' }]])
})

test('plain requests find the tool that was meant', async () => {
  const table: [string, string, unknown][] = [
    ['Will it rain in Oslo?', 'forecast', { city: 'Oslo' }],
    ['forecast for tokyo, 5 days please', 'forecast', { city: 'Tokyo', days: 5 }],
    ['How is the weather?', 'forecast', { city: 'Lisbon' }],
    ['What time is it in Tokyo?', 'world_clock', { timeZone: 'Asia/Tokyo' }],
    ['what is the time in new york', 'world_clock', { timeZone: 'America/New_York' }],
    ['Draw a chart of 12, 30, 18, 44, 36 and 52', 'draw_chart', { values: [12, 30, 18, 44, 36, 52] }],
    ['Make a backup of 12 files', 'make_backup', { files: 12 }],
    ['Bake some bread and tell me when it is done', 'bake_bread', {}],
    ['Bake bread with 100 milliseconds per step', 'bake_bread', { millisecondsPerStep: 100 }],
    ['I want to have dinner at Casa Ana', 'book_table', { restaurant: 'Casa Ana' }],
    ['Reserve a table', 'book_table', { restaurant: 'The Lighthouse' }],
    ['plot a graph with 1.5 and 7', 'draw_chart', { values: [1.5, 7] }],
    [
      'Write a note called groceries: buy milk and bread',
      'write_note',
      { name: 'groceries', text: 'buy milk and bread' },
    ],
    ['Save a note "plans" saying Learn to swim', 'write_note', { name: 'plans', text: 'Learn to swim' }],
    ['Please delete the note groceries', 'delete_note', { name: 'groceries' }],
    ['remove the note "old ideas"', 'delete_note', { name: 'old ideas' }],
    ['Bake some bread', 'bake_bread', {}],
    ['Book a table at "Chez Nous"', 'book_table', { restaurant: 'Chez Nous' }],
    ['Please fail: hang up in the middle', 'fail_on_purpose', { how: 'hang up in the middle' }],
    ['use fail_on_purpose', 'fail_on_purpose', { how: 'answer with an error' }],
    ['backup with 100 milliseconds per file', 'make_backup', { millisecondsPerFile: 100 }],
  ]
  for (const [said, name, input] of table) expect([said, await called(said)]).toEqual([said, [[name, input]]])
})

test('an "and" between two wishes is two calls, and so are two values of one choice', async () => {
  expect(await called('What is the weather in Oslo and what time is it in Tokyo?')).toEqual([
    ['forecast', { city: 'Oslo' }],
    ['world_clock', { timeZone: 'Asia/Tokyo' }],
  ])
  expect(await called('Compare the weather in Tokyo and Lima')).toEqual([
    ['forecast', { city: 'Tokyo' }],
    ['forecast', { city: 'Lima' }],
  ])
})

test.each([
  ['Weather in Paris', '`forecast` does not have “Paris”. It has: Lima, Lisbon, London, Nairobi, Oslo, Tokyo.'],
  ['what is the weather in paris?', '`forecast` does not have “paris”. It has: Lima, Lisbon'],
  ['What will the weather be in New York for the next 3 days?', '`forecast` does not have “New York”.'],
  ['Weather in Oslo for 10 days', '`forecast` takes days from 1 to 7, and you said 10.'],
  ['What time is it in Atlantis?', 'I know no time zone called “Atlantis”.'],
])('%s: says what it cannot do instead of asking for something else', async (said, words) => {
  const { text, calls } = await reply([user(said)])
  expect(calls).toEqual([])
  expect(text).toContain(words)
})

test('of two cities, says which one it does not have and asks for the other', async () => {
  const { text, calls } = await reply([user('Compare the weather in Tokyo and Paris')])
  expect(calls).toEqual([['forecast', { city: 'Tokyo' }]])
  expect(text).toContain('does not have “Paris”')
})

test('does not take other words after "in" for a place', async () => {
  for (const said of [
    'How is the weather in the morning?',
    'Weather in general',
    'What will the weather be like in May?',
  ])
    expect([said, await called(said)]).toEqual([said, [['forecast', { city: 'Lisbon' }]]])
})

test('tools of strangers get arguments of every kind from the words', async () => {
  const strange = tool('create_event', 'Create event', 'Adds an event to a calendar', {
    title: { type: 'string' },
    date: { type: 'string', format: 'date' },
    url: { type: 'string', format: 'uri' },
    email: { type: 'string', format: 'email' },
    priority: { type: 'string', enum: ['low', 'high'] },
    guests: { type: 'array', items: { type: 'string' } },
    reminder: { type: 'boolean' },
    place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    kind: { const: 'event' },
    color: { type: ['string', 'null'] },
    seats: { type: 'number' },
  })
  const said =
    'Create an event called Party tomorrow in Berlin, high priority, without reminder, color=red, see https://party.example/x, write to ann@party.example, 40 seats, guests "Ann" "Ben"'
  const [[, input] = []] = await called(said, [strange])
  expect(input).toMatchObject({
    title: 'Party',
    date: '2026-11-17',
    url: 'https://party.example/x',
    email: 'ann@party.example',
    priority: 'high',
    reminder: false,
    kind: 'event',
    seats: 40,
    place: { city: 'Berlin' },
  })
})

test('a text that must be there gets what is left of the words', async () => {
  const search = tool('search', 'Search', 'Searches the web', { query: { type: 'string' } })
  expect(await called('Search the web for red pandas', [search])).toEqual([['search', { query: 'red pandas' }]])
  const echo = tool('echo', 'Echo', 'Echoes back the input', { message: { type: 'string' } })
  expect(await called('echo hello world', [echo])).toEqual([['echo', { message: 'hello world' }]])
  const sum = tool('get-sum', 'Get sum', 'Returns the sum of two numbers', {
    a: { type: 'number' },
    b: { type: 'number' },
  })
  expect(await called('What is the sum of 7 and 5?', [sum])).toEqual([['get-sum', { a: 7, b: 5 }]])
})

test('schemas that are none do no harm', async () => {
  for (const inputSchema of [
    {},
    { properties: null },
    { properties: { a: null, b: 3 } },
    { properties: { a: { enum: 'x' } }, required: 'a' },
    true,
  ])
    expect(
      await called('use odd tool', [{ type: 'function', name: 'x__odd_tool', inputSchema: inputSchema as object }]),
    ).toHaveLength(1)
  const proto = tool(
    'odd_tool',
    'Odd',
    'Odd',
    JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}') as Properties,
  )
  expect(await called('use odd tool', [proto])).toHaveLength(1)
  expect(({} as { type?: string }).type).toBeUndefined()
})

test('without a tool that fits it says who it is and what is there', async () => {
  const { text, calls, finish } = await reply([user('Hello, how are you?')])
  expect(calls).toEqual([])
  expect(finish).toBe('stop')
  expect(text).toContain('Hello!')
  expect(text).toContain('practice model')
  expect(text).toContain('**Forecast**: Invents the weather')
  expect((await reply([user('Hello')], [])).text).toContain('has no tools yet')
})

const results = (...outputs: LanguageModelV4ToolResultOutput[]): LanguageModelV4Prompt => [
  user('go'),
  { role: 'assistant', content: [] },
  {
    role: 'tool',
    content: outputs.map((output, at) => ({
      type: 'tool-result',
      toolCallId: `${at}`,
      toolName: 'demo_tools__forecast',
      output,
    })),
  },
]
const report = async (...outputs: LanguageModelV4ToolResultOutput[]) => (await reply(results(...outputs))).text

test('results are reported: words as words, JSON as a list and a table, pictures by where they are', async () => {
  expect(await report({ type: 'text', value: 'It is noon.' })).toBe('This is what `forecast` says:\n\nIt is noon.')
  const json = {
    city: 'Oslo',
    days: [
      { date: 'a|b', high: 3 },
      { date: 'c', high: 4, low: null },
    ],
  }
  expect(await report({ type: 'text', value: JSON.stringify(json) })).toContain(
    '- **city**: Oslo\n\n| date | high | low |\n| --- | --- | --- |\n| a\\|b | 3 |  |\n| c | 4 | null |',
  )
  const picture = { type: 'file', data: { type: 'data', data: 'AAAA' }, mediaType: 'image/png' } as const
  expect(await report({ type: 'content', value: [{ type: 'text', text: 'A chart.' }, picture] })).toContain(
    'A chart.\n\nThe picture is in the card above.',
  )
  expect(await report({ type: 'text', value: '[1,"two"]' })).toContain('- 1\n- two')
  expect(await report({ type: 'text', value: 'a' }, { type: 'text', value: 'b' })).toBe(
    '**`forecast`**\n\na\n\n**`forecast`**\n\nb',
  )
})

test('lines of plain text stay lines in a report', async () => {
  expect(await report({ type: 'text', value: '[DIR] src\n[FILE] a.ts' })).toContain('```\n[DIR] src\n[FILE] a.ts\n```')
  expect(await report({ type: 'text', value: 'Some **bold** words\n\n# and a title' })).not.toContain('```')
})

test('what was denied, cancelled, lost or broken is said kindly', async () => {
  const told = (value: string) => report({ type: 'error-text', value })
  expect(await told('The user did not allow this call. Reason: Not now')).toBe(
    'You did not allow `forecast`, so I left it alone. Reason: Not now',
  )
  expect(await told('The user cancelled this call. If it had begun …')).toContain('You cancelled `forecast`')
  expect(await told('It is not known whether this call took effect: …')).toContain('not known')
  expect(await told('The call failed. No answer.')).toBe('`forecast` did not work out: No answer.')
  expect(await told('the printer is out of paper')).toBe('`forecast` did not work out: the printer is out of paper')
})

test('when it is told to go on, it answers what was asked before', async () => {
  const prompt = [
    user('Will it rain in Oslo?'),
    { role: 'assistant', content: [{ type: 'text', text: 'I will' }] },
    user(GO_ON),
  ]
  expect((await reply(prompt as LanguageModelV4Prompt)).calls).toEqual([['forecast', { city: 'Oslo' }]])
})

test('the same words get the same answer, word by word', async () => {
  expect(await reply([user('Will it rain in Oslo?')])).toEqual(await reply([user('Will it rain in Oslo?')]))
})

test('it stops in the middle of a sentence', async () => {
  const stop = new AbortController()
  const model = createPracticeModel({ wordDelayMs: 60_000 })
  const { stream } = await model.doStream({ prompt: [user('Hello')], tools: [], abortSignal: stop.signal })
  const reader = stream.getReader()
  const reading = (async () => {
    while (!(await reader.read()).done);
  })()
  stop.abort()
  await expect(reading).rejects.toThrow('Stopped')
})

test('the tools that read on in a result are never what was meant, and it does not speak of them', async () => {
  const ours = [...offerReading].map(
    ({ modelName, title, description, inputSchema }): LanguageModelV4FunctionTool => ({
      type: 'function',
      name: modelName,
      description: `${title}: ${description}`,
      inputSchema,
    }),
  )
  const wishes = ['Search in a result', 'Use read_result', 'search_result for the needle', 'Read on in a result']
  for (const wish of wishes) {
    const { calls, text } = await reply([user(wish)], [...DEMO, ...ours])
    expect(calls.map(([name]) => name)).not.toContain('read_result')
    expect(calls.map(([name]) => name)).not.toContain('search_result')
    expect(text).not.toContain('result of this conversation')
  }
  expect((await reply([user('Will it rain in Oslo?')], [...DEMO, ...ours])).calls).toEqual([
    ['forecast', { city: 'Oslo' }],
  ])
})
