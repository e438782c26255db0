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
