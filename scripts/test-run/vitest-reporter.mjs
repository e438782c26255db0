import { relative } from 'node:path'
import { root } from '../run.mjs'
import { writeResults } from './write-results.mjs'

/** A Vitest reporter that leaves the results of a run in a file. */
export default class ResultsReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest').SerializedError[]} unhandled
   */
  onTestRunEnd(modules, unhandled) {
    const failed = new Set(modules.filter((module) => !hasPassed(module)).map(({ moduleId }) => moduleId))
    /** @type {string[]} */
    const problems = []
    for (const error of unhandled) {
      const path = error['VITEST_TEST_PATH']
      if (typeof path === 'string') failed.add(path)
      // A browser that crashed takes its files with it; they are named above and run again.
      else if (failed.size === 0) problems.push(`Unhandled error: ${error.message}`)
    }
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (/** @type {string} */ state) => tests.filter((test) => test.result().state === state).length
    writeResults({
      passed: count('passed'),
      failed: count('failed'),
      failedFiles: [...failed].map((path) => relative(root, path)).sort(),
      problems,
    })
  }
}

/** @param {import('vitest/node').TestModule} module */
function hasPassed(module) {
  return module.state() === 'passed' || module.state() === 'skipped'
}
