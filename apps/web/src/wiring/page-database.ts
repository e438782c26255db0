import type { Database } from '#storage/db.ts'
import { openDatabase } from '#storage/open.ts'

/**
 * The database that the page reads: the engine's own, or where that is in the engine's memory, a copy of it here. What is wrong
 * with it the engine says, which opens the same.
 */
let current: Promise<Database> | undefined
/** It is not there yet, could not be opened, or was taken away: with the next engine it is opened again. */
let isLost = false
/** An engine has it: what cannot be opened now can be later. */
let isThere = false
const AGAIN_MS = 1_000
const listeners = new Set<() => void>()

function open(): Promise<Database> {
  const lose = () => {
    if (current === opened) isLost = true
  }
  // The engine makes it. Who opens here what was just deleted would make an empty one.
  const opened: Promise<Database> = openDatabase(lose, undefined, { mustExist: true })
  opened.catch(() => {
    lose()
    if (isThere) setTimeout(mendPageDatabase, AGAIN_MS)
  })
  return opened
}

export const pageDatabase = (): Promise<Database> => (current ??= open())

/** Reads from this one from now on; without one, from the engine's own. */
export function setPageDatabase(next?: Promise<Database>): void {
  current = next
  isLost = false
  for (const listener of listeners) listener()
}

/** The engine has a database: one that is lost to the page is opened again. */
export function mendPageDatabase(): void {
  isThere = true
  if (isLost) setPageDatabase()
}

export function onPageDatabase(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
