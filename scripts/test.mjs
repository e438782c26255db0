// Everything a fresh clone on a fresh machine needs, and every check there is. Only Node's own modules are imported here:
// node_modules may not exist yet.
import { join } from 'node:path'
import { checkStart } from './check-start.mjs'
import { installChromium, installPackages } from './install.mjs'
import { npm, root, run, runSteps, runTool } from './run.mjs'

const endToEnd = ['test', '--config', 'apps/web/playwright.config.ts']
// In the folder that Vitest empties when it starts.
const pagesRun = join(root, 'coverage/e2e')

await runSteps([
  ['install packages', installPackages],
  ['install Chromium', installChromium],
  // --ci: a test run reports what is not formatted and changes nothing.
  ['check', () => run(process.execPath, ['scripts/check.mjs', '--ci'])],
  // It builds first, as for a newcomer.
  ['npm start', checkStart],
  ['tests in Node and Chromium', () => runTool('vitest/vitest.mjs', ['run', '--coverage'])],
  ['the app in Chromium', () => runTool('@playwright/test/cli.js', endToEnd, { SWITCHBOARD_COVERAGE: pagesRun })],
  ['coverage', () => run(process.execPath, ['scripts/coverage.mjs'])],
  ['conformance', () => npm(['run', 'conformance'])],
  ['size', () => npm(['run', 'size', '--', '--own'])],
])
