/**
 * Builds dist: the types by the compiler, the code as a few modules. Everything that a client needs at once is in core.js,
 * so that no bundler tears it into shared chunks and a page without a bundler loads it with one request; what is imported on
 * demand, and what else the entries export, stands beside it.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const here = path.dirname(fileURLToPath(import.meta.url))
const dist = path.join(here, 'dist')
const entry = path.join(here, 'src/index.ts')
const oauth = path.join(here, 'src/oauth/index.ts')
const stdio = path.join(here, 'src/stdio/index.ts')

const external = ['oauth4webapi', /^node:/]

/** The modules that an entry reaches without an import on demand. */
async function modulesOf(input) {
  const bundle = await rolldown({ input, external, platform: 'neutral' })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]))
  const modules = new Set()
  const visit = ({ moduleIds, imports }) => {
    for (const id of moduleIds) modules.add(id)
    for (const name of imports) if (chunks.has(name)) visit(chunks.get(name))
  }
  visit(output.find((chunk) => chunk.isEntry))
  return modules
}

const core = await modulesOf(path.join(here, 'src/client/create-client.ts'))
const signIn = await modulesOf(oauth)
const bundle = await rolldown({
  input: { index: entry, oauth, stdio },
  external,
  platform: 'neutral',
})
fs.rmSync(dist, { recursive: true, force: true })
await bundle.write({
  dir: dist,
  format: 'esm',
  sourcemap: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  codeSplitting: {
    groups: [
      { name: 'core', test: (id) => core.has(id), priority: 1 },
      { name: 'sign-in', test: (id) => signIn.has(id) && id.includes('/src/oauth/') && !id.endsWith('/oauth/index.ts') },
    ],
  },
})
await bundle.close()
const compiler = path.join(here, '../../node_modules/typescript/bin/tsc')
for (const project of ['tsconfig.build.json', 'tsconfig.build-stdio.json'])
  execFileSync(process.execPath, [compiler, '-p', path.join(here, project)], { stdio: 'inherit' })
