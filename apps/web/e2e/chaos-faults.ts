import type { BrowserContext, Page, Worker } from '@playwright/test'
import type { TaskServer, Work } from '@switchboard/testkit/task-server'
import type { Question } from '#domain/question.ts'
import type { Task } from '#domain/task.ts'
import type { CommandName } from '#wiring/commands.ts'
import { rowsOf } from './task-fixtures.ts'

/** A piece of work, with a name by which its one call is told from all others. */
export interface Planned extends Work {
  label: string
  /** How its task has to end, if nobody cancels it. */
  end: Task['status']
}

/** The same numbers for the same seed: a run that failed can be run again. */
export function randomOf(seed: number) {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (from: number, to: number): number => from + next() * (to - from),
    one: <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T,
  }
}
export type Random = ReturnType<typeof randomOf>

/** Works of all kinds, which end while the faults come and a little after. */
export function planWork(count: number, seconds: number, random: Random): Planned[] {
  return Array.from({ length: count }, (_, at): Planned => {
    const label = `work-${at}`
    const steps = 20
    const stepMs = Math.round((random.between(0.2, 1.1) * seconds * 1000) / steps)
    const usual = { label, steps, stepMs, ttlMs: 3_600_000, end: 'completed' as const }
    // Each kind is there, however few there are.
    switch (at % 10) {
      case 0:
      case 1:
        return { ...usual, ask: 1 }
      case 2:
        return { ...usual, outcome: 'fail', end: 'failed' }
      case 3:
        return { ...usual, outcome: 'tool-error', end: 'failed' }
      case 4:
        return { ...usual, stubborn: true }
      case 5:
        return { ...usual, steps: 1, stepMs: 86_400_000, ttlMs: seconds * 500, end: 'expired' }
      default:
        return usual
    }
  })
}

export const engineOf = (page: Page): Worker | undefined =>
  page.workers().find((worker) => worker.url().endsWith('/assets/engine.js'))

/** Gives the engine of a tab a command, as its page would. */
export async function command(page: Page, name: CommandName, input: unknown): Promise<void> {
  await engineOf(page)?.evaluate(
    (data) => void dispatchEvent(new MessageEvent('message', { data: { type: 'command', id: -1, ...data } })),
    { name, input },
  )
}

/** Answers all questions that are open; tells how many there were. */
export async function answerAll(page: Page): Promise<number> {
  const open = (await rowsOf<Question>(page, 'questions')).filter(({ state }) => state === 'open')
  for (const { id } of open)
    await command(page, 'answerQuestion', { questionId: id, action: 'accept', content: { word: 'yes' } })
  return open.length
}

const isOver = ({ status }: Task): boolean => status !== 'working' && status !== 'input_required'

export interface Surroundings {
  context: BrowserContext
  tabs: Page[]
  servers: TaskServer[]
  /** The tasks that somebody wanted cancelled. */
  cancelled: Set<string>
  random: Random
  open: () => Promise<Page>
}

/** A moment, for what lasts for a while by its nature. */
const lasts = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** What can go wrong, each in a way that is over by itself. */
export const faults = {
  async refuse({ servers, random }) {
    const server = random.one(servers)
    server.refuseAll(503)
    setTimeout(() => server.refuseAll(undefined), random.between(500, 3000))
  },
  async drop({ servers, random }) {
    random.one(servers).drop()
  },
  async restart({ servers, random }) {
    const server = random.one(servers)
    await server.stopListening()
    await lasts(random.between(100, 900))
    await server.listenAgain()
  },
  async reload({ tabs, random }) {
    await random.one(tabs).reload({ waitUntil: 'domcontentloaded' })
  },
  async reopen({ tabs, random, open }) {
    const at = Math.floor(random.next() * tabs.length)
    await tabs[at]?.close()
    tabs[at] = await open()
  },
  async crash({ tabs, random }) {
    await engineOf(random.one(tabs))?.evaluate(() => {
      setTimeout(() => {
        throw new Error('crashed by the test')
      })
    })
  },
  async offline({ context, random }) {
    await context.setOffline(true)
    await lasts(random.between(200, 900))
    await context.setOffline(false)
  },
  async cancel({ tabs, random, cancelled }) {
    const tab = random.one(tabs)
    const open = (await rowsOf<Task>(tab, 'mcpTasks')).filter((task) => !isOver(task))
    if (open.length === 0) return
    const { id } = random.one(open)
    cancelled.add(id)
    await command(tab, 'cancelCall', { toolCallId: id })
  },
  async answer({ tabs, random }) {
    await answerAll(random.one(tabs))
  },
} satisfies Record<string, (around: Surroundings) => Promise<void>>
