/** Results as Markdown. */
import { BASELINE, OURS } from './peers.js'

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), `|${head.map((_, i) => (i === 0 ? '---' : '---:')).join('|')}|`, ...rows.map(line), ''].join('\n')
}

function number(value) {
  if (value === undefined || Number.isNaN(value)) return '–'
  if (Number.isInteger(value)) return String(value)
  const size = Math.abs(value)
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}

function duration(us) {
  if (us >= 1e6) return `${number(us / 1e6)} s`
  return us >= 1000 ? `${number(us / 1000)} ms` : `${number(us)} µs`
}

const figures = (values) => (values === undefined ? '–' : values.map(number).join(' / '))
const spread = ({ median, p25, p75 }) => `${number(median)} [${number(p25)}–${number(p75)}]`

function timeTables({ runtime, rounds, scenarios }, cpuName) {
  const parts = [`## ${runtime}: ${rounds} interleaved rounds\n`]
  for (const { where, title, unit, rows } of scenarios) {
    parts.push(`**${where ? `${where}: ` : ''}${title}** (per ${unit})\n`)
    const cells = rows.map((row) =>
      row.failed === undefined
        ? [row.key, duration(row.wallUs.median), spread(row.wall), duration(row.cpuUs.median), spread(row.cpu)]
        : [row.key, `fails: ${row.failed.slice(0, 100)}`, '', '', ''],
    )
    parts.push(table(['client', 'wall', '× limit [quartiles]', cpuName, `× limit, ${cpuName}`], cells))
  }
  return parts.join('\n')
}

function memoryTable({ rounds, scenarios }) {
  const keys = scenarios[0].rows.map(({ id }) => id)
  const rows = scenarios.map(({ where, title, rows }) => [
    `${where}: ${title}`,
    ...rows.map((row) => spread(row.megabytes)),
  ])
  return `## Peak memory of one operation, MB above the level before it, ${rounds} samples\n\n${table(['', ...keys], rows)}`
}

function leakTable({ calls, lists, scenarios }) {
  const rows = scenarios.flatMap(({ id, where, rows }) =>
    rows.map(({ key, bytesPerCall, bytesPerList, warnings = {} }) => [
      `${where}, ${id.toUpperCase()}: ${key}`,
      number(bytesPerCall),
      number(bytesPerList / 1000),
      Object.entries(warnings)
        .map(([name, count]) => `${count} × ${name}`)
        .join(', ') || '–',
    ]),
  )
  const head = ['client', 'bytes per call', 'KB per listing', 'warnings']
  return `## Heap growth over ${calls} calls and ${lists} listings of 100 tools\n\n${table(head, rows)}`
}

function handshakeTable({ rows }) {
  const head = ['client', 'requests', 'bytes sent', 'round trips to connect / to the result', 'preflights', 'sequence']
  const cells = rows.map((row) => [
    `${row.where}: ${row.key}`,
    row.requests,
    row.bytes,
    `${row.roundTripsToConnect} / ${row.roundTripsToResult}`,
    row.preflights,
    row.sequence.map((step) => step.replace('notifications/', '')).join(' → '),
  ])
  return `## Connect + list + 1 call + close on the wire\n\n${table(head, cells)}`
}

export function verdictTable(rows) {
  const peers = [...new Set(rows.flatMap((row) => Object.keys(row.peers)))]
  const best = ({ peers: found }) => {
    const [first] = Object.entries(found)
      .filter(([, values]) => values !== undefined)
      .sort((a, b) => a[1][0] - b[1][0])
    return first === undefined ? '–' : first[0]
  }
  return table(
    ['row (× limit: wall / CPU, where no other measure is named)', 'era', OURS, ...peers, 'best peer', 'promise'],
    rows.map((row) => [
      `${row.where}: ${row.what}`,
      row.era,
      figures(row.ours),
      ...peers.map((id) => figures(row.peers[id])),
      best(row),
      row.verdict,
    ]),
  )
}

export function tables({ node, chrome, cold, memory, leak, handshake }, verdict) {
  return [
    `# Measured\n\nRatios are to \`${BASELINE}\` (bare fetch) of the same era and round.\n`,
    `## Verdict\n\n${verdictTable(verdict)}`,
    node && timeTables(node, 'CPU'),
    chrome && timeTables(chrome, 'main thread'),
    cold && timeTables({ ...cold, runtime: 'Cold start' }, 'CPU'),
    memory && memoryTable(memory),
    leak && leakTable(leak),
    handshake && handshakeTable(handshake),
  ]
    .filter(Boolean)
    .join('\n')
}
