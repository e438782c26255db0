import { expect, test } from 'vitest'
import { definitionsFor } from './definitions.ts'
import { nothingSplit, type Split, splitSections } from './split-sections.ts'

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
