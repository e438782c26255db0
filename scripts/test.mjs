// Everything a fresh clone on a fresh machine needs, and every check there is. Only Node's own modules are imported here:
// node_modules may not exist yet.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkStart } from './check-start.mjs'
import { installChromium, installPackages } from './install.mjs'
import { npm, run, runSteps } from './run.mjs'
import { createTestRun, describeSummary } from './test-run/run-suites.mjs'
import { conformance, endToEnd, vitest } from './test-run/suites.mjs'
import { resultsFolder } from './test-run/write-results.mjs'

const required = { required: true }
const tests = createTestRun()

const passed = await runSteps([
  ['install packages', installPackages, required],
  ['install Chromium', installChromium, required],
  // --ci: a test run reports what is not formatted and changes nothing.
  ['check', () => run(process.execPath, ['scripts/check.mjs', '--ci'])],
  // It builds first, as for a newcomer.
  ['npm start', checkStart],
  [vitest.name, () => tests.run(vitest)],
  [endToEnd.name, () => tests.run(endToEnd)],
  ['coverage', () => run(process.execPath, ['scripts/coverage.mjs'])],
  [conformance.name, () => tests.run(conformance)],
  ['size', () => npm(['run', 'size', '--', '--own'])],
  ['failed tests, again and alone', () => tests.runFailedAgain()],
])

mkdirSync(resultsFolder, { recursive: true })
writeFileSync(join(resultsFolder, 'summary.json'), JSON.stringify(tests.summary, undefined, 2))
console.log(describeSummary(tests.summary))
process.exitCode = passed ? 0 : 1
