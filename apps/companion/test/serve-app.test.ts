import { symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { launchChromium } from './chromium.ts'
import { rawRequest } from './raw-request.ts'
import { folder, misbehaving, smallApp, start } from './scenario.ts'

describe('the app', () => {
  it('is served with a policy by which the page reaches only us, and the engine what its user names', async () => {
    const { origin } = await start()
    const page = await fetch(`${origin}/`)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = page.headers.get('content-security-policy') ?? ''
    for (const part of [
      "default-src 'none'",
      "connect-src 'none';",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types switchboard',
    ])
      expect(`${policy};`).toContain(part)
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
    expect(page.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    const engine = await fetch(`${origin}/assets/engine.js`)
    expect(engine.headers.get('content-security-policy')).toContain(
      "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
    )
    const other = await fetch(`${origin}/assets/page-3c4d.js`)
    expect(other.headers.get('content-security-policy')).toContain("connect-src 'none';")
  })

  it.each(['document', 'iframe', 'object', 'embed'])(
    'gives the file of a worker no rights where it is opened as %s',
    async (destination) => {
      const { origin } = await start()
      const shown = await fetch(`${origin}/assets/engine.js`, { headers: { 'sec-fetch-dest': destination } })
      expect(shown.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
      expect(shown.headers.get('vary')).toContain('sec-fetch-dest')
      const run = await fetch(`${origin}/assets/engine.js`, { headers: { 'sec-fetch-dest': 'worker' } })
      expect(run.headers.get('content-security-policy')).not.toContain('sandbox')
    },
  )

  it('keeps hashed files for ever, and asks for the others again', async () => {
    const { origin } = await start()
    expect((await fetch(`${origin}/assets/page-3c4d.js`)).headers.get('cache-control')).toContain('immutable')
    const page = await fetch(`${origin}/`)
    expect(page.headers.get('cache-control')).toBe('no-cache')
    const again = await fetch(`${origin}/`, { headers: { 'if-none-match': page.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
  })

  it('is sent as short as the browser takes it', async () => {
    const { origin } = await start()
    const port = Number(new URL(origin).port)
    const plain = await (await fetch(`${origin}/`)).text()
    for (const [accepted, unpack] of [
      ['gzip, deflate, br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const response = await fetch(`${origin}/`, { headers: { 'accept-encoding': accepted } })
      expect(response.headers.get('content-encoding')).toBe(unpack === gunzipSync ? 'gzip' : 'br')
      expect(await response.text()).toBe(plain)
    }
    const { headers, text } = await rawRequest(port, { headers: { host: `localhost:${port}` } })
    expect(headers['content-encoding']).toBeUndefined()
    expect(text).toBe(plain)
    const head = await rawRequest(port, { method: 'HEAD', headers: { host: `localhost:${port}` } })
    expect([head.text, head.headers['content-length']]).toEqual(['', String(plain.length)])
  })

  it('has a page for the way back from signing in, also when a foreign site leads there', async () => {
    const { origin } = await start()
    const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const port = Number(new URL(origin).port)
    const headers = { host: `localhost:${port}`, ...visit }
    const { text } = await rawRequest(port, { path: '/oauth/callback?code=x&state=y', headers })
    expect(text).toContain('<title>callback</title>')
  })

  it('under another of our names leads to the one that its storage belongs to', async () => {
    const { origin } = await start()
    const response = await fetch(`${origin.replace('localhost', '127.0.0.1')}/`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([307, `${origin}/`])
  })

  it('[A7.12] holds the files that were there at the start, and follows no link out of its folder', async () => {
    const app = await smallApp()
    const outside = join(await folder(), 'secret.html')
    await writeFile(outside, 'secret')
    await symlink(outside, join(app, 'link.html'))
    const { origin } = await start({}, { app })
    await writeFile(join(app, 'later.html'), 'later')
    for (const path of ['/link.html', '/later.html', '/.secret.html'])
      expect((await fetch(origin + path)).status).toBe(404)
  })

  it('takes no POST to a file', async () => {
    const { origin } = await start()
    const response = await fetch(`${origin}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(response.status).toBe(405)
  })
})

describe('in Chromium', () => {
  const ENGINE = `
    const reach = async (url, init) => { try { return (await fetch(url, init)).status } catch (error) { return error.name } }
    onmessage = async ({ data: { token, relay, target, other } }) => {
      const headers = { 'x-switchboard-token': token }
      postMessage({
        servers: await reach('/api/servers', { headers }),
        relay: await reach(relay + encodeURIComponent(target), { headers }),
        relayAlone: await reach(relay + encodeURIComponent(target)),
        other: await reach(other),
      })
    }`
  const PAGE = `
    const policy = trustedTypes.createPolicy('switchboard', { createScriptURL: (url) => url })
    const engine = new Worker(policy.createScriptURL('/assets/engine.js'), { type: 'module' })
    const reach = async (url, init) => { try { return (await fetch(url, init)).status } catch (error) { return error.name } }
    window.run = async (data) => {
      const told = new Promise((resolve) => { engine.onmessage = (event) => resolve(event.data) })
      engine.postMessage(data)
      return { engine: await told, page: {
        relay: await reach(data.relay + encodeURIComponent(data.target), { headers: { 'x-switchboard-token': data.token } }),
        other: await reach(data.other),
      } }
    }`

  it('[A7.7] the engine reaches servers, relay and others; the page reaches nobody but us; what is relayed can be no page', async () => {
    const app = await smallApp()
    await writeFile(
      join(app, 'index.html'),
      '<!doctype html><title>app</title><script type="module" src="/assets/page-3c4d.js"></script>',
    )
    await writeFile(join(app, 'assets/page-3c4d.js'), PAGE)
    await writeFile(join(app, 'assets/engine.js'), ENGINE)
    const other = await start({ faulty: misbehaving() })
    const companion = await start({ faulty: misbehaving() }, { app, allow: [other.origin] })
    // One that allows every page: only our policy keeps ours from it.
    const open = createServer(
      (_, response) => void response.writeHead(200, { 'access-control-allow-origin': '*' }).end(),
    )
    await new Promise<void>((resolve) => open.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void open.close())
    const { port: openPort } = open.address() as AddressInfo
    const browser = await launchChromium()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.goto(companion.url)
    await page.waitForFunction('window.run')
    const data = {
      token: companion.token,
      relay: companion.relay,
      target: `${other.origin}/`,
      other: `http://localhost:${openPort}/`,
    }
    const results = await page.evaluate(
      (given) => (window as unknown as { run(data: object): Promise<unknown> }).run(given),
      data,
    )
    expect(results).toEqual({
      engine: { servers: 200, relay: 200, relayAlone: 401, other: 200 },
      page: { relay: 'TypeError', other: 'TypeError' },
    })
    // A person who is led to the relay sees words, and no page of a stranger.
    const visit = await page.goto(companion.relay + encodeURIComponent(`${other.origin}/`))
    expect(visit?.status()).toBe(403)
    expect(await page.title()).not.toBe('app')
  })
})
