/**
 * How much CPU processes other than ours used during a block, so that a disturbed block can be
 * measured again instead of being averaged in. Linux only; elsewhere every block counts as quiet.
 */
import fs from 'node:fs'

const TICK_MS = 10 // USER_HZ is 100 on every Linux we know
const LINUX = fs.existsSync('/proc/stat')

function busyTicks() {
  const [user, nice, system, , , irq, softirq, steal] = fs
    .readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return user + nice + system + irq + softirq + steal
}

/** CPU ticks of this process and all its descendants. */
function ownTicks() {
  const processes = new Map()
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      processes.set(Number(name), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) })
    } catch {
      // gone meanwhile
    }
  }
  let sum = 0
  for (const [pid, { ticks }] of processes) {
    for (let at = pid; at > 1; at = processes.get(at)?.parent ?? 0) {
      if (at !== process.pid) continue
      sum += ticks
      break
    }
  }
  return sum
}

/** Starts a measurement; the function it returns gives the CPU use of others since then, in cores. */
function meter() {
  if (!LINUX) return () => 0
  const busy = busyTicks()
  const own = ownTicks()
  const start = performance.now()
  return () =>
    Math.max(0, ((busyTicks() - busy - (ownTicks() - own)) * TICK_MS) / Math.max(1, performance.now() - start))
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function waitForQuiet(limit, maxMs) {
  const start = performance.now()
  for (;;) {
    const stop = meter()
    await sleep(400)
    if (stop() < limit || performance.now() - start > maxMs) return performance.now() - start
  }
}

/**
 * Returns `undisturbed(block)`: runs the block again while others used more than `limit` cores, at most
 * `tries` times, and gives the least disturbed measurement. The waiting of the whole step is bounded by
 * `patienceMs`: a machine that is never quiet gets noisier figures, not an endless run.
 */
export function quietly({ limit = 0.3, tries = 3, patienceMs = 240_000 } = {}) {
  let patience = patienceMs
  return async function undisturbed(block, { once = false } = {}) {
    let best
    for (let i = 0; i < tries; i++) {
      if (i > 0) patience -= await waitForQuiet(limit * 0.7, Math.min(patience, 10_000))
      const stop = meter()
      const value = await block()
      const foreign = stop()
      if (best === undefined || foreign < best.foreign) best = { value, foreign }
      if (once || foreign < limit || patience <= 0) break
    }
    return best
  }
}
