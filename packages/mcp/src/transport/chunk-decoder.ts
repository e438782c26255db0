const createDecoder = (): TextDecoder => new TextDecoder('utf-8', { ignoreBOM: true })
/** For chunks that begin and end on a character border: without `stream` decoding is several times faster in Node. */
const whole = createDecoder()

/** Makes text of the bytes of one body, chunk by chunk; a mark of the byte order at its beginning is none of it. */
export function createChunkDecoder(): (chunk: Uint8Array) => string {
  let decoder: TextDecoder | undefined
  let onBorder = true // the last chunk ended with a whole character
  let begun = false
  return (chunk) => {
    const ends = chunk[chunk.length - 1]! < 128
    const text = onBorder && ends ? whole.decode(chunk) : (decoder ??= createDecoder()).decode(chunk, { stream: true })
    onBorder = ends
    if (begun || text === '') return text
    begun = true
    return text.replace(/^\ufeff/, '')
  }
}
