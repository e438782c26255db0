import { createSseStream } from '@switchboard/testkit/sse-stream-generator'
import { beforeAll, describe, expect, test } from 'vitest'
import { createSseParser, type SseParser, type SseSink, SseTooLarge } from './sse.ts'

type Said = ['message', data: string, event: string, id: string] | ['id', string] | ['retry', number]

const encoder = new TextEncoder()
const utf8 = (text: string): Uint8Array => encoder.encode(text)
const message = (data: string, event = '', id = ''): Said => ['message', data, event, id]

function createRecorder(): { said: Said[]; sink: SseSink } {
  const said: Said[] = []
  return {
    said,
    sink: {
      message: (...given) => said.push(['message', ...given]),
      id: (id) => said.push(['id', id]),
      retry: (ms) => said.push(['retry', ms]),
    },
  }
}

function read(chunks: Iterable<Uint8Array>): Said[] {
  const { said, sink } = createRecorder()
  const parser = createSseParser(sink, 1_000_000)
  for (const chunk of chunks) parser.feed(chunk)
  return said
}

function* cutEvery(bytes: Uint8Array, length: number): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length)
}

/** The positions at which cutting the stream in two changes what it says. */
function cutsThatMatter(bytes: Uint8Array): number[] {
  const whole = JSON.stringify(read([bytes]))
  const differs = (at: number): boolean => JSON.stringify(read([bytes.subarray(0, at), bytes.subarray(at)])) !== whole
  return Array.from({ length: bytes.length + 1 }, (_, at) => at).filter(differs)
}

const fixtures: [what: string, stream: string | number[], ...said: Said[]][] = [
  ['no bytes', ''],
  ['one event', 'data: x\n\n', message('x')],
  ['two events', 'data: a\n\ndata: b\n\n', message('a'), message('b')],
  ['CR only', 'data: a\rdata: b\r\rdata: c\r\r', message('a\nb'), message('c')],
  ['CRLF only', 'data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n', message('a\nb'), message('c')],
  ['a CR that ends the stream ends the event', 'data: x\n\r', message('x')],
  ['CR, LF and CRLF in one event', 'data: a\rdata: b\r\ndata: c\ndata: d\n\r\n', message('a\nb\nc\nd')],
  ['LF CR is two line ends', 'data: a\n\rdata: b\n\n', message('a'), message('b')],
  ['CR LF LF is two line ends', 'data: a\r\n\ndata: b\r\n\n', message('a'), message('b')],
  ['CR CR LF is two line ends', 'data: a\r\r\ndata: b\r\r\n', message('a'), message('b')],
  ['other line separators are text', 'data: a\u2028b\u2029c\x85d\ve\f\n\n', message('a\u2028b\u2029c\x85d\ve\f')],
  ['blank lines without an event', '\n\r\r\n\n\r\ndata: x\n\n\n\r\n', message('x')],
  ['no blank line at the end', 'data: a\n\ndata: b\n', message('a')],
  ['no line end at the end', 'data: a\n\ndata: b', message('a')],
  ['an id without its blank line has no effect', 'id: 1\ndata: a\n\nid: 2\n', ['id', '1'], message('a', '', '1')],
  ['a byte order mark', '\uFEFFdata: x\n\n', message('x')],
  ['only the first of two byte order marks is dropped', '\uFEFF\uFEFFdata: x\n\ndata: y\n\n', message('y')],
  ['a byte order mark and a line end', '\uFEFF\ndata: x\n\n', message('x')],
  ['a byte order mark and a blank line', '\uFEFF\r\n\r\ndata: x\n\n', message('x')],
  ['a byte order mark after the start is text', '\n\uFEFFdata: x\n\ndata: \uFEFFy\uFEFF\n\n', message('\uFEFFy\uFEFF')],
  ['half a byte order mark', [0xef, 0xbb, ...utf8('data: x\n\ndata: y\n\n')], message('y')],
  ['characters of two, three and four bytes', 'data: é€😀\n\ndata: ü\n\n', message('é€😀'), message('ü')],
  ['a character broken off by the line end', [...utf8('data: a'), 0xe2, 0x82, 10, 10], message('a\uFFFD')],
  ['a character broken off by another', [...utf8('data: '), 0xf0, 0x9f, 0xc3, 0xa9, 13, 13], message('\uFFFDé')],
  [
    'bytes that are not UTF-8',
    [...utf8('data: '), 0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x61, 10, 10],
    message(`${'\uFFFD'.repeat(6)}a`),
  ],
  ['NUL in data stays', 'data: a\0b\n\n', message('a\0b')],
  ['comments', ': keep-alive\n\n:\n\n:data: no\ndata: x\n:\n\n', message('x')],
  ['a comment inside an event', 'data: a\n: wait\ndata: b\n\n', message('a\nb')],
  ['many data lines', 'data: a\ndata:\ndata: b\ndata\ndata: \n\n', message('a\n\nb\n\n')],
  [
    'an empty data line is an event, two are a line feed',
    'data\n\ndata:\n\ndata\ndata\n\n',
    message(''),
    message(''),
    message('\n'),
  ],
  ['no data, no event', 'event: tick\nid: 1\n\n', ['id', '1']],
  [
    'one space after the colon is dropped',
    'data:a\n\ndata: b\n\ndata:  c\n\n',
    message('a'),
    message('b'),
    message(' c'),
  ],
  ['a tab after the colon stays', 'data:\tx\n\n', message('\tx')],
  ['only the first colon counts', 'data:a:b: c\n\ndata::\n\n', message('a:b: c'), message(':')],
  [
    'fields with other names',
    'Data: a\n data: b\ndata : c\ndat: d\nd\ndataa: e\ndata\0: f\nfoo\n\ndata: x\n\n',
    message('x'),
  ],
  [
    'names that begin like others',
    'ids: 1\neventt: a\nretry2: 5\ni\nevent\nid\n\ndata: x\n\n',
    ['id', ''],
    message('x'),
  ],
  ['an event type', 'event: tick\ndata: x\n\n', message('x', 'tick')],
  ['the type is forgotten after its event', 'event: tick\ndata: x\n\ndata: y\n\n', message('x', 'tick'), message('y')],
  ['the type is forgotten without data', 'event: tick\n\ndata: x\n\n', message('x')],
  [
    'the last type counts',
    'event: a\ndata: x\nevent: b\n\nevent: a\nevent\ndata: y\n\n',
    message('x', 'b'),
    message('y'),
  ],
  [
    'the id stays until another comes',
    'id: 1\ndata: x\n\ndata: y\n\nid: é\ndata: z\n\n',
    ['id', '1'],
    message('x', '', '1'),
    message('y', '', '1'),
    ['id', 'é'],
    message('z', '', 'é'),
  ],
  ['an id on its own', 'id: 1\n\ndata: x\n\n', ['id', '1'], message('x', '', '1')],
  ['an id with an empty data line', 'id: 1\ndata:\n\n', ['id', '1'], message('', '', '1')],
  ['an id after the data', 'data: x\nid: 1\n\n', ['id', '1'], message('x', '', '1')],
  ['the last id of an event counts', 'id: 1\nid: 2\ndata: x\n\n', ['id', '2'], message('x', '', '2')],
  ['an empty id', 'id: 1\ndata: x\n\nid\ndata: y\n\n', ['id', '1'], message('x', '', '1'), ['id', ''], message('y')],
  ['an id with NUL', 'id: 1\n\nid: a\0b\ndata: x\n\n', ['id', '1'], message('x', '', '1')],
  ['a retry', 'retry: 1500\ndata: x\n\n', ['retry', 1500], message('x')],
  ['a retry counts without a blank line', 'retry:007\n', ['retry', 7]],
  ['a retry without its line end does not', 'retry: 10'],
  [
    'a retry that is not all digits',
    'retry\nretry:\nretry:  1\nretry: 1.5\nretry: -1\nretry: +1\nretry: 1e3\nretry: 0x10\nretry: ١\nretry: 10 \nretry: a\n\n',
  ],
  ['a huge retry', `retry: 99999999999999999999\nretry: ${'9'.repeat(400)}\n`, ['retry', 1e20], ['retry', Infinity]],
]

describe('a stream says the same however it is cut', () => {
  for (const [what, stream, ...said] of fixtures) {
    const bytes = typeof stream === 'string' ? utf8(stream) : Uint8Array.from(stream)

    test(`[R-09] ${what}`, () => {
      expect(read([bytes])).toEqual(said)
    })

    test(`[R-08] ${what}, cut at every byte`, () => {
      expect(cutsThatMatter(bytes)).toEqual([])
      expect(read(cutEvery(bytes, 1))).toEqual(said)
    })
  }

  test('[R-08] 200 generated streams say the same whole, cut in two at every byte, and byte by byte', () => {
    let events = 0
    for (let seed = 1; seed <= 200; seed++) {
      const bytes = createSseStream(seed)
      const said = read([bytes])
      events += said.length
      expect(cutsThatMatter(bytes), `seed ${seed}`).toEqual([])
      expect(read(cutEvery(bytes, 1)), `seed ${seed}`).toEqual(said)
    }
    expect(events).toBeGreaterThan(400)
  })

  test('[R-08] empty chunks change nothing', () => {
    const bytes = utf8('\uFEFFid: 1\r\ndata: é\r\n\r\ndata: €\r\r')
    const chunks = [...cutEvery(bytes, 1)].flatMap((chunk) => [new Uint8Array(), chunk, new Uint8Array()])
    expect(read(chunks)).toEqual([['id', '1'], message('é', '', '1'), message('€', '', '1')])
  })
})

describe('delivery', () => {
  test('[P1] an event is delivered before feed() returns, and without waiting for the byte after a CR', () => {
    const { said, sink } = createRecorder()
    const parser = createSseParser(sink, 1000)
    parser.feed(utf8('data: a\r'))
    expect(said).toEqual([])
    parser.feed(utf8('\r'))
    expect(said).toEqual([message('a')])
    parser.feed(utf8('\n'))
    parser.feed(utf8('data: b\n\n'))
    expect(said).toEqual([message('a'), message('b')])
  })

  test('[P1] a sink needs nothing but message()', () => {
    const data: string[] = []
    createSseParser({ message: (text) => data.push(text) }, 1000).feed(utf8('retry: 1\nid: 1\ndata: x\n\n'))
    expect(data).toEqual(['x'])
  })

  for (const [how, length] of [
    ['in one chunk', 1000],
    ['byte by byte', 1],
  ] as const) {
    test(`[P1] what the sink throws passes through, and nothing after it is lost: ${how}`, () => {
      const { said, sink } = createRecorder()
      const thrown: unknown[] = []
      const failing: SseSink = {
        ...sink,
        message(...given) {
          sink.message(...given)
          throw new Error(given[0])
        },
      }
      const parser = createSseParser(failing, 20)
      const feed = (chunk: Uint8Array): void => {
        try {
          parser.feed(chunk)
        } catch (error) {
          thrown.push((error as Error).message)
        }
      }
      for (const chunk of cutEvery(
        utf8('event: tick\ndata: one\r\n\r\nid: 7\ndata: two\r\rdata: three\n\ndata: fo'),
        length,
      ))
        feed(chunk)
      for (let turn = 0; turn < 3; turn++) feed(new Uint8Array())
      feed(utf8('ur\n\n'))
      expect(said).toEqual([
        message('one', 'tick'),
        ['id', '7'],
        message('two', '', '7'),
        message('three', '', '7'),
        message('four', '', '7'),
      ])
      expect(thrown).toEqual(['one', 'two', 'three', 'four'])
    })
  }

  test('[P1] whoever hears of an event may feed another parser', () => {
    const stream = utf8('event: message\ndata: one\n\nevent: message\ndata: two\n\n')
    const heard: string[] = []
    const inner = createSseParser({ message: (data) => void heard.push(`inner ${data}`) }, 1000)
    const outer = createSseParser(
      {
        message(data) {
          heard.push(data)
          inner.feed(stream)
        },
      },
      1000,
    )
    outer.feed(stream)
    expect(heard).toEqual(['one', 'inner one', 'inner two', 'two', 'inner one', 'inner two'])
  })

  test('[P1] only data counts as activity: no comments, ids, waiting times or empty events', () => {
    const parser = createSseParser({ message: () => {} }, 1000)
    const active = (text: string): boolean => parser.feed(utf8(text))
    expect(active('')).toBe(false)
    expect(active('\n')).toBe(false)
    expect(active(': keep-alive\n\n')).toBe(false)
    expect(active(':\r\n:\r\r\n')).toBe(false)
    expect(active('\n')).toBe(false)
    expect(active(': a long comment, ')).toBe(false)
    expect(active('data: which goes on')).toBe(false)
    expect(active(' and ends\n')).toBe(false)
    expect(active('d')).toBe(true)
    expect(active(':')).toBe(true)
    expect(active('\n: comment')).toBe(false)
    expect(active('\n')).toBe(false)
    expect(active(': comment\ndata: x\n\n: comment')).toBe(true)
    expect(active('\n')).toBe(false)
    expect(active('retry: 1\n')).toBe(false)
    expect(active('id: 1\n')).toBe(false)
    expect(active('data:\n\n')).toBe(false)
    expect(active('event: message\ndata: \n\n')).toBe(false)
    expect(active('unknown\n')).toBe(false)
  })
})

describe('limits', () => {
  /** Feeds the same chunk until the parser refuses, and counts what it took. */
  function takenBefore(parser: SseParser, chunk: Uint8Array, most: number): number {
    let taken = 0
    try {
      for (; taken < most; taken += chunk.length) parser.feed(chunk)
    } catch (error) {
      if (!(error instanceof SseTooLarge)) throw error
    }
    return taken
  }
  const MB = 1024 * 1024
  const endless: [what: string, start: string, again: string][] = [
    ['a line without end', 'data: ', 'x'.repeat(65_536)],
    ['a line without end, of characters of three bytes', 'data: ', '€'.repeat(20_000)],
    ['data lines without end', '', `data: ${'x'.repeat(50)}\n`.repeat(1000)],
    ['empty data lines without end', '', 'data\n'.repeat(10_000)],
    ['a comment without end', ':', 'x'.repeat(65_536)],
    ['an id without end', 'id: ', 'x'.repeat(65_536)],
    ['comments without end inside an event', 'data: x\n', `:${'x'.repeat(999)}\n`.repeat(60)],
    [
      'a few characters of data per chunk of comments',
      '',
      `data: a slice that holds its chunk\n:${'x'.repeat(60_000)}\n`,
    ],
  ]
  for (const [what, start, again] of endless) {
    test(`[A2.1] ${what} is refused at the limit`, () => {
      const { said, sink } = createRecorder()
      const parser = createSseParser(sink, MB)
      parser.feed(utf8(`data: before\n\n${start}`))
      const chunk = utf8(again)
      // Characters are counted, and one of them has up to three bytes.
      expect(takenBefore(parser, chunk, 300 * MB)).toBeLessThanOrEqual(3 * MB + chunk.length)
      expect(said).toEqual([message('before')])
    })
  }

  const largest = utf8(`id: 1\ndata: ${'x'.repeat(494)}\n\n`)
  const tooLarge = utf8(`id: 1\ndata: ${'x'.repeat(495)}\n\n`)
  for (const length of [1, 7, 64, 1000]) {
    test(`[A2.1] the limit is the same in chunks of ${length}`, () => {
      const { said, sink } = createRecorder()
      const parser = createSseParser(sink, 500)
      for (const chunk of cutEvery(largest, length)) parser.feed(chunk)
      expect(said).toEqual([['id', '1'], message('x'.repeat(494), '', '1')])
      expect(() => {
        for (const chunk of cutEvery(tooLarge, length)) parser.feed(chunk)
      }).toThrow(SseTooLarge)
      expect(said).toHaveLength(2)
    })
  }

  test('[A2.1] the limit is one of an event, not of the stream: events, ids and keep-alives never add up', () => {
    const { said, sink } = createRecorder()
    const parser = createSseParser(sink, 500)
    for (let turn = 0; turn < 1000; turn++)
      parser.feed(utf8(`: keep-alive\nunknown: ${turn}\nid: ${turn}\n: keep-alive\n`))
    for (let turn = 0; turn < 1000; turn++) parser.feed(utf8(`data: ${'x'.repeat(400)}\n\n`))
    expect(said.filter(([kind]) => kind === 'message')).toHaveLength(1000)
  })

  test('[A2.1] events before one that is too large are delivered, nothing after it is', () => {
    const { said, sink } = createRecorder()
    const parser = createSseParser(sink, 20)
    expect(() => parser.feed(utf8(`data: a\n\ndata: ${'x'.repeat(20)}\n\ndata: b\n\n`))).toThrow(SseTooLarge)
    expect(() => parser.feed(utf8('\n\ndata: c\n\n'))).toThrow(SseTooLarge)
    expect(() => parser.feed(new Uint8Array())).toThrow(SseTooLarge)
    expect(said).toEqual([message('a')])
  })
})

describe('cost', () => {
  const MB = 1024 * 1024
  const fill = (text: string): Uint8Array => utf8(text.repeat(Math.ceil((2 * MB) / text.length)))
  const shapes: [what: string, bytes: Uint8Array][] = [
    ['one line', utf8(`data: ${'x'.repeat(2 * MB)}\n\n`)],
    ['one line of characters of three bytes', utf8(`data: ${'€'.repeat(MB / 2)}\n\n`)],
    ['one line of colons', utf8(`data: ${':'.repeat(2 * MB)}\n\n`)],
    ['one comment', utf8(`:${'x'.repeat(2 * MB)}\n\n`)],
    ['one event of short data lines', utf8(`${'data: x\n'.repeat(MB / 4)}\n`)],
    ['short lines that only end with CR', fill('data: x\r\r')],
    ['short lines that only end with CR, then one LF', utf8(`${'data: x\r\r'.repeat(MB / 5)}\n`)],
    ['short lines without a colon', fill('data\nd\ndat\nx\n\n')],
    ['line ends', fill('\r\n\n\r')],
  ]

  /** The fastest of a few runs, in milliseconds. */
  function timeOf(bytes: Uint8Array, length: number): number {
    const chunks = [...cutEvery(bytes, length)]
    const runs = Array.from({ length: 3 }, () => {
      // Reading a character makes one string of what may still be pieces.
      const parser = createSseParser({ message: (data) => data.charCodeAt(data.length - 1) }, Infinity)
      const start = performance.now()
      for (const chunk of chunks) parser.feed(chunk)
      return performance.now() - start
    })
    return Math.min(...runs)
  }

  // Searching a line again with every chunk, or the rest of a chunk again with every line, costs far more than that.
  describe.each([
    ['in chunks of 64 bytes', 64],
    ['in one chunk', Number.MAX_SAFE_INTEGER],
  ])('%s', (_, length) => {
    let ofBlankLines = 0
    beforeAll(() => {
      ofBlankLines = timeOf(fill('\n'), length)
    })
    test.each(shapes)('[P1] 2 MB cost at most 5 times what 2 MB of blank lines cost: %s', (_what, bytes) => {
      expect(timeOf(bytes, length) / ofBlankLines).toBeLessThan(5)
    })
  })
})
