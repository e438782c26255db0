// A mirror that holds the packages of one platform only makes npm write a lockfile without the others, and `npm ci` refuses
// that lockfile. This adds them: name, exact version and platform.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']
/** @type {Record<string, string>} */
const libraries = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' }

/** @typedef {{ link?: boolean, integrity?: string, version?: string, dev?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[], optionalDependencies?: Record<string, string> }} Entry */

/**
 * The entries of packages for other platforms that the lockfile lacks.
 * @param {Record<string, Entry>} packages
 * @returns {Record<string, Entry>}
 */
function missingPlatforms(packages) {
  /** @type {Record<string, Entry>} */
  const missing = {}
  for (const [parent, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const words = name.split(/[/-]/)
      const os = words.filter((word) => systems.includes(word))
      const cpu = words.filter((word) => processors.includes(word))
      const libc = words.flatMap((word) => libraries[word] ?? [])
      const isForOnePlatform = cpu.length > 0 && /^\d/.test(version)
      if (!isForOnePlatform || packages[`node_modules/${name}`] || packages[`${parent}/node_modules/${name}`]) continue
      missing[`node_modules/${name}`] = {
        version,
        cpu,
        ...(dev ? { dev } : {}),
        ...(libc.length > 0 ? { libc } : {}),
        optional: true,
        ...(os.length > 0 ? { os } : {}),
      }
    }
  }
  return missing
}

/** @param {Entry} entry */
const isForOnePlatform = ({ optional, cpu, os }) => optional === true && (cpu !== undefined || os !== undefined)

/**
 * The installed entries whose hash the lockfile lacks: npm would take whatever a registry sends for them.
 * @param {Record<string, Entry>} packages
 */
export const withoutIntegrity = (packages) =>
  Object.entries(packages)
    .filter(([path, { link, integrity }]) => path.includes('node_modules/') && !link && !isSha512(integrity))
    .map(([path, entry]) => ({ path, entry }))

/** @param {string | undefined} integrity */
const isSha512 = (integrity) => /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '')

/**
 * The hash that the registry states for a package; undefined where it does not have it.
 * @param {string} path
 * @param {Entry} entry
 */
function askIntegrity(path, { version }) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const { status, stdout } = spawnSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  const integrity = stdout?.trim()
  return status === 0 && isSha512(integrity) ? integrity : undefined
}

/**
 * Adds the hashes that are missing, where the registry has them, and refuses a lockfile that lacks one. A package for a
 * platform that the registry in use does not have is named instead: it cannot be installed from there either.
 * @param {Record<string, Entry>} packages
 * @param {{ asks: boolean }} options
 * @returns {boolean} Whether a hash was added
 */
export function completeIntegrity(packages, { asks }) {
  let added = false
  const open = withoutIntegrity(packages).filter(({ path, entry }) => {
    const integrity = asks ? askIntegrity(path, entry) : undefined
    if (integrity === undefined) return true
    entry.integrity = integrity
    added = true
    return false
  })
  const wrong = open.filter(({ entry }) => !isForOnePlatform(entry)).map(({ path }) => path)
  if (wrong.length > 0) throw new Error(`package-lock.json has no SHA-512 hash for ${wrong.join(', ')}`)
  if (open.length > 0)
    console.log(
      `${open.length} packages of other platforms have no hash yet. Where a registry has them: npm run check -- lockfile`,
    )
  return added
}

/**
 * Adds the packages and hashes that are missing, or says so where nothing may be written. `asks`: the registry is asked for
 * hashes, which takes a while.
 * @param {{ writes: boolean, asks: boolean }} options
 */
export function completeLockfile({ writes, asks }) {
  const file = join(root, 'package-lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const missing = missingPlatforms(lock.packages)
  const count = Object.keys(missing).length
  if (count > 0 && !writes)
    throw new Error(`package-lock.json lacks ${count} packages of other platforms: npm run check`)
  const entries = Object.entries({ ...lock.packages, ...missing })
  lock.packages = Object.fromEntries(entries.sort(([a], [b]) => a.localeCompare(b, 'en')))
  const hasNewHashes = completeIntegrity(lock.packages, { asks })
  if (count > 0 || hasNewHashes) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(
    count === 0
      ? 'package-lock.json names the packages of every platform'
      : `${count} packages of other platforms added to package-lock.json`,
  )
}
