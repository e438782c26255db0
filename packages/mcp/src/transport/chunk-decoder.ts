const STREAM = { stream: true }
const KEEP_BOM = { ignoreBOM: true }
/** For chunks that begin and end on a character border: without `stream` decoding is several times faster in Node. */
const WHOLE = new TextDecoder('utf-8', KEEP_BOM)
const BOM = 0xfeff

/** Makes text of the bytes of one body, chunk by chunk; a mark of the byte order at its beginning is none of it. */
export function createChunkDecoder(): (chunk: Uint8Array) => string {
  let decoder: TextDecoder | undefined
  let onBorder = true // the last chunk ended with a whole character
  let begun = false
  return (chunk) => {
    const ends = chunk[chunk.length - 1]! < 128
    const text =
      onBorder && ends ? WHOLE.decode(chunk) : (decoder ??= new TextDecoder('utf-8', KEEP_BOM)).decode(chunk, STREAM)
    onBorder = ends
    if (begun || text === '') return text
    begun = true
    return text.charCodeAt(0) === BOM ? text.slice(1) : text
  }
}
