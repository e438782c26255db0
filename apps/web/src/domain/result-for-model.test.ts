import { expect, test } from 'vitest'
import { RESULT_BUDGET, resultForModel } from './result-for-model.ts'

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

test('a long result is cut, and the model is told how much it has', () => {
  const { text, given, total } = resultForModel({ content: [{ type: 'text', text: 'x'.repeat(RESULT_BUDGET * 3) }] })
  expect(given).toBe(RESULT_BUDGET)
  expect(total).toBe(RESULT_BUDGET * 3)
  expect(text).toContain(`the first ${RESULT_BUDGET} of ${RESULT_BUDGET * 3} characters`)
})

test('[A3.4] nothing hidden reaches the model', () => {
  const { text } = resultForModel({ content: [{ type: 'text', text: 'a\u{E0041}\u{E0042}\u200Bb' }] })
  expect(text).not.toMatch(/[\u{E0000}-\u{E007F}\u200B]/u)
  expect(text).toContain('hidden')
})
