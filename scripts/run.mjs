import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that holds the root package.json. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** A command that ended with an exit code other than 0. */
export class CommandFailed extends Error {
  /**
   * @param {string} line
   * @param {number} exitCode
   */
  constructor(line, exitCode) {
    super(`${line} ended with exit code ${exitCode}`)
    this.exitCode = exitCode
  }
}

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
      else reject(new CommandFailed(`${command} ${args.join(' ')}`, code ?? (signal === 'SIGINT' ? 130 : 1)))
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
 * Runs the steps in order, prints each with its duration, and stops the program at the first that fails.
 * @param {[name: string, step: () => unknown][]} steps
 * @returns {Promise<void>}
 */
export async function runSteps(steps) {
  /** @type {string[]} */
  const lines = []
  const began = performance.now()
  for (const [name, step] of steps) {
    console.log(`\n▶ ${name}`)
    const start = performance.now()
    try {
      await step()
      lines.push(`  ✔ ${name.padEnd(28)} ${seconds(start)}`)
    } catch (error) {
      lines.push(`  ✘ ${name.padEnd(28)} ${seconds(start)}`)
      console.error(`\n${error instanceof Error ? error.message : String(error)}`)
      console.log(`\n${lines.join('\n')}\n  failed after ${seconds(began).trim()}`)
      process.exit(error instanceof CommandFailed ? error.exitCode : 1)
    }
  }
  console.log(`\n${lines.join('\n')}\n  passed in ${seconds(began).trim()}`)
}

/** @param {number} start */
const seconds = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`.padStart(9)
