import 'fake-indexeddb/auto'
import { type RealServers, startRealServers } from '@switchboard/testkit'
import { startTaskServer, type TaskServer, type Work } from '@switchboard/testkit/task-server'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Line } from '#agent/sample-turn.ts'
import { taskSecretId } from '#domain/sealed.ts'
import type { Task } from '#domain/task.ts'
import { createConversations } from '#storage/conversations.ts'
import { createMessages } from '#storage/messages.ts'
import { createTasks } from '#storage/tasks.ts'
import { quickDerivation } from '#vault/quick-derivation.ts'
import { tab, world } from './engine-in-test.ts'

// The moments at which a task could get lost, be told twice, or be called over when it is not.

quickDerivation()
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

type Tab = Awaited<ReturnType<typeof tab>>

const works = (...all: Work[]): Line[] => [
  { calls: all.map((work) => ({ name: 'server__work', input: JSON.stringify(work) })) },
  { text: 'It is on its way.' },
  { text: 'Here it is.' },
]
const row = (engine: Tab, isSo: (task: Task) => boolean) =>
  engine.until(() => engine.db.mcpTasks.filter((task) => isSo(task)).first())
const told = (engine: Tab, count: number) =>
  engine.until(async () => {
    const all = await engine.db.messages.filter(({ parts }) => parts[0]?.type === 'task').toArray()
    return all.length >= count ? all : undefined
  })

describe('the wish to cancel', () => {
  test('[R-41] at the moment a call becomes a task reaches its server, and the call has ended', async () => {
    const lasting = await world(tasks.url)
    let become!: () => void
    let isBecoming!: () => void
    const becoming = new Promise<void>((resolve) => (isBecoming = resolve))
    const held = new Promise<void>((resolve) => (become = resolve))
    await using engine: Tab = await tab(lasting, works({ steps: 499, stepMs: 50 }), {
      async beginTask(task, reply) {
        isBecoming()
        await held
        return createTasks(engine.db).beginTask(task, reply)
      },
    })
    const turn = engine.turns.run(lasting.conversationId)
    await becoming
    const [call] = await engine.db.mcpToolCalls.toArray()
    await engine.turns.cancelCall(call?.id ?? '')
    become()
    await turn
    expect(await engine.db.mcpToolCalls.get(call?.id ?? '')).toMatchObject({ status: 'cancelled' })
    expect(await engine.db.mcpTasks.count()).toBe(0)
    const atServer = () => tasks.states().find(({ work }) => work.steps === 499)?.status
    await expect.poll(atServer).toBe('cancelled')
  })

  test('[R-41] of who saw a call that has become a task meanwhile is not lost', async () => {
    const lasting = await world(tasks.url)
    let wish: Promise<void> | undefined
    await using engine: Tab = await tab(lasting, works({ steps: 200, stepMs: 50 }), {
      beginTask(task, reply) {
        // It looks now, and finds a call that runs; before it has decided anything, that is a task.
        wish = engine.turns.cancelCall(task.id)
        return createTasks(engine.db).beginTask(task, reply)
      },
    })
    await engine.turns.run(lasting.conversationId)
    await wish
    expect(await engine.call('cancelled')).toMatchObject({ taskStatus: 'cancelled' })
  })

  test('is told again where the server could not hear it', async () => {
    const lasting = await world(tasks.url)
    await using engine = await tab(lasting, works({ steps: 200, stepMs: 50 }))
    await engine.turns.run(lasting.conversationId)
    tasks.refuse('tasks/cancel', 3, 503)
    await engine.turns.cancelCall((await engine.call('task')).id)
    expect(await engine.call('cancelled')).toMatchObject({ taskStatus: 'cancelled' })
  })
})

describe('a server', () => {
  test('that is turned off and on again has its tasks looked at as before', async () => {
    const lasting = await world(tasks.url)
    await using engine = await tab(lasting, works({ steps: 10, stepMs: 50 }))
    const release = tasks.hold()
    onTestFinished(release)
    await engine.turns.run(lasting.conversationId)
    await engine.db.mcpServers.update('server', { enabled: false })
    engine.mcp.connections.close('server')
    await row(engine, ({ trouble }) => trouble?.code === 'server-disabled')
    await engine.db.mcpServers.update('server', { enabled: true })
    await engine.mcp.connections.connect('server')
    release()
    expect(engine.textOf(await engine.call('success'))).toBe('Done {}')
    expect((await engine.db.mcpTasks.toArray())[0]?.trouble).toBeUndefined()
  })

  test('that was removed and brought back has its tasks still', async () => {
    const lasting = await world(tasks.url)
    await using engine = await tab(lasting, works({ steps: 10, stepMs: 50 }))
    const release = tasks.hold()
    onTestFinished(release)
    await engine.turns.run(lasting.conversationId)
    await engine.db.mcpServers.update('server', { deletedAt: Date.now() })
    engine.mcp.connections.close('server')
    expect(await row(engine, ({ trouble }) => trouble?.code === 'not-found')).toMatchObject({ status: 'working' })
    await engine.db.mcpServers.put(lasting.server)
    await engine.mcp.connections.connect('server')
    release()
    expect(engine.textOf(await engine.call('success'))).toBe('Done {}')
  })

  test('whose address was changed cannot be asked about them, and that is said', async () => {
    const lasting = await world(tasks.url)
    const first = await tab(lasting, works({ steps: 100, stepMs: 50 }))
    await first.turns.run(lasting.conversationId)
    await first.call('task')
    await first.die()
    await using engine = await tab(lasting)
    await engine.db.mcpServers.update('server', { url: `${tasks.url}/moved` })
    await engine.wake()
    const lost = await engine.call('unknown')
    expect(lost).toMatchObject({ taskStatus: 'left', error: { code: 'outcome-unknown' } })
    expect(lost.error?.message).toContain('address of its server was changed')
    await engine.until(async () => ((await engine.vault.open(taskSecretId(lost))) === undefined ? true : undefined))
  })

  test('behind something that answers in its place, as in a hotel, keeps its task', async () => {
    const lasting = await world(tasks.url)
    tasks.refuse('subscriptions/listen', 50, 503)
    await using engine = await tab(lasting, works({ steps: 10, stepMs: 50 }))
    const release = tasks.hold()
    onTestFinished(release)
    await engine.turns.run(lasting.conversationId)
    await engine.call('task')
    tasks.refuse('tasks/get', 2, 200, { 'content-type': 'text/html' })
    release()
    expect(engine.textOf(await engine.call('success'))).toBe('Done {}')
    tasks.refuse('subscriptions/listen', 0, 503)
  })

  test('is asked before its task is called too old: it may keep results for longer than it said', async () => {
    const lasting = await world(tasks.url)
    const first = await tab(lasting, works({ steps: 1, stepMs: 50, ask: 1 }))
    await first.turns.run(lasting.conversationId)
    const { toolCallId, id: questionId } = await first.question()
    await first.db.mcpTasks.update(toolCallId, { createdAt: 1, ttlMs: 1 })
    await first.die()
    await using engine = await tab(lasting)
    await engine.wake()
    await engine.turns.answerQuestion({ questionId, action: 'accept', content: { word: 'kept' } })
    expect(engine.textOf(await engine.call('success'))).toContain('kept')
  })
})

test('[R-24] after a sleep a task is looked at at once, whatever its streams say, and asks nothing twice', async () => {
  const lasting = await world(tasks.url)
  await using engine = await tab(lasting, works({ steps: 1, stepMs: 20, ask: 1 }))
  await engine.turns.run(lasting.conversationId)
  const { id: questionId } = await engine.question()
  // From now on changes are told, and nobody looks for half a minute.
  await expect.poll(() => tasks.of('subscriptions/listen').length).toBeGreaterThan(0)
  const looks = tasks.of('tasks/get').length
  engine.mcp.revive(['server'])
  await expect.poll(() => tasks.of('tasks/get').length).toBeGreaterThan(looks)
  await engine.turns.answerQuestion({ questionId, action: 'accept', content: { word: 'awake' } })
  expect(engine.textOf(await engine.call('success'))).toContain('awake')
  expect(await engine.questions()).toHaveLength(1)
})

describe('a question of a task', () => {
  test('stays the same question when the task is looked at anew, and its answer counts', async () => {
    const lasting = await world(tasks.url)
    await using engine = await tab(lasting, works({ steps: 1, stepMs: 20, ask: 1 }))
    await engine.turns.run(lasting.conversationId)
    const { id: questionId, toolCallId } = await engine.question()
    const looks = tasks.of('tasks/get').length
    await createTasks(engine.db).changeTask(toolCallId, { lookWantedAt: Date.now() + 1 })
    await engine.until(async () => {
      await engine.db.mcpTasks.toArray()
      return tasks.of('tasks/get').length > looks ? true : undefined
    })
    expect(await engine.questions()).toMatchObject([{ id: questionId, state: 'open' }])
    await engine.turns.answerQuestion({ questionId, action: 'accept', content: { word: 'same' } })
    expect(engine.textOf(await engine.call('success'))).toContain('same')
    expect(await engine.questions()).toHaveLength(1)
  })

  test('[R-28] that was answered, and whose server did not hear it before the engine died, is not asked again', async () => {
    const lasting = await world(tasks.url)
    const first = await tab(lasting, works({ steps: 1, stepMs: 20, ask: 1 }))
    await first.turns.run(lasting.conversationId)
    const { id: questionId } = await first.question()
    tasks.refuse('tasks/update', 1000, 503)
    const told = tasks.of('tasks/update').length
    await first.turns.answerQuestion({ questionId, action: 'accept', content: { word: 'once' } })
    await expect.poll(() => tasks.of('tasks/update').length).toBeGreaterThan(told)
    await first.die()
    tasks.refuse('tasks/update', 0, 503)
    await using engine = await tab(lasting)
    await engine.wake()
    expect(engine.textOf(await engine.call('success'))).toContain('once')
    expect(await engine.questions()).toHaveLength(1)
  })

  test('is that of its own task where two ask the same at once', async () => {
    const lasting = await world(tasks.url)
    await using engine = await tab(lasting, works({ steps: 1, stepMs: 20, ask: 1 }, { steps: 2, stepMs: 20, ask: 1 }))
    await engine.turns.run(lasting.conversationId)
    const both = await engine.until(async () => {
      const open = await engine.db.questions.where('state').equals('open').toArray()
      return open.length === 2 ? open : undefined
    })
    for (const { id, toolCallId } of both)
      await engine.turns.answerQuestion({ questionId: id, action: 'accept', content: { word: toolCallId } })
    await told(engine, 2)
    for (const { toolCallId } of both) {
      const call = await engine.db.mcpToolCalls.get(toolCallId)
      expect(call && engine.textOf(call)).toContain(toolCallId)
    }
  })
})

describe('what came of a task', () => {
  test('is told although another has an unknown outcome, of which the model hears when the user says so', async () => {
    const lasting = await world(tasks.url)
    const lines = works({ steps: 1, stepMs: 60_000, ttlMs: 600 }, { steps: 1, stepMs: 20, ask: 1 })
    await using engine = await tab(lasting, lines)
    await engine.turns.run(lasting.conversationId)
    const lost = await engine.call('unknown')
    await engine.until(() => engine.db.messages.get(`${lost.id}:result`))
    const { id } = await engine.question()
    await engine.turns.answerQuestion({ questionId: id, action: 'accept', content: { word: 'late' } })
    await told(engine, 2)
    await engine.turns.run(lasting.conversationId)
    expect(engine.model.asked).toHaveLength(2)
    await engine.turns.run(lasting.conversationId, { goOn: true })
    expect(engine.model.asked).toHaveLength(3)
    expect(JSON.stringify(engine.model.asked[2]?.prompt)).toContain('late')
  })

  test('on another branch is told when somebody comes back to it', async () => {
    const lasting = await world(tasks.url)
    const { conversationId } = lasting
    await using engine = await tab(lasting, works({ steps: 1, stepMs: 20, ask: 1 }))
    const conversations = createConversations(engine.db)
    const news = createTasks(engine.db)
    await engine.turns.run(conversationId)
    const { id } = await engine.question()
    const before = await conversations.conversation(conversationId)
    const [first] = await createMessages(engine.db).shown(conversationId)
    await createMessages(engine.db).edit(conversationId, first?.id ?? '', 'something else')
    await engine.turns.answerQuestion({ questionId: id, action: 'accept', content: { word: 'there' } })
    await engine.call('success')
    await engine.turns.run(conversationId)
    expect(await news.hasNews(conversationId)).toBe(false)
    expect((await engine.db.mcpTasks.toArray())[0]?.deliveredAt).toBeUndefined()
    await conversations.switchBranch(conversationId, before?.branchId ?? '')
    expect(await news.hasNews(conversationId)).toBe(true)
    await engine.turns.run(conversationId)
    expect(await told(engine, 1)).toHaveLength(1)
  })

  test('[R-29] whose tab died before it was told is told by the other', async () => {
    const lasting = await world(tasks.url)
    const first = await tab(lasting, works({ steps: 200, stepMs: 50 }))
    await using second = await tab(lasting)
    await second.wake()
    await first.turns.run(lasting.conversationId)
    const { id } = await first.call('task')
    await createTasks(first.db).endTask(id, 'completed', { status: 'success', content: [], isError: false })
    await first.die()
    expect(await told(second, 1)).toHaveLength(1)
    await second.turns.run(lasting.conversationId)
    expect(second.model.asked).toHaveLength(1)
  })

  test('of a call that is gone ends the task all the same', async () => {
    const lasting = await world(tasks.url)
    await using engine = await tab(lasting, works({ steps: 10, stepMs: 50 }))
    const release = tasks.hold()
    onTestFinished(release)
    await engine.turns.run(lasting.conversationId)
    const { id } = await engine.call('task')
    await engine.db.mcpToolCalls.delete(id)
    release()
    expect(await row(engine, ({ status }) => status === 'completed')).toMatchObject({ id })
  })
})

test('what finds a task again is kept once the vault is opened, where it was locked when the task began', async () => {
  const lasting = await world(tasks.url)
  const first = await tab(lasting, works({ steps: 1, stepMs: 20, ask: 1 }))
  await first.vault.setPassphrase('a long passphrase')
  await first.vault.lock()
  await first.turns.run(lasting.conversationId)
  const call = await first.call('task')
  await row(first, ({ status }) => status === 'input_required')
  await first.vault.unlock({ passphrase: 'a long passphrase' })
  first.mcp.wakeTasks()
  await expect.poll(() => first.vault.open(taskSecretId(call))).toBeDefined()
  await first.die()
})

test('tasks of one session that a dead engine left share one connection, and it ends with their server', async () => {
  const lasting = await world(real.addresses.everything)
  const research = (topic: string) => ({
    name: 'server__simulate-research-query',
    input: JSON.stringify({ topic, ambiguous: true }),
  })
  const first = await tab(lasting, [{ calls: ['salt', 'flour', 'water'].map(research) }, { text: 'On its way.' }])
  await first.turns.run(lasting.conversationId)
  await first.until(async () => ((await first.db.questions.count()) === 3 ? true : undefined))
  await first.die()
  await using engine = await tab(lasting)
  await engine.wake()
  await engine.until(async () => {
    const rows = await engine.db.mcpTasks.toArray()
    return rows.every(({ status, updatedAt }) => status === 'input_required' && updatedAt > 0) ? true : undefined
  })
  // One connection has one stream for news.
  expect(engine.sent.filter((method) => method === 'GET').length).toBeLessThanOrEqual(1)
  await engine.db.mcpServers.update('server', { enabled: false })
  engine.mcp.connections.close('server')
  const troubled = await engine.until(async () => {
    const rows = await engine.db.mcpTasks.toArray()
    return rows.every(({ trouble }) => trouble?.code === 'server-disabled') ? rows : undefined
  })
  expect(troubled).toHaveLength(3)
  expect(await engine.db.questions.where('state').equals('open').count()).toBe(3)
})
