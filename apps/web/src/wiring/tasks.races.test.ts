import 'fake-indexeddb/auto'
import { startTaskServer, type TaskServer, type Work } from '@switchboard/testkit/task-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isTaskOver } from '#domain/is-task-over.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { Database } from '#storage/db.ts'
import { createTasks } from '#storage/tasks.ts'
import { tab, world } from './engine-in-test.ts'

let tasks: TaskServer
beforeAll(async () => {
  tasks = await startTaskServer()
})
afterAll(() => tasks?.close())

type Tab = Awaited<ReturnType<typeof tab>>

/** `npm run test:deep` plays more. */
const ROUNDS = process.env['SWITCHBOARD_DEEP'] === '1' ? 36 : 9
const CALLS = 10
const ENDED: ReadonlySet<ToolCall['status']> = new Set(['success', 'error', 'cancelled', 'unknown'])

function dice(seed: number) {
  let state = seed * 7_919 + 1
  return (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
}
type Roll = ReturnType<typeof dice>

/** Of a moment that the dice choose. */
const moment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function workOf(roll: Roll): Work {
  return {
    steps: 1 + roll(4),
    stepMs: roll(120),
    ...(roll(3) === 0 && { ask: 1 }),
    ...(roll(5) === 0 && { outcome: 'fail' as const }),
    ...(roll(5) === 0 && { stubborn: true }),
  }
}

/** Writes down every end of a task and of a call, and whatever changes one that has ended. */
function watchEnds(db: Database, ends: string[], broken: string[]): void {
  db.mcpTasks.hook('updating', (change, id, task) => {
    const { status } = change as { status?: string }
    if (status === undefined || status === task.status) return
    if (isTaskOver(task)) broken.push(`task ${id}: ${task.status} became ${status}`)
    if (isTaskOver({ ...task, status } as typeof task)) ends.push(id)
  })
  db.mcpToolCalls.hook('updating', (change, id, call) => {
    const { status } = change as { status?: string }
    if (status !== undefined && status !== call.status && ENDED.has(call.status))
      broken.push(`call ${id}: ${call.status} became ${status}`)
  })
}

/** One thing that a user does to a task or a call, at its moment. */
async function disturb(engine: Tab, roll: Roll): Promise<void> {
  await moment(roll(200))
  const calls = await engine.db.mcpToolCalls.toArray()
  const call = calls[roll(CALLS)]
  if (!call) return
  switch (roll(4)) {
    case 0:
    case 1: {
      const heard = await engine.turns.cancelCall(call.id).then(
        () => true,
        () => false,
      )
      if (!heard) return
      // A wish that was taken is never lost: it is over, or it is written down that it shall be.
      const now = await engine.db.mcpToolCalls.get(call.id)
      const task = await engine.db.mcpTasks.get(call.id)
      if (now?.status === 'task') expect(task?.cancelRequestedAt ?? task?.completedAt).toBeDefined()
      else expect(ENDED).toContain(now?.status)
      return
    }
    case 2:
      await createTasks(engine.db).changeTask(call.id, { lookWantedAt: Date.now() + 1 })
      return
    case 3:
      return answerOpen(engine)
  }
}

async function answerOpen({ db, turns }: Tab): Promise<void> {
  // Somebody else may have been quicker, or the task.
  for (const { id } of await db.questions.where('state').equals('open').toArray())
    await turns.answerQuestion({ questionId: id, action: 'accept', content: { word: 'yes' } }).catch(() => {})
}

/** How many calls became tasks in it. */
async function playRound(round: number): Promise<number> {
  const roll = dice(round + 1)
  const lasting = await world(tasks.url)
  const works = Array.from({ length: CALLS }, (_, at) => ({ ...workOf(roll), label: `${round}-${at}` }))
  const calls = works.map((work) => ({ name: 'server__work', input: JSON.stringify(work) }))
  const ends: string[] = []
  const broken: string[] = []
  const open = async (lines: Parameters<typeof tab>[1]) => {
    const opened = await tab(lasting, lines)
    watchEnds(opened.db, ends, broken)
    return opened
  }
  let engine = await open([{ calls }])
  void engine.turns.run(lasting.conversationId)
  // In most rounds all have become tasks before the first reload; in some it comes in the middle of that.
  const begun = roll(4) === 0 ? roll(CALLS) : CALLS
  await engine.until(async () => {
    const past = await engine.db.mcpToolCalls.filter(({ status }) => status === 'task' || ENDED.has(status)).count()
    return past >= begun ? past : undefined
  })
  for (let reload = roll(3); reload >= 0; reload -= 1) {
    const current = engine
    const deeds = Array.from({ length: 1 + roll(4) }, () => disturb(current, roll))
    // A tab that dies takes its deeds along.
    if (reload === 0) {
      await Promise.all(deeds)
      break
    }
    const settled = Promise.allSettled(deeds)
    await moment(roll(250))
    await engine.die()
    await settled
    engine = await open([])
    await engine.wake()
  }

  const { db, turns } = engine
  await turns.run(lasting.conversationId)
  await expect
    .poll(
      async () => {
        await answerOpen(engine)
        return db.mcpToolCalls.filter(({ status }) => !ENDED.has(status)).toArray()
      },
      { timeout: 300_000, message: `round ${round}` },
    )
    .toEqual([])
  // Where an outcome is unknown the user says that it goes on.
  await turns.run(lasting.conversationId, { goOn: true })
  await turns.run(lasting.conversationId, { goOn: true })

  const rows = await db.mcpTasks.toArray()
  const told = await db.messages.filter(({ parts }) => parts[0]?.type === 'task').toArray()
  const all = await db.mcpToolCalls.toArray()
  expect(broken, `round ${round}`).toEqual([])
  expect(ends.toSorted(), `round ${round}: one end each`).toEqual(rows.map(({ id }) => id).toSorted())
  expect(told.map(({ id }) => id).toSorted(), `round ${round}: told once each`).toEqual(
    rows.map(({ id }) => `${id}:result`).toSorted(),
  )
  for (const { id, status } of rows) {
    const call = all.find((one) => one.id === id)
    expect(call?.taskStatus, `round ${round}`).toBe(status)
    if (call?.status === 'cancelled' || call?.status === 'unknown') expect(call.content).toBeUndefined()
  }
  const made = tasks.of('tools/call').map(({ params }) => String(params['arguments']?.label))
  for (const { label } of works) expect(made.filter((one) => one === label).length).toBeLessThanOrEqual(1)
  await engine[Symbol.asyncDispose]()
  return rows.length
}

test(`[R-41] in ${ROUNDS * CALLS} random orders of cancel, end, reload, look and answer every task ends once and is told once`, async () => {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round)
  // A few beside each other: most of the time they wait.
  const counts: number[] = []
  const play = async (): Promise<void> => {
    for (let round = rounds.shift(); round !== undefined; round = rounds.shift()) counts.push(await playRound(round))
  }
  await Promise.all([play(), play(), play(), play()])
  // The rest was over before it became one: cancelled, or cut off by a reload.
  const count = counts.reduce((sum, one) => sum + one, 0)
  expect(count).toBeGreaterThan((ROUNDS * CALLS) / 2)
})
