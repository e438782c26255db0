import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { EventStream } from './event-stream.ts'

it('a stream that is picked up again and again leaves no listener behind', async () => {
  const heard: string[] = []
  const stream = new EventStream(1000, (data) => void heard.push(data))
  const abort = new AbortController()
  for (const data of ['one', 'two', 'three']) await stream.read(new Response(`data: ${data}\n\n`), () => false, abort)
  expect(heard).toEqual(['one', 'two', 'three'])
  expect(getEventListeners(abort.signal, 'abort')).toEqual([])
})

it('an abort ends a connection that is silent', async () => {
  const stream = new EventStream(1000, () => {})
  const abort = new AbortController()
  let left = false
  const silent = new ReadableStream({ cancel: () => void (left = true) })
  const reading = stream.read(new Response(silent), () => false, abort)
  abort.abort()
  await reading
  expect(left).toBe(true)
})
