import { crc32, deflateSync } from 'node:zlib'

const WIDTH = 480
const HEIGHT = 240
const MARGIN = 24
/** Paper, line, bar, figure. */
const PALETTE = Buffer.from([250, 250, 249, 214, 211, 209, 53, 104, 176, 68, 64, 60])

/** Figures of three by five dots, one row after the other. */
const FIGURES = [
  '111101101101111',
  '010110010010111',
  '111001111100111',
  '111001111001111',
  '101101111001001',
  '111100111001111',
  '111100111101111',
  '111001001001001',
  '111101111101111',
  '111101111001111',
]

/**
 * A bar chart as a PNG file.
 * @param {readonly number[]} values
 * @returns {Buffer}
 */
export function drawBars(values) {
  const pixels = Buffer.alloc(WIDTH * HEIGHT)
  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {number} color */
  const fill = (x, y, width, height, color) => {
    for (let row = y; row < y + height; row++) pixels.fill(color, row * WIDTH + x, row * WIDTH + x + width)
  }
  const floor = HEIGHT - MARGIN
  const step = Math.floor((WIDTH - 2 * MARGIN) / values.length)
  const largest = Math.max(1, ...values)
  for (let line = 0; line <= 4; line++)
    fill(MARGIN, floor - Math.round((line * (floor - 48)) / 4), WIDTH - 2 * MARGIN, 1, 1)
  values.forEach((value, index) => {
    const height = Math.round((value / largest) * (floor - 48))
    const x = MARGIN + index * step + Math.round(step * 0.15)
    const width = Math.round(step * 0.7)
    fill(x, floor - height, width, height, 2)
    const figures = String(Math.round(value))
    let left = x + Math.round((width - (figures.length * 8 - 2)) / 2)
    for (const figure of figures) {
      const dots = FIGURES[Number(figure)] ?? ''
      for (let dot = 0; dot < dots.length; dot++) {
        if (dots[dot] === '1') fill(left + (dot % 3) * 2, floor - height - 16 + Math.floor(dot / 3) * 2, 2, 2, 3)
      }
      left += 8
    }
  })
  return encode(pixels)
}

/** @param {Buffer} pixels one byte each, an index into the palette */
function encode(pixels) {
  const rows = Buffer.alloc((WIDTH + 1) * HEIGHT)
  for (let row = 0; row < HEIGHT; row++) pixels.copy(rows, row * (WIDTH + 1) + 1, row * WIDTH, (row + 1) * WIDTH)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(WIDTH, 0)
  head.writeUInt32BE(HEIGHT, 4)
  head.set([8, 3, 0, 0, 0], 8)
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', PALETTE),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}
