import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildLibrary, type Demo, launchChromium, startDemo } from '../../demo-server/test/demo.ts'

const examples = fileURLToPath(new URL('../examples/', import.meta.url))
const root = fileURLToPath(new URL('../../../', import.meta.url))

let library: Awaited<ReturnType<typeof buildLibrary>>
let demo: Demo
/** Where a page of another origin is, which the demo server lets in. */
const site = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  if (path !== '/' && !path.startsWith('/switchboard/')) return void response.writeHead(404).end()
  const file = path === '/' ? join(examples, 'page.html') : join(library.folder, path.slice('/switchboard/'.length))
  response.setHeader('content-type', path === '/' ? 'text/html' : 'text/javascript')
  response.end(readFileSync(file))
})

beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  library = await buildLibrary()
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  demo = await startDemo({ library: library.folder, allowedOrigins: [origin] })
})

afterAll(async () => {
  await demo?.close()
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
  await library?.remove()
})

/** What an example prints when it runs against the demo server. */
async function outputOf(name: string): Promise<string> {
  const printed: string[] = []
  const given = process.argv[2]
  const log = vi.spyOn(console, 'log').mockImplementation((...said: unknown[]) => {
    printed.push(said.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(' '))
  })
  process.argv[2] = demo.mcpUrl
  onTestFinished(() => {
    log.mockImplementation(() => {})
    if (given === undefined) process.argv.splice(2)
    else process.argv[2] = given
  })
  await import(`../examples/${name.replace('.mjs', '')}.mjs`)
  return printed.join('\n')
}

/** Every example, and what it must print. */
const prints: Record<string, RegExp[]> = {
  'connect-call.mjs': [/switchboard-demo speaks 2026-07-28/, /world_clock, forecast/, /"city":"Oslo"/],
  'progress-cancel.mjs': [/^1\/50 Copied file 1 of 50$/m, /^3\/50/m, /That is enough$/],
  'answer-question.mjs': [/The server asks: When do you want/, /Booked at The Lighthouse: Ada, 2 at 19:30, outside/],
  'save-session.mjs': [/In Asia\/Tokyo it is/, /the same session/],
  'watch-resource.mjs': [/heard: notifications\/resources\/updated/, /Build a kite\.$/],
  'tell-failures.mjs': [/out of paper/, /rpc -32602/, /It may have run/],
  'official-client.mjs': [/In Asia\/Tokyo it is/],
}

describe('the examples', () => {
  test.each(Object.entries(prints))('%s runs as it stands', async (name, lines) => {
    const output = await outputOf(name)
    for (const line of lines) expect(output).toMatch(line)
  })

  test('page.html runs without a bundler, from another origin than the server', async () => {
    const browser = await launchChromium()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    const { port } = site.address() as AddressInfo
    await page.goto(`http://127.0.0.1:${port}/?server=${encodeURIComponent(demo.mcpUrl)}`)
    await page.getByText('world_clock: Tells what time it is').waitFor()
    expect(await page.locator('li').count()).toBe(9)
  })

  test('each one is run here', () => {
    expect(readdirSync(examples).sort()).toEqual([...Object.keys(prints), 'page.html'].sort())
  })
})

describe('the code in the documentation', () => {
  const documents = ['README.md', 'packages/mcp/README.md', 'packages/mcp/SPEC.md', 'ARCHITECTURE.md']
  const blocks = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8')
    return [...text.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map(([, file = '', code = '']) => ({
      document,
      file,
      code: code.trim(),
    }))
  })

  test.each(blocks)('$document: the block of $file is a part of that file', ({ document, file, code }) => {
    expect(readFileSync(join(root, dirname(document), file), 'utf8')).toContain(code)
  })

  test('the READMEs show examples', () => {
    expect(new Set(blocks.map(({ document }) => document))).toEqual(new Set(['README.md', 'packages/mcp/README.md']))
  })

  test('every number that a test quotes is in SPEC.md', () => {
    const spec = readFileSync(join(root, 'packages/mcp/SPEC.md'), 'utf8')
    const tests = ['packages/mcp/src', 'packages/mcp/test'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /(\.test|-promises)\.ts$/.test(name))
        .map((name) => readFileSync(join(root, folder, name), 'utf8')),
    )
    const quoted = new Set(
      tests.flatMap((text) => [...text.matchAll(/['`"\]]\[((?:R-|A\d\.|I-|[A-Z])\d+)\]/g)].map(([, id = '']) => id)),
    )
    expect(quoted.size).toBeGreaterThan(50)
    expect([...quoted].filter((id) => !new RegExp(`\\b${id.replace('.', '\\.')}\\b`).test(spec)).sort()).toEqual([])
  })
})
