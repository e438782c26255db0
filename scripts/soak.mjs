// Two minutes of faults: 50 tasks over 5 servers in two tabs of the built app. Everything after `--` goes to Playwright.
//   npm run soak                      a seed by chance, which is printed
//   SWITCHBOARD_SEED=7 npm run soak   the same faults as another run
import { npm, runSteps, runTool } from './run.mjs'

const chaos = ['test', '--config', 'apps/web/playwright.config.ts', '--workers=1', 'apps/web/e2e/chaos.spec.ts']

const passed = await runSteps([
  ['build', () => npm(['run', 'build'])],
  ['soak', () => runTool('@playwright/test/cli.js', [...chaos, ...process.argv.slice(2)], { SWITCHBOARD_SOAK: '1' })],
])
process.exitCode = passed ? 0 : 1
