// A mirror that holds the packages of one platform only makes npm write a lockfile without the others, and `npm ci` refuses
// that lockfile. This adds them: name, exact version and platform.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']
/** @type {Record<string, string>} */
const libraries = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' }

/** @typedef {{ version?: string, dev?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[], optionalDependencies?: Record<string, string> }} Entry */

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

/**
 * Adds what is missing, or says so where nothing may be written.
 * @param {{ writes: boolean }} options
 */
export function completeLockfile({ writes }) {
  const file = join(root, 'package-lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const missing = missingPlatforms(lock.packages)
  const count = Object.keys(missing).length
  if (count === 0) return console.log('package-lock.json names the packages of every platform')
  if (!writes) throw new Error(`package-lock.json lacks ${count} packages of other platforms: npm run check`)
  const entries = Object.entries({ ...lock.packages, ...missing })
  lock.packages = Object.fromEntries(entries.sort(([a], [b]) => a.localeCompare(b, 'en')))
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`${count} packages of other platforms added to package-lock.json`)
}
