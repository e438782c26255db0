import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { npm, root, run } from './run.mjs'

/** Installs the packages of the lockfile when node_modules is missing or holds others. */
export async function installPackages() {
  const reason = staleness()
  if (!reason) return console.log('node_modules is what package-lock.json asks for')
  console.log(`npm ci, because ${reason}`)
  await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
}

/** Installs Chromium where the system has none, on systems with apt-get. */
export async function installChromium() {
  const found = findChromium()
  if (found) return console.log(found)
  const byHand = 'apt-get update && apt-get install -y chromium'
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(
      `The tests need Chromium, and there is none on the PATH.\nInstall it (Debian, as root: ${byHand}), or name one in SWITCHBOARD_CHROMIUM.`,
    )
  }
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update'], env)
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], env)
  if (!findChromium()) throw new Error('apt-get installed chromium, but it is not on the PATH.')
}

/**
 * Why node_modules does not fit the lockfile. The versions are compared, not the times of the files:
 * a checkout or a copy gives those any order.
 * @returns {string | undefined}
 */
function staleness() {
  const installed = packagesIn(join(root, 'node_modules', '.package-lock.json'))
  if (!installed) return 'node_modules is missing'
  const wanted = packagesIn(join(root, 'package-lock.json'))
  if (!wanted) return undefined
  for (const [path, { version, optional, devOptional, link }] of Object.entries(wanted)) {
    if (!path.includes('node_modules/')) continue
    const here = installed[path]
    // A package for another platform is never installed.
    if (!here && (optional || devOptional)) continue
    if (!here || here.version !== version || here.link !== link) return `${path} is not as the lockfile says`
  }
  return undefined
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean, devOptional?: boolean, link?: boolean }> | undefined}
 */
function packagesIn(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined
}
