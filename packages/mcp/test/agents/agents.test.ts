import { createMCPClient } from '@switchboard/mcp'
import { type LlmEndpoint, type LlmFormat, type LlmTurn, startLlmEndpoint } from '@switchboard/testkit/llm-endpoint'
import { type RealServers, startRealServers } from '@switchboard/testkit/real-servers'
import { generateText, isStepCount, type LanguageModel } from 'ai'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Assignment, runAgent, type Story } from './agent.ts'
import { ai5 } from './ai-5.ts'
import { ai6 } from './ai-6.ts'
import { ai7 } from './ai-7.ts'
import { type AgentPage, openAgentPage } from './in-chromium.ts'

const SLOW = 'trigger-long-running-operation'
const formats: LlmFormat[] = ['chat', 'responses', 'messages']

let servers: RealServers
beforeAll(async () => {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  servers = await startRealServers(['everything', 'twoEras'])
})
afterAll(() => servers.stop())

async function model(script: LlmTurn[]): Promise<LlmEndpoint> {
  const endpoint = await startLlmEndpoint(script)
  onTestFinished(() => endpoint.close())
  return endpoint
}

type Run = (assignment: Assignment) => Promise<Story>

/** What the model was told by each tool, in the words of its own wire. */
const toldBy = ({ requests }: LlmEndpoint) => requests.at(-1)?.results ?? []

/** The picture as each format has it; chat has no place for pictures in the answer of a tool, and gets all parts as one text. */
const picture: Record<LlmFormat, unknown> = {
  chat: expect.stringContaining('iVBORw0KGgo'),
  responses: [{ type: 'input_image', image_url: expect.stringMatching(/^data:image\/png;base64,iVBORw0KGgo/) }],
  messages: [
    {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: expect.stringContaining('iVBORw0KGgo') },
    },
  ],
}

const ALL_TOOLS: LlmTurn[] = [
  { text: 'I will ask.', calls: [{ name: 'echo', input: { message: 'héllo' } }] },
  { calls: [{ name: 'add', input: { a: 2, b: 40 } }, { name: 'picture' }] },
  { calls: [{ name: 'fail' }] },
  { calls: [{ name: SLOW, input: { duration: 0.4, steps: 4 } }] },
  { text: 'All is done.' },
]

/** Two servers of two eras at once; the tools of the first win where names meet. */
const assignment = (format: LlmFormat, { url }: LlmEndpoint, more: Partial<Assignment> = {}): Assignment => ({
  format,
  llmUrl: url,
  servers: [{ url: servers.addresses.twoEras }],
  ...more,
})

async function expectAllTools(run: Run, format: LlmFormat): Promise<Story> {
  const endpoint = await model(ALL_TOOLS)
  const both = [{ url: servers.addresses.twoEras }, { url: servers.addresses.everything }]
  const story = await run(assignment(format, endpoint, { servers: both, slow: SLOW }))
  expect(story.errors).toEqual([])
  expect(story.text).toBe('I will ask.All is done.')
  expect(story.steps).toBe(5)

  expect(endpoint.requests).toHaveLength(5)
  expect(endpoint.requests[0]?.tools).toEqual(expect.arrayContaining(['echo', 'add', 'picture', 'fail', SLOW]))
  const told = toldBy(endpoint)
  expect(told).toHaveLength(5)
  expect(JSON.stringify(told[0]?.output)).toContain('Echo: héllo')
  expect(JSON.stringify(told[1]?.output)).toMatch(/sum\W+42/)
  expect(told[2]?.output).toEqual(picture[format])
  expect(JSON.stringify(told[3]?.output)).toContain('This never works')
  expect(told.map(({ isError }) => isError ?? false)).toEqual([false, false, false, format === 'messages', false])
  expect(JSON.stringify(told[4]?.output)).toContain('Long running operation completed')

  const shown = story.results.filter(({ tool }) => tool === SLOW)
  expect(shown.filter(({ preliminary }) => preliminary).map(({ output }) => output)).toMatchObject([
    { progress: 1, total: 4 },
    { progress: 2, total: 4 },
    { progress: 3, total: 4 },
    { progress: 4, total: 4 },
    { content: [{ type: 'text' }] },
  ])
  // What the user sees is the answer of the server as it is.
  const outputOf = (name: string) =>
    story.results.find(({ tool, preliminary }) => tool === name && !preliminary)?.output
  expect(outputOf('add')).toMatchObject({ structuredContent: { sum: 42 } })
  expect(outputOf('fail')).toMatchObject({ isError: true })
  expect(outputOf('picture')).toMatchObject({ content: [{ type: 'image', mimeType: 'image/png' }] })
  return story
}

async function expectAbort(run: Run, format: LlmFormat, sessions: boolean): Promise<void> {
  const endpoint = await model([{ calls: [{ name: 'wait', input: { ticket: 'agent' } }] }, { text: 'never said' }])
  const story = await run(
    assignment(format, endpoint, { servers: [{ url: servers.addresses.twoEras, sessions }], abortIn: 'wait' }),
  )
  expect(story.aborted).toBe(true)
  expect(story.text).toBe('')
  expect(endpoint.requests).toHaveLength(1)
  expect(story.results.at(-1)).toMatchObject({ tool: 'await-cancelled', output: 'agent was cancelled' })
}

describe('an agent of AI SDK 7 in Node', () => {
  const run: Run = (given) => runAgent(ai7, given)

  it.each(formats)('[G1] uses tools of every kind over several steps (%s)', async (format) => {
    const { metadata } = await expectAllTools(run, format)
    expect(metadata[1]).toMatchObject({ clientName: 'agent', toolName: 'add', title: 'Add' })
    expect(metadata[1]).toMatchObject({ annotations: { readOnlyHint: true } })
  })

  it.each(formats)('[G2] is aborted, and the server hears of it without sessions (%s)', (format) =>
    expectAbort(run, format, false),
  )
  it.each(formats)('[G2] is aborted, and the server hears of it with sessions (%s)', (format) =>
    expectAbort(run, format, true),
  )

  it.each(formats)('[G1] needs no stream of the model: generateText (%s)', async (format) => {
    const endpoint = await model([{ calls: [{ name: 'echo', input: { message: 'whole' } }] }, { text: 'Said.' }])
    const client = await createMCPClient({ transport: { type: 'http', url: servers.addresses.twoEras } })
    onTestFinished(() => client.close())
    const { text, steps } = await generateText({
      model: ai7.model(format, endpoint.url) as LanguageModel,
      tools: await client.tools(),
      prompt: 'Echo.',
      stopWhen: isStepCount(3),
      maxRetries: 0,
    })
    expect(text).toBe('Said.')
    expect(steps).toHaveLength(2)
    expect(endpoint.requests.map(({ body }) => Boolean(body['stream']))).toEqual([false, false])
    expect(JSON.stringify(toldBy(endpoint))).toContain('Echo: whole')
  })

  it('[G3] goes on when the model calls what is not there, or with nonsense', async () => {
    const endpoint = await model([
      { calls: [{ name: 'no-such-tool' }] },
      { calls: [{ name: 'add', input: { a: 'two' } }] },
      { text: 'Sorry.' },
    ])
    const story = await run(assignment('chat', endpoint))
    expect(story.text).toBe('Sorry.')
    expect(toldBy(endpoint)).toHaveLength(2)
  })

  it('[G4] a model that refuses is an error of the run, and no tool has run', async () => {
    const endpoint = await model([{ refusal: { status: 400, message: 'too many tools' } }])
    const story = await run(assignment('messages', endpoint))
    expect(story.errors.join()).toContain('too many tools')
    expect(story.results).toEqual([])
  })
})

describe('an agent of AI SDK 7 in Chromium', () => {
  let page: AgentPage
  beforeAll(async () => {
    page = await openAgentPage()
  })
  afterAll(() => page.close())

  it.each(formats)('[G1] uses tools of every kind over several steps (%s)', async (format) => {
    const { metadata } = await expectAllTools(page.run, format)
    expect(metadata[1]).toMatchObject({ clientName: 'agent', toolName: 'add' })
  })
  it.each(formats)('[G2] is aborted, and the server hears of it without sessions (%s)', (format) =>
    expectAbort(page.run, format, false),
  )
  it('[G2] is aborted, and the server hears of it with sessions (chat)', () => expectAbort(page.run, 'chat', true))
})

describe.each([
  ['6', ai6],
  ['5', ai5],
])('an agent of AI SDK %s in Node', (_, ai) => {
  const run: Run = (given) => runAgent(ai, given)

  it.each(formats)('[G1] uses tools of every kind over several steps (%s)', async (format) => {
    expect((await expectAllTools(run, format)).metadata).toHaveLength(5)
  })
  it('[G2] is aborted, and the server hears of it without sessions (chat)', () => expectAbort(run, 'chat', false))
  it('[G2] is aborted, and the server hears of it with sessions (messages)', () => expectAbort(run, 'messages', true))
})
