import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../run.mjs'

/**
 * What one run of a test tool ended with. `failedFiles` holds what can be run again alone: paths of test files, or names of
 * conformance rows. `problems` holds errors that belong to no file.
 * @typedef {{ passed: number, failed: number, failedFiles: string[], problems: string[] }} Results
 */

/** The environment variable that names the file where a test tool leaves its results. */
export const RESULTS_FILE = 'SWITCHBOARD_TEST_RESULTS'

export const resultsFolder = join(root, 'test-results')

/** @param {Results} results */
export function writeResults(results) {
  const file = process.env[RESULTS_FILE]
  if (!file) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(results, undefined, 2))
}

/**
 * Runs a test tool and returns the results that it left. The exit code only counts where no result explains it.
 * @param {string} name
 * @param {(env: Record<string, string>) => Promise<void>} start
 * @returns {Promise<Results>}
 */
export async function collectResults(name, start) {
  const file = join(resultsFolder, `${name}.json`)
  rmSync(file, { force: true })
  /** @type {unknown} */
  let failure
  try {
    await start({ [RESULTS_FILE]: file })
  } catch (error) {
    failure = error
  }
  const results = readResults(file)
  if (!results) {
    const reason = failure instanceof Error ? failure.message : 'it ended without an error'
    return { passed: 0, failed: 0, failedFiles: [], problems: [`${name} left no results: ${reason}`] }
  }
  if (failure && results.failedFiles.length === 0 && results.problems.length === 0) {
    results.problems.push(failure instanceof Error ? failure.message : String(failure))
  }
  return results
}

/**
 * @param {string} file
 * @returns {Results | undefined}
 */
function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
