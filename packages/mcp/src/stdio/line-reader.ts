const NEWLINE = 10
/** Enough of either end of a line to hold the id of its message. */
const END = 256
/** How many pieces of a line are kept before they are joined: one that comes byte by byte would take a hundredfold. */
const PIECES = 1024

export interface LineSink {
  online(line: string): void
  /** A line is longer than the bound. Told as soon as it is, with how it begins, and with how it ends when it has. */
  onlong(head: string, tail?: string): void
}

/** Cuts bytes into lines, and keeps no more of a line than the bound. */
export class LineReader {
  readonly #maxBytes: number
  readonly #sink: LineSink
  #pieces: Buffer[] = []
  /** How many of the pieces, from the first, were joined already. */
  #joined = 0
  #bytes = 0
  /** How a line ends that is too long to be kept. */
  #tail: Buffer | undefined

  constructor(maxBytes: number, sink: LineSink) {
    this.#maxBytes = maxBytes
    this.#sink = sink
  }

  feed(chunk: Buffer): void {
    let from = 0
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, to))
      from = to + 1
      this.#endLine()
    }
    if (from < chunk.length) this.#add(chunk.subarray(from))
  }

  #add(piece: Buffer): void {
    this.#bytes += piece.length
    if (this.#tail) this.#tail = Buffer.concat([this.#tail, piece.subarray(-END)]).subarray(-END)
    else {
      this.#pieces.push(piece)
      if (this.#pieces.length - this.#joined >= PIECES) {
        this.#pieces.push(Buffer.concat(this.#pieces.splice(this.#joined)))
        this.#joined++
      }
      if (this.#bytes <= this.#maxBytes) return
      const head = Buffer.concat(this.#pieces, Math.min(END, this.#bytes)).toString()
      this.#tail = lastOf(this.#pieces)
      this.#pieces = []
      this.#joined = 0
      this.#sink.onlong(head)
    }
  }

  #endLine(): void {
    const [first = Buffer.alloc(0), ...more] = this.#pieces
    const tail = this.#tail
    this.#pieces = []
    this.#joined = 0
    this.#bytes = 0
    this.#tail = undefined
    if (tail) this.#sink.onlong('', tail.toString())
    else this.#sink.online((more.length > 0 ? Buffer.concat([first, ...more]) : first).toString())
  }
}

/** How the pieces end, without joining them all. */
function lastOf(pieces: Buffer[]): Buffer {
  let from = pieces.length
  for (let bytes = 0; bytes < END && from > 0; ) bytes += pieces[--from]?.length ?? 0
  return Buffer.concat(pieces.slice(from)).subarray(-END)
}
