import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const run = promisify(execFile)

const library = fileURLToPath(new URL('../../', import.meta.url))
export const root = fileURLToPath(new URL('../../../../', import.meta.url))

export interface Packed {
  /** The file that would be published. */
  tarball: string
  /** Its contents, as installed in a project that has nothing else. */
  installed: string
  project: string
  remove(): void
}

/** Builds the library as its sources are now; `dist` of the repository stays as it is. */
export async function buildInto(folder: string): Promise<void> {
  await run(process.execPath, [join(library, 'build.mjs'), '--out', folder])
}

/** Packs the library as it is now, and installs that into an empty project, without a network. */
export async function packLibrary(): Promise<Packed> {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-package-'))
  const [staged, project] = [join(folder, 'staged'), join(folder, 'project')]
  cpSync(library, staged, {
    recursive: true,
    filter: (path) => !['node_modules', 'dist', 'test'].includes(relative(library, path).split('/')[0] ?? ''),
  })
  await buildInto(join(staged, 'dist'))
  const npm = (args: string[], cwd: string) =>
    run('npm', [...args, '--ignore-scripts', '--offline', '--cache', join(folder, 'cache')], { cwd })
  await npm(['pack', '--pack-destination', folder], staged)
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
  mkdirSync(project)
  const dependencies = {
    '@switchboard/mcp': `file:${tarball}`,
    oauth4webapi: `file:${join(root, 'node_modules/oauth4webapi')}`,
  }
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', dependencies }))
  await npm(['install', '--no-audit', '--no-fund'], project)
  return {
    tarball,
    installed: join(project, 'node_modules/@switchboard/mcp'),
    project,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The files under a folder, by their paths from there. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()

export const readJson = (file: string): any => JSON.parse(readFileSync(file, 'utf8'))
export const isThere = existsSync
