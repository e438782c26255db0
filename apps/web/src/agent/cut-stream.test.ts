import { type LlmTurn, llmStream, startLlmEndpoint } from '@switchboard/testkit/llm-endpoint'
import { expect, test } from 'vitest'
import type { Fetch } from './provider-fetch.ts'
import { sampleConnection, sampleModels, type Wire, wires } from './sample-service.ts'
import { CONVERSATION, memoryStorage, sampleTool, sampleTools, sampleTurns } from './sample-turn.ts'

const SAID: LlmTurn = {
  calls: [
    { name: 'server__pay', input: { to: 'Ann', sum: 1 } },
    { name: 'server__pay', input: { to: 'Ben', sum: 20 } },
  ],
}
const WHOLE = ['{"to":"Ann","sum":1}', '{"to":"Ben","sum":20}']

const AT_ONCE = 32

/** `npm run test:deep` cuts at every byte. */
const IS_DEEP = process.env['SWITCHBOARD_DEEP'] === '1'

/** Every place where an event of the stream ends, those beside it, and samples in between. */
function placesToCut(bytes: Uint8Array): number[] {
  const places = Array.from({ length: bytes.length + 1 }, (_, at) => at)
  const endsLine = (at: number) => bytes[at] === 10
  return places.filter(
    (at) => IS_DEEP || at % 29 === 0 || at >= bytes.length - 1 || [at - 2, at - 1, at, at + 1].some(endsLine),
  )
}

const formatOf = (wire: Wire) => (wire === 'compatible' ? 'chat' : wire)

/** One turn whose first answer is cut. Tells whether its calls ran; half a call, or one without the other, is a failure. */
async function ranAfterCut(wire: Wire, url: string, ask?: Fetch): Promise<boolean> {
  const storage = memoryStorage()
  const tools = sampleTools([sampleTool('pay')])
  const models = sampleModels(sampleConnection(wire, url), ask ? { ask } : {})
  await storage.say('Pay both')
  await sampleTurns({ storage, tools, models }).run(CONVERSATION)
  const given = tools.executed.map(({ arguments: text }) => text).sort()
  if (given.length > 0) {
    expect(given).toEqual(WHOLE)
    return true
  }
  expect([...storage.messages.values()][1]?.status).toBe('failed')
  expect(storage.calls.size).toBe(0)
  return false
}

/** A service whose stream breaks, or ends as if that were all; once its calls have run, it hangs up on the next question. */
function brokenService(bytes: Uint8Array<ArrayBuffer>, how: 'hang-up' | 'end'): Fetch {
  return async (_, { body }) => {
    const isAnswered = typeof body === 'string' && body.includes('result of pay')
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        if (how === 'hang-up') controller.error(new TypeError('terminated'))
        else controller.close()
      },
      start: (controller) => controller.enqueue(isAnswered ? new Uint8Array() : bytes),
    })
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  }
}

for (const wire of wires) {
  test(`[R-44] ${wire}: a stream that is cut runs no call until the answer is whole`, async () => {
    const bytes = new TextEncoder().encode(llmStream(formatOf(wire), SAID))
    const url = 'http://localhost/v1'
    const ran: number[] = []
    async function cutAt(at: number): Promise<void> {
      if (await ranAfterCut(wire, url, brokenService(bytes.subarray(0, at), 'end'))) ran.push(at)
      // A connection that breaks never ends an answer, wherever that is: some places speak for all.
      if (at % 29 > 0) return
      expect(await ranAfterCut(wire, url, brokenService(bytes.subarray(0, at), 'hang-up'))).toBe(false)
    }
    const allPlaces = placesToCut(bytes)
    const places = [...allPlaces]
    while (places.length > 0) await Promise.all(places.splice(0, AT_ONCE).map(cutAt))
    ran.sort((a, b) => a - b)
    // Once the answer is whole it stays whole: the places where it ran are the last ones, without a gap.
    expect(ran.at(-1)).toBe(bytes.length)
    expect(ran).toEqual(allPlaces.slice(-ran.length))
    expect(ran.length).toBeLessThan(allPlaces.length / 2)
  })

  test(`[R-44] ${wire}: the same over a real connection, at some places`, async () => {
    let cut: LlmTurn['cut']
    const endpoint = await startLlmEndpoint(({ step }) =>
      step === 0 ? { ...SAID, ...(cut && { cut }) } : { text: 'done' },
    )
    const { length } = llmStream(formatOf(wire), SAID)
    for (const share of [0, 0.2, 0.4, 0.5, 0.6, 0.7])
      for (const how of ['end', 'hang-up'] as const) {
        cut = { afterBytes: Math.floor(length * share), how }
        expect(await ranAfterCut(wire, endpoint.url)).toBe(false)
      }
    cut = undefined
    expect(await ranAfterCut(wire, endpoint.url)).toBe(true)
    await endpoint.close()
  })
}
