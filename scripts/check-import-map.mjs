import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

/** Files that cross each border of the import map once, on the line after a comment `// wrong: <words of the message>`. */
export const fixtures = 'scripts/fixtures/import-map'

/**
 * Lints the fixtures. A border that the linter no longer guards, and an allowed import that it refuses, both fail:
 * a rule with a broken pattern is accepted by the linter and matches nothing.
 */
export async function checkImportMap() {
  const expected = readdirSync(join(root, fixtures), { recursive: true })
    .map((name) => `${fixtures}/${name}`)
    .filter((file) => file.endsWith('.ts'))
    .flatMap(wrongLines)
  if (expected.length === 0) throw new Error(`${fixtures} holds no wrong import: the import map is not tested.`)

  const reported = await lint()
  const problems = [
    ...expected
      .filter((wrong) => !reported.some((report) => isReportOf(wrong, report)))
      .map((wrong) => `not caught:  ${wrong.file}:${wrong.line} (${wrong.words})`),
    ...reported
      .filter((report) => !expected.some((wrong) => isReportOf(wrong, report)))
      .map((report) => `unexpected:  ${report.file}:${report.line} ${report.code} ${report.message}`),
  ]
  if (problems.length === 0 && reported.length !== expected.length) problems.push('a wrong import was reported twice')
  if (problems.length > 0) throw new Error(`The import map in .oxlintrc.json is broken:\n  ${problems.join('\n  ')}`)
  console.log(`${expected.length} wrong imports, all caught, and nothing else`)
}

/**
 * @typedef {{ file: string, line: number, words: string }} Wrong
 * @typedef {{ file: string, line: number, code: string, message: string }} Report
 */

/**
 * @param {Wrong} wrong
 * @param {Report} report
 */
const isReportOf = (wrong, report) =>
  report.file === wrong.file &&
  report.line === wrong.line &&
  report.code === 'eslint(no-restricted-imports)' &&
  report.message.includes(wrong.words)

/**
 * @param {string} file
 * @returns {Wrong[]}
 */
function wrongLines(file) {
  const found = readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((text, index) => {
      const words = /^\s*\/\/ wrong: (.+)$/.exec(text)?.[1]
      return words ? [{ file, line: index + 2, words }] : []
    })
  if (found.length === 0) throw new Error(`${file} marks no wrong import.`)
  return found
}

/** @returns {Promise<Report[]>} */
function lint() {
  return new Promise((resolve, reject) => {
    const args = ['node_modules/oxlint/bin/oxlint', '--format=json', fixtures]
    execFile(process.execPath, args, { cwd: root, maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
      try {
        const { diagnostics } = JSON.parse(stdout)
        resolve(diagnostics.map(readDiagnostic))
      } catch {
        reject(new Error(`oxlint did not answer in JSON: ${stderr || stdout || String(error)}`))
      }
    })
  })
}

/**
 * @param {{ filename: string, code: string, message: string, help?: string, labels: { span: { line: number } }[] }} diagnostic
 * @returns {Report}
 */
const readDiagnostic = ({ filename, code, message, help = '', labels }) => ({
  file: filename.replaceAll('\\', '/'),
  line: labels[0]?.span.line ?? 0,
  code,
  message: `${message} ${help}`,
})
