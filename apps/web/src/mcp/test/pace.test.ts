import { FaultServer } from '@switchboard/testkit/fault-server'
import { expect, test } from 'vitest'
import { createPace } from '../pace-requests.ts'
import { failureFrom, scenario, serverRecord } from './scenario.ts'

// A minute is as long as a test can wait for.
const MINUTE_MS = 400

/** The most that left within one minute. Between the turn and the note of it, the machine may take a moment. */
function mostWithin(times: readonly number[], ms: number): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + ms).length))
}

/** Asks as usual, and notes when: what arrives together on a busy machine may have left apart. */
function notingFetch() {
  const times: number[] = []
  const noting = (url: string, init: RequestInit) => {
    times.push(performance.now())
    return fetch(url, init)
  }
  return { times, fetch: noting }
}

test.each(['sessions', 'stateless'] as const)(
  'no more requests than allowed reach a server in a minute, whatever they are for, and all get their answer (%s)',
  async (era) => {
    await using far = await new FaultServer({ era }).start()
    const { times, fetch } = notingFetch()
    const record = serverRecord('a', far.url, { requestsPerMinute: 4 })
    await using app = await scenario([record], { minuteMs: MINUTE_MS, fetch })
    const { tools } = await app.offers(['a'])
    const results = await Promise.all([1, 2, 3, 4, 5].map((mark) => app.call(tools[0]!, { mark: String(mark) })))
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false, false, false])
    expect(far.ledger.executionsOf('echo')).toBe(5)
    expect(times.length).toBeGreaterThan(8)
    expect(mostWithin(times, MINUTE_MS * 0.9)).toBeLessThanOrEqual(4)
  },
)

test('a call that waits for its turn is not taken for one without an answer, however long the turn takes', async () => {
  await using far = await new FaultServer({ era: 'stateless' }).start()
  // One request in four seconds, and the patience of three.
  const record = serverRecord('a', far.url, { requestsPerMinute: 1, timeoutSeconds: 3 })
  await using app = await scenario([{ ...record, requestsPerMinute: undefined }])
  const { tools } = await app.offers(['a'])
  await using slow = await scenario([record], { minuteMs: 4_000 })
  const calls = await Promise.all([slow.call(tools[0]!, { mark: 'x' }), slow.call(tools[0]!, { mark: 'y' })])
  expect(calls.map(({ isError }) => isError)).toEqual([false, false])
})

test('a call that waits can be cancelled: it never leaves, and those behind it move up', async () => {
  await using far = await new FaultServer({ era: 'stateless' }).start()
  await using app = await scenario([serverRecord('a', far.url, { requestsPerMinute: 3 })], { minuteMs: 1_000 })
  const { tools } = await app.offers(['a'])
  const abort = new AbortController()
  const left = failureFrom(app.call(tools[0]!, { mark: 'left' }, { signal: abort.signal }))
  const stays = app.call(tools[0]!, { mark: 'stays' })
  abort.abort()
  expect(await left).toMatchObject({ code: 'stopped' })
  await stays
  const sent = far.ledger.of('tools/call').map(({ message }) => JSON.stringify(message))
  expect(sent).toHaveLength(1)
  expect(sent[0]).toContain('stays')
})

test('a new connection has no fresh minute', async () => {
  await using far = await new FaultServer({ era: 'sessions' }).start()
  const { times, fetch } = notingFetch()
  const record = serverRecord('a', far.url, { requestsPerMinute: 4 })
  await using app = await scenario([record], { minuteMs: MINUTE_MS, fetch })
  for (const _ of [1, 2, 3]) {
    await app.mcp.connections.connect('a')
    app.mcp.connections.close('a')
  }
  expect(mostWithin(times, MINUTE_MS * 0.9)).toBeLessThanOrEqual(4)
})

test('turns come in order, and nobody is passed by', async () => {
  const pace = createPace(2, 50)
  const order: number[] = []
  await Promise.all(
    Array.from({ length: 9 }, async (_, at) => {
      await pace.turn(undefined)
      order.push(at)
    }),
  )
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
})

test('how long a turn takes is told to who waits, and to nobody else', async () => {
  const pace = createPace(2, 100)
  const waits: number[] = []
  await Promise.all([1, 2, 3, 4, 5].map(() => pace.turn(undefined, (waitMs) => waits.push(Math.round(waitMs / 100)))))
  expect(waits).toEqual([1, 1, 2])
})

test('whoever has left already takes no turn', async () => {
  const pace = createPace(1, 60_000)
  await expect(pace.turn(AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  await pace.turn(undefined)
})
