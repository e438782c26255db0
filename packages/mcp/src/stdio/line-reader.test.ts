import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { childEnvironment } from './child-environment.ts'
import { idAtEnd } from './id-at-end.ts'
import { LineReader } from './line-reader.ts'

/** What a reader makes of the bytes in chunks of these sizes. */
function read(bytes: Buffer, sizes: () => number, maxBytes: number) {
  const lines: string[] = []
  const long: { head: string; tail?: string }[] = []
  const reader = new LineReader(maxBytes, {
    online: (line) => void lines.push(line),
    onlong: (head, tail) => {
      if (tail === undefined) long.push({ head })
      else Object.assign(long.at(-1)!, { tail })
    },
  })
  for (let from = 0; from < bytes.length; ) {
    const size = sizes()
    reader.feed(Buffer.from(bytes.subarray(from, from + size)))
    from += size
  }
  return { lines, long }
}

describe('lines', () => {
  const text = 'first\n\nthé third\r\n🙂\nunfinished'

  it.each([1, 2, 3, 5, 7, 1000])('[N6] are the same however they are cut (%s bytes at a time)', (size) => {
    expect(read(Buffer.from(text), () => size, 100).lines).toEqual(['first', '', 'thé third\r', '🙂'])
  })

  it('[N6] one that is too long is told of once, with its beginning and its end, and the next is whole', () => {
    const line = `${'a'.repeat(300)}${'b'.repeat(5000)}${'c'.repeat(300)}`
    for (const size of [1, 64, 301, 4096, 100_000]) {
      const { lines, long } = read(Buffer.from(`one\n${line}\ntwo\n${line}\nthree\n`), () => size, 1000)
      expect(lines).toEqual(['one', 'two', 'three'])
      const told = { head: 'a'.repeat(256), tail: 'c'.repeat(256) }
      expect(long).toEqual([told, told])
    }
  })

  it('[N6] the bound is exact', () => {
    const { lines, long } = read(Buffer.from(`${'x'.repeat(10)}\n${'y'.repeat(11)}\n`), () => 4, 10)
    expect(lines).toEqual(['x'.repeat(10)])
    expect(long).toEqual([{ head: 'y'.repeat(11), tail: 'y'.repeat(11) }])
  })

  it('[N6] one that comes byte by byte is not kept as bytes', () => {
    const concat = vi.spyOn(Buffer, 'concat')
    onTestFinished(() => concat.mockRestore())
    const line = 'abcdefgh'.repeat(1 << 12)
    const { lines } = read(Buffer.from(`${line}\n${line}\n`), () => 1, 1 << 20)
    expect(lines).toEqual([line, line])
    expect(Math.max(...concat.mock.calls.map(([pieces]) => pieces.length))).toBeLessThan(2000)
  })

  it('[N6] a short end of a long line is known too', () => {
    const { long } = read(Buffer.from(`${'x'.repeat(20)}yz\n`), () => 20, 19)
    expect(long[0]?.tail).toBe(`${'x'.repeat(20)}yz`)
  })
})

describe('the id of a message that is too long to be read', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":5,"result":{"text":"xx', '', 5],
    ['{ "id" : "a\\"b" , "jsonrpc"', '', 'a"b'],
    ['{"result":{"id":7,', '…"}]},"jsonrpc":"2.0","id":-8}', -8],
    ['{"result":{', '…},"id":9,"jsonrpc":"2.0"} \r', 9],
  ])('[N6] is found where programs write it: %s … %s', (head, tail, id) => {
    expect(idAtEnd(head, tail)).toBe(id)
  })

  it.each([
    ['{"result":{"id":7,', ''],
    ['{"result":{', '… \\"id\\":9}"}]}}'],
    ['{"result":{', '…"inner":{"id":9}}}'],
    ['log: {"id":9,', 'id":9}'],
    ['', ''],
    [String.raw`{"id":"\x",`, ''],
    ['{"id":"\u0001",', ''],
    ['{"id":007,', ',"id":8}'],
  ])('[N6] and not where it is another’s: %s … %s', (head, tail) => {
    expect(idAtEnd(head, tail)).toBeUndefined()
  })
})

describe('the environment of a program', () => {
  const env = { PATH: '/bin', HOME: '/home', TOKEN: 'secret', TERM: '() { :; }', APPDATA: 'C:\\data' }

  it('[N9] on Unix', () => {
    expect(childEnvironment({ Path: 'mine' }, { env, platform: 'linux' })).toEqual({
      PATH: '/bin',
      HOME: '/home',
      Path: 'mine',
    })
  })

  it('[N9] on Windows, where Path and PATH are one', () => {
    expect(childEnvironment({ Path: 'mine' }, { env, platform: 'win32' })).toEqual({
      APPDATA: 'C:\\data',
      Path: 'mine',
    })
  })
})
