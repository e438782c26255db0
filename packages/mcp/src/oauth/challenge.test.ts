import { describe, expect, it } from 'vitest'
import { readChallenge } from './challenge.ts'

describe('[A9] a challenge', () => {
  it.each([
    [undefined, {}],
    ['', {}],
    ['Bearer', {}],
    ['Bearer scope="a b"', { scope: 'a b' }],
    ['bearer SCOPE=a', { scope: 'a' }],
    ['Bearer scope = "a" , error = "x"', { scope: 'a', error: 'x' }],
    [
      'Bearer error="invalid_token",resource_metadata="https://a.example/x?y=z"',
      { error: 'invalid_token', resourceMetadata: 'https://a.example/x?y=z' },
    ],
    ['DPoP resource_metadata="https://a.example"', { resourceMetadata: 'https://a.example' }],
    ['Basic realm="a, scope=\\"no\\"", Bearer scope="yes"', { scope: 'yes' }],
    ['Bearer scope="first", Bearer scope="second"', { scope: 'first' }],
    ['Bearer scope="say \\"a\\""', { scope: 'say "a"' }],
    ['Bearer scope=""', {}],
    ['Bearer error_description="scope=\\"x\\""', {}],
  ])('[A9] %j is read as %j', (header, read) => {
    expect(readChallenge(header)).toEqual(read)
  })

  it.each(['a', '"', '\\', 'a=', 'a="', '=', ',', ' ', 'scope="\\', '\\"', 'a="b\\'])(
    '[A1.13] of %j without end takes no time',
    (piece) => {
      const header = `Bearer ${piece.repeat(200_000)}`
      const start = performance.now()
      readChallenge(header)
      expect(performance.now() - start).toBeLessThan(30_000)
    },
  )
})
