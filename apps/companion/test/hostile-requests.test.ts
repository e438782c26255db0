import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect as connectTcp, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rawBytes, type RawRequest, rawRequest } from './raw-request.ts'
import { folder, type Running, servers, start } from './scenario.ts'

/** A server that leaves a mark when it is started, whatever else happens. */
const marking = (mark: string) => ({
  command: process.execPath,
  args: ['-e', 'require("node:fs").appendFileSync(process.argv[1], "x")', mark],
})

async function world() {
  const mark = join(await folder(), 'started')
  const companion = await start({ marking: marking(mark) })
  const port = Number(new URL(companion.origin).port)
  return { companion, port, mark }
}

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
})
const JSON_TYPE = { 'content-type': 'application/json' }

type Make = (companion: Running, port: number) => RawRequest
/** A request that would start the server, were it not for what is wrong with it. */
const wrong =
  (headers: (companion: Running, port: number) => Record<string, string | undefined>, more: RawRequest = {}): Make =>
  (companion, port) => ({
    method: 'POST',
    path: '/mcp/marking',
    body: initialize,
    ...more,
    headers: { ...JSON_TYPE, 'x-switchboard-token': companion.token, ...headers(companion, port) },
  })

const tokens: [string, number, Make][] = [
  ['no token', 401, wrong(() => ({ 'x-switchboard-token': undefined }))],
  ['an empty token', 401, wrong(() => ({ 'x-switchboard-token': '' }))],
  ['a short token', 401, wrong(({ token }) => ({ 'x-switchboard-token': token.slice(0, -1) }))],
  ['a long token', 401, wrong(({ token }) => ({ 'x-switchboard-token': `${token}A` }))],
  ['a wrong token', 401, wrong(() => ({ 'x-switchboard-token': 'A'.repeat(43) }))],
  ['a token in other letters', 401, wrong(({ token }) => ({ 'x-switchboard-token': swapCase(token) }))],
  [
    'the token as a bearer',
    401,
    wrong(({ token }) => ({ 'x-switchboard-token': undefined, authorization: `Bearer ${token}` })),
  ],
  [
    'the token in a cookie',
    401,
    wrong(({ token }) => ({ 'x-switchboard-token': undefined, cookie: `token=${token}` })),
  ],
  [
    'the token in the query',
    401,
    ({ token }) => ({ method: 'POST', path: `/mcp/marking?token=${token}`, headers: JSON_TYPE, body: initialize }),
  ],
  ['the token twice', 401, wrong(({ token }) => ({ 'x-switchboard-token': `${token}, ${token}` }))],
]

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (sign) => (sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase()))

const hosts: [string, number, Make][] = [
  'evil.test',
  'evil.test:PORT',
  'localhost',
  '127.0.0.1',
  'localhost:1',
  'localhost:PORT.evil.test',
  '127.0.0.1.evil.test:PORT',
  'localhost.evil.test:PORT',
  'LOCALHOST:PORT',
  'localhost.:PORT',
  'evil.test@localhost:PORT',
  '0.0.0.0:PORT',
  '127.1:PORT',
  '2130706433:PORT',
  '[::ffff:127.0.0.1]:PORT',
  '[0:0:0:0:0:0:0:1]:PORT',
  ' ',
].map((host) => [
  `the Host ${JSON.stringify(host)}`,
  421,
  wrong((_, port) => ({ host: host.replace('PORT', String(port)) })),
])

const origins: [string, number, Make][] = [
  'null',
  'http://evil.test',
  'https://localhost:PORT',
  'http://localhost',
  'http://localhost:1',
  'http://localhost:PORT.evil.test',
  'http://localhost.evil.test:PORT',
  'http://LOCALHOST:PORT',
  'http://localhost:PORT/',
  'http://127.0.0.2:PORT',
  'file://',
  'chrome-extension://abcdefghijklmnop',
  '',
].map((origin) => [
  `the Origin ${JSON.stringify(origin)}`,
  403,
  wrong((_, port) => ({ origin: origin.replace('PORT', String(port)) })),
])

const forgeries: [string, number, Make][] = [
  ['a request of another site', 403, wrong(() => ({ 'sec-fetch-site': 'cross-site' }))],
  ['a request of a neighbouring site', 403, wrong(() => ({ 'sec-fetch-site': 'same-site' }))],
  ['a request out of nowhere', 403, wrong(() => ({ 'sec-fetch-site': 'none' }))],
  [
    'a form that navigates',
    403,
    wrong(() => ({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })),
  ],
  ['a form of plain text', 415, wrong(() => ({ 'content-type': 'text/plain' }))],
  ['a form of fields', 415, wrong(() => ({ 'content-type': 'application/x-www-form-urlencoded' }))],
  ['a form of parts', 415, wrong(() => ({ 'content-type': 'multipart/form-data; boundary=x' }))],
  ['a body of no type', 415, wrong(() => ({ 'content-type': undefined }))],
  ['JSON in another encoding', 415, wrong(() => ({ 'content-type': 'application/json; charset=utf-7' }))],
  ['a beacon', 415, wrong(() => ({ 'content-type': 'text/plain;charset=UTF-8' }))],
  [
    'a picture of another site',
    403,
    () => ({
      path: '/api/servers',
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    }),
  ],
  [
    'a preflight',
    403,
    (_, port) => ({
      method: 'OPTIONS',
      path: '/mcp/marking',
      headers: { host: `localhost:${port}`, origin: 'http://evil.test' },
    }),
  ],
]

const commands: [string, number, Make][] = [
  ['command', { command: 'sh' }],
  ['args', { args: ['-c', 'id'] }],
  ['env', { env: { PATH: '/tmp' } }],
  ['cwd', { cwd: '/' }],
  ['__proto__', JSON.parse('{"__proto__":{"command":"sh"}}') as object],
].map(([field, body]) => [
  `the field ${field as string}`,
  400,
  wrong(() => ({}), { path: '/api/servers/marking/restart', body: JSON.stringify(body) }),
])

const names: [string, number, Make][] = [
  '../marking',
  '..%2fmarking',
  'marking%00',
  'marking;id',
  'marking%20',
  'MARKING',
  'm%C3%A4rking',
  'm%61rking',
  'marking/',
  'marking/../marking',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '',
].map((name) => [`the name ${JSON.stringify(name)}`, 404, wrong(() => ({}), { path: `/mcp/${name}` })])

const paths: [string, number, Make][] = [
  '/..%2f',
  '/../../etc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/assets/../index.html',
  '/assets/..%5cindex.html',
  '/%00',
  '/index.html%00.js',
  '//',
  '//evil.test/',
  '/.secret.html',
  '/assets/',
  '/assets',
  '/index.html/',
  '/servers.json',
  '/api/',
  '/api/servers/marking',
  'http://evil.test/',
  '*',
].map((path) => [`the path ${path}`, 404, ({ token }) => ({ path, headers: { 'x-switchboard-token': token } })])

const all = [...tokens, ...hosts, ...origins, ...forgeries, ...commands, ...names, ...paths]

describe('[A7] hostile requests', () => {
  it(`${all.length} of them are refused, each with its status, and nothing was started`, async () => {
    const { companion, port, mark } = await world()
    const answered: [string, number][] = []
    for (const [name, , make] of all) answered.push([name, (await rawRequest(port, make(companion, port))).status])
    expect(all.length).toBeGreaterThanOrEqual(60)
    expect(answered).toEqual(all.map(([name, status]) => [name, status]))
    expect(existsSync(mark)).toBe(false)
    expect(await servers(companion)).toMatchObject([{ state: 'stopped', restarts: 0 }])
  })

  it('the same request without a fault does start it', async () => {
    const { companion, port, mark } = await world()
    await rawRequest(port, wrong(() => ({}))(companion, port))
    expect(existsSync(mark)).toBe(true)
  })

  it('[A7.2] a request without a Host, with two, and one that would be another protocol', async () => {
    const { companion, port, mark } = await world()
    const head = `x-switchboard-token: ${companion.token}\r\n`
    expect(await rawBytes(port, `GET /api/servers HTTP/1.1\r\n${head}\r\n`)).toContain('400')
    expect(await rawBytes(port, `GET /api/servers HTTP/1.0\r\n${head}\r\n`)).toContain('421')
    const two = `host: evil.test\r\nhost: localhost:${port}\r\n`
    expect(await rawBytes(port, `GET /api/servers HTTP/1.1\r\n${two}${head}\r\n`)).toMatch(/40\d|421/)
    const upgrade = `host: evil.test\r\nconnection: upgrade\r\nupgrade: websocket\r\n`
    expect(await rawBytes(port, `GET / HTTP/1.1\r\n${upgrade}\r\n`)).toContain('421')
    expect(await rawBytes(port, `TRACE / HTTP/1.1\r\nhost: localhost:${port}\r\n${head}\r\n`)).toContain('404')
    expect(existsSync(mark)).toBe(false)
  })

  it('[A7.1] a refusal tells nothing of the token, and no page of another origin may read it', async () => {
    const { companion, port } = await world()
    for (const [, , make] of all) {
      const { text, headers } = await rawRequest(port, make(companion, port))
      expect(text).not.toContain(companion.token)
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  it('[A7.2] the page, too, is for our own names alone', async () => {
    const { port } = await world()
    const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    expect((await rawRequest(port, { headers: { host: `evil.test:${port}` } })).status).toBe(421)
    expect((await rawRequest(port, { headers: { host: `localhost:${port}`, ...visit } })).status).toBe(200)
    const frame = { ...visit, 'sec-fetch-dest': 'iframe' }
    expect((await rawRequest(port, { headers: { host: `localhost:${port}`, ...frame } })).status).toBe(403)
    const script = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }
    const path = '/assets/page-3c4d.js'
    expect((await rawRequest(port, { path, headers: { host: `localhost:${port}`, ...script } })).status).toBe(403)
  })

  it('[A7.2] the demo server, which needs no token, answers no other site and no other name', async () => {
    const { companion, port } = await world()
    const demo = { method: 'POST', path: '/demo/mcp', body: initialize }
    const status = async (headers: Record<string, string>) =>
      (
        await rawRequest(port, {
          ...demo,
          headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream', ...headers },
        })
      ).status
    expect(await status({ host: `localhost:${port}` })).toBe(200)
    expect(await status({ host: `localhost:${port}`, origin: companion.origin })).toBe(200)
    expect(await status({ host: `evil.test:${port}` })).toBe(421)
    expect(await status({ host: `localhost:${port}`, origin: 'http://evil.test' })).toBe(403)
    expect(await status({ host: `localhost:${port}`, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await status({ host: `localhost:${port}`, 'content-type': 'text/plain' })).toBe(415)
  })
})

describe('[A7.9] floods', () => {
  it('a body of over 16 MiB is refused, announced or not', async () => {
    const { companion, port } = await world()
    const headers = { ...JSON_TYPE, 'x-switchboard-token': companion.token }
    const announced = { ...headers, 'content-length': String((16 << 20) + 1) }
    const path = '/mcp/marking'
    const head = Object.entries({ host: `localhost:${port}`, ...announced }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    expect(await rawBytes(port, `POST ${path} HTTP/1.1\r\n${head.join('')}\r\n`)).toContain('413')
    const body = new Uint8Array((16 << 20) + 1).fill(32)
    const chunked = rawRequest(port, {
      method: 'POST',
      path,
      headers: { ...headers, 'transfer-encoding': 'chunked' },
      body,
    })
    // The connection may be cut while the rest is still being sent.
    expect(
      await chunked.then(
        ({ status }) => status,
        (error: NodeJS.ErrnoException) => error.code,
      ),
    ).toBeOneOf([413, 'EPIPE', 'ECONNRESET'])
    expect(await servers(companion)).toMatchObject([{ state: 'stopped' }])
  })

  it('a body without the token is refused at its small limit, announced or not', async () => {
    const { companion, port } = await world()
    const host = `host: localhost:${port}\r\n`
    const type = 'content-type: application/json\r\n'
    const open = [
      `POST /api/open HTTP/1.1\r\n${host}${type}`,
      `POST /demo/mcp HTTP/1.1\r\n${host}${type}`,
      `GET / HTTP/1.1\r\n${host}`,
      `GET /nothing HTTP/1.1\r\n${host}`,
    ]
    const announced = open.map((head) => `${head}content-length: ${16 << 20}\r\n\r\n`)
    expect(await Promise.all(announced.map((bytes) => rawBytes(port, bytes)))).toEqual(
      open.map(() => expect.stringContaining('413') as string),
    )
    // The body never ends: only a limit on what was received gets an answer.
    const chunk = ' '.repeat(1 << 20)
    const chunks = `${chunk.length.toString(16)}\r\n${chunk}\r\n`
    const endless = open.map((head) => `${head}transfer-encoding: chunked\r\n\r\n${chunks}${chunks}`)
    const ends = await Promise.all(endless.map((bytes) => rawBytes(port, bytes)))
    // The connection may be cut while the rest is still being sent.
    for (const line of ends) expect(line === '' || line.includes('413')).toBe(true)
    expect(await servers(companion)).toMatchObject([{ state: 'stopped' }])
  })

  it('unfinished bodies are bounded together, and the next request is answered', async () => {
    const { companion, port } = await world()
    const head = `POST /mcp/marking HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-type: application/json\r\nx-switchboard-token: ${companion.token}\r\ncontent-length: ${16 << 20}\r\n\r\n`
    const body = Buffer.alloc((16 << 20) - 1, 32)
    const sockets: Socket[] = []
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
    })
    // Nine are more than fit, so at least one of them is turned away; the others wait for their last byte.
    const first = await Promise.race(
      Array.from({ length: 9 }, () => {
        const socket = connectTcp(port, '127.0.0.1', () => {
          socket.write(head)
          socket.write(body)
        })
        sockets.push(socket)
        return new Promise<string>((resolve) => {
          socket.once('data', (data) => resolve(data.toString().split('\r\n', 1)[0] ?? ''))
          socket.once('error', () => resolve('cut'))
          socket.once('close', () => resolve('cut'))
        })
      }),
    )
    expect(first).toMatch(/503|cut/)
    expect(await servers(companion)).toHaveLength(1)
  })

  it('idle connections never keep the app out, and end when no head comes', async () => {
    const { companion, port } = await world()
    const held = Array.from({ length: 80 }, () => rawBytes(port, 'GET / HTTP/1.1\r\n'))
    // The app is answered at once, not when the time of the idle ones is over.
    const state = { isOver: false }
    const over = Promise.all(held).then((ends) => {
      state.isOver = true
      return ends
    })
    for (let count = 0; count < 10; count++) expect(await servers(companion)).toHaveLength(1)
    const page = await rawRequest(port, { headers: { host: `localhost:${port}` } })
    expect(page.status).toBe(200)
    expect(state.isOver).toBe(false)
    // The oldest made room for the newest; the others are told that they were too slow.
    const ends = await over
    expect(ends.filter((line) => line === '').length).toBeGreaterThanOrEqual(16)
    expect(ends.filter((line) => line.includes('408')).length).toBeGreaterThan(0)
    expect(await servers(companion)).toHaveLength(1)
  })

  it('a connection that has shown the token keeps its place through a flood of others', async () => {
    const { companion, port } = await world()
    const request = `GET /api/health HTTP/1.1\r\nhost: localhost:${port}\r\nx-switchboard-token: ${companion.token}\r\n\r\n`
    const own = connectTcp(port, '127.0.0.1')
    const flood: Socket[] = []
    onTestFinished(() => {
      for (const socket of [own, ...flood]) socket.destroy()
    })
    const answer = async (): Promise<string> => {
      own.write(request)
      const [data] = (await once(own, 'data')) as [Buffer]
      return data.toString()
    }
    expect(await answer()).toContain('200')
    let closed = 0
    for (let count = 0; count < 300; count++) {
      const socket = connectTcp(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.once('close', () => closed++)
      flood.push(socket)
    }
    await expect.poll(() => closed).toBeGreaterThanOrEqual(236)
    expect(await answer()).toContain('200')
  })

  it.each<[string, RawRequest]>([
    ['the demo server, asked as a page', { path: '/demo/mcp', headers: { accept: 'text/html' } }],
    ['the demo server, asked for a stream', { path: '/demo/mcp', headers: { accept: 'text/event-stream' } }],
    ['a path that is too long', { path: `/${'x'.repeat(20_000)}` }],
    ['a path that does not exist', { path: '/nothing' }],
  ])('the answer to %s has a policy that lets a script do nothing', async (_, request) => {
    const { port } = await world()
    const { headers } = await rawRequest(port, {
      ...request,
      headers: { host: `localhost:${port}`, ...request.headers },
    })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).toContain('sandbox')
    expect(headers['x-content-type-options']).toBe('nosniff')
  })
})
