import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * @typedef {{ id: string, status: string, description?: string, errorMessage?: string, details?: unknown }} Check
 * @typedef {{ checks: Check[], stdout: string, stderr: string }} ScenarioResult
 * @typedef {{ code: number | null, stdout: string, stderr: string, results: (scenario: string) => ScenarioResult | undefined }} ToolRun
 */

const compiled = mkdtempSync(join(tmpdir(), 'switchboard-compiled-'))

/** What is to end when the runner is stopped half way. @type {Map<string, number | undefined>} */
const running = new Map()
process.once('exit', () => {
  rmSync(compiled, { recursive: true, force: true })
  for (const [folder, pid] of running) {
    endGroup(pid)
    rmSync(folder, { recursive: true, force: true })
  }
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/**
 * Runs one of the tools to its end.
 * @param {string} node The Node that can run it
 * @param {string} cli
 * @param {string[]} args
 * @param {number} limitMs
 * @returns {Promise<ToolRun>}
 */
export async function runTool(node, cli, args, limitMs) {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-conformance-'))
  try {
    const output = args[0] === 'client' ? ['--output-dir', folder] : []
    // A group of its own: the tool's time-out ends only the shell, and a hung client would hold the tool's pipes for ever.
    const child = spawn(node, [cli, ...args, ...output], {
      cwd: folder,
      // The tool is started a hundred times and is large: its Node keeps what it has compiled.
      env: { ...process.env, NODE_COMPILE_CACHE: compiled },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.set(folder, child.pid)
    const stopwatch = setTimeout(endGroup, limitMs, child.pid)
    const [stdout, stderr, code] = await Promise.all([
      readAll(child.stdout),
      readAll(child.stderr),
      new Promise((resolve, reject) => child.once('error', reject).once('close', resolve)),
    ])
    clearTimeout(stopwatch)
    const results = readResults(folder)
    return { code, stdout, stderr, results: (scenario) => results.get(scenario) }
  } finally {
    running.delete(folder)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {number | undefined} pid The leader of the group */
function endGroup(pid) {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** @param {import('node:stream').Readable} stream */
async function readAll(stream) {
  let text = ''
  for await (const chunk of stream.setEncoding('utf8')) text += chunk
  return text
}

/**
 * The tools write `<scenario>-<time>/checks.json`, the client's stdout and its stderr.
 * @param {string} folder
 * @returns {Map<string, ScenarioResult>}
 */
function readResults(folder) {
  const results = new Map()
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('checks.json')) continue
    const scenario = dirname(path)
      .replaceAll('\\', '/')
      .replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
    const read = (/** @type {string} */ name) => readFileSync(join(folder, dirname(path), name), 'utf8')
    results.set(scenario, {
      checks: JSON.parse(read('checks.json')),
      stdout: read('stdout.txt'),
      stderr: read('stderr.txt'),
    })
  }
  return results
}
