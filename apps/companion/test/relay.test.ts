import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMCPClient } from '@switchboard/mcp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ask, misbehaving, type Running, start } from './scenario.ts'

interface Upstream {
  origin: string
  port: number
  connections: () => number
  requests: { headers: IncomingMessage['headers']; method: string; url: string; body: string }[]
}

/** A server on a real port of this machine that counts who comes. */
async function upstream(answer: RequestListener): Promise<Upstream> {
  let connections = 0
  const requests: Upstream['requests'] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      requests.push({ headers: request.headers, method: request.method ?? '', url: request.url ?? '', body })
      answer(request, response)
    })
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { origin: `http://localhost:${port}`, port, connections: () => connections, requests }
}

const relayed = (companion: Running, target: string, init: RequestInit = {}): Promise<Response> =>
  fetch(companion.relay + encodeURIComponent(target), {
    ...init,
    headers: { 'x-switchboard-token': companion.token, ...(init.headers as Record<string, string> | undefined) },
  })

const register = async (companion: Running, origin: unknown): Promise<number> =>
  (await ask(companion, '/api/relay/origins', { method: 'POST', body: JSON.stringify({ origin }) })).status

const call = (callId: string) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name: 'pay', _meta: { 'switchboard/callId': callId } },
  })
const posted = (body: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json', ...headers },
})

describe('[A7.6] the relay as a way into this machine', () => {
  it('40 addresses of this machine and its networks, however they are written, are refused, and nobody was reached', async () => {
    const inside = await upstream((_, response) => void response.end('inside'))
    const names = new Map([
      ['rebind.test', ['127.0.0.1']],
      ['mixed.test', ['93.184.215.14', '127.0.0.1']],
      ['metadata.test', ['169.254.169.254']],
      ['mapped.test', ['::ffff:127.0.0.1']],
      ['six.test', ['::1']],
      ['unique.test', ['fd00::1']],
      ['local6.test', ['fe80::1']],
      ['nat64.test', ['64:ff9b::7f00:1']],
      ['sixtofour.test', ['2002:7f00:1::']],
      ['teredo.test', ['2001:0:7f00:1::']],
      ['nobody.test', []],
    ])
    const companion = await start({}, { resolve: async (host) => names.get(host) ?? ['127.0.0.1'] })
    const { port } = inside
    // All that a user could be talked into turning on.
    for (const name of names.keys()) expect(await register(companion, `https://${name}:${port}`)).toBe(200)
    const targets = [
      ...[...names.keys()].map((name) => `https://${name}:${port}/`),
      ...[
        '127.0.0.1',
        '127.1',
        '0177.0.0.1',
        '0x7f.0.0.1',
        '0x7f000001',
        '2130706433',
        '017700000001',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]',
        '[::127.0.0.1]',
        '[0:0:0:0:0:0:0:1]',
        '0.0.0.0',
        '0',
        '10.0.0.1',
        '172.16.0.1',
        '192.168.1.1',
        '169.254.169.254',
        '100.64.0.1',
        '[fd00:ec2::254]',
        'localhost',
        'LOCALHOST.',
        '１２７.0.0.1',
        '127。0。0。1',
        'rebind.test@127.0.0.1',
        'rebind.test#@127.0.0.1',
        'rebind.test\\@127.0.0.1',
        '127.0.0.1:1#',
        'evil.test',
      ].map((host) => `http://${host}:${port}/`),
      `file:///etc/passwd`,
      `ftp://127.0.0.1:${port}/`,
      `//127.0.0.1:${port}/`,
      `gopher://127.0.0.1:${port}/`,
      `javascript:fetch('http://127.0.0.1:${port}')`,
      `unix:/tmp/socket`,
      '',
    ]
    expect(targets.length).toBeGreaterThanOrEqual(40)
    const answered: [string, boolean][] = []
    for (const target of targets) {
      const { status } = await relayed(companion, target)
      answered.push([target, target.includes('nobody') ? status === 502 : [400, 403].includes(status)])
    }
    expect(answered.filter(([, isRefused]) => !isRefused)).toEqual([])
    expect(inside.connections()).toBe(0)
  })

  it.each([
    'http://example.com',
    'https://localhost',
    'https://printer',
    'https://router.local',
    'https://db.internal',
    'https://127.0.0.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://10.1.2.3',
    'https://[::1]',
    'https://[::ffff:10.0.0.1]',
    'https://169.254.169.254',
    'https://example.com/path',
    'https://user@example.com',
    'https://example.com:22',
    'https://*.example.com',
    '*',
    'null',
    '',
    null,
    ['https://example.com'],
  ])('a page cannot turn it on for %j', async (origin) => {
    const companion = await start()
    expect(await register(companion, origin)).toBe(400)
    expect(await (await ask(companion, '/api/relay/origins')).json()).toMatchObject({ origins: [] })
  })

  it('what is turned on can be turned off', async () => {
    const companion = await start()
    expect(await register(companion, 'https://example.com')).toBe(200)
    const listed = await (await ask(companion, '/api/relay/origins')).json()
    expect(listed).toEqual({ relay: companion.relay, origins: [{ origin: 'https://example.com', from: 'app' }] })
    await ask(companion, '/api/relay/origins', { method: 'DELETE', body: '{"origin":"https://example.com"}' })
    expect(await (await ask(companion, '/api/relay/origins')).json()).toMatchObject({ origins: [] })
  })

  it('a name is looked up once: what it means a moment later does not count', async () => {
    const server = await upstream(
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    )
    let looks = 0
    const resolve = async (): Promise<string[]> => [looks++ === 0 ? '127.0.0.1' : '127.0.0.9']
    const origin = `http://files.example:${server.port}`
    const companion = await start({}, { allow: [origin], resolve })
    expect((await relayed(companion, `${origin}/mcp`)).status).toBe(200)
    expect(looks).toBe(1)
    expect(server.requests[0]?.headers.host).toBe(`files.example:${server.port}`)
  })

  it.each([301, 302, 303, 307, 308])('%s leads nowhere, and says so', async (status) => {
    const inside = await upstream((_, response) => void response.end('inside'))
    const outside = await upstream((_, response) => void response.writeHead(status, { location: inside.origin }).end())
    const companion = await start({}, { allow: [outside.origin] })
    const response = await relayed(companion, `${outside.origin}/mcp`, { redirect: 'manual' })
    expect(response.status).toBe(502)
    expect(response.headers.get('location')).toBeNull()
    expect(((await response.json()) as { error: string }).error).toContain(outside.origin)
    expect(inside.connections()).toBe(0)
  })

  it.each(['PUT', 'PATCH', 'HEAD', 'OPTIONS'])('%s is not passed on', async (method) => {
    const server = await upstream((_, response) => void response.end())
    const companion = await start({}, { allow: [server.origin] })
    await relayed(companion, server.origin, { method, headers: { 'content-type': 'application/json' } })
    expect(server.connections()).toBe(0)
  })

  it('without the token, and for pages of other origins, it is not there', async () => {
    const server = await upstream((_, response) => void response.end())
    const companion = await start({}, { allow: [server.origin] })
    const url = companion.relay + encodeURIComponent(server.origin)
    const token = { 'x-switchboard-token': companion.token }
    expect((await fetch(url)).status).toBe(401)
    expect((await fetch(url, { headers: { ...token, origin: 'http://evil.test' } })).status).toBe(403)
    expect((await fetch(url, { headers: { ...token, origin: new URL(companion.relay).origin } })).status).toBe(403)
    expect((await fetch(url, { headers: { ...token, 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
    expect(server.connections()).toBe(0)
  })
})

describe('[A7.7] what comes through the relay', () => {
  it('cannot be a page, a script, a cookie or an instruction to the browser', async () => {
    const server = await upstream((_, response) => {
      response.writeHead(200, {
        'content-type': 'text/html',
        'set-cookie': 'a=b',
        'service-worker-allowed': '/',
        refresh: '0;url=http://evil.test',
        link: '<http://evil.test>; rel=preload',
        'clear-site-data': '"*"',
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': 'true',
        'content-disposition': 'inline',
        'x-custom': 'y',
        'mcp-session-id': 'one',
        'www-authenticate': 'Bearer',
      })
      response.end('<script>alert(1)</script>')
    })
    const companion = await start({}, { allow: [server.origin] })
    const { headers } = await relayed(companion, `${server.origin}/x`, { headers: { origin: companion.origin } })
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('access-control-allow-origin')).toBe(companion.origin)
    expect(headers.get('mcp-session-id')).toBe('one')
    expect(headers.get('www-authenticate')).toBe('Bearer')
    for (const name of [
      'set-cookie',
      'service-worker-allowed',
      'refresh',
      'link',
      'clear-site-data',
      'content-disposition',
      'x-custom',
      'access-control-allow-credentials',
    ])
      expect([name, headers.get(name)]).toEqual([name, null])
  })

  it.each([
    ['application/json', 'application/json'],
    ['application/problem+json; charset=utf-8', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['text/javascript', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['text/html, application/json', 'application/octet-stream'],
  ])('%s is served as %s', async (given, served) => {
    const server = await upstream((_, response) => void response.writeHead(200, { 'content-type': given }).end('{}'))
    const companion = await start({}, { allow: [server.origin] })
    expect((await relayed(companion, server.origin)).headers.get('content-type')).toBe(served)
  })
})

describe('[A7.8] what goes out through the relay', () => {
  it('is what the app means for that server, never our token, and nothing is filled in', async () => {
    const server = await upstream(
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    )
    const companion = await start({}, { allow: [server.origin] })
    const target = server.origin + '/${HOME}/$PATH?x=%24%7BHOME%7D'
    await relayed(companion, target, {
      ...posted('{}'),
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer theirs',
        'mcp-session-id': 'one',
        'x-api-key': 'key',
        'x-other': 'no',
        cookie: 'a=b',
        origin: companion.origin,
        'x-switchboard-forward': 'X-Api-Key, cookie, host, x-switchboard-token, origin',
      },
    })
    const [request] = server.requests
    expect(request?.url).toBe('/$%7BHOME%7D/$PATH?x=%24%7BHOME%7D')
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer theirs',
      'mcp-session-id': 'one',
      'x-api-key': 'key',
    })
    expect(Object.keys(request?.headers ?? {})).not.toContain('cookie')
    expect(request?.headers.host).toBe(new URL(server.origin).host)
    expect(request?.headers.origin).toBeUndefined()
    expect(request?.headers['x-other']).toBeUndefined()
    expect(JSON.stringify(server.requests)).not.toContain(companion.token)
  })

  it('[R-22] a tool call that a browser sends twice goes out once; one that was refused goes out again', async () => {
    let status = 401
    const server = await upstream(
      (_, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end('{}'),
    )
    const companion = await start({}, { allow: [server.origin] })
    expect((await relayed(companion, server.origin, posted(call('one')))).status).toBe(401)
    status = 200
    expect((await relayed(companion, server.origin, posted(call('one')))).status).toBe(200)
    const copy = await relayed(companion, server.origin, posted(call('one')))
    expect([copy.status, await copy.text()]).toEqual([200, '{}'])
    expect((await relayed(companion, server.origin, posted(call('two')))).status).toBe(200)
    expect(server.requests).toHaveLength(3)
  })
})

describe('[R-22] a tool call that comes to the relay twice', () => {
  /** Answers each call after a moment with its number, as a stream in two parts. */
  async function counting() {
    let finish = (): void => {}
    const server = await upstream((_, response) => {
      const count = server.requests.length
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: begun ${count}\n\n`)
      finish = () => response.end(`data: paid ${count}\n\n`)
    })
    const companion = await start({}, { allow: [server.origin] })
    return { server, companion, finish: () => finish() }
  }

  it('gives both copies the whole answer of the one that ran, at the same time and later', async () => {
    const { server, companion, finish } = await counting()
    const send = () => relayed(companion, server.origin, posted(call('one')))
    const copies = await Promise.all([send(), send()])
    finish()
    const later = await send()
    const whole = 'data: begun 1\n\ndata: paid 1\n\n'
    expect(await Promise.all([...copies, later].map((copy) => copy.text()))).toEqual([whole, whole, whole])
    expect(server.requests).toHaveLength(1)
  })

  it('goes on for the copy when the connection of the first one has died', async () => {
    const { server, companion, finish } = await counting()
    const abort = new AbortController()
    await relayed(companion, server.origin, { ...posted(call('one')), signal: abort.signal })
    const copy = relayed(companion, server.origin, posted(call('one')))
    abort.abort()
    const { body, status } = await copy
    finish()
    expect([status, await new Response(body).text()]).toEqual([200, 'data: begun 1\n\ndata: paid 1\n\n'])
    expect(server.requests).toHaveLength(1)
  })

  it('with other arguments is another call under a stolen name, and refused', async () => {
    const { server, companion, finish } = await counting()
    const first = await relayed(companion, server.origin, posted(call('one')))
    const other = call('one').replace('"pay"', '"pay-more"')
    expect((await relayed(companion, server.origin, posted(other))).status).toBe(400)
    finish()
    await first.text()
    expect(server.requests).toHaveLength(1)
  })

  it('is not made again where the first one broke off without an answer', async () => {
    const server = await upstream((_, response) => void response.destroy())
    const companion = await start({}, { allow: [server.origin] })
    for (let copy = 0; copy < 2; copy++)
      expect((await relayed(companion, server.origin, posted(call('one')))).status).toBe(502)
    expect(server.requests).toHaveLength(1)
  })
})

describe('a server without CORS', () => {
  it('is used through the relay as if it were there, in both eras, with its stream', async () => {
    const other = await start({ faulty: misbehaving() })
    const companion = await start({}, { allow: [other.origin] })
    for (const config of [{}, { protocolVersionDiscovery: false }]) {
      const url = companion.relay + encodeURIComponent(`${other.origin}/demo/mcp`)
      const client = await createMCPClient({
        transport: { type: 'http', url, headers: { 'x-switchboard-token': companion.token } },
        ...config,
      })
      onTestFinished(() => client.close())
      const { tools } = await client.listTools()
      expect(tools.length).toBeGreaterThan(5)
      expect((await client.call('forecast', { city: 'Oslo' })).isError).toBe(false)
    }
  })

  it('that goes away is told as such, with its name', async () => {
    const companion = await start({}, { allow: ['http://localhost:1'] })
    const response = await relayed(companion, 'http://localhost:1/mcp')
    expect(response.status).toBe(502)
    expect(((await response.json()) as { error: string }).error).toContain('http://localhost:1 could not be reached')
  })

  it('that refuses connections is named in a header of the relay, which no server can send', async () => {
    const server = await upstream(
      (_, response) => void response.writeHead(502, { 'x-switchboard-relay-error': 'refused' }).end('{}'),
    )
    const companion = await start({}, { allow: [server.origin, 'http://localhost:1'] })
    const headerOf = async (target: string) => {
      const init = { headers: { origin: companion.origin } }
      const { headers } = await relayed(companion, target, init)
      expect(headers.get('access-control-expose-headers')).toContain('x-switchboard-relay-error')
      return headers.get('x-switchboard-relay-error')
    }
    expect(await headerOf('http://localhost:1/mcp')).toBe('refused')
    expect(await headerOf(`${server.origin}/mcp`)).toBeNull()
    expect(await headerOf('http://localhost:2/mcp')).toBe('not-allowed')
  })

  it('that listens on only one of several addresses is reached', async () => {
    const server = await upstream((_, response) => void response.end('{}'))
    const resolve = async () => Promise.resolve(['::1', '127.0.0.1'])
    const companion = await start({}, { allow: [server.origin], resolve })
    expect((await relayed(companion, server.origin)).status).toBe(200)
  })
})

describe('[A7.6] a server of this machine', () => {
  interface About {
    about: { isAllowed: boolean; help?: { file: string; text: string; isNew: boolean; problem?: string } }
  }
  const about = async (companion: Running, origin: string) =>
    ((await (await ask(companion, `/api/relay/origins?origin=${encodeURIComponent(origin)}`)).json()) as About).about

  it('is allowed by the offered line of the file, without a restart, and never by a page', async () => {
    const server = await upstream((_, response) => void response.end('{}'))
    const companion = await start({}, { allow: ['https://a.example'] })
    expect(await register(companion, server.origin)).toBe(400)
    const { isAllowed, help } = await about(companion, server.origin)
    expect(isAllowed).toBe(false)
    expect(help).toEqual({
      file: companion.config,
      text: `"relay": { "allow": ["https://a.example", "${server.origin}"] }`,
      isNew: false,
    })
    expect((await relayed(companion, server.origin)).status).toBe(403)
    expect(server.connections()).toBe(0)
    await writeFile(companion.config, `{ ${help?.text} }`)
    expect(await about(companion, server.origin)).toEqual({ origin: server.origin, isAllowed: true })
    expect((await relayed(companion, server.origin)).status).toBe(200)
  })

  it('is allowed where the companion was started for that, but other networks and its own ports are not', async () => {
    const server = await upstream((_, response) => void response.end('{}'))
    const companion = await start({}, { relayLoopback: true, allow: [] })
    expect((await about(companion, server.origin)).isAllowed).toBe(true)
    expect((await relayed(companion, server.origin)).status).toBe(200)
    for (const origin of ['http://192.168.1.5:8080', 'http://localhost.evil.test:3000', 'http://10.0.0.1'])
      expect((await relayed(companion, origin)).status).toBe(403)
    for (const own of [companion.origin, new URL(companion.relay).origin])
      expect((await relayed(companion, `${own}/api/health`)).status).toBe(403)
  })
})
