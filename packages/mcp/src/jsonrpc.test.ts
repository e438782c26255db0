import { describe, expect, it, vi } from 'vitest'
import { JsonTooDeep, parseJson } from './jsonrpc.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
/** Long enough to be looked at before it is parsed. */
const padding = 'x'.repeat(300_000)

describe('JSON', () => {
  it.each([256, 257, 8_000_000])('nested %i levels deep is accepted up to 256, short or long', (depth) => {
    for (const text of [nested(depth), `[${JSON.stringify(padding)},${nested(depth - 1)}]`]) {
      if (depth > 256) expect(() => parseJson(text)).toThrow(JsonTooDeep)
      else expect(parseJson(text)).toBeInstanceOf(Array)
    }
  })

  it('that is nested too deeply is never handed to JSON.parse where that would take long', () => {
    const parse = vi.spyOn(JSON, 'parse')
    expect(() => parseJson(nested(8_000_000))).toThrow('JSON nested more than 256 levels deep')
    expect(parse).not.toHaveBeenCalled()
    parse.mockRestore()
  })

  it.each(['[[[{{{', '\\"[[[', '\\', '"', '\\\\"]]]{{{', ']]]}}}'])(
    'with %j in its strings is no deeper for it',
    (part) => {
      const value = {
        padding,
        [part]: Array.from({ length: 500 }, () => part),
        list: Array.from({ length: 500 }, () => [{}]),
      }
      expect(parseJson(JSON.stringify(value))).toEqual(value)
    },
  )
})
