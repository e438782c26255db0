import { type ChildProcess, spawn } from 'node:child_process'

/** How long programs may take to end when they are asked to. */
const GRACE_MS = 2000

/** What the reaper runs: it reads which programs there are, and when we are gone it ends those that are left. */
const DEED = `
const pids = new Set()
const end = (signal) => { for (const pid of pids) try { process.kill(process.platform === 'win32' ? pid : -pid, signal) } catch {} }
require('node:readline').createInterface({ input: process.stdin })
  .on('line', (line) => line[0] === '+' ? pids.add(+line.slice(1)) : pids.delete(+line.slice(1)))
  .on('close', () => { end('SIGTERM'); if (pids.size > 0) setTimeout(() => end('SIGKILL'), ${GRACE_MS}) })
`

/**
 * Ends the programs that outlive us when we are killed: a program that does not notice the end of its input would run for ever.
 * It is a small process of its own, because a killed one can do nothing any more.
 */
export interface Reaper {
  watch(pid: number): void
  release(pid: number): void
  close(): void
}

export function createReaper(): Reaper {
  let helper: ChildProcess | undefined
  const say = (line: string): void => void helper?.stdin?.write(`${line}\n`)
  return {
    watch(pid) {
      helper ??= start()
      say(`+${pid}`)
    },
    release: (pid) => say(`-${pid}`),
    close: () => void helper?.stdin?.end(),
  }
}

function start(): ChildProcess {
  // A group of its own: the Ctrl+C that ends us must not end it first.
  const helper = spawn(process.execPath, ['-e', DEED], { stdio: ['pipe', 'ignore', 'ignore'], env: {}, detached: true })
  // Without it everything works but the end after a kill.
  helper.on('error', () => {})
  helper.stdin?.on('error', () => {})
  helper.unref()
  return helper
}
