// Writes what the app and the companion are made of, as CycloneDX and as SPDX, from package-lock.json: `npm run sbom`.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

const folder = join(root, 'dist', 'sbom')
mkdirSync(folder, { recursive: true })
for (const [format, name] of Object.entries({ cyclonedx: 'switchboard.cdx.json', spdx: 'switchboard.spdx.json' })) {
  const args = ['sbom', `--sbom-format=${format}`, '--package-lock-only', '--omit=dev']
  const path = process.env.npm_execpath
  const options = { cwd: root, encoding: /** @type {const} */ ('utf8'), maxBuffer: 100_000_000 }
  const text = path?.endsWith('.js')
    ? execFileSync(process.execPath, [path, ...args], options)
    : execFileSync('npm', args, options)
  const bom = JSON.parse(text)
  const parts = bom.components ?? bom.packages
  if (!Array.isArray(parts) || parts.length === 0) throw new Error(`npm sbom named no packages as ${format}.`)
  writeFileSync(join(folder, name), `${JSON.stringify(bom, null, 2)}\n`)
  console.log(`dist/sbom/${name}: ${parts.length} packages`)
}
