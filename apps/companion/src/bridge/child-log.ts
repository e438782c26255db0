import { visibleText } from '../visible-text.ts'

const KEPT_BYTES = 64 << 10

/** The end of what a program said to its log. */
export interface ChildLog {
  add(chunk: Buffer): void
  /** As text that moves no cursor. */
  text(): string
}

export function createChildLog(keptBytes = KEPT_BYTES): ChildLog {
  let chunks: Buffer[] = []
  let bytes = 0
  const shorten = (): void => {
    const all = Buffer.concat(chunks).subarray(-keptBytes)
    // A copy: a piece of a larger buffer would keep all of it.
    chunks = [Buffer.from(all)]
    bytes = all.length
  }
  return {
    add(chunk) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > 2 * keptBytes || chunks.length > 1000) shorten()
    },
    text() {
      shorten()
      return visibleText(Buffer.concat(chunks).toString())
    },
  }
}
