import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'

/**
 * Notes in `folder` what of the app's scripts ran in the pages of a context, for scripts/coverage.mjs. Returns what ends it.
 * A page that was closed before is not counted, and the engine never is: workers are not seen here.
 */
export function collectCoverage(context: BrowserContext, folder: string): () => Promise<void> {
  const pages: Page[] = []
  const starting: Promise<void>[] = []
  context.on('page', (page) => {
    pages.push(page)
    // A page may close before this is done.
    starting.push(page.coverage.startJSCoverage({ resetOnNavigation: false }).catch(() => {}))
  })
  return async () => {
    await Promise.all(starting)
    mkdirSync(folder, { recursive: true })
    for (const page of pages.filter((page) => !page.isClosed())) {
      const scripts = await page.coverage.stopJSCoverage()
      const ours = scripts
        .filter(({ url }) => new URL(url).pathname.startsWith('/assets/'))
        .map(({ url, functions }) => ({ file: new URL(url).pathname.slice(1), functions }))
      writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(ours))
    }
  }
}
