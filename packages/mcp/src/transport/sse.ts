import { createChunkDecoder } from './chunk-decoder.ts'

/** What a stream says: its events, and the ids and waiting times they come with. */
export interface SseSink {
  /**
   * One event. `event` is '' when the stream named none (it is a "message" then); `id` is the last event id, '' if none.
   * `data` is '' for a block whose only data line is empty: the standard fires an event for it.
   */
  message(data: string, event: string, id: string): void
  /** An id took effect: at the end of every block that set one, with or without data, before the block's message(). */
  id?(id: string): void
  /** A valid `retry:` field in milliseconds, as soon as its line ends. As large as the stream says, up to Infinity. */
  retry?(ms: number): void
}

export interface SseParser {
  /**
   * Takes the next bytes and delivers what they complete, synchronously. Returns true when they carried
   * data: not for comments, ids, waiting times and empty events, which a server may send with every new connection. What the sink throws passes through; the next feed() goes on right after that block.
   */
  feed(chunk: Uint8Array): boolean
}

/** One event grew past the limit. The parser has let go of it and throws this for whatever it is fed afterwards. */
export class SseTooLarge extends Error {}

/**
 * What nearly every event is, whole. Read at once, and by an expression: what an engine does with the single characters of a
 * text that it took over from the platform is slow.
 */
const USUAL = /event: message\ndata: [^\r\n]*\n\n/y
const COLON = 58
const SMALL_D = 100

/** The value of the line `text[from, to)` if its field is called `name`. Looks at no character beyond the line. */
const fieldValue = (text: string, from: number, to: number, name: string): string | undefined => {
  if (!text.startsWith(name, from)) return undefined
  from += name.length
  if (from < to) {
    if (text.charCodeAt(from) !== COLON) return undefined
    if (text[++from] === ' ') from++
  }
  return text.slice(from, to)
}

/**
 * Reads an event stream as the HTML standard says. `maxBytes` bounds one event: the characters from its first data line
 * on, comments and unfinished lines included. Leaving out what lies between data lines would let a stream hold
 * chunk after chunk in memory for a few characters each, as a slice keeps its whole string alive.
 */
export function createSseParser(sink: SseSink, maxBytes: number): SseParser {
  const decode = createChunkDecoder()
  let unread = '' // what followed a block whose sink threw
  let parts: string[] = [] // pieces of a line that has not ended; searching them again would cost quadratic time
  let size = 0
  let endedByCr = false // a line feed that comes next belongs to it
  let data: string | undefined
  let event = ''
  let id = ''
  let nextId: string | undefined
  let active = false

  const readLine = (text: string, from: number, to: number): void => {
    let value: string | undefined
    if (from === to) {
      const block = data
      const type = event
      data = undefined
      event = ''
      size = 0
      if (nextId !== undefined) {
        id = nextId
        nextId = undefined
        sink.id?.(id)
      }
      if (block !== undefined) sink.message(block, type, id)
    } else {
      if (text.charCodeAt(from) !== COLON) {
        // An id, or an event without data, says nothing about the answer: servers send them with every new connection.
        if ((value = fieldValue(text, from, to, 'data')) !== undefined) {
          if (value) active = true
          // What a line takes in memory besides its characters: short ones without end must not outgrow the limit unseen.
          if (data !== undefined) size += 64
          data = data === undefined ? value : `${data}\n${value}`
        } else if ((value = fieldValue(text, from, to, 'event')) !== undefined) {
          event = value
        } else if ((value = fieldValue(text, from, to, 'id')) !== undefined) {
          if (!value.includes('\0')) nextId = value
        } else if ((value = fieldValue(text, from, to, 'retry')) && /^\d+$/.test(value)) sink.retry?.(+value)
      }
      if (data === undefined) size = 0
    }
  }

  /** Counts characters before they are kept. */
  const grow = (by: number): void => {
    size += by
    if (size > maxBytes) {
      maxBytes = -1
      parts = []
      unread = ''
      data = undefined
      throw new SseTooLarge()
    }
  }

  return {
    feed(chunk) {
      grow(0)
      const text = unread + decode(chunk)
      let from = 0
      let lf = -1
      let cr = -1
      unread = ''
      active = false
      try {
        while (from < text.length) {
          if (data === undefined && nextId === undefined && parts.length === 0) {
            // Set each time: whoever hears of an event may feed another parser.
            while (((USUAL.lastIndex = from), USUAL.test(text))) {
              const value = text.slice(from + 'event: message\ndata: '.length, USUAL.lastIndex - 2)
              from = USUAL.lastIndex
              grow(value.length)
              if (value) active = true
              endedByCr = false
              event = ''
              size = 0
              sink.message(value, 'message', id)
            }
            if (from === text.length) break
          }
          // Each is looked for again only once it is passed: a stream of only one kind stays linear too.
          if (cr < from && (cr = text.indexOf('\r', from)) < 0) cr = text.length
          if (lf < from && (lf = text.indexOf('\n', from)) < 0) lf = text.length
          if (endedByCr) {
            endedByCr = false
            if (lf === from) {
              from++
              continue
            }
          }
          const start = from
          const end = lf < cr ? lf : cr
          grow(end - start)
          if (end === text.length) {
            parts.push(text.slice(start))
            if (parts[0]!.charCodeAt(0) === SMALL_D) active = true
            break
          }
          from = end + 1
          endedByCr = end === cr
          if (parts.length > 0) {
            parts.push(text.slice(start, end))
            const line = parts.join('')
            parts = []
            readLine(line, 0, line.length)
          } else readLine(text, start, end)
        }
      } catch (error) {
        if (maxBytes >= 0) unread = text.slice(from)
        throw error
      }
      return active
    },
  }
}
