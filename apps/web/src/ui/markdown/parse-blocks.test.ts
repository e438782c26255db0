import { expect, test } from 'vitest'
import { nothingParsed, type Parsed, parseBlocks } from './parse-blocks.ts'

const pieces = [
  'Plain words with *emphasis*, **weight** and `code`.',
  '# A heading',
  'Above\n===',
  '- one\n- two\n  - three\n\n  still three\n- four',
  '1. first\n2. second',
  '> said\n> twice\nlazily',
  '```ts\nconst a = [1, 2]\n\n- not a list\n```',
  '~~~\nunclosed',
  '    indented\n\n    code',
  '| a | b |\n|---|:-:|\n| 1 | 2 |\nthree',
  'words\n| a |\n|---|\n| 1 |',
  '***',
  '***strong***',
  'text\n***\nmore',
  'text\n***not a rule*** after all',
  '<div>\nhtml\n</div>',
  'text\n<divine>',
  'text\n<div',
  '#hashtag\n##nothing',
  'text\n##',
  '- [x] done\n- [ ] not',
  'a  \nb\\\nc',
  'https://example.com/a?b=c and www.example.org',
  '![alt](https://example.com/a.png) [text](https://example.com)',
  '+ a\n\n\n+ b',
  '1) one',
  '\t\ttabs',
  'é😀 ~~gone~~',
  '<!-- comment\n\nstill -->\nafter',
  '\\*escaped\\*',
  '',
  ' ',
]

/** The same numbers on every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const shapeOf = ({ blocks }: Parsed) =>
  JSON.stringify(
    blocks.map(({ node }) => node),
    (key, value: unknown) => (key === 'position' ? undefined : value),
  )

test('a text that streams in is, at every cut, what it would be if it had come at once', () => {
  const draw = numbers(7)
  for (let round = 0; round < 60; round += 1) {
    const parts = Array.from({ length: 2 + draw(5) }, () => pieces[draw(pieces.length)] ?? '')
    const text = parts.reduce((joined, piece) => joined + (draw(3) === 0 ? '\n' : '\n\n') + piece)
    let grown = nothingParsed
    for (let at = 1 + draw(4); at < text.length; at += 1 + draw(9)) {
      grown = parseBlocks(grown, text.slice(0, at))
      const cut = text.slice(0, at)
      expect({ cut, shape: shapeOf(grown) }).toEqual({ cut, shape: shapeOf(parseBlocks(nothingParsed, cut)) })
    }
  }
})

test('what was finished stays the same object while more arrives', () => {
  const first = parseBlocks(nothingParsed, '# Title\n\nOne paragraph.\n\nA second.\n\nThe third begins')
  const second = parseBlocks(first, `${first.text} and goes on.\n\nA fourth`)
  expect(second.blocks[0]).toBe(first.blocks[0])
  expect(second.blocks[1]).toBe(first.blocks[1])
  expect(second.blocks).toHaveLength(5)
})

test('a link that is defined at the end is a link from the beginning', () => {
  const { blocks, definitions } = parseBlocks(nothingParsed, 'See [the page].\n\n[the page]: https://example.com/')
  expect(JSON.stringify(blocks[0]?.node)).toContain('linkReference')
  expect(definitions.get('the page')?.url).toBe('https://example.com/')
})

test('the first definition of a name counts, as Markdown says, also inside a quote', () => {
  const { definitions } = parseBlocks(nothingParsed, '> [a]: https://first.example\n\n[a]: https://second.example')
  expect(definitions.get('a')?.url).toBe('https://first.example')
})

test('a link that another section defines is a link, and finished blocks stay the same objects', () => {
  const external = '[home]: https://example.com/'
  const first = parseBlocks(nothingParsed, 'See [Home].\n\nA second.\n\nThe third begins', external)
  expect(JSON.stringify(first.blocks[0]?.node)).toContain('linkReference')
  expect(first.definitions.get('home')?.url).toBe('https://example.com/')
  const second = parseBlocks(first, `${first.text} at [home].\n\nA fourth`, external)
  expect(second.blocks[0]).toBe(first.blocks[0])
  expect(second.definitions).toBe(first.definitions)
  expect(second.blocks.map(({ start }) => start)).toEqual([0, 13, 24, 53])
  expect(parseBlocks(second, second.text, '').definitions.size).toBe(0)
})

test('a text that was replaced, not grown, is read anew', () => {
  const first = parseBlocks(nothingParsed, 'one\n\ntwo\n\nthree')
  expect(parseBlocks(first, 'two').blocks).toHaveLength(1)
})

test.each([
  ['lists inside lists', '- '.repeat(10_000)],
  ['quotes inside quotes', '>'.repeat(20_000)],
  ['quotes and lists inside each other', '> - '.repeat(5_000)],
  ['numbers inside numbers', '1. '.repeat(5_000)],
  ['emphasis that never closes', '*a_ '.repeat(5_000)],
  ['brackets that never close', '['.repeat(20_000)],
  ['links that never close', '[a]('.repeat(5_000)],
  ['code that never closes', '`a``b'.repeat(4_000)],
  ['text beyond all measure', 'a *b* '.repeat(50_000)],
])('%s do not stop the page: they are shown as they stand', (_, text) => {
  const { blocks } = parseBlocks(nothingParsed, text)
  expect(blocks).toEqual([{ start: 0, source: text, node: { type: 'text', value: text } }])
})

test('code may have as many marks as it likes', () => {
  const code = `\`\`\`c\n${'char **a[8] = *b;\n'.repeat(500)}\`\`\``
  expect(parseBlocks(nothingParsed, code).blocks[0]?.node.type).toBe('code')
})
