import type { ChildProcess } from 'node:child_process'
import process from 'node:process'

/** Programs start programs: `npx`, `uvx` and shells are only the first of a group. Windows knows no such groups. */
export const hasGroups = process.platform !== 'win32'

/** How often it is looked whether somebody is left: nobody tells. */
const LOOK_MS = 20
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const running = new Set<ChildProcess>()

/** Signals a program that was started with `detached: hasGroups`, and all that it started. */
export function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (!hasGroups || child.pid === undefined) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // They are gone already.
  }
}

/** Whether any of them is still there. What left the group by itself (`setsid`) is not known. */
function groupRuns(child: ChildProcess): boolean {
  if (!hasGroups || child.pid === undefined) return false
  try {
    return process.kill(-child.pid, 0)
  } catch {
    return false
  }
}

/** Gives those who were asked to end the time to, then ends them. */
export async function endGroup(child: ChildProcess, graceMs: number): Promise<void> {
  const until = performance.now() + graceMs
  while (groupRuns(child)) {
    if (performance.now() >= until) return signalGroup(child, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** Ends the program with this one, where that ends without closing it; returns what takes it off. */
export function endWithUs(child: ChildProcess): () => void {
  if (running.size === 0) process.on('exit', endAll)
  running.add(child)
  for (const signal of SIGNALS) hear(signal)
  return () => {
    if (!running.delete(child) || running.size > 0) return
    process.off('exit', endAll)
    for (const signal of SIGNALS) process.off(signal, endBy)
  }
}

function endAll(): void {
  // What is left of one that has ended was asked before.
  for (const child of running)
    signalGroup(child, child.exitCode === null && child.signalCode === null ? 'SIGTERM' : 'SIGKILL')
}

function hear(signal: NodeJS.Signals): void {
  if (running.size === 0 || process.listeners(signal).includes(endBy)) return
  // First, so that it is off when others count the listeners to find out whether the end is theirs to make.
  process.prependListener(signal, endBy)
}

/** An end by a signal is no `exit`, and a group of its own does not get the signals of our terminal. */
function endBy(signal: NodeJS.Signals): void {
  process.off(signal, endBy)
  // Who else listens decides what the signal means: it may be no end at all.
  if (process.listenerCount(signal) > 0) return void setImmediate(hear, signal)
  endAll()
  process.kill(process.pid, signal)
}
