/** In a page, waits until a stream that stays open has its place; the result gives it back. */
export async function waitForSlot(origin: string, signal: AbortSignal, onwait: () => void): Promise<() => void> {
  // A stream that nobody counts is better than none: the file may be gone from where the page came from.
  const slots = globalThis.location && (await import('./stream-slots.ts').catch(() => {}))
  return slots ? slots.takeStreamSlot(origin, signal, onwait) : () => {}
}
