// Format, lint, type-check: `node scripts/check.mjs [--ci] [step …]`.
// With --ci, or CI in the environment, no file is written.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkImportMap, fixtures } from './check-import-map.mjs'
import { completeLockfile } from './complete-lockfile.mjs'
import { root, runSteps, runTool } from './run.mjs'

const args = process.argv.slice(2)
const writes = !args.includes('--ci') && !process.env.CI
const chosen = args.filter((arg) => arg !== '--ci')

/** @type {Record<string, () => Promise<void>>} */
const steps = {
  format: async () => {
    await runTool('@biomejs/biome/bin/biome', ['format', ...(writes ? ['--write'] : [])]).catch((error) => {
      if (!writes) console.error('To format the files: npm run format')
      throw error
    })
  },
  lint: () => runTool('oxlint/bin/oxlint', ['--deny-warnings', `--ignore-pattern=${fixtures}/**`]),
  'import-map': checkImportMap,
  lockfile: async () => completeLockfile({ writes, asks: writes && chosen.includes('lockfile') }),
  'type-check': () => runTool('typescript/bin/tsc', ['-b', '.', ...typedFolders()]),
}

/** Every package and app is type-checked; one with sources and no tsconfig.json is an oversight. */
function typedFolders() {
  const folders = ['packages', 'apps']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
  return folders.filter((folder) => {
    if (existsSync(join(root, folder, 'tsconfig.json'))) return true
    const src = join(root, folder, 'src')
    if (!existsSync(src) || !readdirSync(src, { recursive: true }).some((name) => /\.tsx?$/.test(String(name)))) {
      return false
    }
    throw new Error(`${folder} has TypeScript sources and no tsconfig.json: nothing would check its types.`)
  })
}

const unknown = chosen.filter((name) => !Object.hasOwn(steps, name))
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. There are: ${Object.keys(steps).join(', ')}`)
  process.exit(2)
}
const passed = await runSteps(Object.entries(steps).filter(([name]) => chosen.length === 0 || chosen.includes(name)))
process.exitCode = passed ? 0 : 1
