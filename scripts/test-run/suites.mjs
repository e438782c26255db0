import { join } from 'node:path'
import { root, run, runTool } from '../run.mjs'
import { collectResults } from './write-results.mjs'

/** @typedef {import('./run-suites.mjs').Suite} Suite */

// In the folder that Vitest empties when it starts.
const pagesRun = join(root, 'coverage/e2e')

/** @type {Suite} */
export const vitest = {
  name: 'tests in Node and Chromium',
  run: (files) =>
    collectResults('vitest', (env) =>
      runTool(
        'vitest/vitest.mjs',
        [
          'run',
          '--reporter=default',
          '--reporter=./scripts/test-run/vitest-reporter.mjs',
          ...(files ? ['--no-file-parallelism', ...files] : ['--coverage']),
        ],
        env,
      ),
    ),
}

/** @type {Suite} */
export const endToEnd = {
  name: 'the app in Chromium',
  run: (files) =>
    collectResults('end-to-end', (env) =>
      runTool(
        '@playwright/test/cli.js',
        ['test', '--config', 'apps/web/playwright.config.ts', ...(files ? ['--workers=1', ...files] : [])],
        files ? env : { ...env, SWITCHBOARD_COVERAGE: pagesRun },
      ),
    ),
}

/** @type {Suite} */
export const conformance = {
  name: 'conformance',
  run: (rows) =>
    collectResults('conformance', (env) =>
      run(process.execPath, ['conformance/run.mjs', ...(rows ?? []).flatMap((row) => ['--only', row])], env),
    ),
}
