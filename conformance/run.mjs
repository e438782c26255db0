// Runs the official MCP conformance tools against the library: `npm run conformance -- [--only text]… [--verbose]`.
// `--client file` puts another client in the library's place.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installTools, runNpm } from './install-tools.mjs'
import { runTool } from './run-tool.mjs'
import { writeResults } from '../scripts/test-run/write-results.mjs'

/**
 * @typedef {{ tool: Tool, mode: 'single' | 'required', wire: string, scenario: string, forced?: boolean }} Row
 * @typedef {Row & { passed: number, failed: number, ms: string, problems: string[] }} Verdict
 * @typedef {import('./install-tools.mjs').Tool} Tool
 * @typedef {import('./run-tool.mjs').ToolRun} ToolRun
 */

const here = fileURLToPath(new URL('.', import.meta.url))
const root = resolve(here, '..')

// Of the extensions of the protocol, the library has those of authorization.
const extensions = /^auth\//
const requirementSets = ['2025-11-25', '2026-07-28']
// These measure time: a neighbour on the same machine would be measured with them.
const alone = /^sse-retry$/
const atOnce = 2
// Longer than the client's own watchdog. A requirement set starts dozens of processes at once, and a busy machine is slow.
const clientLimitMs = 180_000

const { values: options } = parseArgs({
  options: { only: { type: 'string', multiple: true }, verbose: { type: 'boolean' }, client: { type: 'string' } },
})
const { only = [''], verbose = false } = options
const clientFile = options.client ? resolve(options.client) : `${here}client.mjs`

const startedAt = performance.now()
// Always: a run against yesterday's build would say nothing about today's source.
if (!options.client) runNpm(['run', 'build', '-w', 'packages/mcp'], root)
const { node, stable, next } = installTools()

// The tools split the command at spaces and hand it to a shell, so the quotes keep a path with spaces in one piece.
const command = `"${process.execPath}" "${clientFile}"`
const clientArgs = ['client', '--command', command, '--timeout', `${clientLimitMs}`]

/** @type {string[]} */
const known = JSON.parse(readFileSync(`${here}expected-failures.json`, 'utf8'))
/** @type {Verdict[]} */
const verdicts = []

console.log(line('tool', 'mode', 'wire', 'scenario', 'result', 'passed', 'failed', 'ms'))
const singles = [...(await listSingles(stable, false)), ...(await listSingles(next, true))].filter(wanted)
for (const row of singles.filter((row) => alone.test(row.scenario))) await runSingle(row)
const queue = singles.filter((row) => !alone.test(row.scenario))
await Promise.all(Array.from({ length: atOnce }, runQueue))
for (const revision of requirementSets) await runRequirementSet(revision)

const { ok, text, unexpected, problems } = conclude()
console.log(text)
writeResults({
  passed: verdicts.length - unexpected.length,
  failed: unexpected.length,
  failedFiles: unexpected.map(idOf),
  problems,
})
process.exitCode = ok ? 0 : 1

/** @param {Row} row */
function wanted(row) {
  return only.some((text) => idOf(row).includes(text))
}

/** @param {Row} row */
function idOf(row) {
  return [row.tool.version, row.mode, row.wire, row.scenario].join(' ')
}

/**
 * Every scenario the tool has for a client, once per wire version; 0.1 knows one wire only.
 * @param {Tool} tool
 * @param {boolean} perWire
 * @returns {Promise<Row[]>}
 */
async function listSingles(tool, perWire) {
  const { stdout } = await runTool(node, tool.cli, ['list', '--client'], clientLimitMs)
  const rows = [...stdout.matchAll(/^ *- (\S+) \[(.+)\]$/gm)].flatMap(([, scenario = '', tags = '']) => {
    const extension = tags === 'extension'
    if (extension && !extensions.test(scenario)) return []
    const wires = extension ? requirementSets : tags.split(',')
    return (perWire ? wires : ['-']).map(
      (wire) => /** @type {Row} */ ({ tool, mode: 'single', wire, scenario, forced: extension && perWire }),
    )
  })
  if (rows.length === 0) throw new Error(`Conformance ${tool.version} lists no scenarios:\n${stdout}`)
  return rows
}

async function runQueue() {
  for (let row = queue.shift(); row; row = queue.shift()) await runSingle(row)
}

/** @param {Row} row */
async function runSingle(row) {
  const wire = row.wire === '-' ? [] : ['--spec-version', row.wire]
  // The tool passes over an extension, as it is part of no wire version, and calls that a success.
  const args = [...clientArgs, '--scenario', row.scenario, ...wire, ...(row.forced ? ['--force'] : [])]
  const run = await runTool(node, row.tool.cli, args, 2 * clientLimitMs)
  report(judge(row, run, run.code === 0 ? [] : [`the tool ended with code ${run.code}`]))
}

/**
 * A requirement set runs whole, all its scenarios at once; it cannot be narrowed.
 * @param {string} revision
 */
async function runRequirementSet(revision) {
  const { stdout } = await runTool(node, next.cli, ['list', '--requirements', revision], clientLimitMs)
  const [, required = '', unscored = ''] =
    /Client scenarios.*\n([^]*?)\n\n(?:Run and reported[^\n]*\n([^]*))?/.exec(stdout) ?? []
  const scenarios = [
    ...[...required.matchAll(/^ *- (\S+)$/gm)].map(([, name = '']) => name),
    ...[...unscored.matchAll(/^ *- (\S+) \[client\]$/gm)].map(([, name = '']) => name),
  ]
  if (scenarios.length === 0) throw new Error(`Requirement set ${revision} lists no scenarios:\n${stdout}`)
  const rows = scenarios
    .map((scenario) => /** @type {Row} */ ({ tool: next, mode: 'required', wire: revision, scenario }))
    .filter(wanted)
  if (rows.length === 0) return
  const run = await runTool(node, next.cli, [...clientArgs, '--requirements', revision], 4 * clientLimitMs)
  for (const row of rows) report(judge(row, run, []))
}

/**
 * @param {Row} row
 * @param {ToolRun} run
 * @param {string[]} problems
 * @returns {Verdict}
 */
function judge(row, run, problems) {
  const result = run.results(row.scenario)
  if (!result) {
    problems.push('the tool left no result', ...tail(run.stdout), ...tail(run.stderr))
    return { ...row, passed: 0, failed: 0, ms: '-', problems }
  }
  const { checks, stdout, stderr } = result
  // A warning fails the scenario in the tool as well.
  const failures = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length
  for (const { id, status, description, errorMessage, details } of failures) {
    const why = errorMessage ?? (details === undefined ? '' : JSON.stringify(details))
    problems.push(`${status} ${id}: ${description ?? ''}${why ? `: ${why}` : ''}`)
  }
  if (passed === 0) problems.push('no check passed')
  // In a requirement set the tool does not look at the client's exit code, so the client's last word has to tell.
  const finished = /^done in (\d+) ms$/m.exec(stdout)
  if (!finished) problems.push('the client did not finish', ...tail(stderr))
  else if (verbose) for (const text of tail(stderr)) console.log(`    ${text}`)
  return { ...row, passed, failed: failures.length, ms: finished?.[1] ?? '-', problems }
}

/** The end of a text, without the frames of stacks: they would push out what the error says. @param {string} text */
function tail(text) {
  const lines = text.split('\n').filter((line) => line.trim() && !/^\s+at /.test(line))
  return lines.slice(-12)
}

/** @param {Verdict} verdict */
function report(verdict) {
  verdicts.push(verdict)
  const { tool, mode, wire, scenario, passed, failed, ms, problems } = verdict
  const isKnown = known.includes(idOf(verdict))
  const word = problems.length === 0 ? 'pass' : isKnown ? 'known' : 'FAIL'
  console.log(line(tool.version, mode, wire, scenario, word, `${passed}`, `${failed}`, ms))
  if (!isKnown || verbose) for (const problem of problems) console.log(`    ${problem}`)
}

/** @param {string[]} cells */
function line(...cells) {
  const widths = [14, 8, 10, 42, 6, 6, 6, 6]
  return cells.map((cell, i) => (i < 5 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
}

/** Says whether all is as it should be: a known failure that passes, or that names nothing, is wrong as well. */
function conclude() {
  const failed = verdicts.filter(({ problems }) => problems.length > 0)
  const unexpected = failed.filter((verdict) => !known.includes(idOf(verdict)))
  const ran = new Set(verdicts.map(idOf))
  const failedIds = new Set(failed.map(idOf))
  const stale = known.filter((id) => (!options.only || ran.has(id)) && !failedIds.has(id))
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const lines = [
    '',
    `${verdicts.length} rows: ${verdicts.length - failed.length} passed, ${failed.length} failed in ${seconds} s` +
      (failed.length > unexpected.length ? ` (${failed.length - unexpected.length} as expected)` : ''),
  ]
  for (const verdict of unexpected) lines.push(`FAIL ${idOf(verdict)}`)
  const problems = stale.map((id) => `STALE in expected-failures.json: ${id}`)
  if (verdicts.length === 0) problems.push(`Nothing ran: no row has "${only.join('" or "')}" in it.`)
  const ok = unexpected.length === 0 && problems.length === 0
  return { ok, text: [...lines, ...problems].join('\n'), unexpected, problems }
}
