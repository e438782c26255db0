// More inputs than `npm test` has time for: the SSE parser against Chromium's own EventSource, and OAuth against hostile servers.
import { runSteps, runTool } from './run.mjs'

const count = process.env.SWITCHBOARD_FUZZ ?? '20000'

/** @param {string} project @param {string} file */
const fuzz = (project, file) => () =>
  runTool('vitest/vitest.mjs', ['run', `--project=${project}`, `packages/mcp/test/${file}`], {
    SWITCHBOARD_FUZZ: count,
  })

const passed = await runSteps([
  [`fuzz, ${count} streams`, fuzz('browser', 'browser/sse-fuzz.test.ts')],
  [`fuzz, ${count} hostile authorization servers`, fuzz('node', 'oauth/fuzz.test.ts')],
])
process.exitCode = passed ? 0 : 1
