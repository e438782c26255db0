/** Who was signed in to after the page was left for it, for the screen that was left. */
let last: string | undefined
const listeners = new Set<(serverId: string) => void>()

export function tellSignedIn(serverId: string): void {
  last = serverId
  for (const listener of listeners) listener(serverId)
}

/** Calls back once, at once where it has happened already. */
export function onSignedIn(serverId: string, listener: () => void): () => void {
  const hear = (about: string) => {
    if (about !== serverId) return
    last = undefined
    listeners.delete(hear)
    listener()
  }
  listeners.add(hear)
  if (last !== undefined) hear(last)
  return () => void listeners.delete(hear)
}
