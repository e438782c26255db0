import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from '@playwright/test'
import { chromiumFlags, findChromium } from '../../../scripts/chromium.mjs'

export interface KillableBrowser {
  context: BrowserContext
  /** Everything that the browser has written. */
  profile: string
  /** As a power cut would: no process of it can tidy up. */
  kill(): Promise<void>
  /** As a lid that is closed: no process of it does anything, until it goes on. */
  stop(): void
  goOn(): void
  remove(): void
}

/** A new folder for the profile of a browser. */
export const newProfile = (): string => mkdtempSync(join(tmpdir(), 'switchboard-profile-'))

/** A browser with a profile folder on the disk: a new one, or the one that another left. */
export async function startKillableBrowser(profile = newProfile()): Promise<KillableBrowser> {
  const executablePath = findChromium()
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath ? { executablePath } : {}),
    args: chromiumFlags,
    viewport: { width: 1200, height: 800 },
  })
  const send = (signal: NodeJS.Signals): void => {
    for (const group of groupsOf(profile)) process.kill(-group, signal)
  }
  return {
    context,
    profile,
    stop: () => send('SIGSTOP'),
    goOn: () => send('SIGCONT'),
    async kill() {
      const closed = new Promise((resolve) => context.once('close', resolve))
      send('SIGKILL')
      await closed
    },
    remove: () => rmSync(profile, { recursive: true, force: true }),
  }
}

/** The process groups of the browser that has this folder for its profile. */
function groupsOf(profile: string): Set<number> {
  const listed = execFileSync('ps', ['-A', '-ww', '-o', 'pgid=,command='], { encoding: 'utf8' })
  const own = listed.split('\n').filter((line) => line.includes(`--user-data-dir=${profile}`))
  return new Set(own.map((line) => Number.parseInt(line, 10)))
}
