import { describe, expect, it } from 'vitest'
import { createChunkDecoder } from './chunk-decoder.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (...chunks: Uint8Array[]): string => chunks.map(createChunkDecoder()).join('')

describe('a body that arrives in chunks', () => {
  it('says the same wherever it is cut', () => {
    const text = 'a é 漢 😀 \u{feff} z'
    const bytes = utf8(text)
    for (let first = 0; first <= bytes.length; first++)
      for (let second = first; second <= bytes.length; second++)
        expect(decode(bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second))).toBe(text)
  })

  it('loses a mark of the byte order at its beginning, and no other', () => {
    const mark = utf8('\u{feff}')
    expect(decode(utf8('\u{feff}{}'))).toBe('{}')
    expect(decode(mark, utf8('{}'))).toBe('{}')
    expect(decode(mark.subarray(0, 1), mark.subarray(1), utf8('{}'))).toBe('{}')
    expect(decode(utf8('['), utf8('\u{feff}]'))).toBe('[\u{feff}]')
  })

  it('shows bytes that are no character for what they are', () => {
    expect(decode(utf8('a'), Uint8Array.of(0xff, 0x41))).toBe('a\u{fffd}A')
    expect(decode(Uint8Array.of(0xe6, 0xbc), utf8('b'))).toBe('\u{fffd}b')
  })
})
