import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { seeded } from '@switchboard/testkit/fault-oracle'
import { type Exchange, formatEvent } from '@switchboard/testkit/fault-server'
import { describe, expect, it } from 'vitest'
import {
  breath,
  type Era,
  eras,
  expectStillUsable,
  failureOf,
  serve,
  serveAndConnect,
  transportTo,
} from './scenario.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Twice, and with turns between: what is held by finished work alone is gone then. Node held a signal no better once. */
async function collectGarbage(): Promise<void> {
  for (let n = 0; n < 2; n++) {
    await breath()
    collect()
  }
}

const isCall = (exchange: Exchange) => exchange.method === 'tools/call'
const call = { name: 'echo', arguments: { mark: 'once' } }

describe.each(eras)('abort reaches the server (%s)', (era) => {
  it.each([
    ['before the head', false],
    ['before the head', true],
    ['inside the stream', false],
    ['inside the stream', true],
    ['inside a body', false],
    ['inside a body', true],
    ['inside a long body', false],
    ['inside a long body', true],
  ])(
    '[1.2] %s: the caller gets its own reason, the server is told (after a collection of garbage: %s)',
    async (where, collected) => {
      const { server, client } = await serveAndConnect({ era })
      server.onRequest = (exchange) => {
        if (!isCall(exchange)) return
        if (where === 'before the head') exchange.stall()
        else if (where === 'inside the stream') void exchange.stream().comment()
        else {
          const length = where === 'inside a long body' && { 'content-length': '20000' }
          exchange.head(200, { 'content-type': 'application/json', ...length }).write('{')
        }
      }
      const controller = new AbortController()
      const outcome = client
        .callTool({ ...call, options: { signal: controller.signal } })
        .catch((error: unknown) => error)
      await server.ledger.untilCount('tools/call', 1)
      await breath()
      if (collected) await collectGarbage()
      const reason = { mine: true }
      controller.abort(reason)
      expect(await outcome).toBe(reason)
      const [entry] = server.ledger.of('tools/call')
      await server.ledger.until(() => entry?.disconnected === true, 'the request being left')
      if (era === 'sessions') {
        await server.ledger.until(() => server.ledger.cancels.length === 1, 'notifications/cancelled')
        expect(server.ledger.cancels).toEqual([entry?.id])
      } else expect(server.ledger.count('notifications/cancelled')).toBe(0)
      expect(server.ledger.count('tools/call')).toBe(1)
      await expectStillUsable(client, server)
    },
  )

  it('[1.2] before it was sent: nothing is sent at all', async () => {
    const { server, client } = await serveAndConnect({ era })
    const before = server.ledger.entries.length
    const reason = new Error('never mind')
    const outcome = await client
      .callTool({ ...call, options: { signal: AbortSignal.abort(reason) } })
      .catch((error: unknown) => error)
    expect(outcome).toBe(reason)
    await breath()
    expect(server.ledger.entries).toHaveLength(before)
  })

  it('[1.2] after the result: nothing happens', async () => {
    const { server, client } = await serveAndConnect({ era })
    const controller = new AbortController()
    expect(await client.callTool({ ...call, options: { signal: controller.signal } })).toBeDefined()
    const before = server.ledger.entries.length
    controller.abort()
    await breath()
    await client.ping()
    expect(server.ledger.cancels).toEqual([])
    expect(server.ledger.entries).toHaveLength(before + 1)
  })

  it('[1.2] a page of a list in flight: the list stops, no further page is asked for', async () => {
    const { server, client } = await serveAndConnect({ era })
    const controller = new AbortController()
    server.onRequest = (exchange) => {
      if (exchange.method !== 'tools/list') return
      if (exchange.nth === 3) controller.abort(new Error('enough'))
      exchange.json(exchange.reply({ ...exchange.result(), nextCursor: `page-${exchange.nth}` }))
    }
    await expect(client.listTools({ options: { signal: controller.signal } })).rejects.toThrow('enough')
    expect(server.ledger.count('tools/list')).toBe(3)
  })

  it('[1.2] listeners of a signal that outlives its calls are taken off', async () => {
    const { server, client } = await serveAndConnect({ era })
    const controller = new AbortController()
    let listening = 0
    const { signal } = controller
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listening++
      add(...given)
    }
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      listening--
      remove(...given)
    }
    for (let n = 0; n < 5; n++) await client.callTool({ ...call, options: { signal } })
    server.onRequest = (exchange) => exchange.drop()
    await client.callTool({ ...call, options: { signal } }).catch(() => {})
    await breath()
    expect(listening).toBe(0)
    server.onRequest = undefined
  })
})

describe('[R-41] cancel races', () => {
  /** One random life of a call: when it is aborted, and how and when the server answers. */
  async function interleave(era: Era, seed: number, rounds: number): Promise<void> {
    const { server, client } = await serveAndConnect({ era })
    const random = seeded(seed)
    const pick = (below: number) => Math.floor(random() * below)
    const breaths = async (count: number) => {
      for (let n = 0; n < count; n++) await breath()
    }
    const plans = new Map<string, { way: number; waits: number }>()
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const plan = plans.get(exchange.mark)
      if (!plan) return
      exchange.take()
      const answer = exchange.reply()
      await breaths(plan.waits)
      if (exchange.response.destroyed) return
      if (plan.way === 0) return exchange.json(answer)
      const stream = exchange.stream()
      if (plan.way === 2) await stream.comment()
      await breaths(plan.waits)
      await stream.raw(formatEvent({ data: JSON.stringify(answer) }))
      stream.end()
    }
    let results = 0
    let aborts = 0
    for (let n = 0; n < rounds; n += 10) {
      await Promise.all(
        Array.from({ length: 10 }, async (_, k) => {
          const mark = `${seed}-${n + k}`
          plans.set(mark, { way: pick(3), waits: pick(4) })
          const controller = new AbortController()
          const reason = new Error(`abort of ${mark}`)
          const when = pick(12)
          if (when === 0) controller.abort(reason)
          let ends = 0
          const outcome = client
            .callTool({ name: 'echo', arguments: { mark }, options: { signal: controller.signal } })
            .then(
              (result) => {
                ends++
                results++
                expect(result).toMatchObject({ content: [{ text: mark }] })
              },
              (error: unknown) => {
                ends++
                aborts++
                expect(error).toBe(reason)
              },
            )
          if (when === 1) controller.abort(reason)
          else if (when === 2) queueMicrotask(() => controller.abort(reason))
          else if (when < 9) {
            await breaths(when - 2)
            controller.abort(reason)
          } else if (when === 9) {
            await server.ledger.until(
              () => server.ledger.entries.some((entry) => entry.arguments['mark'] === mark),
              mark,
            )
            controller.abort(reason)
          } else {
            await outcome
            controller.abort(reason)
          }
          await outcome
          await breath()
          expect(ends).toBe(1)
        }),
      )
    }
    expect(results + aborts).toBe(rounds)
    expect(results).toBeGreaterThan(0)
    expect(aborts).toBeGreaterThan(0)
    expect(server.ledger.mostExecutionsOfOneCall()).toBe(1)
    await expectStillUsable(client, server)
    // A cancel names a call that was made, and no call twice.
    const ids = new Set(server.ledger.of('tools/call').map((entry) => entry.id))
    expect(new Set(server.ledger.cancels).size).toBe(server.ledger.cancels.length)
    if (era === 'stateless') expect(server.ledger.cancels).toEqual([])
    expect(ids.size).toBe(server.ledger.count('tools/call'))
  }

  it.each([
    ['sessions', 1],
    ['sessions', 2],
    ['stateless', 3],
    ['stateless', 4],
  ] as const)('250 random interleavings, %s, seed %i: exactly one end each', async (era, seed) => {
    await interleave(era, seed, 250)
    expect(era).toBeDefined()
  })

  it.each(eras)(
    'time-out and answer at the same moment: one end each, and a late answer is thrown away (%s)',
    async (era) => {
      const { server, client } = await serveAndConnect({ era })
      const random = seeded(7)
      server.onRequest = async (exchange) => {
        if (!isCall(exchange)) return
        const answer = exchange.reply()
        await new Promise((resolve) => setTimeout(resolve, 90 + random() * 20))
        if (!exchange.response.destroyed) exchange.json(answer)
      }
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          client.callTool({ name: 'echo', arguments: { mark: `call-${n}` }, options: { timeout: 100 } }).then(
            () => 'result',
            async (error: unknown) => {
              const failure = await failureOf(Promise.reject(error as Error), { server, deed: 'tools/call' })
              expect(failure.isTimeout()).toBe(true)
              return 'time-out'
            },
          ),
        ),
      )
      expect(outcomes).toHaveLength(40)
      expect(server.ledger.mostExecutionsOfOneCall()).toBeLessThanOrEqual(1)
      await expectStillUsable(client, server)
    },
  )
})

describe('[R-42] fifty calls at once among random faults', () => {
  type Fate = (exchange: Exchange, random: () => number) => void | Promise<void>
  const fates: Record<string, Fate> = {
    json: (exchange) => exchange.json(exchange.reply()),
    sse: async (exchange) => {
      const stream = exchange.stream()
      await stream.comment()
      await stream.message(exchange.reply())
      stream.end()
    },
    slow: async (exchange) => {
      const text = formatEvent({ data: JSON.stringify(exchange.reply()) })
      const stream = exchange.stream()
      for (let at = 0; at < text.length; at += 7) {
        await stream.raw(text.slice(at, at + 7))
        await breath()
      }
      stream.end()
    },
    'drop before the head': (exchange) => {
      exchange.result()
      exchange.drop()
    },
    'drop inside the stream': async (exchange, random) => {
      const text = formatEvent({ data: JSON.stringify(exchange.reply()) })
      const stream = exchange.stream()
      await stream.raw(text.slice(0, Math.floor(random() * text.length)))
      stream.drop()
    },
    'end without an answer': (exchange) => {
      exchange.result()
      exchange.stream().end()
    },
    resumable: async (exchange) => {
      const stream = exchange.stream({ record: true })
      await stream.prime()
      stream.drop()
      await stream.message(exchange.reply())
      stream.end()
    },
    twice: async (exchange) => {
      const answer = exchange.reply()
      const stream = exchange.stream()
      await stream.message(answer)
      await stream.message(answer)
      stream.end()
    },
    busy: (exchange) => exchange.send(503, { 'retry-after': '0' }),
    'too many': (exchange) => exchange.send(429, { 'retry-after': '0' }),
    page: (exchange) => {
      exchange.result()
      exchange.send(200, { 'content-type': 'text/html' }, '<h1>hello</h1>')
    },
    silence: (exchange) => {
      exchange.result()
      exchange.stall()
    },
    'stolen answer': (exchange) => {
      exchange.result()
      exchange.json({
        jsonrpc: '2.0',
        id: Number(exchange.id) + 1,
        result: { content: [{ type: 'text', text: 'stolen' }] },
      })
    },
  }
  const names = Object.keys(fates)

  it.each(eras.flatMap((era) => [11, 12, 13, 14, 15].map((seed) => [era, seed] as const)))(
    '%s, seed %i',
    async (era, seed) => {
      const random = seeded(seed)
      const { server, client } = await serveAndConnect({ era })
      const fateOf = new Map(
        Array.from({ length: 50 }, (_, n) => [`call-${n}`, names[Math.floor(random() * names.length)] ?? 'json']),
      )
      server.onRequest = async (exchange) => {
        if (!isCall(exchange)) return
        if (era === 'sessions') {
          // The service loses its sessions now and then, and says so before it runs anything.
          if (random() < 0.05) server.forgetSessions()
          if (!server.sessions.has(exchange.header('mcp-session-id') ?? '')) return
        }
        await fates[fateOf.get(exchange.mark) ?? 'json']?.(exchange, random)
      }
      const ends = await Promise.all(
        [...fateOf].map(([mark, fate]) =>
          client.callTool({ name: 'echo', arguments: { mark }, options: { timeout: 400 } }).then(
            (result) => {
              expect(result).toMatchObject({ content: [{ text: mark }] })
              return { mark, fate, state: 'result' }
            },
            async (error: unknown) => {
              const failure = await failureOf(Promise.reject(error as Error), { server, deed: 'tools/call' })
              return { mark, fate, state: failure.isOutcomeUnknown() ? 'unknown' : 'error' }
            },
          ),
        ),
      )
      expect(ends).toHaveLength(50)
      expect(server.ledger.mostExecutionsOfOneCall()).toBeLessThanOrEqual(1)
      const ran = new Set(server.ledger.executions.map((execution) => execution.arguments['mark']))
      for (const { mark, fate, state } of ends) {
        if (state === 'result') expect(ran.has(mark)).toBe(true)
        // What ran and was not answered is never called a plain failure.
        if (state === 'error') expect(ran.has(mark), `${mark}, ${fate}`).toBe(false)
      }
      await expectStillUsable(client, server)
    },
  )
})

describe('[1.1] every request gets exactly one answer from the transport', () => {
  it.each(eras)('whatever happens to it (%s)', async (era) => {
    const server = await serve({ era })
    const { send, until, answersTo } = await transportTo(server)
    const faults: ((exchange: Exchange) => void | Promise<void>)[] = [
      (exchange) => exchange.drop(),
      (exchange) => exchange.reset(),
      (exchange) => exchange.send(500),
      (exchange) => exchange.send(400),
      (exchange) => exchange.send(204),
      (exchange) => exchange.stream().end(),
      (exchange) => exchange.json([]),
      (exchange) => exchange.json({ jsonrpc: '2.0', id: 'other', result: {} }),
      (exchange) => exchange.send(302, { location: 'http://127.0.0.1:9/' }),
      (exchange) => exchange.json(exchange.reply()),
    ]
    server.onRequest = (exchange) =>
      isCall(exchange) ? faults[Number(exchange.arguments['n'])]?.(exchange) : undefined
    const ids = faults.map((_, n) => send('tools/call', { name: 'echo', arguments: { n, mark: `n-${n}` } }))
    await until(() => ids.every((id) => answersTo(id).length > 0), 'an answer to each')
    await breath()
    for (const id of ids) expect(answersTo(id)).toHaveLength(1)
  })

  it.each(eras)('but none when it is closed: then onclose is called once, before any wait (%s)', async (era) => {
    const server = await serve({ era })
    const { transport, send, answersTo } = await transportTo(server)
    let closes = 0
    transport.onclose = () => closes++
    server.onRequest = (exchange) => {
      if (isCall(exchange)) exchange.stall()
    }
    const ids = Array.from({ length: 5 }, (_, n) => send('tools/call', { name: 'echo', arguments: { n } }))
    await server.ledger.untilCount('tools/call', 5)
    const closing = [transport.close(), transport.close()]
    expect(closes).toBe(1)
    await Promise.all(closing)
    await transport.close()
    await server.ledger.until(() => server.ledger.open.size === 0, 'the end of every request')
    await breath()
    for (const id of ids) expect(answersTo(id)).toHaveLength(0)
    expect(closes).toBe(1)
    const late = transport.send({ jsonrpc: '2.0', id: 'late', method: 'tools/call', params: call })
    await expect(late).rejects.toMatchObject({ reason: 'closed' })
    expect(server.ledger.count('tools/call')).toBe(5)
  })
})
