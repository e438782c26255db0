// Everything a fresh clone on a fresh machine needs, and every check there is. Only Node's own modules are imported here:
// node_modules may not exist yet.
import { installChromium, installPackages } from './install.mjs'
import { npm, run, runSteps, runTool } from './run.mjs'

await runSteps([
  ['install packages', installPackages],
  ['install Chromium', installChromium],
  // --ci: a test run reports what is not formatted and changes nothing.
  ['check', () => run(process.execPath, ['scripts/check.mjs', '--ci'])],
  ['build', () => npm(['run', 'build'])],
  ['tests in Node and Chromium', () => runTool('vitest/vitest.mjs', ['run', '--coverage'])],
  ['conformance', () => npm(['run', 'conformance'])],
  ['size', () => npm(['run', 'size', '--', '--own'])],
])
