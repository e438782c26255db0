/**
 * How long Markdown blocks the page in Chromium: `npm run bench:markdown`. 100 KB stream in with pieces of 400 characters,
 * one per frame, in a scrolling element that follows its end; 9 MB come at once and are scrolled through. A task is measured
 * by the CPU time of the page's main thread, because on a shared machine the clock also counts what others do. Fails where a
 * task takes over 50 ms, or over 200 ms for 9 MB.
 */
import { inAppPage } from './src/app-page.js'

/** The CPU times in milliseconds of the tasks of the page's main thread while something runs. */
async function tasksDuring(page, run) {
  const browser = page.context().browser()
  await browser.startTracing(page, { categories: ['toplevel', '__metadata', 'blink.user_timing'] })
  const result = await run()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString())
  // The thread that runs the bench.
  const main = traceEvents.find(({ name }) => name === 'bench began')
  const tasks = traceEvents.filter(
    ({ name, pid, tid, ts }) => name.endsWith('RunTask') && pid === main.pid && tid === main.tid && ts >= main.ts,
  )
  return { result, times: tasks.map(({ tdur, dur }) => (tdur ?? dur ?? 0) / 1000) }
}

const rows = await inAppPage('apps/web/bench/markdown.tsx', async (page) => {
  const rows = []
  for (const { what, limit } of await page.evaluate(() => globalThis.benchMarkdown.list)) {
    const { result, times } = await tasksDuring(page, () =>
      page.evaluate((what) => globalThis.benchMarkdown.run(what), what),
    )
    const longest = Math.round(times.reduce((most, ms) => Math.max(most, ms), 0))
    rows.push({ what, limit, longest, long: times.filter((ms) => ms > 50).length, elements: result })
  }
  return rows
})
console.log('| what | tasks over 50 ms | longest task, ms | limit, ms | elements |\n|---|---:|---:|---:|---:|')
for (const { what, long, longest, limit, elements } of rows)
  console.log(`| ${what} | ${long} | ${longest} | ${limit} | ${elements} |`)
process.exitCode = rows.some(({ longest, limit }) => longest > limit) ? 1 : 0
