import type { ChildProcess } from 'node:child_process'
import process from 'node:process'

/** Programs start programs: `npx`, `uvx` and shells are only the first of a group. Windows knows no such groups. */
export const hasGroups = process.platform !== 'win32'

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

/** Ends the program with this one, where that ends without closing it; returns what takes it off. */
export function endWithUs(child: ChildProcess): () => void {
  if (running.size === 0) process.on('exit', endAll)
  running.add(child)
  return () => {
    if (running.delete(child) && running.size === 0) process.off('exit', endAll)
  }
}

function endAll(): void {
  for (const child of running) signalGroup(child, 'SIGTERM')
}
