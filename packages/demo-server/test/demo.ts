import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright'

export interface Demo {
  url: string
  mcpUrl: string
  close(): Promise<void>
}
export interface DemoOptions {
  port?: number
  allowedOrigins?: readonly string[]
}

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A module of plain JavaScript, which not every project that uses this file type-checks. */
const load = (path: string): Promise<unknown> => import(new URL(path, import.meta.url).href)

/** The demo server, on a port of its own. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const module = (await load('../src/start-demo.mjs')) as { startDemo(options: DemoOptions): Promise<Demo> }
  return module.startDemo(options)
}

/** Compiles the library as it is now into a folder of its own: a page in a test must not load the build of yesterday. */
export async function buildLibrary(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-library-'))
  const project = join(root, 'packages/mcp/tsconfig.build.json')
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--outDir', folder, '--declaration', 'false', '--emitDeclarationOnly', 'false']
  await promisify(execFile)(process.execPath, [tsc, '-p', project, ...options])
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** The system's Chromium. */
export async function launchChromium(): Promise<Browser> {
  const { chromiumFlags, findChromium } = (await load('../../../scripts/chromium.mjs')) as {
    chromiumFlags: string[]
    findChromium(): string | undefined
  }
  const executablePath = findChromium()
  return chromium.launch({ ...(executablePath ? { executablePath } : {}), args: chromiumFlags })
}
