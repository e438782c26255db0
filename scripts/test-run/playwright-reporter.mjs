import { relative } from 'node:path'
import { root } from '../run.mjs'
import { writeResults } from './write-results.mjs'

/** A Playwright reporter that leaves the results of a run in a file. */
export default class ResultsReporter {
  /** @type {Map<string, import('@playwright/test/reporter').TestCase>} */
  tests = new Map()
  /** @type {string[]} */
  problems = []

  printsToStdio() {
    return false
  }

  /** @param {import('@playwright/test/reporter').TestCase} test */
  onTestEnd(test) {
    this.tests.set(test.id, test)
  }

  /** @param {import('@playwright/test/reporter').TestError} error */
  onError(error) {
    this.problems.push(error.message ?? String(error.value))
  }

  onEnd() {
    const tests = [...this.tests.values()]
    const failed = tests.filter((test) => !test.ok())
    writeResults({
      passed: tests.filter((test) => test.outcome() === 'expected').length,
      failed: failed.length,
      failedFiles: [...new Set(failed.map(({ location }) => relative(root, location.file)))].sort(),
      problems: this.problems,
    })
  }
}
