import { createServer, type Server } from 'node:http'
import { constants } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type * as library from '@switchboard/mcp'
import { selfSignedCertificate } from '@switchboard/testkit/fault-certificate'
import {
  type Exchange,
  type FaultServer,
  type FaultServerOptions,
  sendLarge,
  startFaultServer,
} from '@switchboard/testkit/fault-server'
import { build } from 'esbuild'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

// The page has the whole library as a global.
declare const mcp: typeof library

const eras = ['sessions', 'stateless'] as const
const isCall = (exchange: Exchange) => exchange.method === 'tools/call'

let browser: Browser
let context: BrowserContext
let pages: Server
let origin = ''
const tls = selfSignedCertificate()

beforeAll(async () => {
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL('../../src/index.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    globalName: 'mcp',
    platform: 'browser',
    target: 'es2023',
    write: false,
    logLevel: 'error',
  })
  const script = bundle.outputFiles[0]?.text ?? ''
  pages = createServer((request, response) => {
    const [type, text] =
      request.url === '/mcp.js'
        ? ['text/javascript', script]
        : ['text/html', '<!doctype html><script src="/mcp.js"></script>']
    response.writeHead(200, { 'content-type': type ?? '' }).end(text)
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
  const { chromiumFlags, findChromium } = (await import(
    new URL('../../../../scripts/chromium.mjs', import.meta.url).href
  )) as { chromiumFlags: string[]; findChromium: () => string | undefined }
  const executablePath = findChromium()
  browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [...chromiumFlags, '--ignore-certificate-errors'],
  })
  context = await browser.newContext({ ignoreHTTPSErrors: true })
})

afterAll(async () => {
  await browser?.close()
  pages?.close()
})

async function serve(options: FaultServerOptions): Promise<FaultServer> {
  const server = await startFaultServer({ cors: true, getStream: false, ...options })
  onTestFinished(() => server.close())
  return server
}

/** A page with the library; what it leaves unhandled fails the test. */
async function openPage(): Promise<Page> {
  const page = await context.newPage()
  const unhandled: string[] = []
  page.on('pageerror', (error) => unhandled.push(String(error)))
  onTestFinished(async () => {
    await page.close()
    expect(unhandled, 'unhandled in the page').toEqual([])
  })
  await page.goto(origin)
  return page
}

/** What a call came to, as plain data. */
interface Outcome {
  text?: string
  message?: string
  name?: string
  unknown?: boolean
  network?: boolean
  version?: string | undefined
}

/** Connects in the page, and keeps the client there as `client`. */
function connect(page: Page, server: FaultServer): Promise<Outcome> {
  return page.evaluate(async (url) => {
    try {
      const client = await mcp.createMCPClient({
        transport: { type: 'http', url, headers: { 'x-api-key': 'canary-header' }, backoff: { baseMs: 5, capMs: 50 } },
        requestOptions: { timeout: 10_000 },
      })
      Object.assign(globalThis, { client })
      return { version: client.getProtocolVersion() }
    } catch (error) {
      if (!mcp.isMCPError(error)) return { name: String(error) }
      return {
        name: error.name,
        message: error.message,
        network: error.isNetworkError(),
        unknown: error.isOutcomeUnknown(),
      }
    }
  }, server.url)
}

function list(page: Page): Promise<unknown> {
  return page.evaluate(() => (globalThis as unknown as { client: library.MCPClient }).client.listTools())
}

function call(page: Page, mark: string): Promise<Outcome> {
  return page.evaluate(async (given) => {
    const { client } = globalThis as unknown as { client: library.MCPClient }
    try {
      return { text: (await client.call('echo', { mark: given })).text }
    } catch (error) {
      if (!mcp.isMCPError(error)) return { name: String(error) }
      return {
        name: error.name,
        message: error.message,
        network: error.isNetworkError(),
        unknown: error.isOutcomeUnknown(),
      }
    }
  }, mark)
}

/** Below us the browser may send the same bytes again: then every copy must say that it is one. */
function expectSameCall(server: FaultServer, mark: string): void {
  const copies = server.ledger.of('tools/call').filter((entry) => entry.arguments['mark'] === mark)
  expect(copies.length).toBeGreaterThan(0)
  expect(new Set(copies.map((entry) => entry.id)).size).toBe(1)
  const callIds = new Set(
    copies.map((entry) => Object.entries(entry.meta).find(([key]) => key.endsWith('/callId'))?.[1]),
  )
  expect(callIds.size).toBe(1)
  expect([...callIds][0]).toBeDefined()
}

describe('[R-20] CORS or the network', () => {
  it('a preflight that fails on the new headers means that sessions are tried', async () => {
    const server = await serve({
      era: 'both',
      cors: ['content-type', 'accept', 'x-api-key', 'mcp-session-id', 'mcp-protocol-version', 'last-event-id'],
    })
    const page = await openPage()
    expect(await connect(page, server)).toMatchObject({ version: '2025-11-25' })
    expect(await call(page, 'once')).toEqual({ text: 'once' })
    expect(server.ledger.count('server/discover')).toBe(0)
    expect(server.ledger.initializes).toBe(1)
    expect(server.ledger.executions).toHaveLength(1)
  })

  it('a server of the stateless era that admits the new headers is met in it', async () => {
    const server = await serve({ era: 'both' })
    const page = await openPage()
    expect(await connect(page, server)).toMatchObject({ version: '2026-07-28' })
    expect(await call(page, 'once')).toEqual({ text: 'once' })
    expect(server.ledger.initializes).toBe(0)
  })

  it('no CORS at all and no server at all: one error that names both, and no secret', async () => {
    const closed = await serve({ era: 'both' })
    const down = { url: closed.url, host: closed.host }
    await closed.stop()
    const shut = await serve({ era: 'both', cors: false })
    const page = await openPage()
    for (const server of [shut, down]) {
      const outcome = await connect(page, server as FaultServer)
      expect(outcome).toMatchObject({ name: 'MCPError', network: true, unknown: false })
      expect(outcome.message).toContain(server.host)
      expect(outcome.message).toMatch(/CORS/)
      expect(outcome.message).toMatch(/down|reach/)
      expect(outcome.message).not.toMatch(/canary/)
    }
    expect(shut.ledger.count('initialize')).toBe(0)
  })

  it.each(eras)('a connection that breaks under a call: unknown, as a page cannot know more (%s)', async (era) => {
    const server = await serve({ era })
    const page = await openPage()
    await connect(page, server)
    server.onRequest = (exchange) => {
      if (!isCall(exchange)) return
      exchange.result()
      exchange.head(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      setTimeout(() => exchange.drop(), 5)
    }
    expect(await call(page, 'once')).toMatchObject({ name: 'MCPError', unknown: true })
    expect(server.ledger.count('tools/call')).toBe(1)
    server.onRequest = undefined
    expect(await call(page, 'again')).toEqual({ text: 'again' })
  })
})

describe('abort in a page reaches the server', () => {
  it.each(eras)('[1.2] %s', async (era) => {
    const server = await serve({ era })
    const page = await openPage()
    await connect(page, server)
    server.onRequest = (exchange) => {
      if (isCall(exchange)) void exchange.stream().comment()
    }
    const outcome = page.evaluate(async () => {
      const { client } = globalThis as unknown as { client: library.MCPClient }
      const controller = new AbortController()
      Object.assign(globalThis, { controller })
      return client.callTool({ name: 'echo', arguments: {}, options: { signal: controller.signal } }).then(
        () => 'a result',
        (error: unknown) => String(error),
      )
    })
    await server.ledger.untilCount('tools/call', 1)
    await page.evaluate(() => (globalThis as unknown as { controller: AbortController }).controller.abort('enough'))
    expect(await outcome).toBe('enough')
    const [entry] = server.ledger.of('tools/call')
    await server.ledger.until(() => entry?.disconnected === true, 'the call being left')
    if (era === 'sessions')
      await server.ledger.until(() => server.ledger.cancels.length === 1, 'notifications/cancelled')
    expect(server.ledger.cancels).toEqual(era === 'sessions' ? [entry?.id] : [])
  })
})

/** What a page holds that leaves a call. */
interface Leaving {
  client: library.MCPClient
  onarrival: (() => void) | undefined
  controller: AbortController
  called: Promise<string>
}

/** Who fetches: the page, somebody for the client who loses the signal, or somebody for the whole page who does. */
type Fetcher = 'own' | 'forgetful' | 'replaced'

/** Connects in the page by a `fetch` that tells when an answer arrives. */
async function connectTelling(page: Page, server: FaultServer, whose: Fetcher): Promise<void> {
  await page.evaluate(
    async ({ url, whose }) => {
      const own = globalThis.fetch
      const state = globalThis as unknown as Leaving
      const telling = async (address: string, { signal, ...init }: RequestInit): Promise<Response> => {
        const response = await own(address, whose === 'own' ? { ...init, signal: signal! } : init)
        state.onarrival?.()
        return response
      }
      if (whose !== 'forgetful') globalThis.fetch = telling as typeof fetch
      const transport = { type: 'http' as const, url, ...(whose === 'forgetful' && { fetch: telling }) }
      state.client = await mcp.createMCPClient({ transport })
    },
    { url: server.url, whose },
  )
}

describe('what ends an answer in a page', () => {
  const ways = ['abort', 'close'] as const
  // Each is read in another way.
  const lengths = [undefined, 100_000, 8_000_000]
  const cases = eras
    .flatMap((era) =>
      ways.flatMap((way) =>
        (['own', 'forgetful', 'replaced'] as const).flatMap((whose) =>
          lengths.map((length) => ({ era, way, whose, length })),
        ),
      ),
    )
    // For a short one nobody but the platform listens, and that was not told of the signal.
    .filter(({ whose, length }) => whose !== 'replaced' || length)
  const title = '[1.2][T8] $way in the middle of it: the server sees it ($era, $whose fetch, a length of $length)'
  it.each(cases)(title, async (given) => {
    const server = await serve({ era: given.era })
    const page = await openPage()
    await connectTelling(page, server, given.whose)
    const { length = 0 } = given
    const headOf = (bytes: number) => ({
      'content-type': 'application/json',
      ...(bytes && { 'content-length': bytes }),
    })
    server.onRequest = (exchange) => {
      if (!isCall(exchange)) return
      if (exchange.nth === 1) exchange.send(200, headOf(20_000), JSON.stringify(exchange.reply()).padEnd(20_000))
      else exchange.head(200, headOf(length)).write('{"jsonrpc":'.padEnd(length / 2))
    }
    // What reads long answers is loaded beside the first of them.
    await page.evaluate(() => (globalThis as unknown as Leaving).client.callTool({ name: 'echo', arguments: {} }))
    await page.evaluate(async () => {
      const state = globalThis as unknown as Leaving
      state.controller = new AbortController()
      const arrival = new Promise<void>((resolve) => {
        state.onarrival = resolve
      })
      const { signal } = state.controller
      state.called = state.client.callTool({ name: 'echo', arguments: {}, options: { signal } }).then(
        () => 'a result',
        (error: unknown) => String(mcp.isMCPError(error) ? error.reason : error),
      )
      await arrival
    })
    // What a platform holds weakly it forgets by then, as Node does.
    await (await context.newCDPSession(page)).send('HeapProfiler.collectGarbage')
    const outcome = await page.evaluate(async (way) => {
      const { client, controller, called } = globalThis as unknown as Leaving
      if (way === 'abort') controller.abort('enough')
      else await client.close()
      return called
    }, given.way)
    expect(outcome).toBe(given.way === 'abort' ? 'enough' : 'closed')
    const entry = server.ledger.of('tools/call').at(-1)
    await server.ledger.until(() => entry?.disconnected === true, 'the call being left')
  })
})

describe.each(eras)('a short answer in a page that does not say its length (%s)', (era) => {
  const json = { 'content-type': 'application/json' }

  it('[T5] is there when it is whole, and lets go of who never ends it', async () => {
    const server = await serve({ era })
    const page = await openPage()
    await connect(page, server)
    server.onRequest = (exchange) => {
      if (isCall(exchange)) exchange.head(200, json).write(JSON.stringify(exchange.reply()))
    }
    for (const mark of ['first', 'second']) expect(await call(page, mark)).toEqual({ text: mark })
    const entries = server.ledger.of('tools/call')
    await server.ledger.until(() => entries.every(({ disconnected }) => disconnected), 'the calls being left')
    expect(server.ledger.executions).toHaveLength(2)
  })

  it('[T5] is not taken for whole because a piece of it ends as an object does', async () => {
    const server = await serve({ era })
    const page = await openPage()
    await connect(page, server)
    let goOn = (): void => {}
    const firstIsRead = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.exposeFunction('onSecondRead', () => goOn())
    await page.evaluate(() => {
      const { prototype } = ReadableStreamDefaultReader
      const read = prototype.read
      let reads = 0
      prototype.read = function (this: ReadableStreamDefaultReader) {
        if (++reads === 2) (globalThis as unknown as { onSecondRead: () => void }).onSecondRead()
        return read.call(this)
      }
    })
    const text = '{"a":{}}'
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const result = { ...exchange.result(), content: [{ type: 'text', text }] }
      const answer = JSON.stringify(exchange.reply(result))
      const response = exchange.head(200, json)
      const [first = '', ...rest] = answer.split(/(?<=\})/)
      response.write(first)
      await firstIsRead
      response.end(rest.join(''))
    }
    expect(await call(page, 'once')).toEqual({ text })
  })

  it('[T5] is with whoever waits, and what that sends next on its way, before more of the body is asked for', async () => {
    const server = await serve({ era })
    const page = await openPage()
    await connect(page, server)
    server.onRequest = (exchange) => {
      if (isCall(exchange)) exchange.head(200, json).end(JSON.stringify(exchange.reply()))
    }
    const deeds = await page.evaluate(async () => {
      const { client } = globalThis as unknown as { client: library.MCPClient }
      const deeds: string[] = []
      const { prototype } = ReadableStreamDefaultReader
      const { read } = prototype
      prototype.read = function (this: ReadableStreamDefaultReader) {
        deeds.push('read')
        return read.call(this)
      }
      const { fetch } = globalThis
      globalThis.fetch = (...given) => {
        deeds.push('send')
        return fetch(...given)
      }
      for (let n = 0; n < 2; n++) await client.callTool({ name: 'echo', arguments: {} })
      return deeds
    })
    expect(deeds.slice(0, 4)).toEqual(['send', 'read', 'send', 'read'])
  })

  it('[T3] that holds a notification alone is told once, and is no answer', async () => {
    const server = await serve({ era })
    const page = await openPage()
    await connect(page, server)
    await page.evaluate(() => {
      const state = globalThis as unknown as { client: library.MCPClient; heard: string[] }
      state.heard = []
      state.client.onNotification(({ method }) => state.heard.push(method))
    })
    server.onRequest = (exchange) => {
      const notification = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hi' } }
      if (isCall(exchange)) exchange.head(200, json).write(JSON.stringify(notification))
    }
    expect(await call(page, 'once')).toMatchObject({ name: 'MCPError', unknown: true })
    const heard = await page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard)
    expect(heard).toEqual(['notifications/message'])
  })
})

describe('[R-22] the browser sends a POST again by itself', () => {
  const fatal: Record<string, (exchange: Exchange) => void> = {
    reset: (exchange) => exchange.reset(),
    closed: (exchange) => exchange.drop(),
  }
  describe.each(['HTTP/1.1', 'HTTP/2'])('%s', (protocol) => {
    const options = { era: 'sessions', ...(protocol === 'HTTP/2' && { tls }) } as const

    it.each(Object.entries(fatal))(
      'the used connection is %s each time: one error, unknown, and all copies are one call',
      async (_name, fault) => {
        const server = await serve(options)
        const page = await openPage()
        await connect(page, server)
        expect(await call(page, 'warm')).toEqual({ text: 'warm' })
        server.onRequest = (exchange) => {
          if (!isCall(exchange)) return
          exchange.result()
          fault(exchange)
        }
        expect(await call(page, 'once')).toMatchObject({ name: 'MCPError', unknown: true })
        expectSameCall(server, 'once')
        server.onRequest = undefined
        expect(await call(page, 'again')).toEqual({ text: 'again' })
      },
    )

    it.each(Object.entries(fatal))(
      'the used connection is %s once: a server that looks at the call id runs it once',
      async (_name, fault) => {
        const server = await serve(options)
        const page = await openPage()
        await connect(page, server)
        await call(page, 'warm')
        const ran = new Map<unknown, unknown>()
        let deaths = 0
        server.onRequest = (exchange) => {
          if (!isCall(exchange)) return
          const callId = Object.entries(exchange.meta).find(([key]) => key.endsWith('/callId'))?.[1]
          if (!ran.has(callId)) ran.set(callId, exchange.result())
          if (deaths++ === 0) fault(exchange)
          else exchange.json(exchange.reply(ran.get(callId)))
        }
        const outcome = await call(page, 'once')
        expect(outcome.text === 'once' || outcome.unknown === true).toBe(true)
        expectSameCall(server, 'once')
        expect(server.ledger.executions.filter((execution) => execution.arguments['mark'] === 'once')).toHaveLength(1)
      },
    )
  })

  const repeated = Object.entries(fatal).flatMap(([name, fault]) => [1, 2, 3].map((nth) => ({ name, fault, nth })))
  it.each(repeated)(
    'over HTTP/2, once the tools were listed, the used connection is $name: the call arrives exactly once ($nth)',
    async ({ fault }) => {
      const server = await serve({ era: 'sessions', tls })
      const page = await openPage()
      await connect(page, server)
      await list(page)
      expect(await call(page, 'warm')).toEqual({ text: 'warm' })
      server.onRequest = (exchange) => {
        if (!isCall(exchange)) return
        exchange.result()
        fault(exchange)
      }
      expect(await call(page, 'once')).toMatchObject({ name: 'MCPError', unknown: true })
      expect(server.ledger.executions.filter((execution) => execution.arguments['mark'] === 'once')).toHaveLength(1)
    },
  )

  it('a server over HTTP/2 that refuses bodies without a length is called in the plain way', async () => {
    const server = await serve({ era: 'sessions', tls })
    const lengths: boolean[] = []
    server.onRequest = (exchange) => {
      const sized = 'content-length' in exchange.headers
      if (exchange.method === 'tools/list') lengths.push(sized)
      if (exchange.method?.startsWith('tools/') && !sized) exchange.send(411)
    }
    const page = await openPage()
    await connect(page, server)
    await list(page)
    expect(lengths).toEqual([false, true])
    expect(await call(page, 'plain')).toEqual({ text: 'plain' })
  })
})

describe('[R-21] HTTP/2 and the six connections of HTTP/1.1', () => {
  it.each(eras)('GOAWAY between calls is not noticed (%s)', async (era) => {
    const server = await serve({ era, tls })
    const page = await openPage()
    await connect(page, server)
    expect(server.http2Sessions.size).toBeGreaterThan(0)
    for (let n = 0; n < 3; n++) {
      for (const session of server.http2Sessions) session.goaway()
      expect(await call(page, `call-${n}`)).toEqual({ text: `call-${n}` })
    }
    expect(server.ledger.mostExecutionsOfOneCall()).toBe(1)
  })

  it.each(eras)('GOAWAY while a call runs: it has one end (%s)', async (era) => {
    const server = await serve({ era, tls })
    const page = await openPage()
    await connect(page, server)
    server.onRequest = (exchange) => {
      if (!isCall(exchange) || exchange.nth > 1) return
      const answer = exchange.reply()
      exchange.take()
      for (const session of server.http2Sessions) session.goaway(constants.NGHTTP2_NO_ERROR)
      setTimeout(() => exchange.json(answer), 20)
    }
    const outcome = await call(page, 'once')
    expect(outcome.text === 'once' || outcome.unknown === true).toBe(true)
    expectSameCall(server, 'once')
    expect(await call(page, 'again')).toEqual({ text: 'again' })
  })

  it.each([
    ['INTERNAL_ERROR', constants.NGHTTP2_INTERNAL_ERROR],
    ['CANCEL', constants.NGHTTP2_CANCEL],
    ['ENHANCE_YOUR_CALM', constants.NGHTTP2_ENHANCE_YOUR_CALM],
  ])('RST_STREAM %s before the head: unknown, run once', async (_name, code) => {
    const server = await serve({ era: 'stateless', tls })
    const page = await openPage()
    await connect(page, server)
    server.onRequest = (exchange) => {
      if (!isCall(exchange)) return
      exchange.result()
      exchange.resetStream(code)
    }
    expect(await call(page, 'once')).toMatchObject({ name: 'MCPError', unknown: true })
    expectSameCall(server, 'once')
    expect(server.ledger.executions).toHaveLength(1)
    server.onRequest = undefined
    expect(await call(page, 'again')).toEqual({ text: 'again' })
  })

  it('RST_STREAM inside the answer: unknown, run once', async () => {
    const server = await serve({ era: 'stateless', tls })
    const page = await openPage()
    await connect(page, server)
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      exchange.result()
      const stream = exchange.stream()
      await stream.comment()
      exchange.resetStream(constants.NGHTTP2_INTERNAL_ERROR)
    }
    expect(await call(page, 'once')).toMatchObject({ name: 'MCPError', unknown: true })
    expect(server.ledger.executions).toHaveLength(1)
  })

  it('REFUSED_STREAM proves that nothing ran: whoever repeats it, it runs once', async () => {
    const server = await serve({ era: 'stateless', tls })
    const page = await openPage()
    await connect(page, server)
    let refused = 0
    server.onRequest = (exchange) => {
      if (isCall(exchange) && refused++ === 0) exchange.resetStream(constants.NGHTTP2_REFUSED_STREAM)
    }
    const outcome = await call(page, 'once')
    expect(outcome.text === 'once' || outcome.unknown === true).toBe(true)
    expectSameCall(server, 'once')
    expect(server.ledger.executions.length).toBeLessThanOrEqual(1)
  })

  it.each(eras)(
    'twelve clients of one HTTP/1.1 origin, each with its stream: every call gets through (%s)',
    async (era) => {
      const server = await serve({ era, getStream: true })
      const page = await openPage()
      const texts = await page.evaluate(async (url) => {
        const clients = await Promise.all(
          Array.from({ length: 12 }, () =>
            mcp.createMCPClient({ transport: { type: 'http', url }, requestOptions: { timeout: 15_000 } }),
          ),
        )
        for (const client of clients) {
          void client.openStream().catch(() => {})
          client.onListChanged('tools', () => {})
        }
        const results = await Promise.all(clients.map((client, n) => client.call('echo', { mark: `call-${n}` })))
        await Promise.all(clients.map((client) => client.close()))
        return results.map((result) => result.text)
      }, server.url)
      expect(texts).toEqual(Array.from({ length: 12 }, (_, n) => `call-${n}`))
      expect(server.ledger.mostExecutionsOfOneCall()).toBe(1)
      await server.ledger.until(() => server.ledger.open.size === 0, 'the end of every request')
    },
  )

  it.each(eras)(
    'two tabs with three streams each to one HTTP/1.1 origin: every call gets through (%s)',
    async (era) => {
      const server = await serve({ era, getStream: true })
      const { ledger, listeners } = server
      const stream = era === 'sessions' ? 'GET' : 'subscriptions/listen'
      const tabs = [await openPage(), await openPage()] as const
      for (const tab of tabs) {
        await tab.evaluate(async (url) => {
          const clients = await Promise.all(
            Array.from({ length: 3 }, () =>
              mcp.createMCPClient({ transport: { type: 'http', url }, requestOptions: { timeout: 15_000 } }),
            ),
          )
          // Each stands, or waits for its place.
          await Promise.all(clients.map((client) => client.openStream()))
          Object.assign(globalThis, { client: clients[0] })
        }, server.url)
      }
      await ledger.until(() => listeners.size >= 3, 'three streams')
      expect(await call(tabs[0], 'one')).toEqual({ text: 'one' })
      expect(await call(tabs[1], 'two')).toEqual({ text: 'two' })
      expect(listeners.size).toBe(3)
      expect(ledger.count(stream)).toBe(3)
      // A tab that goes leaves its places to the other.
      await tabs[0].close()
      await ledger.until(() => listeners.size === 3 && ledger.count(stream) >= 6, 'the streams of the other tab')
      expect(await call(tabs[1], 'three')).toEqual({ text: 'three' })
    },
  )
})

describe('[A2.1] bounds hold in a page', () => {
  it.each(['json', 'sse'])('100 MB as %s: too large', async (way) => {
    const server = await serve({ era: 'stateless' })
    const page = await openPage()
    await connect(page, server)
    server.onRequest = async (exchange) => {
      if (!isCall(exchange)) return
      const type = way === 'json' ? 'application/json' : 'text/event-stream'
      await sendLarge(exchange.head(200, { 'content-type': type }), {
        head: way === 'json' ? '{"x":"' : 'data: ',
        bytes: 100e6,
      })
    }
    const outcome = await page.evaluate(async () => {
      const { client } = globalThis as unknown as { client: library.MCPClient }
      return client.callTool({ name: 'echo' }).then(
        () => false,
        (error: unknown) => mcp.isMCPError(error) && error.isTooLarge(),
      )
    })
    expect(outcome).toBe(true)
    await server.ledger.until(
      () => server.ledger.of('tools/call')[0]?.disconnected === true,
      'the connection being left',
    )
  })
})
