import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
])

const page = fileURLToPath(new URL('../page', import.meta.url))

/** The folder of the built library: where the package's default entry is, as for any user of it. */
const builtLibrary = () => dirname(fileURLToPath(import.meta.resolve('@switchboard/mcp')))

/**
 * Everything the page loads, by address, read once: a path that is not in here leads nowhere, whatever its dots.
 * @param {string} [library] the folder of the library, as ES modules
 * @returns {Map<string, { type: string, body: Buffer }>}
 */
export function readPageFiles(library = builtLibrary()) {
  /** @type {Map<string, { type: string, body: Buffer }>} */
  const files = new Map()
  /** @param {string} folder @param {string} prefix */
  const add = (folder, prefix) => {
    for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const type = TYPES.get(extname(entry))
      if (type) files.set(prefix + entry.split(sep).join('/'), { type, body: readFileSync(join(folder, entry)) })
    }
  }
  add(page, '/')
  const index = files.get('/index.html')
  if (index) files.set('/', index)
  if (existsSync(library)) add(library, '/library/')
  if (!files.has('/library/index.js')) {
    throw new Error('The library is not built yet: run npm run build, or npm start at the root, which does.')
  }
  return files
}
