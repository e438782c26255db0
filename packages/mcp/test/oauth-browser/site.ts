import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type Browser, chromium, type LaunchOptions } from 'playwright'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))
const driver = fileURLToPath(new URL('driver.ts', import.meta.url))
const scripts = ['oauth-page', 'oauth-callback'].map((name) => `${examples}${name}.ts`)

/** No script but the site's own files, and nothing of an address in a header. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; connect-src 'self' http://127.0.0.1:*; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

export interface Site {
  origin: string
  /** The addresses that were asked for, and where from. */
  asked: { url: string; referer: string | undefined }[]
  /** Somebody on the way who changes what the sign-in page answers. */
  meddle: ((answer: URLSearchParams) => void) | undefined
  close(): Promise<void>
}

/** An application with the pages of the examples and one to drive the library with; at `localhost`, a site of its own. */
export async function startSite(): Promise<Site> {
  const bundle = await build({
    entryPoints: [...scripts, driver],
    outdir: '/',
    entryNames: '[name]',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['switchboard-source'],
    target: 'es2023',
    write: false,
    logLevel: 'error',
  })
  const files = new Map<string, [type: string, text: string]>()
  for (const { path, text } of bundle.outputFiles) files.set(path, ['text/javascript', text])
  for (const name of ['oauth-page.html', 'oauth-callback.html'])
    files.set(`/${name}`, ['text/html', readFileSync(examples + name, 'utf8')])
  files.set('/driver.html', [
    'text/html',
    '<!doctype html><title>Driver</title><button>Go</button><script type="module" src="driver.js"></script>',
  ])
  files.set('/empty.html', ['text/html', '<!doctype html><title>Empty</title>'])
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    site.asked.push({ url: request.url ?? '', referer: request.headers.referer })
    const { meddle } = site
    if (meddle && searchParams.has('state')) {
      site.meddle = undefined
      meddle(searchParams)
      return void response.writeHead(302, { location: `${pathname}?${String(searchParams)}` }).end()
    }
    const [type, text] = files.get(pathname) ?? []
    if (type === undefined) return void response.writeHead(404).end()
    response.writeHead(200, { ...headers, 'content-type': type }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const site: Site = {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    asked: [],
    meddle: undefined,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return site
}

/** The system's Chromium, with windows blocked as people have it, and no network but this machine. */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  const { chromiumFlags, findChromium } = (await import(
    new URL('../../../../scripts/chromium.mjs', import.meta.url).href
  )) as { chromiumFlags: string[]; findChromium: () => string | undefined }
  const executablePath = findChromium()
  return chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [...chromiumFlags, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'],
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    ...options,
  })
}
