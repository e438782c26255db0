// The SSE parser against Chromium's own EventSource, with more streams than `npm test` has time for.
import { runSteps, runTool } from './run.mjs'

const streams = process.env.SWITCHBOARD_FUZZ ?? '20000'
const args = ['run', '--project=browser', 'packages/mcp/test/browser/sse-fuzz.test.ts']

await runSteps([[`fuzz, ${streams} streams`, () => runTool('vitest/vitest.mjs', args, { SWITCHBOARD_FUZZ: streams })]])
