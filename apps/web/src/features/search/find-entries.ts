import type { IconName } from '#ui/icon.tsx'

/** Something one can go to or do. */
export interface Entry {
  id: string
  group: 'Actions' | 'Chats' | 'GPTs' | 'Servers' | 'Of servers' | 'Tools'
  icon: IconName
  label: string
  /** More to be found by, shown small. */
  hint?: string
  to: string
}

const wordsIn = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean)

/** The entries that have all words, those whose label begins with them first; without words, all. */
export function findEntries<Kind extends Pick<Entry, 'label' | 'hint'>>(
  entries: readonly Kind[],
  query: string,
  limit: number,
): Kind[] {
  const words = wordsIn(query)
  const found = entries.filter(({ label, hint = '' }) => {
    const text = `${label} ${hint}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const isFirst = ({ label }: Kind) => Number(label.toLowerCase().startsWith(words[0] ?? ''))
  return found.toSorted((a, b) => isFirst(b) - isFirst(a)).slice(0, limit)
}
