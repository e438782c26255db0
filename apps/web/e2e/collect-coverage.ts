import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { noteWhatRuns } from './note-what-runs.ts'

/** What V8 says of a script: which parts of it ran. */
interface Script {
  url: string
  functions: unknown
}

/**
 * Notes in `folder` what of the app's scripts ran in the pages of a context and in their engines, for scripts/coverage.mjs.
 * Returns what ends it. A page that was closed before, and an engine that a reload has ended, are not counted.
 */
export function collectCoverage(context: BrowserContext, folder: string): () => Promise<void> {
  const stops: (() => Promise<Script[]>)[] = []
  context.on('page', (page) => stops.push(follow(context, page)))
  return async () => {
    mkdirSync(folder, { recursive: true })
    for (const stop of stops) {
      const ours = (await stop())
        .filter(({ url }) => URL.canParse(url) && new URL(url).pathname.startsWith('/assets/'))
        .map(({ url, functions }) => ({ file: new URL(url).pathname.slice(1), functions }))
      writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(ours))
    }
  }
}

function follow(context: BrowserContext, page: Page): () => Promise<Script[]> {
  // A page may close before it is followed, or while it is asked.
  const notes = noteWhatRuns(context, page).catch(() => undefined)
  return async () => (page.isClosed() ? [] : ((await (await notes)?.takeCoverage().catch(() => [])) ?? []))
}
