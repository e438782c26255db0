import { expect, test } from 'vitest'
import { definitionsFor } from './definitions.ts'
import { fencedCode, nothingSplit, type Split, splitSections, withLead } from './split-sections.ts'

const paragraph = (at: number) => `Paragraph ${at} says a few words and ends.\n\n`
const paragraphs = Array.from({ length: 2_000 }, (_, at) => paragraph(at)).join('')
const sourcesOf = ({ sections }: Split) => sections.map(({ source }) => source)
const split = (text: string) => splitSections(nothingSplit, text)

test.each([
  ['paragraphs', paragraphs],
  ['a list without an end', '- one\n- two\n'.repeat(10_000)],
  ['code without an end', `\`\`\`js\n${'const a = 1\n\n'.repeat(8_000)}`],
  ['one line', 'words '.repeat(30_000)],
  ['one line of characters in two halves', '🌊'.repeat(60_000)],
  ['a table without an end', `| a | b |\n|---|--:|\n${'| 1 | 2 |\n'.repeat(12_000)}`],
  ['code in a list', '- a\n\n  ```\n  x\n\ny\n  ```\n\nText\n\n'.repeat(4_000)],
])('%s, streamed in, are divided like at once', (_, text) => {
  const whole = split(text)
  expect(sourcesOf(whole).join('')).toBe(text)
  expect(Math.max(...sourcesOf(whole).map(({ length }) => length))).toBeLessThanOrEqual(64_000)
  let grown = nothingSplit
  for (let end = 0; end < text.length; end += 997) {
    const next = splitSections(grown, text.slice(0, end))
    const finished = grown.sections.slice(0, -1)
    expect(finished.every((one, at) => one === next.sections[at])).toBe(true)
    grown = next
  }
  expect(splitSections(grown, text)).toEqual(whole)
})

test('a section begins with a block, and never within code', () => {
  const text = `${paragraph(1)}\`\`\`js\nconst a = 1\n\nText in code\n\`\`\`\n\n- one\n\n  two\n\n`.repeat(400)
  const { sections } = split(text)
  expect(sections.length).toBeGreaterThan(3)
  for (const { source, fence } of sections) expect([source.slice(0, 9), fence]).toEqual(['Paragraph', ''])
})

test('code that is longer than a section goes on as code', () => {
  const { sections } = split(`Before\n\n~~~js\n${'const a = 1\n'.repeat(6_000)}~~~\n\nAfter\n\n${paragraphs}`)
  expect(sections.map(({ fence }) => fence).filter(Boolean)).toEqual(['~~~js', '~~~js'])
  expect(sections.at(-1)?.fence).toBe('')
})

test('a text that was replaced is divided anew', () => {
  const first = split(paragraphs)
  const second = splitSections(first, `Other ${paragraphs}`)
  expect(second).toEqual(split(`Other ${paragraphs}`))
})

test('a section gets the definitions of others that it refers to, and no more', () => {
  const text = `See [Home] and [x].\n\n${paragraphs}[home]: https://example.com/\n[x]: https://x.example\n[y]: https://y.example\n`
  const { sections } = split(text)
  const [first, second] = definitionsFor(sections)
  expect(first).toBe('[home]: https://example.com/\n\n[x]: https://x.example')
  expect(second).toBe('')
  expect(definitionsFor(sections).at(-1)).toBe('')
})

test('a table that is longer than a section keeps its header', () => {
  const head = '| Name | Size |\n|:-----|-----:|\n'
  const { sections } = split(`Before\n\n${head}${'| a | 1 |\n'.repeat(8_000)}\nAfter\n\n${paragraphs}`)
  const inTable = sections.slice(1).filter(({ source }) => source.startsWith('|'))
  expect(inTable).toHaveLength(2)
  for (const section of inTable) expect(withLead(section)).toBe(head + section.source)
  expect(sections.at(-1)?.tableHead).toBe('')
})

test.each([
  ['lines with pipes but no header', '| a | 1 |\n'],
  ['a header of another width', `| a |\n|---|---|\n${'| a | 1 |\n'.repeat(20)}`],
  ['code that looks like a table', `~~~\n| a |\n|---|\n${'| 1 |\n'.repeat(20)}~~~\n`],
  ['a list after a table', '| a |\n|---|\n- one\n'],
])('%s have no table header to repeat', (_, text) => {
  for (const { tableHead } of split(text.repeat(8_000)).sections) expect(tableHead).toBe('')
})

test.each([
  ['', 'const a = 1\n\n\tconst b = 2'],
  ['  ', '  const a = 1\n\n    indented'],
  ['> ', '> const a = 1\n>\n> const b = 2'],
  ['- ', '  const a = 1\n\n  const b = 2'],
])('finds the code of a whole fence after %j', (prefix, lines) => {
  const end = prefix.replace('-', ' ')
  const text = `Before\n\n${prefix}~~~js\n${lines}\n${end}~~~\n\nAfter\n`
  const expected = lines
    .split('\n')
    .map((line) => (line.startsWith(end) ? line.slice(end.length) : line.replace('>', '')))
  expect(fencedCode(text, 8)).toBe(expected.join('\n'))
  expect(fencedCode(text.slice(0, text.indexOf(`\n${end}~~~\n`) + 1), 8)).toBe(expected.join('\n'))
})
