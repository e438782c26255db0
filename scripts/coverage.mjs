// Prints how many lines of each folder the tests ran, in Vitest and in the pages and workers of the end-to-end tests, and fails
// where that is too few. `npm test` ran both just before:
//   vitest run --coverage, then the end-to-end tests with SWITCHBOARD_COVERAGE=<this folder>/coverage/e2e
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { linesRunInPages } from './lines-run-in-pages.mjs'
import { root, runTool } from './run.mjs'

const MOST = 90
const REST = 80
/** The library, and of the app what decides and what the engine is made of. */
const MOST_OF = /^(packages\/mcp|apps\/web\/src\/(domain|agent|mcp|vault|storage|wiring))$/
/** How far a path is followed: a package, a folder of the app, a feature. */
const FOLDER = /^(apps\/web\/src\/(features\/)?[^/]+|[^/]+\/[^/]+)\//

const app = join(root, 'coverage/app')
// The names of its files hold what is in them: these are the ones that ran, with the maps that nobody is sent.
const build = ['build', 'apps/web', '--outDir', app, '--emptyOutDir', '--sourcemap', 'hidden', '--logLevel', 'warn']
await runTool('vite/bin/vite.js', build)
const inPages = linesRunInPages(join(root, 'coverage/e2e'), app)

/** @type {Map<string, { lines: number, ran: number, files: string[] }>} */
const folders = new Map()
for (const [path, file] of Object.entries(
  JSON.parse(readFileSync(join(root, 'coverage/coverage-final.json'), 'utf8')),
)) {
  const name = relative(root, path)
  const folder = FOLDER.exec(name)?.[1] ?? name
  const lines = linesOf(file, inPages.get(path))
  const missed = [...lines].filter(([, ran]) => !ran).map(([line]) => line)
  const sum = folders.get(folder) ?? { lines: 0, ran: 0, files: [] }
  sum.lines += lines.size
  sum.ran += lines.size - missed.length
  if (missed.length > 0) sum.files.push(`    ${name}: ${spans(missed)}`)
  folders.set(folder, sum)
}

const rest = { lines: 0, ran: 0, files: /** @type {string[]} */ ([]) }
let failed = 0
for (const [folder, sum] of [...folders].sort(([a], [b]) => a.localeCompare(b))) {
  if (MOST_OF.test(folder)) {
    judge(folder, sum, MOST)
    continue
  }
  console.log(line('·', folder, sum))
  rest.lines += sum.lines
  rest.ran += sum.ran
  rest.files.push(...sum.files)
}
judge('the rest, marked ·', rest, REST)
if (failed > 0) {
  console.error(
    `\nThe tests run too few lines in ${failed} places. Test what is named above, or delete what nobody needs.`,
  )
  process.exitCode = 1
}

/** @param {{ lines: number, ran: number }} sum */
function percentOf({ lines, ran }) {
  return lines === 0 ? 100 : (100 * ran) / lines
}

/**
 * @param {string} mark
 * @param {string} name
 * @param {{ lines: number, ran: number }} sum
 */
function line(mark, name, sum) {
  const count = `${sum.ran} of ${sum.lines}`.padStart(14)
  return `  ${mark} ${name.padEnd(32)}${count} lines  ${percentOf(sum).toFixed(1).padStart(5)} %`
}

/**
 * @param {string} name
 * @param {{ lines: number, ran: number, files: string[] }} sum
 * @param {number} wanted
 */
function judge(name, sum, wanted) {
  const isEnough = percentOf(sum) >= wanted
  console.log(`${line(isEnough ? '✔' : '✘', name, sum)} of ${wanted} %`)
  if (isEnough) return
  failed += 1
  console.log(['    Not run:', ...sum.files].join('\n'))
}

/**
 * The lines of a file on which a statement begins, and whether one of them ran.
 * @param {any} file as Istanbul writes it
 * @param {Set<number>} [inPages]
 */
function linesOf({ statementMap, s }, inPages) {
  /** @type {Map<number, boolean>} */
  const lines = new Map()
  for (const [id, { start }] of Object.entries(statementMap)) {
    lines.set(start.line, lines.get(start.line) || s[id] > 0 || (inPages?.has(start.line) ?? false))
  }
  return lines
}

/**
 * 3, 4, 5, 9 as "3-5, 9".
 * @param {number[]} lines
 */
function spans(lines) {
  /** @type {number[][]} */
  const spans = []
  for (const line of lines.sort((a, b) => a - b)) {
    const last = spans.at(-1)
    if (last?.[1] === line - 1) last[1] = line
    else spans.push([line, line])
  }
  return spans.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(', ')
}
