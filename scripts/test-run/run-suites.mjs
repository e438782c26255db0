/**
 * @typedef {import('./write-results.mjs').Results} Results
 * @typedef {{ name: string, run: (files?: string[]) => Promise<Results> }} Suite
 *   `run` runs everything, or only the named files, one after the other.
 * @typedef {{ passed: number, failed: number, flaky: string[], failures: string[] }} Summary
 */

/** So many failures at once are not chance: running them again would only cost time. */
export const MOST_RUN_AGAIN = 20

/**
 * Runs test suites, and at the end runs the files that failed once more, alone. A file that passes then is flaky.
 * @param {(line: string) => void} [print]
 */
export function createTestRun(print = console.log) {
  /** @type {Map<Suite, Results>} */
  const firstRuns = new Map()
  /** @type {Summary} */
  const summary = { passed: 0, failed: 0, flaky: [], failures: [] }

  return {
    summary,

    /** @param {Suite} suite */
    async run(suite) {
      const results = await suite.run()
      firstRuns.set(suite, results)
      summary.passed += results.passed
      summary.failed += results.failed
      const { failedFiles, problems } = results
      for (const problem of problems) print(`\n${problem}`)
      if (problems.length > 0) summary.failures.push(`${suite.name}: ${problems[0]}`)
      if (failedFiles.length > 0) print(`\nFailed, to be run again alone:\n  ${failedFiles.join('\n  ')}`)
      if (problems.length > 0) throw new Error(`${suite.name} failed.`)
      return failedFiles.length === 0 ? undefined : `${failedFiles.length} to be run again`
    },

    async runFailedAgain() {
      const failures = summary.failures.length
      for (const [suite, { failedFiles }] of firstRuns) {
        if (failedFiles.length > MOST_RUN_AGAIN) {
          print(`${suite.name}: ${failedFiles.length} files failed. That is not chance, so none is run again.`)
          summary.failures.push(...failedFiles)
          continue
        }
        for (const file of failedFiles) {
          const { failed, failedFiles, problems } = await suite.run([file])
          if (failed === 0 && failedFiles.length === 0 && problems.length === 0) summary.flaky.push(file)
          else summary.failures.push(file)
        }
      }
      if (summary.failures.length === 0) {
        summary.passed += summary.failed
        summary.failed = 0
      }
      if (summary.failures.length > failures) throw new Error('Tests failed twice.')
      return summary.flaky.length === 0 ? undefined : `${summary.flaky.length} flaky`
    },
  }
}

/**
 * The last lines of a test run.
 * @param {Summary} summary
 */
export function describeSummary({ passed, failed, flaky, failures }) {
  const list = (/** @type {string} */ title, /** @type {string[]} */ files) =>
    files.length === 0 ? [] : [title, ...files.map((file) => `  ${file}`)]
  return [
    ...list('Failed:', failures),
    ...(flaky.length === 0 ? ['Flaky: none'] : list('Flaky (failed at first, passed alone): fix these first', flaky)),
    `${passed} passed, ${failed} failed`,
  ].join('\n')
}
