import { createServer, type Server, type Socket } from 'node:net'
import { createMCPClient } from '@switchboard/mcp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { seeded } from '@switchboard/testkit/fault-oracle'
import { type EventStream, type Exchange, formatEvent } from '@switchboard/testkit/fault-server'
import {
  breath,
  clientOptions,
  connect,
  eras,
  expectStillUsable,
  failureOf,
  resumptions,
  serve,
  serveAndConnect,
  stopwatch,
  transportTo,
} from './scenario.ts'

const call = { name: 'echo', arguments: { mark: 'once' } }

const progress = (exchange: Exchange, value: number) => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: exchange.meta['progressToken'] ?? exchange.id, progress: value },
})

const isCall = (exchange: Exchange) => exchange.method === 'tools/call'

describe.each(eras)('[R-01] the server dies inside an answer without event ids (%s)', (era) => {
  it.each([0, 1, 2, 3])('after %i events: outcome unknown within 250 ms, run once, sent once', async (events) => {
    const watch = stopwatch()
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      exchange.result()
      const stream = exchange.stream()
      if (events > 0) await stream.comment()
      for (let n = 1; n < events; n++) await stream.message(progress(exchange, n))
      stream.drop()
      watch.mark()
    }
    const error = await failureOf(client.callTool(call), { server, deed: 'tools/call echo' })
    expect(watch.elapsed()).toBeLessThan(250)
    expect(error.isOutcomeUnknown()).toBe(true)
    expect(error.isTimeout()).toBe(false)
    expect(server.ledger.executions).toHaveLength(1)
    expect(server.ledger.count('tools/call')).toBe(1)
    expect(resumptions(server)).toHaveLength(0)
    await expectStillUsable(client, server)
  })

  it('at twenty random bytes: a result only when it was whole, else unknown', async () => {
    const { server, client } = await serveAndConnect({ era })
    const random = seeded(20_260_728)
    for (let n = 0; n < 20; n++) {
      const mark = `cut-${n}`
      let whole = false
      server.onRequest = async (exchange) => {
        if (!isCall(exchange)) return
        const text = `${formatEvent({ data: JSON.stringify(progress(exchange, 1)) })}${formatEvent({ data: JSON.stringify(exchange.reply()) })}`
        const cut = Math.floor(random() * (text.length + 1))
        whole = cut === text.length
        const stream = exchange.stream()
        await stream.raw(text.slice(0, cut))
        stream.drop()
      }
      const outcome = client.callTool({ name: 'echo', arguments: { mark } })
      const error = await outcome.then(
        () => undefined,
        (reason: unknown) => failureOf(Promise.reject(reason as Error), { server, deed: 'tools/call' }),
      )
      if (error) expect(error.isOutcomeUnknown()).toBe(true)
      else expect(whole).toBe(true)
    }
    expect(server.ledger.executions).toHaveLength(20)
    expect(server.ledger.mostExecutionsOfOneCall()).toBe(1)
    await expectStillUsable(client, server)
  })

  it('[0b] the server process goes away: every call in flight is unknown at once', async () => {
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = (exchange) => {
      if (!isCall(exchange)) return
      exchange.result()
      void exchange.stream().comment()
    }
    const calls = Array.from({ length: 5 }, (_, n) =>
      client.callTool({ name: 'echo', arguments: { mark: `call-${n}` } }),
    )
    const failures = calls.map((one) => failureOf(one, { server, deed: 'tools/call' }))
    await server.ledger.until(() => server.ledger.executions.length === 5, 'five runs')
    const watch = stopwatch()
    watch.mark()
    const stopped = server.stop()
    const errors = await Promise.all(failures)
    expect(watch.elapsed()).toBeLessThan(250)
    await stopped
    for (const error of errors) expect(error.isOutcomeUnknown()).toBe(true)
    expect(server.ledger.count('tools/call')).toBe(5)
    server.onRequest = undefined
    await server.restart()
    await expectStillUsable(client, server)
  })
})

describe('[R-01] event ids mean nothing in the stateless era', () => {
  it('a broken answer is unknown and nothing is resumed', async () => {
    const { server, client } = await serveAndConnect({ era: 'stateless' })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      exchange.result()
      const stream = exchange.stream()
      await stream.event({ id: 'one', retry: 0, data: JSON.stringify(progress(exchange, 1)) })
      stream.drop()
    }
    const error = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
    expect(error.isOutcomeUnknown()).toBe(true)
    expect(server.ledger.gets).toBe(0)
  })
})

describe('[R-02] an answer with event ids breaks and is resumed', () => {
  /** Sends prime, progress 1, progress 2, the answer; breaks after `at` of them. The rest is recorded for who comes back. */
  const breakingAfter = (at: number, end: (stream: EventStream) => void) => async (exchange: Exchange) => {
    if (!isCall(exchange)) return
    const stream = exchange.stream({ record: true })
    const parts = [
      () => stream.prime(),
      () => stream.message(progress(exchange, 1)),
      () => stream.message(progress(exchange, 2)),
      () => stream.message(exchange.reply()),
    ]
    for (const [n, part] of parts.entries()) {
      if (n === at) end(stream)
      await part()
    }
    stream.end()
  }

  it.each([1, 2, 3])('after event %i: each progress once, one result, one run, one resumption', async (at) => {
    const { server, client } = await serveAndConnect({
      era: 'sessions',
      onRequest: breakingAfter(at, (stream) => stream.drop()),
    })
    const seen: number[] = []
    const result = await client.callTool({
      ...call,
      options: { onProgress: ({ progress: value }) => seen.push(value) },
    })
    expect(result).toMatchObject({ content: [{ text: 'once' }] })
    expect(seen).toEqual([1, 2])
    expect(server.ledger.executions).toHaveLength(1)
    expect(server.ledger.count('tools/call')).toBe(1)
    expect(resumptions(server).map((entry) => entry.headers['last-event-id'])).toEqual([`stream-0:${at - 1}`])
    expect(resumptions(server)[0]?.headers['mcp-session-id']).toBeDefined()
  })

  it('a clean end without the answer is resumed just the same', async () => {
    const { server, client } = await serveAndConnect({
      era: 'sessions',
      onRequest: breakingAfter(2, (stream) => stream.finish()),
    })
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
    expect(resumptions(server)).toHaveLength(1)
  })

  it('a read with event ids is resumed and not asked again', async () => {
    const { server, client } = await serveAndConnect({
      era: 'sessions',
      onRequest: async (exchange) => {
        if (exchange.method !== 'tools/list') return
        const stream = exchange.stream({ record: true })
        await stream.prime()
        stream.drop()
        await stream.message(exchange.reply())
        stream.end()
      },
    })
    expect((await client.listTools()).tools).toHaveLength(1)
    expect(server.ledger.count('tools/list')).toBe(1)
    expect(resumptions(server)).toHaveLength(1)
  })

  it.each([
    ['everything again', 0],
    ['from the event asked for', undefined],
    ['from one event too early', 1],
    ['from one event too late', 3],
  ] as const)('the server replays %s: nothing is delivered twice', async (_name, from) => {
    const server = await serve({ era: 'sessions' })
    server.onRequest = async (exchange) => {
      if (exchange.httpMethod === 'GET') {
        const found = server.findEvent(exchange.header('last-event-id') ?? '')
        if (found) exchange.follow(found.stream, from ?? found.index + 1)
      } else await breakingAfter(3, (stream) => stream.drop())(exchange)
    }
    const { send, until, answersTo, messages } = await transportTo(server)
    const id = send('tools/call', { ...call, _meta: { progressToken: 'token' } })
    await until(() => answersTo(id).length > 0, 'the answer')
    await breath()
    expect(answersTo(id)).toHaveLength(1)
    const seen = messages.filter((message) => message.method === 'notifications/progress')
    expect(seen.map((message) => message.params?.['progress'])).toEqual([1, 2])
    expect(server.ledger.executions).toHaveLength(1)
  })

  it('an answer that breaks again and again is put together piece by piece', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = async (exchange) => {
      const last = exchange.header('last-event-id')
      if (isCall(exchange)) {
        const stream = exchange.stream({ record: true })
        await stream.prime()
        for (let n = 1; n <= 20; n++) void stream.message(progress(exchange, n))
        void stream.message(exchange.reply())
        stream.drop()
        stream.end()
      } else if (last !== undefined) {
        const found = server.findEvent(last)
        const next = found?.stream.events[found.index + 1]
        if (!next) return
        const stream = exchange.stream()
        await stream.raw(next.text)
        stream.drop()
      }
    }
    const seen: number[] = []
    const result = await client.callTool({
      ...call,
      options: { onProgress: ({ progress: value }) => seen.push(value) },
    })
    expect(result).toMatchObject({ content: [{ text: 'once' }] })
    expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
    expect(server.ledger.executions).toHaveLength(1)
  })
})

describe('[R-02] the stream of the server’s own breaks', () => {
  it('it goes on after the last event, and what is replayed is not delivered twice', async () => {
    const server = await serve({ era: 'sessions', getStream: true })
    const updated = (n: number) => ({
      id: `event-${n}`,
      data: JSON.stringify({
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri: `test://${n}` },
      }),
    })
    server.onRequest = async (exchange) => {
      if (exchange.httpMethod !== 'GET') return
      const stream = exchange.stream()
      // Whatever it is asked for, this server begins at the beginning.
      for (let n = 1; n <= 3 * exchange.nth; n++) await stream.event(updated(n))
      if (exchange.nth < 3) stream.drop()
    }
    const client = await connect(server)
    const heard: unknown[] = []
    client.onNotification(({ params }) => heard.push(params?.['uri']))
    await client.openStream()
    await server.ledger.untilCount('GET', 3)
    const start = performance.now()
    while (heard.at(-1) !== 'test://9' && performance.now() - start < 3000) await breath()
    expect(heard).toEqual(Array.from({ length: 9 }, (_, n) => `test://${n + 1}`))
    const asked = server.ledger.of('GET').map((entry) => entry.headers['last-event-id'])
    expect(asked[0]).toBeUndefined()
    expect(asked[1]).toMatch(/^event-[123]$/)
  })
})

describe('[R-03] the way back is bad', () => {
  const broken = async (exchange: Exchange) => {
    const stream = exchange.stream({ record: true })
    await stream.prime()
    stream.drop()
    await stream.message(exchange.reply())
    stream.end()
  }

  it.each(Array.from({ length: 13 }, (_, k) => k))(
    '503 × %i: the result while ten tries last, then unknown',
    async (k) => {
      const { server, client } = await serveAndConnect({ era: 'sessions' })
      server.onRequest = async (exchange) => {
        if (isCall(exchange)) await broken(exchange)
        else if (exchange.header('last-event-id') !== undefined && resumptions(server).length <= k) exchange.send(503)
      }
      const outcome = client.callTool(call)
      if (k < 10) expect(await outcome).toMatchObject({ content: [{ text: 'once' }] })
      else expect((await failureOf(outcome, { server, deed: 'tools/call' })).isOutcomeUnknown()).toBe(true)
      expect(resumptions(server)).toHaveLength(Math.min(k + 1, 10))
      expect(server.ledger.executions).toHaveLength(1)
      expect(server.ledger.count('tools/call')).toBe(1)
    },
  )

  it.each([404, 405, 400, 403])('%i: unknown at once', async (status) => {
    const watch = stopwatch()
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = async (exchange) => {
      if (isCall(exchange)) await broken(exchange)
      else if (exchange.header('last-event-id') !== undefined) {
        exchange.send(status)
        watch.mark()
      }
    }
    const error = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
    expect(watch.elapsed()).toBeLessThan(250)
    expect(error.isOutcomeUnknown()).toBe(true)
    expect(resumptions(server)).toHaveLength(1)
    expect(server.ledger.executions).toHaveLength(1)
    await expectStillUsable(client, server)
  })

  it('silence: unknown when the time is up, and the server sees us leave', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = async (exchange) => {
      if (isCall(exchange)) await broken(exchange)
      else if (exchange.header('last-event-id') !== undefined) exchange.stall()
    }
    const error = await failureOf(client.callTool({ ...call, options: { timeout: 1500 } }), {
      server,
      deed: 'tools/call',
    })
    expect(error.isTimeout()).toBe(true)
    expect(error.isOutcomeUnknown()).toBe(true)
    await server.ledger.until(() => resumptions(server)[0]?.disconnected === true, 'the GET being left')
    expect(resumptions(server)).toHaveLength(1)
  })

  it('[0b] the server is down and back at the third try: the result arrives once', async () => {
    const server = await serve({ era: 'sessions' })
    let tries = 0
    const client = await connect(server, {
      fetch: async (input, init) => {
        if (init?.method === 'GET' && new Headers(init.headers).has('last-event-id') && ++tries === 3)
          await server.start()
        return fetch(input, init)
      },
    })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const stream = exchange.stream({ record: true })
      await stream.prime()
      void server.stop()
      await exchange.closed
      await stream.message(exchange.reply())
      stream.end()
    }
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
    expect(tries).toBe(3)
    expect(server.ledger.executions).toHaveLength(1)
  })

  it('a resumed stream that again ends without the answer and brings nothing new is not asked for ever', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = async (exchange) => {
      if (isCall(exchange)) {
        const stream = exchange.stream({ record: true })
        await stream.prime()
        stream.drop()
        exchange.result()
      } else if (exchange.header('last-event-id') !== undefined) exchange.stream().end()
    }
    const error = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
    expect(error.isOutcomeUnknown()).toBe(true)
    expect(resumptions(server)).toHaveLength(10)
  })
})

describe('[A2.3][0b] hostile retry: values', () => {
  /** Every answer is: this retry, an id, the end. */
  const storm = async (retry: string, options: { timeout: number; freshIds?: boolean }) => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    let n = 0
    server.onRequest = (exchange) => {
      if (!isCall(exchange) && exchange.header('last-event-id') === undefined) return
      const stream = exchange.stream()
      void stream.event({ retry, id: options.freshIds ? `event-${n++}` : 'event', data: '' })
      stream.end()
    }
    const error = await failureOf(
      client.callTool({ ...call, options: { timeout: options.timeout, maxTotalTimeout: options.timeout } }),
      {
        server,
        deed: 'tools/call',
      },
    )
    expect(error.isOutcomeUnknown()).toBe(true)
    const before = resumptions(server).length
    expect(before).toBeLessThanOrEqual(10)
    await new Promise((resolve) => setTimeout(resolve, 800))
    expect(resumptions(server).length, 'reconnects after the call ended').toBe(before)
    const times = resumptions(server).map((entry) => entry.at)
    return { reconnects: before, gaps: times.slice(1).map((at, index) => at - (times[index] ?? 0)) }
  }

  it('retry: 0 causes ten reconnects at most, a quarter of a second apart, and none after the call', async () => {
    const [same, fresh] = await Promise.all([
      storm('0', { timeout: 10_000 }),
      storm('0', { timeout: 10_000, freshIds: true }),
    ])
    expect(same.reconnects).toBe(10)
    for (const gap of same.gaps) expect(gap).toBeGreaterThan(240)
    expect(fresh.reconnects).toBeLessThanOrEqual(10)
  })

  it('numbers that no timer can hold neither overflow nor loop', async () => {
    const values = ['2147483648', '4294967296', '99999999999999999999999999', '9'.repeat(400)]
    const storms = await Promise.all(values.map((retry) => storm(retry, { timeout: 700 })))
    for (const { reconnects } of storms) expect(reconnects).toBeLessThanOrEqual(1)
  })

  it('what is not made of digits is ignored: our own pace counts', async () => {
    const values = ['-1', '1e3', '0.5', 'soon', '', '0x10', '１']
    const storms = await Promise.all(values.map((retry) => storm(retry, { timeout: 5000 })))
    for (const { reconnects } of storms) expect(reconnects).toBe(10)
  })

  it('a GET stream that is closed at once is opened again at a decent pace, and not after close()', async () => {
    const server = await serve({
      era: 'sessions',
      getStream: true,
      onRequest: (exchange) => {
        if (exchange.httpMethod !== 'GET') return
        const stream = exchange.stream()
        void stream.event({ retry: 0, id: 'event', data: '' })
        stream.end()
      },
    })
    const client = await connect(server, { backoff: { baseMs: 250, capMs: 20_000 } })
    await client.openStream()
    await server.ledger.untilCount('GET', 3)
    const [first, , third] = server.ledger.of('GET')
    expect((third?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(480)
    await client.close()
    const before = server.ledger.gets
    await new Promise((resolve) => setTimeout(resolve, 800))
    expect(server.ledger.gets).toBe(before)
  })
})

describe.each(eras)('[R-04] the connection closes after the request and before the head (%s)', (era) => {
  it.each(['drop', 'reset'] as const)('%s: unknown, not failed, on a new and on a used connection', async (way) => {
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = (exchange) => {
      if (!isCall(exchange)) return
      exchange.result()
      exchange[way]()
    }
    for (const mark of ['one', 'two', 'three']) {
      const error = await failureOf(client.callTool({ name: 'echo', arguments: { mark } }), {
        server,
        deed: 'tools/call',
      })
      expect(error.isOutcomeUnknown()).toBe(true)
      expect(error.isNetworkError()).toBe(true)
    }
    expect(server.ledger.executions).toHaveLength(3)
    expect(server.ledger.count('tools/call')).toBe(3)
    await expectStillUsable(client, server)
  })
})

describe('[R-05] nobody there', () => {
  // No connection is kept: a request on one that is just dying is a request that may have arrived.
  const closeEach = (exchange: Exchange) => void exchange.response.setHeader('connection', 'close')

  it.each(eras)('a closed port that opens again: the call is made once (%s)', async (era) => {
    const server = await serve({ era, onRequest: closeEach })
    let failures = 0
    const client = await connect(server, {
      fetch: (input, init) =>
        fetch(input, init).catch(async (error: unknown) => {
          if (++failures === 2) await server.start()
          throw error
        }),
    })
    await server.stop()
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
    expect(failures).toBe(2)
    expect(server.ledger.executions).toHaveLength(1)
  })

  it.each(eras)('a closed port that stays closed: cannot reach, not unknown (%s)', async (era) => {
    const { server, client } = await serveAndConnect({ era, onRequest: closeEach })
    await server.stop()
    const error = await failureOf(client.callTool(call), { server, deed: 'tools/call' })
    expect(error.isNetworkError()).toBe(true)
    expect(error.isOutcomeUnknown()).toBe(false)
    await server.start()
    await expectStillUsable(client, server)
  })

  it('a name that does not resolve is a network error that says the name', async () => {
    const server = await serve()
    const options = clientOptions(server, { url: 'http://no-such-host.invalid/mcp', maxRetries: 1 })
    const error = await failureOf(createMCPClient(options), undefined)
    expect(error.isNetworkError()).toBe(true)
    expect(error.message).toContain('no-such-host.invalid')
  })

  it('connections that are reset as soon as they open: a read gets through when they stop', async () => {
    const server = await serve({ era: 'sessions' })
    let resets = 2
    const front = await listen((socket) => {
      if (resets-- > 0) socket.resetAndDestroy()
      else forward(socket, Number(new URL(server.url).port))
    })
    const client = await connect(server, { url: `http://127.0.0.1:${front.port}/mcp` })
    expect((await client.listTools()).tools).toHaveLength(1)
    expect(server.ledger.initializes).toBe(1)
  })
})

/** A plain TCP listener for what HTTP servers cannot do. */
async function listen(onSocket: (socket: Socket) => void): Promise<{ port: number }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    onSocket(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0 }
}

function forward(socket: Socket, port: number): void {
  void import('node:net').then(({ connect: dial }) => {
    const far = dial(port, '127.0.0.1')
    far.on('error', () => socket.destroy())
    far.on('close', () => socket.destroy())
    socket.on('close', () => far.destroy())
    socket.pipe(far).pipe(socket)
  })
}

describe.each(eras)('[R-06] half-open connections (%s)', (era) => {
  it.each(['before the head', 'after the head', 'inside a stream'])(
    '%s: unknown when the time is up, and the server is told',
    async (where) => {
      const { server, client } = await serveAndConnect({ era })
      server.onRequest = async (exchange) => {
        if (!isCall(exchange)) return
        exchange.result()
        if (where === 'before the head') exchange.stall()
        else if (where === 'after the head') exchange.head(200, { 'content-type': 'application/json' }).flushHeaders()
        else await exchange.stream().message(progress(exchange, 1))
      }
      const error = await failureOf(client.callTool({ ...call, options: { timeout: 1500 } }), {
        server,
        deed: 'tools/call',
      })
      expect(error.isTimeout()).toBe(true)
      expect(error.code).toBe(-32000)
      expect(error.isOutcomeUnknown()).toBe(true)
      const [entry] = server.ledger.of('tools/call')
      await server.ledger.until(() => entry?.disconnected === true, 'the call being left')
      if (era === 'sessions') {
        await server.ledger.until(() => server.ledger.cancels.length === 1, 'notifications/cancelled')
        expect(server.ledger.cancels).toEqual([entry?.id])
      } else expect(server.ledger.count('notifications/cancelled')).toBe(0)
      expect(server.ledger.count('tools/call')).toBe(1)
      await expectStillUsable(client, server)
    },
  )

  it('a read whose server is silent ends with a time-out too', async () => {
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = (exchange) => {
      if (exchange.method === 'tools/list') exchange.stall()
    }
    const error = await failureOf(client.listTools({ options: { timeout: 250 } }), { server, deed: 'tools/list' })
    expect(error.isTimeout()).toBe(true)
    expect(error.isOutcomeUnknown()).toBe(false)
    await expectStillUsable(client, server)
  })

  it('[A2.4] progress keeps a call alive beyond its idle time, and the hard cap ends it', async () => {
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      exchange.result()
      const stream = exchange.stream()
      for (let n = 1; !stream.gone; n++) {
        await stream.message(progress(exchange, n))
        await new Promise((resolve) => setTimeout(resolve, 30))
      }
    }
    const began = performance.now()
    const options = { timeout: 2000, maxTotalTimeout: 3000, onProgress: () => {} }
    const error = await failureOf(client.callTool({ ...call, options }), { server, deed: 'tools/call' })
    expect(performance.now() - began).toBeGreaterThanOrEqual(2990)
    expect(error.isTimeout()).toBe(true)
    expect(error.isOutcomeUnknown()).toBe(true)
    const [entry] = server.ledger.of('tools/call')
    await server.ledger.until(() => entry?.disconnected === true, 'the call being left')
  })
})

describe.each(eras)('[R-06] the stream of the server’s own is half-open (%s)', (era) => {
  it('silence for longer than it may be silent: it is opened anew', async () => {
    const { server, client } = await serveAndConnect({ era, getStream: true }, { streamIdleMs: 250 })
    const method = era === 'sessions' ? 'GET' : 'subscriptions/listen'
    await client.openStream()
    await server.ledger.untilCount(method, 2)
    const [first] = server.ledger.of(method)
    await server.ledger.until(() => first?.disconnected === true, 'the dead stream being left')
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
  })

  it('keep-alive comments are signs of life', async () => {
    const { server, client } = await serveAndConnect({ era, getStream: true }, { streamIdleMs: 2500 })
    const method = era === 'sessions' ? 'GET' : 'subscriptions/listen'
    await client.openStream()
    await server.ledger.until(() => server.listeners.size === 1, 'an open stream')
    for (let n = 0; n < 75; n++) {
      for (const { stream } of server.listeners) void stream.comment()
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
    expect(server.ledger.count(method)).toBe(1)
  })
})

describe.each(eras)('[R-07] one byte at a time (%s)', (era) => {
  it('slow bytes are signs of life: the answer arrives although it takes longer than the idle time', async () => {
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const bytes = Buffer.from(formatEvent({ data: JSON.stringify(exchange.reply()) }))
      const stream = exchange.stream()
      const slow = 40
      for (const byte of bytes.subarray(0, slow)) {
        await stream.raw(Uint8Array.of(byte))
        await new Promise((resolve) => setTimeout(resolve, 60))
      }
      await stream.raw(bytes.subarray(slow))
      stream.end()
    }
    const result = await client.callTool({ ...call, options: { timeout: 2000 } })
    expect(result).toMatchObject({ content: [{ text: 'once' }] })
    expect(server.ledger.executions).toHaveLength(1)
  })

  it('[A2.4] slow bytes for ever end at the hard cap', async () => {
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      exchange.result()
      const stream = exchange.stream()
      await stream.raw('data: {')
      while (!stream.gone) {
        await stream.raw(' ')
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    const error = await failureOf(client.callTool({ ...call, options: { timeout: 400, maxTotalTimeout: 900 } }), {
      server,
      deed: 'tools/call',
    })
    expect(error.isTimeout()).toBe(true)
    expect(error.isOutcomeUnknown()).toBe(true)
  })
})

describe('[R-08][R-09] odd cuts and odd bytes', () => {
  const text = 'grüße 🎛️ \u2028 end'
  const tools = { echo: { run: () => ({ content: [{ type: 'text', text }] }) } }

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('%s: cut at every byte, the answer is the same', async (_name, eol) => {
    const { server, client } = await serveAndConnect({ era: 'sessions', tools })
    let cut = 0
    let length = Infinity
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const answer = JSON.stringify(exchange.reply())
      const bytes = Buffer.from(
        `: hello${eol}${eol}event: message${eol}data: ${answer.slice(0, 1)}${eol}data: ${answer.slice(1)}${eol}${eol}`,
      )
      length = bytes.length
      const stream = exchange.stream()
      await stream.raw(bytes.subarray(0, cut))
      await breath()
      await stream.raw(bytes.subarray(cut))
      stream.end()
    }
    for (; cut < length; cut++) {
      const result = await client.callTool({ name: 'echo', arguments: { mark: `cut-${cut}` } })
      expect(result.content).toEqual([{ type: 'text', text }])
    }
    expect(server.ledger.executions).toHaveLength(length)
  })

  it('a JSON answer cut at every byte is the same', async () => {
    const { server, client } = await serveAndConnect({ era: 'stateless', tools })
    let cut = 0
    let length = Infinity
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const bytes = Buffer.from(JSON.stringify(exchange.reply()))
      length = bytes.length
      const response = exchange.head(200, { 'content-type': 'application/json; charset=windows-1252' })
      response.write(bytes.subarray(0, cut))
      await breath()
      response.end(bytes.subarray(cut))
    }
    for (; cut < length; cut++) {
      const result = await client.callTool({ name: 'echo', arguments: { mark: `cut-${cut}` } })
      expect(result.content).toEqual([{ type: 'text', text }])
    }
  })

  it('a stream in chunks of one byte is the same', async () => {
    const { server, client } = await serveAndConnect({ era: 'stateless', tools })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const stream = exchange.stream()
      for (const byte of Buffer.from(formatEvent({ data: JSON.stringify(exchange.reply()) })))
        await stream.raw(Uint8Array.of(byte))
      stream.end()
    }
    expect((await client.callTool(call)).content).toEqual([{ type: 'text', text }])
  })

  const frames: Record<string, (answer: string) => string> = {
    'CR only, the last event ended by the end of the stream': (answer) => `data: ${answer}\r\r`,
    'a mix of CR, LF and CRLF': (answer) => `: a\r: b\n: c\r\ndata: ${answer}\r\n\r`,
    'a BOM': (answer) => `\uFEFFdata: ${answer}\n\n`,
    'a double BOM before a comment': (answer) => `\uFEFF\uFEFF: x\n\ndata: ${answer}\n\n`,
    'an id with NUL': (answer) => `id: a\0b\ndata: ${answer}\n\n`,
    'an event with only an id': (answer) => `id: only\n\ndata: ${answer}\n\n`,
    'empty data before the answer': (answer) => `data:\n\ndata\n\ndata: ${answer}\n\n`,
    'unknown fields': (answer) => `colour: red\nDATA: no\n data: no\ndata: ${answer}\nnonsense\n\n`,
    'keep-alive comments': (answer) => `:\n\n: ping\n\n:::\n\ndata: ${answer}\n\n`,
    'events of another type': (answer) => `event: ping\ndata: {}\n\nevent: error\ndata: oops\n\ndata: ${answer}\n\n`,
    'no space after the colon': (answer) => `data:${answer}\n\n`,
    'bad JSON before the good': (answer) => `data: {"jsonrpc":\n\ndata: nonsense\n\ndata: ${answer}\n\n`,
  }
  it.each(Object.entries(frames))('%s', async (_name, frame) => {
    const { server, client } = await serveAndConnect({ era: 'sessions', tools })
    server.onRequest = (exchange) => {
      if (!isCall(exchange)) return
      const stream = exchange.stream({ contentType: 'text/event-stream;charset=windows-1252' })
      void stream.raw(frame(JSON.stringify(exchange.reply())))
      stream.end()
    }
    expect((await client.callTool(call)).content).toEqual([{ type: 'text', text }])
    expect(server.ledger.executions).toHaveLength(1)
  })

  it('[0b] CR-only line ends lose nothing: every notification and the answer', async () => {
    const { server, client } = await serveAndConnect({ era: 'stateless' })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const stream = exchange.stream()
      stream.eol = '\r'
      for (let n = 1; n <= 50; n++) await stream.message(progress(exchange, n))
      await stream.message(exchange.reply())
      stream.end()
    }
    const seen: number[] = []
    const result = await client.callTool({
      ...call,
      options: { onProgress: ({ progress: value }) => seen.push(value) },
    })
    expect(result).toMatchObject({ content: [{ text: 'once' }] })
    expect(seen).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
  })

  it('an answer whose final line end is missing is not an event: unknown, not guessed', async () => {
    const { server, client } = await serveAndConnect({ era: 'stateless' })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const stream = exchange.stream()
      await stream.raw(`data: ${JSON.stringify(exchange.reply())}\n`)
      stream.end()
    }
    expect((await failureOf(client.callTool(call), { server, deed: 'tools/call' })).isOutcomeUnknown()).toBe(true)
  })
})

describe('[R-10] the same thing twice', () => {
  const reply = (exchange: Exchange, text: string) => exchange.reply({ content: [{ type: 'text', text }] })

  it.each(eras)('two answers on one stream: the first wins, the second is counted (%s)', async (era) => {
    const server = await serve({ era })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      exchange.result()
      const stream = exchange.stream()
      void stream.raw(
        formatEvent({ data: JSON.stringify(reply(exchange, 'first')) }) +
          formatEvent({ data: JSON.stringify(reply(exchange, 'second')) }),
      )
      stream.end()
    }
    const { send, until, answersTo, dropped } = await transportTo(server)
    const id = send('tools/call', call)
    await until(() => answersTo(id).length > 0 && dropped.length > 0, 'an answer and a dropped one')
    expect(answersTo(id)).toHaveLength(1)
    expect(answersTo(id)[0]?.result).toMatchObject({ content: [{ text: 'first' }] })
  })

  it.each(eras)('an answer after an error: the error stands (%s)', async (era) => {
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const stream = exchange.stream()
      void stream.raw(
        formatEvent({ data: JSON.stringify(exchange.failure(-32050, 'first')) }) +
          formatEvent({ data: JSON.stringify(reply(exchange, 'second')) }),
      )
      stream.end()
    }
    const error = await failureOf(client.callTool(call), undefined)
    expect(error.code).toBe(-32050)
    expect(error.message).toContain('first')
  })

  it.each(eras)('an answer after the caller left is thrown away (%s)', async (era) => {
    const server = await serve({ era })
    let stream: EventStream | undefined
    server.onRequest = (exchange) => {
      if (!isCall(exchange)) return
      stream = exchange.stream()
      void stream.message(progress(exchange, 1))
    }
    const { transport, until, messages } = await transportTo(server)
    const controller = new AbortController()
    const params = {
      ...call,
      ...(era === 'stateless'
        ? {
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          }
        : {}),
    }
    void transport.send({ jsonrpc: '2.0', id: 77, method: 'tools/call', params }, { signal: controller.signal })
    await until(() => messages.some((message) => message.method === 'notifications/progress'), 'progress')
    controller.abort()
    await stream?.message({ jsonrpc: '2.0', id: 77, result: { content: [] } })
    await server.ledger.until(() => server.ledger.of('tools/call')[0]?.disconnected === true, 'the call being left')
    expect(messages.filter((message) => message.id === 77)).toHaveLength(0)
  })

  it('identical notifications that came without ids of their own are both news', async () => {
    const server = await serve({ era: 'sessions', getStream: true })
    const client = await connect(server)
    const heard: string[] = []
    client.onNotification(({ method }) => heard.push(method))
    await client.openStream()
    await server.ledger.until(() => server.listeners.size === 1, 'an open GET stream')
    for (const { stream } of server.listeners) {
      await stream.event({ id: 'only-one', data: '' })
      for (let n = 0; n < 3; n++) await stream.message({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
      await stream.message({ jsonrpc: '2.0', method: 'notifications/prompts/list_changed' })
    }
    const start = performance.now()
    while (!heard.includes('notifications/prompts/list_changed') && performance.now() - start < 3000) await breath()
    expect(heard.filter((method) => method === 'notifications/tools/list_changed')).toHaveLength(3)
  })

  it('events that all have the same id are all delivered', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const stream = exchange.stream()
      for (let n = 1; n <= 5; n++) await stream.message(progress(exchange, n), { id: 'same' })
      await stream.message(exchange.reply(), { id: 'same' })
      stream.end()
    }
    const seen: number[] = []
    await client.callTool({ ...call, options: { onProgress: ({ progress: value }) => seen.push(value) } })
    expect(seen).toEqual([1, 2, 3, 4, 5])
  })
})

describe('[R-11] a stream that ends without its answer', () => {
  it.each(eras)('is known within 250 ms, as outcome unknown (%s)', async (era) => {
    const watch = stopwatch()
    const { server, client } = await serveAndConnect({ era })
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      exchange.result()
      const stream = exchange.stream()
      await stream.message(progress(exchange, 1))
      stream.end()
      watch.mark()
    }
    const error = await failureOf(client.callTool(call), { server, deed: 'tools/call echo' })
    expect(watch.elapsed()).toBeLessThan(250)
    expect(error.isOutcomeUnknown()).toBe(true)
    expect(server.ledger.executions).toHaveLength(1)
    expect(server.ledger.count('tools/call')).toBe(1)
    await expectStillUsable(client, server)
  })

  it('an answer stream that is kept open after the answer does not keep the call, nor the connection for long', async () => {
    const { server, client } = await serveAndConnect({ era: 'sessions' })
    server.onRequest = (exchange) => {
      if (isCall(exchange)) void exchange.stream().message(exchange.reply())
    }
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'once' }] })
    await server.ledger.until(() => server.ledger.of('tools/call')[0]?.disconnected === true, 'the stream being left')
    expect(server.ledger.cancels).toEqual([])
  })
})

describe('HTTP+SSE of 2024-11-05', () => {
  it('[R-01] the one stream dies: calls in flight are unknown at once, and the next call finds a new one', async () => {
    const { server, client } = await serveAndConnect({ era: 'http+sse' })
    server.onRequest = (exchange) => {
      if (!isCall(exchange)) return
      exchange.result()
      exchange.send(202)
    }
    const failures = Array.from({ length: 3 }, (_, n) =>
      failureOf(client.callTool({ name: 'echo', arguments: { mark: `call-${n}` } }), { server, deed: 'tools/call' }),
    )
    await server.ledger.until(() => server.ledger.executions.length === 3, 'three runs')
    const watch = stopwatch()
    watch.mark()
    for (const { stream } of server.listeners) stream.drop()
    const errors = await Promise.all(failures)
    expect(watch.elapsed()).toBeLessThan(250)
    for (const error of errors) expect(error.isOutcomeUnknown()).toBe(true)
    expect(server.ledger.count('tools/call')).toBe(3)
    await expectStillUsable(client, server)
    expect(server.ledger.mostExecutionsOfOneCall()).toBe(1)
  })

  it('[A2.8] an endpoint at another origin is refused and gets nothing', async () => {
    const evil = await serve({ era: 'sessions' })
    const server = await serve({ era: 'http+sse' })
    server.onRequest = (exchange) => {
      if (exchange.httpMethod !== 'GET') return
      void exchange.stream().event({ event: 'endpoint', data: `${evil.origin}/mcp` })
    }
    const error = await failureOf(createMCPClient(clientOptions(server)), undefined)
    expect(error.message).toContain(server.host)
    expect(evil.ledger.entries).toHaveLength(0)
  })

  it.each(['', 'http://[', 'javascript:alert(1)', '\u0000'])(
    'an endpoint that is no address (%j) ends in a typed error',
    async (data) => {
      const server = await serve({ era: 'http+sse' })
      server.onRequest = (exchange) => {
        if (exchange.httpMethod === 'GET') void exchange.stream().event({ event: 'endpoint', data })
      }
      const error = await failureOf(
        createMCPClient(clientOptions(server, {}, { requestOptions: { timeout: 500, maxTotalTimeout: 500 } })),
        undefined,
      )
      expect(error.message).toContain(server.host)
    },
  )
})
