import type { Page } from '@playwright/test'
import { expect } from './chat-fixtures.ts'

export interface Effort {
  cpuMs: number
  longestMs: number
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** In microseconds of the processor: how busy the machine is with others does not count. */
  tdur?: number
  args: { name?: string }
}

/** What the work of `measureSlowness` takes, in milliseconds, on the machine where the limits of the tests were found. */
const REFERENCE_MS = 60

/**
 * How many times slower than the reference this machine is, at least 1: limits in milliseconds of processor time are multiplied by it.
 * The page draws the same thousand rows three times; the fastest counts.
 */
export async function measureSlowness(page: Page): Promise<number> {
  const { longestMs } = await leastEffort(3, () =>
    effortOf(page, () =>
      page.evaluate(() => {
        const list = document.createElement('ul')
        for (let row = 0; row < 1000; row += 1) {
          const item = document.createElement('li')
          item.innerText = `Row ${row}: ${JSON.stringify(Array.from({ length: 40 }, (_, at) => ({ at, row })))}`
          list.append(item)
        }
        document.body.append(list)
        void list.offsetHeight
        list.remove()
      }),
    ),
  )
  return Math.max(1, longestMs / REFERENCE_MS)
}

async function leastEffort(times: number, measure: () => Promise<Effort>): Promise<Effort> {
  let least: Effort | undefined
  for (let time = 0; time < times; time += 1) {
    const effort = await measure()
    if (!least || effort.longestMs < least.longestMs) least = effort
  }
  return least!
}

/** What the page's own thread did during a deed: all of its tasks, and the longest of them. */
export async function effortOf(page: Page, deed: () => Promise<void>): Promise<Effort> {
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] })
  await deed()
  // Two frames on, what was begun is drawn.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  const trace = await browser?.stopTracing()
  const { traceEvents } = JSON.parse(String(trace)) as { traceEvents: TraceEvent[] }
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const tasks = traceEvents
    .filter(({ name, pid, tid }) => name === 'RunTask' && threads.some((one) => one.pid === pid && one.tid === tid))
    .map(({ tdur = 0 }) => tdur / 1000)
  expect(tasks.length).toBeGreaterThan(0)
  return { cpuMs: tasks.reduce((sum, task) => sum + task, 0), longestMs: Math.max(...tasks) }
}
