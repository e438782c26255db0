// Does what a newcomer does: npm start, on a port of its own, until the app answers and the demo server lists its tools.
import { spawn } from 'node:child_process'
import { freePort } from './free-port.mjs'
import { root } from './run.mjs'

const PATIENCE_MS = 900_000

/** Starts everything as `npm start` does, looks at it as a browser would, and ends it. */
export async function checkStart() {
  const port = await freePort()
  const child = spawn(process.execPath, ['scripts/start.mjs', '--port', String(port), '--no-open'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const url = await printedUrl(child, port)
    const page = await (await fetch(url)).text()
    if (!page.includes('<script type="module"')) throw new Error(`${url} is not the app.`)
    const { tools } = await listDemoTools(`http://localhost:${port}/demo/mcp`)
    if (!tools.some(({ name }) => name === 'forecast')) throw new Error('The demo server has no forecast.')
    console.log(`npm start: the app and ${tools.length} demo tools at port ${port}`)
  } finally {
    child.kill('SIGTERM')
    await new Promise((resolve) => (child.exitCode === null ? child.once('exit', resolve) : resolve(undefined)))
  }
}

/**
 * The address that is printed for people, without the code in its fragment.
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null>} child
 * @param {number} port
 * @returns {Promise<string>}
 */
function printedUrl(child, port) {
  const wanted = new RegExp(`http://localhost:${port}/\\S*`)
  return new Promise((resolve, reject) => {
    let printed = ''
    const timer = setTimeout(() => reject(new Error(`npm start printed no address in time:\n${printed}`)), PATIENCE_MS)
    child.once('exit', (code) => reject(new Error(`npm start ended with exit code ${code}:\n${printed}`)))
    child.stdout.on('data', (chunk) => {
      printed += chunk
      const [found] = wanted.exec(printed) ?? []
      if (!found) return
      clearTimeout(timer)
      resolve(found.replace(/#.*/, ''))
    })
  })
}

/**
 * @param {string} url
 * @returns {Promise<{ tools: { name: string }[] }>}
 */
async function listDemoTools(url) {
  const library = new URL('../packages/mcp/dist/index.js', import.meta.url)
  const { MCPClient } = await import(library.href)
  const client = new MCPClient(url)
  try {
    return await client.listTools()
  } finally {
    await client.close()
  }
}
