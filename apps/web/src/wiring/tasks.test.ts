import { type RealServers, startRealServers } from '@switchboard/testkit'
import { startTaskServer, type TaskServer, type Work } from '@switchboard/testkit/task-server'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Line } from '#agent/sample-turn.ts'
import { taskSecretId } from '#domain/sealed.ts'
import { tab, world } from './engine-in-test.ts'

let real: RealServers
let tasks: TaskServer
beforeAll(async () => {
  real = await startRealServers(['everything'])
  tasks = await startTaskServer()
})
afterAll(async () => {
  await real?.stop()
  await tasks?.close()
})

const RESEARCH = 'server__simulate-research-query'
const works = (work: Work): Line[] => [
  { calls: [{ name: 'server__work', input: JSON.stringify(work) }] },
  { text: 'It is on its way.' },
  { text: 'Here it is.' },
]
const asked = (engine: Awaited<ReturnType<typeof tab>>, count: number) =>
  engine.until(async () => {
    const messages = await engine.db.messages
      .filter(({ role, status }) => role === 'assistant' && status === 'done')
      .count()
    return messages >= count ? messages : undefined
  })
const told = (options: { prompt: unknown } | undefined) => JSON.stringify(options?.prompt)

describe('a call that becomes a task', () => {
  test('frees the conversation; at its end the result is a message, and the model goes on', async () => {
    const lasting = await world(tasks.url)
    await using engine = await tab(lasting, works({ steps: 3, stepMs: 150 }))
    const release = tasks.hold()
    onTestFinished(release)
    await engine.turns.run(lasting.conversationId)
    // The turn is over, and the work is not.
    expect(engine.model.asked).toHaveLength(2)
    expect(told(engine.model.asked[1])).toContain('works in the background')
    const call = await engine.call('task')
    expect(await engine.db.mcpTasks.get(call.id)).toMatchObject({ status: 'working', toolName: 'work' })
    release()
    const done = await engine.call('success')
    expect(engine.textOf(done)).toBe('Done {}')
    await asked(engine, 3)
    expect(told(engine.model.asked[2])).toContain('Done {}')
    expect(told(engine.model.asked[2])).toContain('not from the user')
    const row = await engine.db.mcpTasks.get(call.id)
    expect(row).toMatchObject({ status: 'completed' })
    expect(row?.deliveredAt).toBeDefined()
    // Nobody can find the task by what is left of it here.
    expect(await engine.vault.open(taskSecretId(call))).toBeUndefined()
  })

  test('tells how it goes while it goes', async () => {
    const lasting = await world(tasks.url)
    await using engine = await tab(lasting, works({ steps: 4, stepMs: 300 }))
    const release = tasks.hold()
    onTestFinished(release)
    await engine.turns.run(lasting.conversationId)
    const seen = await engine.until(async () => {
      const [row] = await engine.db.mcpTasks.toArray()
      return row?.message?.startsWith('step') ? row.message : undefined
    })
    expect(seen).toMatch(/^step \d of 4$/)
    release()
    await engine.call('success')
  })

  test('is waited for where the GPT wants no tasks', async () => {
    const lasting = await world(tasks.url)
    await using engine = await tab(lasting, works({ steps: 2, stepMs: 50 }))
    const gpt = await engine.db.gpts.get('gpt')
    if (gpt) await engine.db.gpts.put({ ...gpt, tools: { ...gpt.tools, asyncTasks: false } })
    await engine.turns.run(lasting.conversationId)
    expect(await engine.db.mcpTasks.count()).toBe(0)
    expect(told(engine.model.asked[1])).toContain('Done {}')
  })

  test.each([
    [{ outcome: 'fail' }, 'error', 'failed', 'It broke'],
    [{ outcome: 'tool-error' }, 'error', 'failed', 'The tool says no'],
  ] as const)('that ends in %j is told as such', async (work, status, taskStatus, words) => {
    const lasting = await world(tasks.url)
    await using engine = await tab(lasting, works({ steps: 1, stepMs: 20, ...work }))
    // A task that ends before the turn does is reported in the same turn, and the model is asked only twice.
    const release = tasks.hold()
    onTestFinished(release)
    await engine.turns.run(lasting.conversationId)
    release()
    const call = await engine.call(status)
    expect(call).toMatchObject({ isError: true, taskStatus })
    expect(await engine.db.mcpTasks.get(call.id)).toMatchObject({ status: taskStatus })
    await asked(engine, 3)
    expect(told(engine.model.asked[2])).toContain(words)
  })

  test('[R-41] is cancelled when its server says so, and not before', async () => {
    const lasting = await world(tasks.url)
    // Each step is one look at whether to stop: there are more of them than this test can take.
    await using engine = await tab(lasting, works({ steps: 20_000, stepMs: 100 }))
    await engine.turns.run(lasting.conversationId)
    const call = await engine.call('task')
    await engine.turns.cancelCall(call.id)
    expect(await engine.db.mcpTasks.get(call.id)).toMatchObject({ status: 'working' })
    expect(await engine.call('cancelled')).toMatchObject({ taskStatus: 'cancelled' })
    await asked(engine, 3)
    expect(told(engine.model.asked[2])).toContain('cancelled')
  })

  test('[R-41] that does its work although it was to be cancelled is done', async () => {
    const lasting = await world(tasks.url)
    await using engine = await tab(lasting, works({ steps: 1, stepMs: 20, ask: 1, stubborn: true }))
    await engine.turns.run(lasting.conversationId)
    const { toolCallId } = await engine.question()
    await engine.turns.cancelCall(toolCallId)
    expect(engine.textOf(await engine.call('success'))).toBe('Done {}')
    expect((await engine.questions())[0]).toMatchObject({ state: 'ended' })
  })

  test('asks in the middle: the question is that of its call, and the answer goes to the task', async () => {
    const lasting = await world(tasks.url)
    await using engine = await tab(lasting, works({ steps: 1, stepMs: 20, ask: 1 }))
    await engine.turns.run(lasting.conversationId)
    const call = await engine.call('task')
    const question = await engine.question()
    expect(question).toMatchObject({ toolCallId: call.id, kind: 'form', lasts: true, message: 'Question 1?' })
    await engine.turns.answerQuestion({ questionId: question.id, action: 'accept', content: { word: 'yes' } })
    expect(engine.textOf(await engine.call('success'))).toContain('"word":"yes"')
  })

  test('[R-28] goes on after a reload: found by what was kept, its result delivered once', async () => {
    const lasting = await world(tasks.url)
    const first = await tab(lasting, works({ steps: 8, stepMs: 150 }))
    const release = tasks.hold()
    onTestFinished(release)
    await first.turns.run(lasting.conversationId)
    await first.call('task')
    await first.die()
    await using second = await tab(lasting, [{ text: 'Here it is.' }])
    await second.wake()
    release()
    expect(second.textOf(await second.call('success'))).toBe('Done {}')
    await asked(second, 3)
    expect(second.model.asked).toHaveLength(1)
    const results = await second.db.messages.filter(({ parts }) => parts[0]?.type === 'task').count()
    expect(results).toBe(1)
    expect(tasks.of('tools/call').filter(({ params }) => params.arguments?.steps === 8)).toHaveLength(1)
  })

  test('[R-28] a question that was open at a reload is asked once, and its answer counts', async () => {
    const lasting = await world(tasks.url)
    const first = await tab(lasting, works({ steps: 1, stepMs: 20, ask: 1 }))
    await first.turns.run(lasting.conversationId)
    const question = await first.question()
    await first.die()
    await using second = await tab(lasting)
    await second.wake()
    await second.turns.answerQuestion({ questionId: question.id, action: 'accept', content: { word: 'late' } })
    expect(second.textOf(await second.call('success'))).toContain('"word":"late"')
    expect(await second.questions()).toHaveLength(1)
  })

  test('[R-29] a second tab takes over at once when the first dies, and nobody looks twice', async () => {
    const lasting = await world(tasks.url)
    const first = await tab(lasting, works({ steps: 20, stepMs: 150 }))
    const release = tasks.hold()
    onTestFinished(release)
    await first.turns.run(lasting.conversationId)
    await using second = await tab(lasting, [{ text: 'Here it is.' }])
    await second.wake()
    await first.call('task')
    const looks = () => tasks.of('tasks/get').length
    await first.die()
    const died = performance.now()
    const before = looks()
    await second.until(async () => {
      await second.db.mcpTasks.toArray()
      return looks() > before ? true : undefined
    })
    // It takes a tenth of a second on an idle machine. A tab that only looked again at its own pace would need 30 s.
    expect(performance.now() - died).toBeLessThan(20_000)
    release()
    expect(second.textOf(await second.call('success'))).toBe('Done {}')
    await asked(second, 3)
    expect(await second.db.messages.filter(({ parts }) => parts[0]?.type === 'task').count()).toBe(1)
  })

  test('that its server has forgotten has an unknown outcome, and the model is not asked to repeat it', async () => {
    const lasting = await world(tasks.url)
    await using engine = await tab(lasting, works({ steps: 1, stepMs: 60_000, ttlMs: 800 }))
    await engine.turns.run(lasting.conversationId)
    const lost = await engine.call('unknown')
    expect(lost).toMatchObject({ taskStatus: 'expired', error: { code: 'outcome-unknown' } })
    await engine.until(() => engine.db.messages.get(`${lost.id}:result`))
    await engine.turns.run(lasting.conversationId)
    // Once for the call, and once for "it is on its way" unless the server had forgotten the task by then.
    expect(engine.model.asked.length).toBeLessThanOrEqual(2)
    expect(engine.model.asked.map(told).join()).not.toContain('unknown')
  })
})

describe('on a server with sessions', () => {
  const research = (input: object): Line[] => [
    { calls: [{ name: RESEARCH, input: JSON.stringify(input) }] },
    { text: 'It is on its way.' },
    { text: 'Here it is.' },
  ]

  test('a task is followed, asks its user, and brings its result', async () => {
    const lasting = await world(real.addresses.everything)
    await using engine = await tab(lasting, research({ topic: 'bread', ambiguous: true }))
    await engine.turns.run(lasting.conversationId)
    const call = await engine.call('task')
    const question = await engine.question()
    expect(question.toolCallId).toBe(call.id)
    const [field] = Object.entries((question.schema?.['properties'] ?? {}) as Record<string, Record<string, unknown>>)
    const [name = '', schema = {}] = field ?? []
    const [first] = (schema['enum'] ??
      (schema['oneOf'] as { const: string }[] | undefined)?.map((one) => one.const) ?? ['x']) as string[]
    await engine.turns.answerQuestion({ questionId: question.id, action: 'accept', content: { [name]: first } })
    expect(engine.textOf(await engine.call('success'))).toContain('bread')
    await asked(engine, 3)
  })

  test('[R-28] a task and its open question outlive the engine', async () => {
    const lasting = await world(real.addresses.everything)
    const before = await tab(lasting, research({ topic: 'salt', ambiguous: true }))
    await before.turns.run(lasting.conversationId)
    const question = await before.question()
    await before.die()
    await using engine = await tab(lasting, [{ text: 'Here it is.' }])
    await engine.wake()
    const [field] = Object.entries((question.schema?.['properties'] ?? {}) as Record<string, Record<string, unknown>>)
    const [name = '', schema = {}] = field ?? []
    const [first] = (schema['enum'] ??
      (schema['oneOf'] as { const: string }[] | undefined)?.map((one) => one.const) ?? ['x']) as string[]
    await engine.turns.answerQuestion({ questionId: question.id, action: 'accept', content: { [name]: first } })
    expect(engine.textOf(await engine.call('success'))).toContain('salt')
    expect(await engine.questions()).toHaveLength(1)
  })
})
