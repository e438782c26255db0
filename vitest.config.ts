import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumFlags, findChromium } from './scripts/chromium.mjs'

// Inside the repository a package is imported from its sources, so that no test runs against a stale build.
const conditions = ['switchboard-source']

const inBrowser = [
  'packages/*/test/browser/**/*.test.ts',
  'packages/*/**/*.browser.test.ts',
  'apps/*/src/**/*.browser.test.{ts,tsx}',
]
const never = ['**/node_modules/**', '**/dist/**', 'apps/web/e2e/**']

const uncounted = [
  // Runs in a worker, where coverage is not seen; every end-to-end test needs it.
  'apps/web/src/engine.ts',
  // Only for tests.
  '**/*.test.{ts,tsx}',
  '**/*-in-test.{ts,tsx}',
  '**/sample-*.ts',
  'apps/web/src/mcp/test/**',
  'apps/web/src/storage/write-in-worker.ts',
  'apps/web/src/vault/quick-derivation.ts',
]

// Servers that pages talk to run in Node: this file starts them and hands their addresses over with provide().
const browserSetup = fileURLToPath(new URL('packages/testkit/src/browser-setup.ts', import.meta.url))

const executablePath = findChromium()

// What ends a wait that would never end, on a machine with other things to do: no promise of how long anything takes.
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } }

export default defineConfig({
  test: {
    allowOnly: false,
    // Most tests wait more than they compute: with one worker a core, a third of the machine had nothing to do.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    coverage: {
      provider: 'v8',
      include: ['packages/{mcp,demo-server}/src/**/*.{ts,mjs}', 'apps/*/src/**/*.{ts,tsx}'],
      exclude: uncounted,
      // scripts/coverage.mjs adds what the end-to-end tests ran, prints it all and judges it.
      reporter: ['json'],
      // A file that failed by chance is run again; what the others covered still counts.
      reportOnFailure: true,
    },
    projects: [
      {
        resolve: { conditions: [...conditions, 'module', 'node', 'development|production'] },
        ssr: { resolve: { conditions: [...conditions, 'module', 'node', 'development|production'] } },
        test: {
          name: 'node',
          environment: 'node',
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/*/test/**/*.test.ts',
            'apps/*/src/**/*.test.ts',
            'apps/*/test/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [...never, ...inBrowser],
          ...patience,
          // Its modules for bundlers import without extensions, which Node alone does not follow.
          server: { deps: { inline: [/@opentelemetry\/api/, /node_modules\/ai(-[56].*)?\//] } },
        },
      },
      {
        resolve: { conditions: [...conditions, 'module', 'browser', 'development|production'] },
        // Found at the start, not in the middle of a test, which would then be reloaded.
        optimizeDeps: {
          include: [
            'dexie',
            'zod/mini',
            'react',
            'react/jsx-dev-runtime',
            'react-dom',
            'react-dom/client',
            'wouter',
            'wouter/use-hash-location',
            '@cfworker/json-schema',
            '@ai-sdk/anthropic',
            '@ai-sdk/openai',
            '@ai-sdk/openai-compatible',
            'fake-indexeddb',
            '@switchboard/web > highlight.js/lib/core',
            '@switchboard/web > highlight.js/lib/languages/bash',
            '@switchboard/web > highlight.js/lib/languages/css',
            '@switchboard/web > highlight.js/lib/languages/diff',
            '@switchboard/web > highlight.js/lib/languages/go',
            '@switchboard/web > highlight.js/lib/languages/java',
            '@switchboard/web > highlight.js/lib/languages/javascript',
            '@switchboard/web > highlight.js/lib/languages/json',
            '@switchboard/web > highlight.js/lib/languages/python',
            '@switchboard/web > highlight.js/lib/languages/rust',
            '@switchboard/web > highlight.js/lib/languages/sql',
            '@switchboard/web > highlight.js/lib/languages/typescript',
            '@switchboard/web > highlight.js/lib/languages/xml',
            '@switchboard/web > highlight.js/lib/languages/yaml',
            'mdast-util-from-markdown',
            'mdast-util-gfm',
            'micromark-extension-gfm',
          ],
        },
        // The global set-up of a browser project runs in Node, in an environment of this name.
        environments: {
          __vitest__: { resolve: { conditions: [...conditions, 'module', 'node', 'development|production'] } },
        },
        test: {
          name: 'browser',
          include: inBrowser,
          exclude: never,
          ...patience,
          globalSetup: existsSync(browserSetup) ? [browserSetup] : [],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { ...(executablePath ? { executablePath } : {}), args: chromiumFlags },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
