/** Minified bytes of a bundle by original source, read from its source map. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The numbers of one segment: base 64, five bits a digit, the sign in the lowest. */
function decodeSegment(text) {
  const out = []
  let shift = 0
  let value = 0
  for (const character of text) {
    const digit = DIGITS.indexOf(character)
    value += (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    out.push(value & 1 ? -(value >> 1) : value >> 1)
    value = shift = 0
  }
  return out
}

export function bytesBySource(code, { mappings, sources }) {
  const totals = new Map()
  const lines = code.split('\n')
  let at = 0
  for (const [row, segments] of mappings.split(';').entries()) {
    let column = 0
    let source
    const upTo = (end) => {
      if (source !== undefined) totals.set(source, (totals.get(source) ?? 0) + end - column)
      column = end
    }
    for (const segment of segments === '' ? [] : segments.split(',')) {
      const [step, sourceStep] = decodeSegment(segment)
      upTo(column + step)
      if (sourceStep !== undefined) at += sourceStep
      source = sourceStep === undefined ? undefined : sources[at]
    }
    upTo((lines[row] ?? '').length)
  }
  return [...totals]
}
