import type { ToolEntry } from './tool-entry.ts'

/** The tools that have all words: those whose name begins with the first word, then those named so, then the rest. */
export function findTools(entries: readonly ToolEntry[], query: string): ToolEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const [first] = words
  if (first === undefined) return [...entries]
  const ranks: ToolEntry[][] = [[], [], [], []]
  for (const entry of entries) {
    const { name, title, rest } = entry.words
    if (words.every((word) => name.includes(word) || title.includes(word) || rest.includes(word)))
      ranks[rankOf(first, name, title)]?.push(entry)
  }
  return ranks.flat()
}

function rankOf(word: string, name: string, title: string): number {
  if (name.startsWith(word) || title.startsWith(word)) return 0
  if (name.includes(word)) return 1
  return title.includes(word) ? 2 : 3
}
