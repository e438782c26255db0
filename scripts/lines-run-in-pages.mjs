import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, resolve } from 'node:path'

/**
 * @typedef {{ startOffset: number, endOffset: number, count: number }} Range
 * @typedef {{ file: string, functions: { ranges: Range[] }[] }} ScriptRun
 */

/**
 * The lines of our sources that ran in the pages of the end-to-end tests, by file.
 * @param {string} notes what e2e/collect-coverage.ts wrote
 * @param {string} app the app that ran, built once more with source maps
 * @returns {Map<string, Set<number>>}
 */
export function linesRunInPages(notes, app) {
  /** @type {Map<string, Set<number>>} */
  const lines = new Map()
  for (const [file, runs] of scriptRuns(notes)) {
    const script = join(app, file)
    if (!existsSync(script)) {
      throw new Error(
        `${file} ran in a page and is not of these sources: npm run build, then the end-to-end tests again.`,
      )
    }
    // What the bundler itself adds has none.
    if (!existsSync(`${script}.map`)) continue
    const code = readFileSync(script, 'utf8')
    const ran = new Uint8Array(code.length)
    for (const run of runs) addRun(ran, run)
    addLines(lines, script, code, ran)
  }
  return lines
}

/** @param {string} notes */
function scriptRuns(notes) {
  /** @type {Map<string, ScriptRun[]>} */
  const runs = new Map()
  for (const name of readdirSync(notes)) {
    for (const run of /** @type {ScriptRun[]} */ (JSON.parse(readFileSync(join(notes, name), 'utf8')))) {
      runs.set(run.file, [...(runs.get(run.file) ?? []), run])
    }
  }
  return runs
}

/**
 * Marks what ran. An inner range says more than the one around it: it is marked later.
 * @param {Uint8Array} ran
 * @param {ScriptRun} run
 */
function addRun(ran, { functions }) {
  const ranges = functions.flatMap(({ ranges }) => ranges)
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  const now = new Uint8Array(ran.length)
  for (const { startOffset, endOffset, count } of ranges) now.fill(Math.min(count, 1), startOffset, endOffset)
  for (const [offset, mark] of now.entries()) if (mark) ran[offset] = 1
}

/**
 * A line ran if anything did that was made of it.
 * @param {Map<string, Set<number>>} lines
 * @param {string} script
 * @param {string} code
 * @param {Uint8Array} ran
 */
function addLines(lines, script, code, ran) {
  const map = new SourceMap(JSON.parse(readFileSync(`${script}.map`, 'utf8')))
  let offset = 0
  for (const [line, text] of code.split('\n').entries()) {
    for (let column = 0; column < text.length; column += 1) {
      if (!ran[offset + column]) continue
      const entry = map.findEntry(line, column)
      // Elsewhere inside an entry is what has no source, such as the end of a function that did not run.
      if (
        !('originalSource' in entry) ||
        !entry.originalSource ||
        entry.generatedLine !== line ||
        entry.generatedColumn !== column
      )
        continue
      const source = resolve(dirname(script), entry.originalSource)
      const known = lines.get(source) ?? new Set()
      lines.set(source, known.add(entry.originalLine + 1))
    }
    offset += text.length + 1
  }
}
