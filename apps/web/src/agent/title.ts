const LONGEST = 50

/** A conversation's title: the first words of its first message. */
export function titleOf(text: string): string {
  const line = withoutLineMarks(text).replace(/\s+/g, ' ').trim()
  if (!/[^\s`*_#>~-]/.test(line)) return 'New chat'
  const characters = Array.from(line)
  if (characters.length <= LONGEST) return line
  const cut = characters.slice(0, LONGEST).join('')
  const lastSpace = cut.lastIndexOf(' ')
  return `${(lastSpace > LONGEST / 2 ? cut.slice(0, lastSpace) : cut).replace(/[\s,;:.!?-]+$/, '')}…`
}

/** Drops code fences, heading and quote marks, and `**` around words. Any other character may be part of a name. */
const withoutLineMarks = (text: string): string =>
  text
    .replace(/^\s*(?:```|~~~).*$/gm, '')
    .replace(/^\s*(?:#{1,6}|>)\s+/gm, '')
    .replace(/(?<![\w*])\*\*(?=\S)([^*\n]+)(?<=\S)\*\*(?![\w*])/g, '$1')
