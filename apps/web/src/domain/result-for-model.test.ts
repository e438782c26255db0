import { expect, test } from 'vitest'
import { RESULT_BUDGET, resultForModel as forModel, type Result, resultText } from './result-for-model.ts'
import { handleOf } from './result-handle.ts'

const resultForModel = (result: Result, most?: number, canReadOn?: boolean) =>
  forModel({ id: 'call-1', ...result }, most, canReadOn)

test('texts, links and resources of a result are read in order', () => {
  const content = [
    { type: 'text', text: 'one' },
    { type: 'resource_link', uri: 'note://x', name: 'x' },
    { type: 'resource', resource: { uri: 'note://y', text: 'inside' } },
    { type: 'resource', resource: { uri: 'note://z', mimeType: 'image/png', blob: 'AAAA' } },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'something new' },
  ]
  expect(resultForModel({ content }).text).toBe(
    'one\n\n[link to x: note://x]\n\ninside\n\n[resource note://z, image/png]',
  )
})

test('structured content that the text repeats is read once, and otherwise beside it', () => {
  const structuredContent = { a: [1, 2] }
  const same = [{ type: 'text', text: '{ "a": [1,2] }' }]
  expect(resultForModel({ content: same, structuredContent }).text).toBe('{ "a": [1,2] }')
  expect(resultForModel({ content: [{ type: 'text', text: 'two' }], structuredContent }).text).toBe(
    'two\n\n{"a":[1,2]}',
  )
})

const long = Array.from({ length: 10_000 }, (_, at) => `Line ${at} of the result.`).join('\n')
const content = [{ type: 'text', text: long }]

test('of a long result the model has the beginning and the end, what is missing, and how to read on', () => {
  const { text, given, total } = resultForModel({ content })
  expect(total).toBe(long.length)
  expect(given).toBeLessThanOrEqual(RESULT_BUDGET)
  expect(given).toBeGreaterThan(RESULT_BUDGET * 0.9)
  expect(text).toMatch(/^Line 0 of the result\.\n/)
  expect(text).toMatch(/\nLine 9999 of the result\.$/)
  expect(text).toContain(`This result has ${total} characters`)
  expect(text).toContain(`"${handleOf('call-1')}"`)
  expect(text).toContain('search_result')
  expect(text).toContain('read_result')
  expect(text.length).toBeLessThan(RESULT_BUDGET + 400)
})

test('what is said to be left out is exactly what is', () => {
  const { text } = resultForModel({ content }, 1_000)
  const note = /^([^]*)\n\n\[[^]*those from (\d+) to (\d+) are left out[^]*\]\n\n([^]*)$/
  const [, head, from, to, tail] = note.exec(text) ?? []
  expect(`${head}${long.slice(Number(from), Number(to))}${tail}`).toBe(long)
})

test('a result without room is mentioned, with its size and its handle', () => {
  const { text, given } = resultForModel({ content }, 0)
  expect(given).toBe(0)
  expect(text).toContain(`result of ${long.length} characters is left out`)
  expect(text).toContain(handleOf('call-1'))
  expect(text.length).toBeLessThan(300)
})

test('what cannot be read on has no handle', () => {
  const { text } = resultForModel({ content }, 1_000, false)
  expect(text).not.toContain(handleOf('call-1'))
  expect(text).toContain('Call the tool again')
})

test('[A3.4] what is left of a result that hides something hides nothing, wherever it is cut', () => {
  const hiding = { content: [{ type: 'text', text: 'ab\u{E0041}\u200Bc '.repeat(20_000) }] }
  const { text, total } = resultForModel(hiding, 5_000)
  expect(text).not.toMatch(/[\u{E0000}-\u{E007F}\u200B]/u)
  expect(total).toBe(resultText(hiding).length)
})

test('[A3.4] nothing hidden reaches the model', () => {
  const { text } = resultForModel({ content: [{ type: 'text', text: 'a\u{E0041}\u{E0042}\u200Bb' }] })
  expect(text).not.toMatch(/[\u{E0000}-\u{E007F}\u200B]/u)
  expect(text).toContain('hidden')
})
