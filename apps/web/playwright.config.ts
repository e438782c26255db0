import { defineConfig } from '@playwright/test'
import { chromiumFlags, findChromium } from '../../scripts/chromium.mjs'

const executablePath = findChromium()

// The built app, served by the companion, in the Chromium of the system.
export default defineConfig({
  testDir: 'e2e',
  // They end a wait that would never end, on a machine that may be several times slower and busy.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  fullyParallel: true,
  // Some wait for a clock or for a server that is away: with two, a tenth of two cores had nothing to do.
  workers: 3,
  forbidOnly: true,
  reporter: [['list', { printSteps: false }], ['../../scripts/test-run/playwright-reporter.mjs']],
  outputDir: 'node_modules/.cache/e2e',
  use: {
    launchOptions: { ...(executablePath ? { executablePath } : {}), args: chromiumFlags },
    viewport: { width: 1200, height: 800 },
    // It costs a third of the time. Where a test fails: `--trace=retain-on-failure`.
    trace: 'off',
  },
})
