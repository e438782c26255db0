/**
 * The promise, row by row: at most 1.10 × bare fetch, and ahead of every peer that is above that.
 * A row is `kept` when the median is within the promise, `BROKEN` when even the lower quartile is above it,
 * `unclear` in between: the machine was too noisy, repeat that row with more rounds. Against bare fetch the time that
 * somebody waits decides, and CPU time stands beside it; ahead of a peer is who is ahead in both.
 */
import { BASELINE, OURS } from './peers.js'

export const PROMISE = 1.1
/** Peaks depend on when the collector runs: differences below this say nothing. */
const MEMORY_NOISE_MB = 4
/** What a heap reading wanders by over 10,000 calls, per call. */
const LEAK_BYTES_PER_CALL = 20
const LEAK_BYTES_PER_LIST = 2000
/** Cost ~ bytes ^ exponent: 1 is linear; caches and collections move it a little. */
const LINEAR = 1.15

function judge({ median, p25 }) {
  if (median <= PROMISE) return 'kept'
  return p25 > PROMISE ? 'BROKEN' : 'unclear'
}

const eras = (rows) => [...new Set(rows.map(({ era }) => era))]

/** One verdict row per era: `figure(row, baseline)` gives what is compared, `ours` decides. */
function perEra({ where, what, rows, figure, judgement }) {
  return eras(rows).map((era) => {
    const of = (id) => rows.find((row) => row.id === id && row.era === era)
    const base = of(BASELINE)
    const own = of(OURS)
    const value = (row) => (row.failed === undefined ? figure(row, base) : undefined)
    const peers = rows.filter((row) => row.era === era && row.id !== OURS && row.id !== BASELINE)
    const verdict = own === undefined ? '–' : own.failed === undefined ? judgement(own, base) : `BROKEN: ${own.failed}`
    return {
      where,
      what,
      era,
      ours: own && value(own),
      peers: Object.fromEntries(peers.map((row) => [row.id, value(row)])),
      verdict,
    }
  })
}

const timeRows = (where, what, rows, peersOnly = false) =>
  perEra({
    where,
    what,
    rows,
    figure: ({ wall, cpu }) => [wall.median, cpu.median],
    judgement({ wall, cpu, era }) {
      if (!peersOnly) return judge(wall)
      const peers = rows.filter((row) => row.era === era && row.id !== OURS && row.id !== BASELINE && !row.failed)
      return peers.every((peer) => wall.median < peer.wall.median && cpu.median < peer.cpu.median) ? 'kept' : 'BROKEN'
    },
  })

const memoryRows = ({ where, title, rows }) =>
  perEra({
    where,
    what: `peak memory, ${title}`,
    rows,
    figure: (row, base) => [row.megabytes.median / base.megabytes.median],
    judgement({ megabytes: own }, { megabytes: base }) {
      if (own.median - base.median < MEMORY_NOISE_MB) return 'kept'
      return judge({ median: own.median / base.median, p25: own.p25 / base.p75 })
    },
  })

const leakRows = (calls) => (scenario) =>
  perEra({
    where: scenario.where,
    what: `heap after ${calls.toLocaleString('en')} calls, ${scenario.id.toUpperCase()}, bytes per call`,
    rows: scenario.rows,
    figure: ({ bytesPerCall }) => [bytesPerCall],
    judgement: ({ bytesPerCall, bytesPerList, warnings = {} }, base) =>
      // Where the baseline's heap shrank, ours need not: it must not grow.
      bytesPerCall < Math.max(0, base.bytesPerCall) + LEAK_BYTES_PER_CALL &&
      bytesPerList < Math.max(0, base.bytesPerList) + LEAK_BYTES_PER_LIST &&
      Object.keys(warnings).length === 0
        ? 'kept'
        : 'BROKEN',
  })

function handshakeRows(rows) {
  return [...new Set(rows.map(({ where }) => where))].flatMap((where) =>
    perEra({
      where,
      what: 'requests of a session; round trips to the first result',
      rows: rows.filter((row) => row.where === where),
      figure: ({ requests, roundTripsToResult }) => [requests, roundTripsToResult],
      judgement: (own, base) =>
        own.requests <= base.requests && own.roundTripsToResult <= base.roundTripsToResult ? 'kept' : 'BROKEN',
    }),
  )
}

/** Pairs of scenarios that differ in the size of the result only: cost ~ bytes ^ exponent. */
function linearRows(where, scenarios) {
  const kind = ({ id }) => id.replace(/^big-\d+m-/, '')
  const sized = scenarios.filter(({ bytes }) => bytes !== undefined)
  return [...new Set(sized.map(kind))].flatMap((mode) => {
    const pair = sized.filter((scenario) => kind(scenario) === mode).sort((a, b) => a.bytes - b.bytes)
    if (pair.length < 2) return []
    const [small, large] = pair
    const exponent = (row, unit) => {
      const before = small.rows.find(({ key }) => key === row.key)
      if (before?.failed !== undefined) return Number.NaN
      return Math.log(row[unit].median / before[unit].median) / Math.log(large.bytes / small.bytes)
    }
    return perEra({
      where,
      what: `cost ~ bytes ^ x from ${small.bytes >> 20} to ${large.bytes >> 20} MB, ${mode}: x`,
      rows: large.rows,
      figure: (row) => [exponent(row, 'wallUs'), exponent(row, 'cpuUs')],
      judgement: (own, base) =>
        exponent(own, 'cpuUs') <= Math.max(LINEAR, exponent(base, 'cpuUs') + 0.05) ? 'kept' : 'BROKEN',
    })
  })
}

export function verdictRows({ node, chrome, cold, memory, leak, handshake }) {
  const timed = [
    ['Node', node],
    ['Chromium', chrome],
  ].filter(([, result]) => result !== undefined)
  return [
    ...timed.flatMap(([where, { scenarios }]) =>
      scenarios.flatMap(({ title, rows, peersOnly }) => timeRows(where, title, rows, peersOnly)),
    ),
    ...timed.flatMap(([where, { scenarios }]) => linearRows(where, scenarios)),
    ...(cold?.scenarios ?? []).flatMap(({ where, title, rows, peersOnly }) =>
      timeRows(where, `cold: ${title}`, rows, peersOnly),
    ),
    ...(memory?.scenarios ?? []).flatMap(memoryRows),
    ...(leak?.scenarios ?? []).flatMap(leakRows(leak?.calls)),
    ...handshakeRows(handshake?.rows ?? []),
  ]
}
