/** Interleaved rounds of one scenario, and its rows: what each contestant needed, as ratios to the baseline. */
import { BASELINE } from './peers.js'
import { roundOrder, summary } from './stats.js'

/** A contestant slower than this sits out the remaining rounds of a scenario. */
const SLOW_BLOCK_MS = 60_000
/**
 * The rounds of a scenario are spread over this many processes (pages): how a program is laid out and optimised
 * differs from start to start, by ten percent and more, and must not decide a row.
 */
export const STARTS = 3

/**
 * `block(contestant)` does the work once and returns { wallMs, cpuMs }. A round is one block of each, one right after the other, and
 * is done again where others disturbed it. Rounds below zero warm up and are thrown away. Each `start` goes on with the
 * orders where the one before left off. The result is plain data: { key: { samples, failed? } }.
 */
export async function interleave({ warm, entrants, rounds, start = 0, undisturbed, block }) {
  const measured = Object.fromEntries(entrants.map(({ key }) => [key, { samples: [] }]))
  const slow = new Set()
  for (let round = -warm; round < rounds; round++) {
    const order = roundOrder(entrants, start * rounds + Math.max(round, 0))
    const { value: blocks, foreign } = await undisturbed(() => onceEach(order), { once: round < 0 })
    for (const [key, value] of blocks) {
      if (value.wallMs > SLOW_BLOCK_MS) slow.add(key)
      if (round >= 0 || slow.has(key)) measured[key].samples.push({ round, ...value, foreign })
    }
  }
  return measured

  async function onceEach(order) {
    const blocks = []
    for (const entrant of order) {
      const own = measured[entrant.key]
      if (own.failed !== undefined || slow.has(entrant.key)) continue
      try {
        blocks.push([entrant.key, await block(entrant)])
      } catch (error) {
        own.failed = String(error.message).split('\n')[0]
      }
    }
    return blocks
  }
}

/** Pairs the samples of each contestant with those of the baseline in the same round of the same start. */
export function rowsOf(entrants, n, starts) {
  return entrants.map(({ key, id, era }) => {
    const failed = starts.find((measured) => measured[key].failed !== undefined)?.[key].failed
    if (failed !== undefined) return { key, id, era, failed }
    const own = starts.flatMap((measured) => measured[key].samples)
    const over = (field) =>
      summary(
        starts.flatMap((measured) => {
          const base = measured[`${BASELINE}@${era}`].samples
          return measured[key].samples.map((sample) => {
            const same = base.find(({ round }) => round === sample.round)
            return sample[field] / (same?.[field] ?? summary(base.map((other) => other[field])).median)
          })
        }),
      )
    const each = (field) => summary(own.map((sample) => (sample[field] * 1000) / n))
    return {
      key,
      id,
      era,
      wallUs: each('wallMs'),
      cpuUs: each('cpuMs'),
      wall: over('wallMs'),
      cpu: over('cpuMs'),
      foreign: summary(own.map(({ foreign }) => foreign)).median,
    }
  })
}

export function printRows({ title, unit }, rows) {
  console.log(`\n${title}  (per ${unit})`)
  for (const row of rows) {
    if (row.failed !== undefined) {
      console.log(`  ${row.key.padEnd(17)} FAILED: ${row.failed}`)
      continue
    }
    const us = (value) => `${value.median.toFixed(1).padStart(10)} us`
    const ratio = ({ median, p25, p75 }) => `× ${median.toFixed(2)} [${p25.toFixed(2)}–${p75.toFixed(2)}]`
    console.log(
      `  ${row.key.padEnd(17)} wall ${us(row.wallUs)} ${ratio(row.wall)}  cpu ${us(row.cpuUs)} ${ratio(row.cpu)}  others ${row.foreign.toFixed(2)}`,
    )
  }
}
