import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FaultServer } from '@switchboard/testkit/fault-server'
import { expect, test } from 'vitest'
import { readIcons } from '../read-icons.ts'
import { scenario, serverRecord } from './scenario.ts'

/** The head of a PNG of this size, and so many bytes behind it. */
const png = (width = 16, height = 16, bytes = 60): Buffer => {
  const head = Buffer.alloc(24 + bytes)
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').copy(head)
  head.write('IHDR', 12, 'latin1')
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return head
}
const dataOf = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`
const never = () => Promise.reject(new Error('nobody may be asked'))
const source = (origin?: string) => ({ origin, fetch: never, known: new Map() })

test('a picture that comes along is kept as it is, by what its bytes say', async () => {
  const read = await readIcons([{ src: dataOf(png()) }], [[{ src: dataOf(png(32), 'text/html') }]], source())
  expect(read.server).toBe(dataOf(png()))
  expect(read.tools[0]).toBe(dataOf(png(32)))
})

test.each<[string, unknown]>([
  ['a drawing with a script', [{ src: dataOf(Buffer.from('<svg onload="x()"/>'), 'image/svg+xml') }]],
  ['a drawing that says it is a picture', [{ src: dataOf(Buffer.from('<svg/>'), 'image/png') }]],
  ['a page', [{ src: 'data:text/html,<script>x()</script>' }]],
  ['30,000 × 30,000 points', [{ src: dataOf(png(30_000, 30_000)) }]],
  ['2,000 × 10 points', [{ src: dataOf(png(2_000, 10)) }]],
  ['a photograph', [{ src: dataOf(png(16, 16, 100_000)) }]],
  ['another origin', [{ src: 'https://elsewhere.example/icon.png' }]],
  ['plain http', [{ src: 'http://tools.example/icon.png' }]],
  ['an address in the network of the user', [{ src: 'http://192.168.0.1/icon.png' }]],
  ['a file', [{ src: 'file:///etc/passwd' }]],
  ['a script', [{ src: 'javascript:x()' }]],
  ['a name and a password', [{ src: 'https://a:b@tools.example/icon.png' }]],
  ['no list', { src: dataOf(png()) }],
  ['no icon', [null, 1, {}, { src: 1 }]],
  ['half of base64', [{ src: 'data:image/png;base64,iVBORw0KGgo=====' }]],
])('%s is left out, and nobody is asked', async (_name, icons) => {
  const read = await readIcons(icons, [icons], source('https://tools.example'))
  expect(read).toEqual({ tools: [undefined] })
})

test('a thousand tools with icons do not make the record huge', async () => {
  const icons = Array.from({ length: 1_000 }, (_, at) => [{ src: dataOf(png(16, 16, 4_000 + at)) }])
  const { tools } = await readIcons(undefined, icons, source())
  const kept = tools.filter((icon) => icon !== undefined)
  expect(kept.length).toBeGreaterThan(10)
  expect(kept.join('').length).toBeLessThanOrEqual(256 * 1024)
})

test('an icon that a tool shares with its server is there once', async () => {
  const icons = [{ src: dataOf(png()) }]
  expect(await readIcons(icons, [icons, icons], source())).toEqual({
    server: dataOf(png()),
    tools: [undefined, undefined],
  })
})

async function pictureServer(
  answer: (path: string) => { status?: number; body?: Buffer; location?: string } | 'never',
) {
  const asked: { path: string; headers: NodeJS.Dict<string | string[]> }[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push({ path, headers: request.headers })
    const said = answer(path)
    if (said === 'never') return
    response.writeHead(said.status ?? 200, {
      'content-type': 'image/png',
      ...(said.location && { location: said.location }),
    })
    response.end(said.body ?? png())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
const real = (origin: string) => ({
  origin,
  fetch: (url: string, init: RequestInit) => fetch(url, init),
  known: new Map(),
})

test('from its own origin an icon is fetched once, without anything that says who asks', async () => {
  await using far = await pictureServer(() => ({}))
  const icons = [{ src: `${far.origin}/icon.png` }]
  const origin = real(far.origin)
  const read = await readIcons(icons, [icons, icons], origin)
  expect(read.server).toBe(dataOf(png()))
  await readIcons(icons, [icons], origin)
  expect(far.asked).toHaveLength(1)
  expect(Object.keys(far.asked[0]!.headers)).not.toContain('authorization')
  expect(Object.keys(far.asked[0]!.headers)).not.toContain('cookie')
})

test('an icon that leads elsewhere is not followed', async () => {
  await using elsewhere = await pictureServer(() => ({}))
  await using far = await pictureServer(() => ({ status: 302, location: `${elsewhere.origin}/icon.png` }))
  expect(await readIcons([{ src: `${far.origin}/icon.png` }], [], real(far.origin))).toEqual({ tools: [] })
  expect(elsewhere.asked).toEqual([])
})

test('one that is too long, silent or an error is left out, and the next is tried', async () => {
  await using far = await pictureServer((path) => {
    if (path === '/long') return { body: png(16, 16, 1_000_000) }
    if (path === '/error') return { status: 500 }
    return path === '/silent' ? 'never' : {}
  })
  const at = (path: string) => ({ src: `${far.origin}${path}` })
  const read = await readIcons([at('/long'), at('/error'), at('/good')], [[at('/silent')]], real(far.origin))
  expect(read).toEqual({ server: dataOf(png()), tools: [undefined] })
})

test('no more than a few are fetched, however many are named', async () => {
  await using far = await pictureServer(() => ({}))
  const icons = Array.from({ length: 500 }, (_, at) => [{ src: `${far.origin}/${at}.png` }])
  await readIcons(undefined, icons, real(far.origin))
  expect(far.asked.length).toBeLessThanOrEqual(16)
})

test('what a test finds and what is kept have the icons of the tools', async () => {
  await using far = await new FaultServer({
    tools: { echo: { definition: { icons: [{ src: dataOf(png()) }] } }, plain: {} },
  }).start()
  await using app = await scenario([serverRecord('a', far.url)])
  const report = await app.mcp.testServer({ server: serverRecord('', far.url), secrets: {} })
  expect(report.found?.tools.map(({ icon }) => icon)).toEqual([dataOf(png()), undefined])
  expect(report.found?.capabilities).toContain('tools')
  expect(report.era).toBe('sessions')
  await app.mcp.connections.connect('a')
  await app.until(() => app.servers.get('a')?.found !== undefined)
  expect(app.servers.get('a')?.found?.tools[0]?.icon).toBe(dataOf(png()))
})

const DRAWING =
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'

test.each([
  ['base64', dataOf(Buffer.from(DRAWING), 'image/svg+xml')],
  ['percent', `data:image/svg+xml,${encodeURIComponent(DRAWING)}`],
  ['utf8', `data:image/svg+xml;utf8,${DRAWING}`],
])('keeps an SVG that comes along, written as %s, as an address for an image', async (_name, src) => {
  const { server } = await readIcons([{ src, mimeType: 'image/svg+xml' }], [], source())
  expect(server).toBe(dataOf(Buffer.from(DRAWING), 'image/svg+xml'))
})

test.each([
  ['entities', '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>'],
  ['a script', '<svg><script>x()</script></svg>'],
  ['a page inside', '<svg><foreignObject/></svg>'],
  ['many references', `<svg>${'<use href="#a"/>'.repeat(50)}</svg>`],
  ['no drawing', '<html><svg></svg></html>'],
  ['too much', `<svg>${' '.repeat(20_000)}</svg>`],
])('leaves out an SVG with %s', async (_name, text) => {
  expect(await readIcons([{ src: dataOf(Buffer.from(text), 'image/svg+xml') }], [], source())).toEqual({ tools: [] })
})
