/** A picture of a stranger that is what it says, and small enough to be drawn. */
export interface Raster {
  address: string
  width: number
  height: number
}

const MAX_BYTES = 8 * 1024 * 1024
const MAX_PIXELS = 40_000_000

/**
 * A raster picture from base64: its kind and its size are read from its first bytes and never from what the sender says of
 * it. What draws with a script (SVG), or unpacks to more than a screen can hold, is refused with the reason.
 */
export function readRaster(base64: string): Raster | { problem: string } {
  if (base64.length * 0.75 > MAX_BYTES) return { problem: `larger than ${MAX_BYTES / 1024 / 1024} MB` }
  const bytes = decodeHead(base64)
  if (!bytes) return { problem: 'not readable' }
  const found = readPng(bytes) ?? readGif(bytes) ?? readWebp(bytes) ?? readJpeg(bytes)
  if (!found) return { problem: 'not a PNG, JPEG, GIF or WebP picture' }
  const { type, width, height } = found
  if (width < 1 || height < 1 || width * height > MAX_PIXELS)
    return { problem: `${width} × ${height} is too large to show` }
  return { address: `data:image/${type};base64,${base64}`, width, height }
}

interface Found {
  type: 'png' | 'gif' | 'webp' | 'jpeg'
  width: number
  height: number
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
/** Everything that says how large a picture is stands in its first characters. */
const HEAD_CHARACTERS = 262_144

function decodeHead(base64: string): DataView | undefined {
  if (base64.length % 4 !== 0 || !BASE64.test(base64)) return undefined
  const head = atob(base64.slice(0, HEAD_CHARACTERS))
  return new DataView(Uint8Array.from(head, (character) => character.charCodeAt(0)).buffer)
}

function startsWith(bytes: DataView, text: string, at = 0): boolean {
  if (bytes.byteLength < at + text.length) return false
  return Array.from(text).every((character, index) => bytes.getUint8(at + index) === character.charCodeAt(0))
}

function readPng(bytes: DataView): Found | undefined {
  if (bytes.byteLength < 24 || !startsWith(bytes, '\x89PNG\r\n\x1a\n') || !startsWith(bytes, 'IHDR', 12))
    return undefined
  return { type: 'png', width: bytes.getUint32(16), height: bytes.getUint32(20) }
}

function readGif(bytes: DataView): Found | undefined {
  if (bytes.byteLength < 10 || !(startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a'))) return undefined
  return { type: 'gif', width: bytes.getUint16(6, true), height: bytes.getUint16(8, true) }
}

function readWebp(bytes: DataView): Found | undefined {
  if (bytes.byteLength < 30 || !startsWith(bytes, 'RIFF') || !startsWith(bytes, 'WEBP', 8)) return undefined
  if (startsWith(bytes, 'VP8 ', 12)) {
    return { type: 'webp', width: bytes.getUint16(26, true) & 0x3fff, height: bytes.getUint16(28, true) & 0x3fff }
  }
  if (startsWith(bytes, 'VP8L', 12)) {
    const packed = bytes.getUint32(21, true)
    return { type: 'webp', width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
  }
  if (!startsWith(bytes, 'VP8X', 12)) return undefined
  const uint24 = (at: number) => bytes.getUint16(at, true) + bytes.getUint8(at + 2) * 65_536
  return { type: 'webp', width: uint24(24) + 1, height: uint24(27) + 1 }
}

/** Walks the segments to the one that begins the frame. */
function readJpeg(bytes: DataView): Found | undefined {
  if (!startsWith(bytes, '\xff\xd8\xff')) return undefined
  let at = 2
  while (at + 9 < bytes.byteLength && bytes.getUint8(at) === 0xff) {
    const marker = bytes.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { type: 'jpeg', height: bytes.getUint16(at + 5), width: bytes.getUint16(at + 7) }
    at += marker === 0xff ? 1 : 2 + bytes.getUint16(at + 2)
  }
  return undefined
}
