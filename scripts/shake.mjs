// The tests on a machine that stands still now and then: about every second and a half one process of the run (a worker of the
// tests, a server, a page) is stopped for more than a second. What fails then depends on time. Linux only.
//   npm run shake -- vitest packages/mcp/test/faults
//   npm run shake -- e2e tasks              (build first)
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from './run.mjs'

const EVERY_MS = 1500
const STOPPED_MS = 1200

const tools = {
  vitest: ['node_modules/vitest/vitest.mjs', 'run'],
  e2e: ['node_modules/@playwright/test/cli.js', 'test', '--config', 'apps/web/playwright.config.ts'],
}
const [name = '', ...args] = process.argv.slice(2)
if (process.platform !== 'linux' || !(name in tools)) {
  console.error('On Linux: npm run shake -- vitest [files], or npm run shake -- e2e [specs]')
  process.exit(2)
}
const tool = tools[/** @type {keyof typeof tools} */ (name)]
const run = spawn(process.execPath, [...tool, ...args], { cwd: root, stdio: 'inherit' })
/** @type {number | undefined} */
let exitCode
run.once('exit', (code) => (exitCode = code ?? 1))
run.once('error', () => (exitCode = 1))
// The run ends by it too; whoever is stopped just then has to be let go first.
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(name, () => run.kill(name))

let stalls = 0
while (exitCode === undefined) {
  await wait(2 * EVERY_MS * Math.random())
  const below = run.pid === undefined ? [] : descendantsOf(run.pid)
  const one = below[Math.floor(Math.random() * below.length)]
  if (one === undefined || exitCode !== undefined) continue
  if (!signal(one, 'SIGSTOP')) continue
  await wait(STOPPED_MS)
  signal(one, 'SIGCONT')
  stalls++
}
console.log(`\n${stalls} times something stood still for ${STOPPED_MS} ms.`)
process.exit(exitCode)

/**
 * All processes that a process started, and those that they started; not itself, which only counts.
 * @param {number} pid
 */
function descendantsOf(pid) {
  /** @type {Map<number, number>} */
  const parents = new Map()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      // The name may hold anything, so what follows its last bracket.
      const fields = readFileSync(`/proc/${entry}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      parents.set(Number(entry), Number(fields[1]))
    } catch {
      // It has ended meanwhile.
    }
  }
  const all = new Set([pid])
  for (const one of all) for (const [child, parent] of parents) if (parent === one) all.add(child)
  all.delete(pid)
  return [...all]
}

/**
 * Whether it was still there to hear it.
 * @param {number} pid
 * @param {'SIGSTOP' | 'SIGCONT'} name
 */
function signal(pid, name) {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
