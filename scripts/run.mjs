import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that holds the root package.json. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Runs a command in the root folder with our own output, and fails with its exit code.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<void>}
 */
export function run(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`${command} ${args.join(' ')} ended with ${signal ?? `exit code ${code}`}`))
    })
  })
}

/**
 * Runs a program of an installed package, named by its file in node_modules.
 * @param {string} file
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
export const runTool = (file, args, env) => run(process.execPath, [`node_modules/${file}`, ...args], env)

/**
 * Runs npm: the one that started us, where there is one.
 * @param {string[]} args
 */
export function npm(args) {
  const path = process.env.npm_execpath
  return path?.endsWith('.js') ? run(process.execPath, [path, ...args]) : run('npm', args)
}

/**
 * Runs the steps in order, prints each with its duration, and reports all failures at the end. After a failure only a
 * required step ends the run early. A text that a step returns is printed beside its duration.
 * @param {[name: string, step: () => unknown, options?: { required: boolean }][]} steps
 * @returns {Promise<boolean>} Whether every step succeeded
 */
export async function runSteps(steps) {
  /** @type {string[]} */
  const lines = []
  const began = performance.now()
  let failures = 0
  for (const [name, step, { required } = { required: false }] of steps) {
    console.log(`\n▶ ${name}`)
    const start = performance.now()
    try {
      const note = await step()
      lines.push(`  ✔ ${name.padEnd(30)} ${seconds(start)}${typeof note === 'string' ? `  ${note}` : ''}`)
    } catch (error) {
      failures += 1
      lines.push(`  ✘ ${name.padEnd(30)} ${seconds(start)}`)
      console.error(`\n${error instanceof Error ? error.message : String(error)}`)
      if (required) break
    }
  }
  const outcome = failures === 0 ? 'passed in' : `${failures} of ${steps.length} steps failed, after`
  console.log(`\n${lines.join('\n')}\n  ${outcome} ${seconds(began).trim()}`)
  return failures === 0
}

/** @param {number} start */
const seconds = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`.padStart(9)
