/**
 * Byte streams for an event stream parser, dense in what such parsers get wrong. The same seed gives the same stream
 * in Node and in a page.
 */

/** Every event type a stream names on purpose; changed bytes may bring others. */
export const EVENT_TYPES = ['message', 'tick', 'error', 'open', 'é€😀', ' two', 'a:b']

interface Dice {
  /** A whole number from 0 to below `below`. */
  roll(below: number): number
  /** True once in `in_` rolls. */
  once(in_: number): boolean
  pick<Item>(from: readonly Item[]): Item
}

/** Mulberry32, which is small and passes for random here. */
function createDice(seed: number): Dice {
  let state = seed | 0
  const roll = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
  return { roll, once: (in_) => roll(in_) === 0, pick: (from) => from[roll(from.length)]! }
}

const encoder = new TextEncoder()
const bytesOf = (text: string): number[] => [...encoder.encode(text)]

const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const BOM = bytesOf('\uFEFF')
const LINE_ENDS = ['\n', '\n', '\r', '\r\n'].map(bytesOf)
const BLANK_LINES = ['\n\n', '\n\n', '\r\r', '\r\n\r\n', '\n\r', '\r\n\n', '\r\n\r', '\n\r\n', '\r\r\n', '\n\n\n'].map(
  bytesOf,
)
const COLONS = [':', ': ', ': ', ': ', ':  ', ' :', ':\t', '::'].map(bytesOf)
const UNKNOWN_FIELDS = [
  'foo',
  'Data',
  'dat',
  'dataa',
  ' data',
  'data ',
  'data\0',
  'ID',
  'ids',
  'i',
  'events',
  'd',
  'é',
  '\uFEFFdata',
]
const RETRIES = ['0', '10', '007', '', ' ', '1.5', '-1', '+1', '1e3', '0x10', '١', '99999999999999999999', '12a']
const TEXTS = [
  '',
  'x',
  ' x',
  '  ',
  ':',
  'a:b',
  '{"id":1}',
  'data: x',
  'é',
  '€',
  '😀',
  'aé€😀z',
  '\0',
  'a\0b',
  '\uFEFF',
  'a\uFEFFb',
  '\u2028',
  '\x85\f\v',
]
const BROKEN = [
  [0xc3],
  [0xe2],
  [0xe2, 0x82],
  [0xf0, 0x9f],
  [0xf0, 0x9f, 0x98],
  [0x80],
  [0xbf, 0xbf],
  [0xff],
  [0xc0, 0x80],
  [0xe0, 0x80, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xef, 0xbb],
  [0xe2, 0xe2, 0x82, 0xac],
]
const RAW = bytesOf('\n\r\n\r:: \0dataidevent').concat(0xef, 0xbb, 0xbf, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xff)

function createValue(dice: Dice): number[] {
  switch (dice.roll(12)) {
    case 0:
      return [...bytesOf(dice.pick(TEXTS)), ...dice.pick(BROKEN), ...bytesOf(dice.pick(TEXTS))]
    case 1:
      return dice.pick(BROKEN)
    case 2:
      return bytesOf(dice.pick(TEXTS).repeat(1 + dice.roll(300)))
    case 3:
      return Array.from({ length: dice.roll(8) }, () => dice.pick(RAW))
    default:
      return bytesOf(dice.pick(TEXTS))
  }
}

function createLine(dice: Dice): number[] {
  const field = (name: string, value: number[]): number[] =>
    dice.once(8) ? bytesOf(name) : [...bytesOf(name), ...dice.pick(COLONS), ...value]
  switch (dice.roll(16)) {
    case 0:
    case 1:
      return field('id', createValue(dice))
    case 2:
    case 3:
      return field('event', dice.once(8) ? createValue(dice) : bytesOf(dice.pick(EVENT_TYPES)))
    case 4:
      return field('retry', bytesOf(dice.pick(RETRIES)))
    case 5:
    case 6:
      return [...bytesOf(':'), ...createValue(dice)]
    case 7:
      return field(dice.pick(UNKNOWN_FIELDS), createValue(dice))
    case 8:
      return createValue(dice)
    default:
      return field('data', createValue(dice))
  }
}

function createBytes(dice: Dice): number[] {
  const bytes: number[] = []
  if (dice.once(8)) bytes.push(...BOM)
  if (dice.once(20)) bytes.push(...BOM)
  if (dice.once(30)) bytes.push(...dice.pick(BROKEN))
  for (let lines = dice.roll(16); lines > 0; lines--) {
    bytes.push(...createLine(dice), ...dice.pick(dice.once(3) ? BLANK_LINES : LINE_ENDS))
  }
  // Otherwise the last event has no blank line, and is not one.
  if (!dice.once(3)) bytes.push(...bytesOf('data: last'), ...dice.pick(BLANK_LINES))
  if (dice.once(4)) bytes.push(...createLine(dice))
  if (dice.once(4)) bytes.push(...dice.pick(LINE_ENDS))
  for (let changes = dice.once(4) ? 1 + dice.roll(3) : 0; changes > 0; changes--) {
    const inserted = dice.once(2) ? [dice.pick(RAW)] : []
    bytes.splice(dice.roll(bytes.length + 1), dice.roll(2), ...inserted)
  }
  return bytes
}

/** Chromium takes a line end right after the byte order mark into the next field's name; the standard does not. */
function startsWhereChromiumErrs(bytes: number[]): boolean {
  return BOM.every((byte, at) => bytes[at] === byte) && (bytes[3] === LINE_FEED || bytes[3] === CARRIAGE_RETURN)
}

export function createSseStream(seed: number): Uint8Array<ArrayBuffer> {
  const bytes = createBytes(createDice(seed))
  while (startsWhereChromiumErrs(bytes)) bytes.splice(3, 1)
  return Uint8Array.from(bytes)
}

/** The stream in at most `most` pieces, cut anywhere, also inside characters and line ends. */
export function cutSseStream(bytes: Uint8Array<ArrayBuffer>, seed: number, most: number): Uint8Array<ArrayBuffer>[] {
  const dice = createDice(~seed)
  const cuts = Array.from({ length: dice.roll(most) }, () => dice.roll(bytes.length + 1)).toSorted((a, b) => a - b)
  return [0, ...cuts].map((from, at) => bytes.subarray(from, cuts[at]))
}
