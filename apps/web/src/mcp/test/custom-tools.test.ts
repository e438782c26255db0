import { describe, expect, test } from 'vitest'
import type { CustomTool } from '#domain/custom-tool.ts'
import type { Server } from '#domain/server.ts'
import { type Heard, json, startApi } from './api-server.ts'
import { failureFrom, scenario, serverRecord } from './scenario.ts'

type Api = Parameters<typeof startApi>[0]

/** A collection of tools at a real API. `tools` gets the address of the API. */
async function world(answer: Api, tools: (origin: string) => Partial<CustomTool>[], change: Partial<Server> = {}) {
  const api = await startApi(answer)
  const rows = tools(api.origin).map(
    (given, index): CustomTool => ({
      id: `tool-${index}`,
      serverId: 'c',
      name: `tool_${index}`,
      description: 'Does it',
      inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
      method: 'GET',
      url: `${api.origin}/items`,
      places: {},
      annotations: {},
      createdAt: 1,
      updatedAt: 1,
      ...given,
    }),
  )
  const listeners = new Set<() => void>()
  const app = await scenario([serverRecord('c', api.origin, { transport: 'custom', name: 'Shop', ...change })], {
    customTools: {
      toolsOf: () => Promise.resolve([...rows]),
      watch(_, onChange) {
        listeners.add(onChange)
        return () => listeners.delete(onChange)
      },
    },
  })
  const tool = async (name = 'tool_0') => (await app.offers(['c'])).tools.find(({ toolName }) => toolName === name)!
  return {
    api,
    app,
    rows,
    listeners,
    tool,
    call: async (args: object = {}, name?: string) => app.call(await tool(name), args),
    changed() {
      for (const hear of listeners) hear()
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await api[Symbol.asyncDispose]()
    },
  }
}

const echo: Api = (heard, response) => json(response, { method: heard.method, path: heard.path, body: heard.body })

describe('a custom tool', () => {
  test('is offered like any tool, and its call is one request with its arguments in their places', async () => {
    await using w = await world(echo, (origin) => [
      {
        name: 'rename',
        method: 'PATCH',
        url: `${origin}/items/{id}`,
        inputSchema: {
          type: 'object',
          properties: { id: { type: 'string' }, title: { type: 'string' }, dry: { type: 'boolean' }, 'X-Trace': {} },
          required: ['id'],
        },
        places: { dry: 'query', 'X-Trace': 'header' },
      },
    ])
    const offered = await w.tool('rename')
    expect(offered).toMatchObject({ serverName: 'Shop', endpoint: `custom:${w.api.origin}`, description: 'Does it' })
    const outcome = await w.call({ id: 'a/b', title: 'New', dry: true, 'X-Trace': 't1' }, 'rename')
    const heard = { method: 'PATCH', path: '/items/a%2Fb?dry=true', body: '{"title":"New"}' }
    expect(outcome).toMatchObject({ isError: false, structuredContent: heard })
    expect(w.api.ledger).toHaveLength(1)
    expect(w.api.ledger[0]).toMatchObject(heard)
    expect(w.api.ledger[0]?.headers).toMatchObject({ 'x-trace': 't1', 'content-type': 'application/json' })
  })

  test('whose arguments do not fit its schema sends nothing', async () => {
    await using w = await world(echo, () => [
      { inputSchema: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] } },
    ])
    expect(await failureFrom(w.call({ id: 'x' }))).toMatchObject({ code: 'bad-arguments' })
    expect(w.api.ledger).toEqual([])
  })

  test('that tries to leave its path sends nothing', async () => {
    await using w = await world(echo, (origin) => [{ url: `${origin}/items/{id}` }])
    expect(await failureFrom(w.call({ id: '../admin' }))).toMatchObject({ code: 'bad-arguments' })
    expect(w.api.ledger).toEqual([])
  })

  test('[A3.2] that changed since it was approved is refused, before anything is sent', async () => {
    await using w = await world(echo, (origin) => [{ url: `${origin}/items` }])
    const approved = await w.tool()
    w.rows[0] = { ...w.rows[0]!, url: `${w.api.origin}/elsewhere`, updatedAt: 2 }
    w.changed()
    expect(await failureFrom(w.app.call(approved, {}))).toMatchObject({ code: 'tool-gone' })
    w.rows[0] = { ...w.rows[0], url: `${w.api.origin}/items`, method: 'DELETE', updatedAt: 3 }
    w.changed()
    expect(await failureFrom(w.app.call(approved, {}))).toMatchObject({ code: 'tool-gone' })
    w.rows.splice(0)
    w.changed()
    expect(await failureFrom(w.app.call(approved, {}))).toMatchObject({ code: 'tool-gone' })
    expect(w.api.ledger).toEqual([])
  })

  test('that is saved while it is approved runs as it was approved', async () => {
    await using w = await world(echo, (origin) => [{ url: `${origin}/items` }])
    const approved = await w.tool()
    // Stored, and nobody has been told yet.
    w.rows[0] = { ...w.rows[0]!, url: `${w.api.origin}/elsewhere`, updatedAt: 2 }
    await w.app.call(approved, {})
    expect(w.api.ledger.map(({ path }) => path)).toEqual(['/items'])
  })

  test('that is added shows up in what is known of the collection', async () => {
    await using w = await world(echo, () => [{}])
    await w.tool()
    await w.app.until(() => w.app.servers.get('c')?.found?.tools.length === 1)
    w.rows.push({ ...w.rows[0]!, id: 'other', name: 'other' })
    w.changed()
    await w.app.until(() => w.app.servers.get('c')?.found?.tools.length === 2)
    expect(w.app.servers.get('c')?.found?.tools.map(({ name }) => name)).toEqual(['other', 'tool_0'])
  })
})

describe('an answer', () => {
  const answered = async (answer: Api) => {
    await using w = await world(answer, () => [{}])
    return await w.call()
  }

  test('in JSON is structured where it is an object, and text in any case', async () => {
    expect(await answered((_, response) => json(response, { a: [1] }))).toMatchObject({
      content: [{ type: 'text', text: '{"a":[1]}' }],
      structuredContent: { a: [1] },
    })
    const list = await answered((_, response) => json(response, [1, 2]))
    expect(list.content).toEqual([{ type: 'text', text: '[1,2]' }])
    expect(list.structuredContent).toBeUndefined()
  })

  test('that refuses is a result that says so, with as much as is worth reading', async () => {
    const outcome = await answered((_, response) => json(response, { error: 'x'.repeat(10_000) }, 404))
    expect(outcome.isError).toBe(true)
    const { text } = outcome.content[0] as { text: string }
    expect(text).toMatch(/^HTTP 404 from 127\.0\.0\.1:\d+\.\n\{"error":"xxx/)
    expect(text.length).toBeLessThan(4200)
  })

  test('that is a picture is one by its bytes, whatever it is called', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const outcome = await answered((_, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      response.end(png)
    })
    expect(outcome.content).toEqual([{ type: 'image', mimeType: 'image/png', data: png.toString('base64') }])
  })

  test('that is something else comes as a file, and nothing as nothing', async () => {
    const file = await answered((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(Buffer.from([0xff, 0xfe, 0x00, 0x01]))
    })
    expect(file.content).toMatchObject([{ type: 'resource', resource: { blob: '//4AAQ==' } }])
    const none = await answered((_, response) => response.writeHead(204).end())
    expect(none.content).toEqual([{ type: 'text', text: 'HTTP 204, without content.' }])
  })

  test('that nests without end is text, and breaks nothing', async () => {
    const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    const outcome = await answered((_, response) => response.end(deep))
    expect(outcome.structuredContent).toBeUndefined()
    expect(outcome.content).toEqual([{ type: 'text', text: deep }])
  })

  test('over 16 MiB is thrown away while it comes, and says that the tool ran', async () => {
    let wasStopped = false
    await using w = await world(
      (_, response) => {
        const chunk = Buffer.alloc(1 << 20, 0x61)
        const more = (): void => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once('drain', more)
        }
        response.on('close', () => (wasStopped = true))
        more()
      },
      () => [{}],
    )
    expect(await failureFrom(w.call())).toEqual({
      code: 'bad-result',
      message: 'tool_0 ran. Its answer was over 16 MiB and was thrown away: ask it for less.',
    })
    await expect.poll(() => wasStopped).toBe(true)
  })
})

describe('[I1] credentials', () => {
  const bearer = { authentication: { type: 'bearer' } } as const

  test('go to the origin of the collection', async () => {
    await using w = await world(echo, () => [{}], bearer)
    w.app.setSecret('c', 'token', 'CANARY')
    await w.call()
    expect(w.api.ledger[0]?.headers.authorization).toBe('Bearer CANARY')
  })

  test('go nowhere else, whatever address a tool has', async () => {
    const strange: Heard[] = []
    await using stranger = await startApi((heard, response) => {
      strange.push(heard)
      json(response, {})
    })
    const change: Partial<Server> = { ...bearer, headerNames: ['x-extra'] }
    await using w = await world(echo, () => [{ url: `${stranger.origin}/items` }], change)
    w.app.setSecret('c', 'token', 'CANARY')
    w.app.setSecret('c', 'headers', '{"x-extra":"CANARY2"}')
    await w.call()
    expect(strange).toHaveLength(1)
    expect(JSON.stringify(strange)).not.toContain('CANARY')
  })

  test('go nowhere where the collection has no address', async () => {
    await using w = await world(echo, () => [{}], { ...bearer, url: '' })
    w.app.setSecret('c', 'token', 'CANARY')
    await w.call()
    expect(JSON.stringify(w.api.ledger)).not.toContain('CANARY')
  })

  test('are not replaced by an argument, and do not come back in an answer', async () => {
    const key = { authentication: { type: 'api-key', header: 'X-Shop-Key' } } as const
    await using w = await world(
      (heard, response) => json(response, { headers: heard.headers }),
      () => [{ inputSchema: { type: 'object', properties: { 'X-Shop-Key': {} } }, places: { 'X-Shop-Key': 'header' } }],
      key,
    )
    w.app.setSecret('c', 'key', 'CANARY')
    const outcome = await w.call({ 'X-Shop-Key': 'mine' })
    expect(w.api.ledger[0]?.headers['x-shop-key']).toBe('CANARY')
    expect(JSON.stringify(outcome)).not.toContain('CANARY')
  })

  test('[R-18] [A1.7] are not carried along a redirect, and neither is anything else', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      await using stranger = await startApi(echo)
      await using w = await world(
        (_, response) => response.writeHead(status, { location: `${stranger.origin}/taken` }).end(),
        () => [{ method: status > 305 ? 'POST' : 'GET' }],
        bearer,
      )
      w.app.setSecret('c', 'token', 'CANARY')
      expect(await failureFrom(w.call())).toMatchObject({ code: 'tool-failed', message: /was not followed/ })
      expect(stranger.ledger).toEqual([])
      expect(w.api.ledger).toHaveLength(1)
    }
  })

  test('of a locked vault are asked for, and nothing is sent', async () => {
    await using w = await world(echo, () => [{}], bearer)
    w.app.setSecret('c', 'token', 'CANARY')
    w.app.vault.isLocked = true
    expect((await w.app.offers(['c'])).missing).toMatchObject([{ failure: { code: 'vault-locked' } }])
    expect(w.api.ledger).toEqual([])
  })
})

describe('[R-01] at most once', () => {
  const drop: Api = (_, response) => response.destroy()

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'a %s whose answer is lost is told as that',
    async (method) => {
      await using w = await world(drop, () => [{ method }], { retries: 3 })
      expect(await failureFrom(w.call())).toMatchObject({
        code: 'outcome-unknown',
        message: /tool_0 may have run: check before you run it again/,
      })
      expect(w.api.ledger).toHaveLength(1)
    },
  )

  test('a POST whose answer breaks off is told as that too', async () => {
    await using w = await world(
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('{"a":')
        setImmediate(() => response.destroy())
      },
      () => [{ method: 'POST' }],
      { retries: 3 },
    )
    expect(await failureFrom(w.call())).toMatchObject({ code: 'outcome-unknown' })
    expect(w.api.ledger).toHaveLength(1)
  })

  test('a POST that is refused for the moment is not sent again: its answer says so', async () => {
    await using w = await world(
      (_, response) => json(response, {}, 503),
      () => [{ method: 'POST' }],
      { retries: 3 },
    )
    expect(await w.call()).toMatchObject({ isError: true })
    expect(w.api.ledger).toHaveLength(1)
  })

  test('a GET is sent again, as often as the collection says', async () => {
    await using w = await world(
      (heard, response, times) => {
        if (times === 1) response.destroy()
        else if (times === 2) json(response, {}, 503, { 'retry-after': '0' })
        else echo(heard, response, times)
      },
      () => [{}],
      { retries: 2 },
    )
    expect(await w.call()).toMatchObject({ isError: false })
    expect(w.api.ledger).toHaveLength(3)
  })

  test('a GET without an answer fails, and says what a browser cannot tell apart', async () => {
    await using w = await world(drop, () => [{}], { retries: 1 })
    expect(await failureFrom(w.call())).toMatchObject({ code: 'tool-failed', message: /No answer from .*CORS/ })
    expect(w.api.ledger).toHaveLength(2)
  })

  test('silence ends at the time-out: a GET has failed, of a POST nobody knows', async () => {
    await using w = await world(
      () => {},
      () => [{}, { method: 'POST' }],
      { timeoutSeconds: 1, retries: 3 },
    )
    expect(await failureFrom(w.call())).toMatchObject({ code: 'timeout', message: /after 1 s/ })
    expect(await failureFrom(w.call({}, 'tool_1'))).toMatchObject({ code: 'outcome-unknown' })
    expect(w.api.ledger).toHaveLength(2)
  })

  test('its user can stop it', async () => {
    let hung = (): void => {}
    const isHanging = new Promise<void>((resolve) => (hung = resolve))
    await using w = await world(
      () => hung(),
      () => [{ method: 'POST' }],
    )
    const stop = new AbortController()
    const call = w.app.call(await w.tool(), {}, { signal: stop.signal })
    await isHanging
    stop.abort()
    expect(await failureFrom(call)).toMatchObject({ code: 'stopped' })
  })
})

describe('the companion', () => {
  test('is not asked to pass on what it does not pass on', async () => {
    await using w = await world(echo, () => [{ method: 'PUT' }], { relay: true })
    expect(await failureFrom(w.call())).toMatchObject({
      code: 'tool-failed',
      message: /passes on GET, POST and DELETE/,
    })
    expect(w.api.ledger).toEqual([])
  })
})

describe('a trial of a tool that is not saved', () => {
  const input = (w: Awaited<ReturnType<typeof world>>, change: Partial<CustomTool> = {}, args = '{"id":"7"}') => ({
    server: w.app.servers.get('c')!,
    tool: { ...w.rows[0]!, url: `${w.api.origin}/items/{id}`, ...change },
    arguments: args,
  })
  const signal = new AbortController().signal

  test('makes the request once, and shows it without a secret', async () => {
    await using w = await world(echo, () => [{}], { authentication: { type: 'bearer' } })
    w.app.setSecret('c', 'token', 'CANARY')
    const trial = await w.app.mcp.tryCustomTool(input(w, { method: 'POST' }), signal)
    expect(trial).toMatchObject({
      status: 200,
      request: { method: 'POST', url: `${w.api.origin}/items/7`, headers: [{ name: 'authorization' }] },
      outcome: { isError: false },
    })
    expect(w.api.ledger[0]?.headers.authorization).toBe('Bearer CANARY')
    expect(JSON.stringify(trial)).not.toContain('CANARY')
    expect(w.api.ledger).toHaveLength(1)
  })

  test('with arguments that do not fit sends nothing', async () => {
    await using w = await world(echo, () => [{}])
    expect(await w.app.mcp.tryCustomTool(input(w, {}, '{"id":7}'), signal)).toMatchObject({
      failure: { code: 'bad-arguments' },
    })
    expect(w.api.ledger).toEqual([])
  })

  test('that fails still shows what was sent', async () => {
    await using w = await world(
      (_, response) => response.destroy(),
      () => [{}],
    )
    expect(await w.app.mcp.tryCustomTool(input(w, { method: 'POST' }), signal)).toMatchObject({
      request: { url: `${w.api.origin}/items/7` },
      failure: { code: 'outcome-unknown' },
    })
  })
})

describe('a document that is fetched', () => {
  test('comes without credentials, bounded, and from where the user said', async () => {
    await using api = await startApi((heard, response) => {
      if (heard.path === '/moved') response.writeHead(302, { location: '/doc' }).end()
      else if (heard.path === '/none') response.writeHead(404).end('no')
      else response.end('x'.repeat(heard.path === '/large' ? 2000 : 10))
    })
    await using app = await scenario([])
    expect(await app.mcp.fetchDocument(`${api.origin}/doc`, 1000)).toBe('x'.repeat(10))
    expect(await failureFrom(app.mcp.fetchDocument(`${api.origin}/large`, 1000))).toMatchObject({ message: /larger/ })
    expect(await failureFrom(app.mcp.fetchDocument(`${api.origin}/moved`, 1000))).toMatchObject({
      message: /elsewhere/,
    })
    expect(await failureFrom(app.mcp.fetchDocument(`${api.origin}/none`, 1000))).toMatchObject({ message: /HTTP 404/ })
    expect(await failureFrom(app.mcp.fetchDocument('http://example.com/a', 1000))).toMatchObject({ code: 'bad-input' })
    expect(api.ledger.every(({ headers }) => headers.authorization === undefined && headers.cookie === undefined)).toBe(
      true,
    )
  })
})
