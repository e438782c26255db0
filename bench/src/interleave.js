/** Interleaved rounds of one scenario, and its rows: what each contestant needed, as ratios to the baseline. */
import { BASELINE } from './peers.js'
import { roundOrder, summary } from './stats.js'

/** A contestant slower than this sits out the remaining rounds of a scenario. */
const SLOW_BLOCK_MS = 60_000

/**
 * `block(contestant)` does the work once and returns { wallMs, cpuMs }. Rounds below zero warm up and are
 * thrown away.
 */
export async function interleave({ scenario, entrants, rounds, undisturbed, block }) {
  const samples = Object.fromEntries(entrants.map(({ key }) => [key, []]))
  const failed = {}
  const slow = new Set()
  for (let round = -(scenario.warm ?? 1); round < rounds; round++) {
    for (const entrant of roundOrder(entrants, Math.max(round, 0))) {
      const { key } = entrant
      if (failed[key] !== undefined || slow.has(key)) continue
      try {
        const { value, foreign } = await undisturbed(() => block(entrant), { once: round < 0 })
        if (value.wallMs > SLOW_BLOCK_MS) slow.add(key)
        if (round >= 0 || slow.has(key)) samples[key].push({ round, ...value, foreign })
      } catch (error) {
        failed[key] = String(error.message).split('\n')[0]
      }
    }
  }
  return entrants.map(({ key, id, era }) => {
    if (failed[key] !== undefined) return { key, id, era, failed: failed[key] }
    const own = samples[key]
    const base = samples[`${BASELINE}@${era}`]
    const over = (field) => {
      const paired = own.flatMap((sample) => {
        const other = base.find(({ round }) => round === sample.round)
        return other === undefined ? [] : [sample[field] / other[field]]
      })
      return summary(
        paired.length > 0 ? paired : own.map((sample) => sample[field] / summary(base.map((b) => b[field])).median),
      )
    }
    const each = (field) => summary(own.map((sample) => (sample[field] * 1000) / scenario.n))
    return {
      key,
      id,
      era,
      wallUs: each('wallMs'),
      cpuUs: each('cpuMs'),
      wall: over('wallMs'),
      cpu: over('cpuMs'),
      foreign: summary(own.map(({ foreign }) => foreign)).median,
      ...(slow.has(key) ? { slow: true } : {}),
    }
  })
}

export function printRows(scenario, rows) {
  console.log(`\n${scenario.title}  (per ${scenario.unit})`)
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
