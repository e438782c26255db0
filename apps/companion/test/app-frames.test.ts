import { describe, expect, it } from 'vitest'
import { rawRequest } from './raw-request.ts'
import { ask, type Running, start } from './scenario.ts'

const HTML = '<!doctype html><script>window.here = 1</script>'
const IN_FRAME = { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-site' }
/** As Chromium asks for a frame within a sandbox. */
const IN_SANDBOX = { ...IN_FRAME, 'sec-fetch-site': 'cross-site', origin: 'null' }

const register = (companion: Running, body: object) =>
  ask(companion, '/api/apps', { method: 'POST', body: JSON.stringify(body) })

async function shownAt(companion: Running, body: object = { html: HTML }): Promise<string> {
  const response = await register(companion, body)
  expect(response.status).toBe(200)
  return ((await response.json()) as { url: string }).url
}

const get = (url: string, headers: Record<string, string | undefined> = IN_FRAME, method?: string) => {
  const { port, pathname } = new URL(url)
  return rawRequest(Number(port), { method, path: pathname, headers: { host: `localhost:${port}`, ...headers } })
}

describe('the screen of a server', () => {
  it('is shown on another origin than the app, in a sandbox that the header itself asks for', async () => {
    const companion = await start()
    const url = await shownAt(companion)
    expect(new URL(url).origin).toBe(new URL(companion.relay).origin)
    expect(new URL(url).origin).not.toBe(companion.origin)
    const outer = await get(url)
    expect(outer.status).toBe(200)
    const around = String(outer.headers['content-security-policy'])
    expect(around).toContain(`sandbox allow-scripts; default-src 'none'; script-src 'sha256-`)
    expect(around).toContain(`frame-src ${url};`)
    expect(around).toContain(`frame-ancestors ${companion.origin} `)
    expect(around).not.toContain('[')
    expect(outer.text).not.toContain('window.here')

    const inner = await get(`${url}content`, IN_SANDBOX)
    expect(inner.text).toBe(HTML)
    const policy = String(inner.headers['content-security-policy']).split('; ')
    expect(policy).toEqual([
      'sandbox allow-scripts',
      "default-src 'none'",
      "script-src 'unsafe-inline'",
      "style-src 'unsafe-inline'",
      'img-src data: blob:',
      'media-src data: blob:',
      'font-src data:',
      "connect-src 'none'",
      "frame-src 'none'",
      "worker-src 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ])
    expect(inner.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-dns-prefetch-control': 'off',
    })
  })

  it('is shown once: neither the page around it nor the one in it is given out again', async () => {
    const url = await shownAt(await start())
    expect((await get(`${url}content`)).status).toBe(404)
    expect((await get(url)).status).toBe(200)
    expect((await get(url)).status).toBe(404)
    expect((await get(`${url}content`)).status).toBe(200)
    expect((await get(`${url}content`)).status).toBe(404)
    expect((await get(`${url}content/more`)).status).toBe(404)
  })

  it('is shown in a frame only, under our name, and to no page that could read it', async () => {
    const url = await shownAt(await start())
    for (const dest of ['document', 'script', 'serviceworker', 'empty', 'object', 'worker'])
      expect((await get(url, { ...IN_FRAME, 'sec-fetch-dest': dest })).status).toBe(403)
    expect((await get(url, { ...IN_FRAME, origin: 'https://evil.example' })).status).toBe(403)
    for (const dest of ['empty', 'script', undefined])
      expect((await get(url, { ...IN_SANDBOX, 'sec-fetch-dest': dest })).status).toBe(403)
    expect((await get(url, { ...IN_FRAME, host: 'evil.example' })).status).toBe(421)
    expect((await get(url, IN_FRAME, 'POST')).status).toBe(405)
    const guessed = new URL('/apps/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/', url).href
    expect((await get(guessed)).status).toBe(404)
    expect((await get(url)).status).toBe(200)
  })

  it('is taken from the app only, and from nobody without its token', async () => {
    const companion = await start()
    const body = JSON.stringify({ html: HTML })
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(`${companion.origin}/api/apps`, { method: 'POST', body, headers })).status).toBe(401)
    const elsewhere = { ...headers, origin: 'https://evil.example' }
    expect((await ask(companion, '/api/apps', { method: 'POST', body, headers: elsewhere })).status).toBe(403)
    expect((await ask(companion, '/api/apps')).status).toBe(405)
  })

  it('reaches the domains that were allowed, each where it was allowed', async () => {
    const url = await shownAt(await start(), {
      html: HTML,
      connect: ['https://api.example.com', 'wss://live.example.com:8443'],
      resources: ['https://*.cdn.example.com'],
    })
    await get(url)
    const policy = String((await get(`${url}content`)).headers['content-security-policy'])
    expect(policy).toContain('connect-src https://api.example.com wss://live.example.com:8443;')
    expect(policy).toContain("script-src 'unsafe-inline' https://*.cdn.example.com;")
    expect(policy).toContain("frame-src 'none';")
  })

  it.each([
    'https://a.example; script-src *',
    "'unsafe-eval'",
    '*',
    'https:',
    'https://*',
    'data:',
    'http://a.example',
    'a.example',
    'https://localhost',
    'https://127.0.0.1',
    'https://[::1]',
    'https://app.localhost',
    'https://printer.local',
    'https://a.example/path',
    'https://a.example,b',
    'https://a.example b',
    'https://a b',
    'https://u:p@a.example',
    'javascript://a.example',
    'https://a.example\n',
    5,
    null,
  ])('has no domain that is broader than a name, at home, or another directive: %j', async (domain) => {
    const companion = await start()
    for (const kind of ['connect', 'resources', 'frames'])
      expect((await register(companion, { html: HTML, [kind]: [domain] })).status).toBe(400)
  })

  it('is refused where it is too large, and makes no room by pushing out more than the oldest', async () => {
    const companion = await start()
    expect((await register(companion, { html: 'x'.repeat(4_194_305) })).status).toBe(413)
    expect((await register(companion, { html: 5 })).status).toBe(400)
    expect((await register(companion, { html: HTML, more: 1 })).status).toBe(400)
    const urls: string[] = []
    for (let at = 0; at < 9; at++) urls.push(await shownAt(companion))
    expect((await get(urls[0] ?? '')).status).toBe(404)
    expect((await get(urls[1] ?? '')).status).toBe(200)
  })

  it('has the only place that a frame of the app may be at', async () => {
    const companion = await start()
    const policy = (await fetch(companion.origin)).headers.get('content-security-policy')
    expect(policy).toContain(`frame-src ${new URL(companion.relay).origin}/apps/`)
    const engine = await fetch(`${companion.origin}/assets/engine.js`)
    expect(engine.headers.get('content-security-policy')).not.toContain('frame-src')
  })
})
