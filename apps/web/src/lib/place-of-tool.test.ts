import { expect, test } from 'vitest'
import { placeOfTool, toolNameAt } from './place-of-tool.ts'

test('a plain name is in the address as it is', () => {
  expect(placeOfTool('s-1', 'list_issues-2.all')).toBe('/tools/s-1/list_issues-2.all')
})

test.each(['%', '100%', '%2', 'a%20b%', '%ff', '"', '\\', 'a\\u12'])(
  'an address that nobody here has written (%j) is taken by the letter, and does not throw',
  (place) => {
    expect(toolNameAt(place)).toBe(place)
  },
)
