/**
 * Builds dist: the types by the compiler, the code as a few modules. Everything that a client needs at once is in core.js,
 * so that no bundler tears it into shared chunks and a page without a bundler loads it with one request; what is imported on
 * demand, and what else the entries export, stands beside it. switchboard-mcp.js is the main entry once more, in one file.
 *   node build.mjs                 dist, which is replaced when all of it is there
 *   node build.mjs --out <folder>  a folder of your own
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'

const here = path.dirname(fileURLToPath(import.meta.url))
const dist = path.join(here, 'dist')
const cache = path.join(here, 'node_modules/.cache')
const given = parseArgs({ options: { out: { type: 'string' } } }).values.out
const out = given === undefined ? path.join(cache, `dist-${process.pid}`) : path.resolve(given)
const entry = path.join(here, 'src/index.ts')
const oauth = path.join(here, 'src/oauth/index.ts')
const stdio = path.join(here, 'src/stdio/index.ts')

const external = ['oauth4webapi', /^node:/]

/** The modules that an entry reaches without an import on demand. */
async function modulesOf(input) {
  const bundle = await rolldown({ input, external, platform: 'neutral', cwd: here })
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

const SOURCE_MAP = {
  sourcemap: true,
  // The package holds the sources: a map that repeats them would double it.
  sourcemapExcludeSources: true,
  sourcemapPathTransform: (source, map) =>
    path.posix.join('..', path.relative(here, path.resolve(path.dirname(map), source)).replaceAll(path.sep, '/')),
}

/** In one file nothing is left to load: imports on demand become plain ones, which saves 1.9 KB of wrappers (gzip). */
const withoutImportsOnDemand = {
  name: 'without-imports-on-demand',
  transform(code) {
    let imports = ''
    const found = code.replace(/(?<!typeof )\bimport\(('\.[^']+')\)/g, (_, path) => {
      const name = `lazy${imports.length}`
      imports += `\nimport * as ${name} from ${path}`
      return `Promise.resolve(${name})`
    })
    return imports ? { code: found + imports, map: null } : undefined
  },
}

async function write(input, options, inputOptions) {
  // A name for a number is for those who read the sources.
  const optimization = { inlineConst: { mode: 'all', pass: 3 } }
  const bundle = await rolldown({ input, external, platform: 'neutral', cwd: here, optimization, ...inputOptions })
  await bundle.write({ dir: out, format: 'esm', entryFileNames: '[name].js', ...options })
  await bundle.close()
}

async function writeModules() {
  const core = await modulesOf(path.join(here, 'src/client/create-client.ts'))
  const signIn = await modulesOf(oauth)
  const isSignIn = (id) => signIn.has(id) && id.includes('/src/oauth/') && !id.endsWith('/oauth/index.ts')
  await write(
    { index: entry, oauth, stdio },
    {
      ...SOURCE_MAP,
      chunkFileNames: '[name].js',
      codeSplitting: {
        groups: [
          // Apart from the core: who imports isMCPError alone gets nothing of what the core loads on demand.
          { name: 'errors', test: (id) => id.endsWith('/src/errors.ts'), priority: 2 },
          { name: 'core', test: (id) => core.has(id), priority: 1 },
          { name: 'sign-in', test: isSignIn },
        ],
      },
    },
  )
}

function writeTypes() {
  const compiler = path.join(here, '../../node_modules/typescript/bin/tsc')
  for (const project of ['tsconfig.build.json', 'tsconfig.build-stdio.json'])
    execFileSync(process.execPath, [compiler, '-p', path.join(here, project), '--outDir', out], { stdio: 'inherit' })
  for (const name of fs.readdirSync(out, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const file = path.join(out, name)
    const text = fs
      .readFileSync(file, 'utf8')
      // The compiler leaves the names of the sources in the types; not every tool that reads types follows those.
      .replaceAll(/((?:from |import\()['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2')
      // With this mark, a client would not fit where another copy of this package wants one.
      .replaceAll(/^ *#private;\n/gm, '')
    fs.writeFileSync(file, text)
  }
}

fs.rmSync(out, { recursive: true, force: true })
await writeModules()
await write(
  { 'switchboard-mcp': entry },
  { ...SOURCE_MAP, minify: true, codeSplitting: false, comments: false },
  { plugins: [withoutImportsOnDemand] },
)
writeTypes()

/** Puts the new build into the place of the old, in one step for all who read it. */
function replaceDist() {
  const old = path.join(cache, `dist-${process.pid}-old`)
  for (let replaced = false; !replaced; ) {
    rename(dist, old, 'ENOENT')
    // Not empty: another build came between, and its dist is the old one now.
    replaced = rename(out, dist, 'ENOTEMPTY')
    fs.rmSync(old, { recursive: true, force: true })
  }
}

function rename(from, to, harmless) {
  try {
    fs.renameSync(from, to)
    return true
  } catch (error) {
    if (error.code !== harmless) throw error
    return false
  }
}

if (given === undefined) replaceDist()
