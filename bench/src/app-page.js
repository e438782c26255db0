import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from 'esbuild'
import { chromium } from 'playwright'
import { chromiumFlags, findChromium } from '../../scripts/chromium.mjs'
import { ROOT } from './paths.js'

const ENTITIES = 'decode-named-character-reference'

/** Bundles a file of the app, loads it in an empty page of Chromium, and runs something there. */
export async function inAppPage(file, run) {
  const { outputFiles } = await build({
    entryPoints: [path.join(ROOT, '..', file)],
    bundle: true,
    write: false,
    outdir: 'out',
    format: 'esm',
    target: 'es2023',
    minify: true,
    jsx: 'automatic',
    conditions: ['switchboard-source', 'module', 'browser'],
    // As in the app's own build: its file for browsers needs innerHTML.
    alias: { [ENTITIES]: createRequire(import.meta.url).resolve(ENTITIES) },
    define: { 'process.env.NODE_ENV': '"production"', 'import.meta.env': '{}' },
  })
  const of = (ending) => outputFiles.find((one) => one.path.endsWith(ending))?.text ?? ''
  const pages = {
    '/': [
      'text/html',
      `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/a.css"><body><script type="module" src="/a.js"></script>`,
    ],
    '/a.js': ['text/javascript', of('.js')],
    '/a.css': ['text/css', of('.css')],
  }
  const server = createServer(({ url }, response) => {
    const [type, text] = pages[url] ?? ['text/plain', '']
    response.setHeader('content-type', type).end(text)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
  try {
    const page = await browser.newPage()
    page.on('pageerror', (error) => console.error(error))
    await page.goto(`http://127.0.0.1:${server.address().port}/`)
    await page.waitForFunction(() => globalThis.isBenchReady)
    return await run(page)
  } finally {
    await browser.close()
    server.close()
  }
}
