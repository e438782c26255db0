const LONGEST = 50

/** A conversation's title: the first words of its first message. */
export function titleOf(text: string): string {
  const line = text
    .replace(/[`*_#>~]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (line === '') return 'New chat'
  const characters = Array.from(line)
  if (characters.length <= LONGEST) return line
  const cut = characters.slice(0, LONGEST).join('')
  const lastSpace = cut.lastIndexOf(' ')
  return `${(lastSpace > LONGEST / 2 ? cut.slice(0, lastSpace) : cut).replace(/[\s,;:.!?-]+$/, '')}…`
}
