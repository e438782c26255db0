import { expect, test } from 'vitest'
import { readRaster } from './read-raster.ts'

const base64 = (...bytes: (number | string)[]) =>
  Buffer.concat(
    bytes.map((one) => (typeof one === 'string' ? Buffer.from(one, 'latin1') : Buffer.from([one]))),
  ).toString('base64')
const big = (value: number) => String.fromCharCode(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255)
const png = (width: number, height: number) =>
  base64('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', big(width), big(height), '\x08\x06\0\0\0')

test.each([
  ['PNG', png(640, 480), 'png', 640, 480],
  ['GIF', base64('GIF89a', 0x10, 0x01, 0x20, 0x00, '\0\0\0'), 'gif', 272, 32],
  ['JPEG', base64('\xff\xd8\xff\xe0\0\x04ab\xff\xc2\0\x11\x08\0\x50\0\x60', '\0'.repeat(20)), 'jpeg', 96, 80],
  [
    'WebP, lossy',
    base64('RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x40\x01\xf0\x00', '\0'.repeat(8)),
    'webp',
    320,
    240,
  ],
  ['WebP, lossless', base64('RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x3f\xc1\x3b\0', '\0'.repeat(8)), 'webp', 320, 240],
  [
    'WebP, extended',
    base64('RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x3f\x01\0\xef\0\0', '\0'.repeat(8)),
    'webp',
    320,
    240,
  ],
])('%s is known by its first bytes', (_, data, type, width, height) => {
  expect(readRaster(data)).toEqual({ address: `data:image/${type};base64,${data}`, width, height })
})

test.each([
  [
    'a drawing with a script in it',
    base64('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    /not a PNG/,
  ],
  ['a page', base64('<!doctype html><script>alert(1)</script>'), /not a PNG/],
  ['a picture of 30,000 by 30,000', png(30_000, 30_000), /30000 × 30000 is too large/],
  ['a picture of no size', png(0, 10), /too large/],
  ['half a picture', base64('\x89PNG\r\n'), /not a PNG/],
  ['a JPEG that never begins its frame', base64('\xff\xd8\xff\xe0\0\x04abzzzzzzzzzzzz'), /not a PNG/],
  ['what is no base64', '"><img src=x onerror=alert(1)>', /not readable/],
  ['nothing', '', /not a PNG/],
  ['too many bytes', 'A'.repeat(12_000_000), /larger than 8 MB/],
])('%s is not shown, and the reason is', (_, data, reason) => {
  expect(readRaster(data)).toEqual({ problem: expect.stringMatching(reason) as string })
})
