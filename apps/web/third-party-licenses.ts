import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { Plugin } from 'vite'

/** Where the built app has the licence texts; Settings → About links to it. */
export const LICENSES_FILE = 'third-party-licenses.txt'

interface Package {
  name: string
  version: string
  license: string
  text: string
}

/** The folder of the package that a module belongs to; undefined for our own modules. */
function packageFolder(id: string): string | undefined {
  const path = id.replace(/^\0/, '').split('?', 1)[0] ?? ''
  if (!path.includes(`${sep}node_modules${sep}`)) return undefined
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    // Some packages have further package.json files inside, which only say how the modules beside them are written.
    if (existsSync(file) && 'name' in readJson(file) && 'version' in readJson(file)) return folder
  }
  return undefined
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>

/** The full text of a licence, for packages that only name it. */
function standardText(license: string): string | undefined {
  const file = new URL(`./licenses/${license}.txt`, import.meta.url)
  return /^[\w.-]+$/.test(license) && existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

const authorOf = (author: unknown): string => {
  const { name } = (author ?? {}) as { name?: unknown }
  return [author, name].find((one) => typeof one === 'string') ?? 'its authors'
}

function readPackage(folder: string): Package {
  const { name, version, license, author } = readJson(join(folder, 'package.json'))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const ownText = texts.join('\n\n')
  const standard = standardText(String(license))
  // A package without a file of its own names its licence; the terms stand at the end, where they are long.
  const named = standard === undefined ? '' : `Copyright ${authorOf(author)}. The terms are at the end of this file.`
  return { name: String(name), version: String(version), license: String(license), text: ownText || named }
}

/** The packages of these modules, each version once, in the order of their names. Throws where one has no licence text. */
export function licensesOf(moduleIds: Iterable<string>): Package[] {
  const folders = new Set([...moduleIds].flatMap((id) => packageFolder(id) ?? []))
  const byName = new Map([...folders].map(readPackage).map((one) => [`${one.name} ${one.version}`, one]))
  const packages = [...byName.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  const without = packages.filter(({ text }) => text === '').map(({ name }) => name)
  if (without.length > 0)
    throw new Error(`These packages are in the app and have no licence text: ${without.join(', ')}`)
  return packages
}

const RULE = '─'.repeat(80)

export function licenseText(packages: readonly Package[]): string {
  const names = [...new Set(packages.map(({ license }) => license))].toSorted()
  const standards = names.flatMap((license) => {
    const text = standardText(license)
    return text === undefined ? [] : [`${RULE}\nThe terms of ${license}\n\n${text}`]
  })
  return [
    'Switchboard contains parts of the packages below. Their licences and notices follow.',
    ...packages.map(({ name, version, license, text }) => `${RULE}\n${name} ${version} (${license})\n\n${text}`),
    ...standards,
  ].join('\n\n')
}

/** Puts the licence texts of everything that was bundled beside the app, as those licences demand. */
export const thirdPartyLicenses = (): Plugin => ({
  name: 'third-party-licenses',
  apply: 'build',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((output) => (output.type === 'chunk' ? output.moduleIds : []))
    this.emitFile({ type: 'asset', fileName: LICENSES_FILE, source: `${licenseText(licensesOf(modules))}\n` })
  },
})
