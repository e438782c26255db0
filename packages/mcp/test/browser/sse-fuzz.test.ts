import type {} from '@switchboard/testkit/browser-setup'
import { cutSseStream, EVENT_TYPES } from '@switchboard/testkit/sse-stream-generator'
import { expect, inject, test } from 'vitest'
import { createSseParser } from '../../src/transport/sse.ts'

const url = inject('sseStreamUrl')
const count = inject('sseStreamCount')

// A page gets six connections to one address; more at a time would only queue.
const AT_ONCE = 6

type ReadEvent = [type: string, data: string, lastEventId: string]

function readWithParser(pieces: Iterable<Uint8Array>): ReadEvent[] {
  const events: ReadEvent[] = []
  const parser = createSseParser(
    { message: (data, event, id) => events.push([event || 'message', data, id]) },
    Number.POSITIVE_INFINITY,
  )
  for (const piece of pieces) parser.feed(piece)
  return events
}

/** An EventSource tells nothing of types nobody listens for, so whatever may be one is listened for. */
function possibleTypes(bytes: Uint8Array): Set<string> {
  const types = new Set(EVENT_TYPES)
  for (const line of new TextDecoder().decode(bytes).split(/\r\n|\r|\n/)) {
    const type = /^event: ?(.+)$/s.exec(line)?.[1]
    if (type !== undefined) types.add(type)
  }
  return types
}

function readWithEventSource(address: string, types: Set<string>): Promise<ReadEvent[]> {
  return new Promise((resolve, reject) => {
    const events: ReadEvent[] = []
    let opened = false
    const source = new EventSource(address)
    const onEvent = (event: Event): void => {
      if (event instanceof MessageEvent) events.push([event.type, event.data as string, event.lastEventId])
      else if (event.type === 'open') opened = true
      else {
        // The end of the stream. Left open, the source would read it again.
        source.close()
        if (opened) resolve(events)
        else reject(new Error(`Chromium refused ${address}`))
      }
    }
    for (const type of types) source.addEventListener(type, onEvent)
  })
}

/** Both readings of one stream, or undefined when they are the same. */
async function compare(seed: number, seen: ReadEvent[][]): Promise<object | undefined> {
  const bytes = await (await fetch(`${url}/bytes?seed=${seed}`)).bytes()
  const chromium = await readWithEventSource(`${url}/stream?seed=${seed}`, possibleTypes(bytes))
  const whole = readWithParser([bytes])
  const cut = readWithParser(cutSseStream(bytes, -seed, 8))
  seen.push(chromium)
  const wanted = JSON.stringify(chromium)
  if (JSON.stringify(whole) === wanted && JSON.stringify(cut) === wanted) return undefined
  return { seed, stream: new TextDecoder().decode(bytes), chromium, whole, cut }
}

test(`[R-09] ${count} generated streams are read as Chromium's own EventSource reads them`, {
  timeout: 60_000 + count * 60,
}, async () => {
  const differences: object[] = []
  const seen: ReadEvent[][] = []
  let next = 1
  const readOn = async (): Promise<void> => {
    while (next <= count) {
      const difference = await compare(next++, seen)
      if (difference) differences.push(difference)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readOn))

  expect(differences.slice(0, 5)).toEqual([])
  expect(seen).toHaveLength(count)
  // Streams that hardly hold an event would agree whatever the parser does.
  const events = seen.flat()
  expect(events.length).toBeGreaterThan(count)
  expect(events.filter(([type]) => type !== 'message').length).toBeGreaterThan(count / 10)
  expect(events.filter(([, , id]) => id !== '').length).toBeGreaterThan(count / 2)
  expect(events.filter(([, data]) => data.includes('\uFFFD')).length).toBeGreaterThan(count / 20)
})
