// The exhaustive loops that `npm test` samples: every byte, more random orders, more hostile servers, longer faults.
import { run, runSteps, runTool } from './run.mjs'

const exhaustive = ['apps/web/src/agent/cut-stream.test.ts', 'apps/web/src/wiring/tasks.races.test.ts']

const passed = await runSteps([
  [
    'every cut and many orders',
    () =>
      runTool('vitest/vitest.mjs', ['run', '--project=node', '--testTimeout=3600000', ...exhaustive], {
        SWITCHBOARD_DEEP: '1',
      }),
  ],
  ['fuzz', () => run(process.execPath, ['scripts/fuzz.mjs'])],
  ['soak', () => run(process.execPath, ['scripts/soak.mjs'])],
])
process.exitCode = passed ? 0 : 1
