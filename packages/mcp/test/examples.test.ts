import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as aiSdk from '@ai-sdk/mcp'
import * as aiSdkStdio from '@ai-sdk/mcp/mcp-stdio'
import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { AuthorizationServer } from '@switchboard/testkit/authorization-server'
import { startFaultServer } from '@switchboard/testkit/fault-server'
import { startLlmEndpoint } from '@switchboard/testkit/llm-endpoint'
import { protect } from '@switchboard/testkit/protected-server'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { comment, EventServer } from './events/event-server.ts'
import { buildLibrary, type Demo, launchChromium, startDemo } from '../../demo-server/test/demo.ts'

const examples = fileURLToPath(new URL('../examples/', import.meta.url))
const root = fileURLToPath(new URL('../../../', import.meta.url))

let library: Awaited<ReturnType<typeof buildLibrary>>
let demo: Demo
/** Where a page of another origin is, which the demo server lets in. */
const site = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  const name = { '/': 'page.html', '/worker.html': 'worker.html', '/worker.mjs': 'worker.mjs' }[path]
  if (!name && !path.startsWith('/switchboard/')) return void response.writeHead(404).end()
  const file = name ? join(examples, name) : join(library.folder, path.slice('/switchboard/'.length))
  response.setHeader('content-type', file.endsWith('.html') ? 'text/html' : 'text/javascript')
  response.end(readFileSync(file))
})

beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  library = await buildLibrary()
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  demo = await startDemo({ allowedOrigins: [origin] })
})

afterAll(async () => {
  await demo?.close()
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
  await library?.remove()
})

/** What an example prints when it runs against the demo server, or whatever else it is given. */
async function outputOf(name: string, given = [demo.mcpUrl], env: Record<string, string> = {}): Promise<string> {
  const printed: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...said: unknown[]) => {
    printed.push(said.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(' '))
  })
  const before = process.argv.splice(2, Infinity, ...given)
  for (const [key, value] of Object.entries(env)) vi.stubEnv(key, value)
  onTestFinished(() => {
    log.mockImplementation(() => {})
    process.argv.splice(2, Infinity, ...before)
    vi.unstubAllEnvs()
  })
  if (name.endsWith('.ts')) await import(`../examples/${name.replace('.ts', '')}.ts`)
  else await import(`../examples/${name.replace('.mjs', '')}.mjs`)
  return printed.join('\n')
}

/** Every example, and what it must print. */
const prints: Record<string, RegExp[]> = {
  'connect-call.mjs': [/switchboard-demo speaks 2026-07-28/, /world_clock, forecast/, /"city":"Oslo"/],
  'progress-cancel.mjs': [/^1\/50 Copied file 1 of 50$/m, /^3\/50/m, /That is enough$/],
  'answer-question.mjs': [/The server asks: When do you want/, /Booked at The Lighthouse: Ada, 2 at 19:30, outside/],
  'answer-later.mjs': [
    /^The server asks first$/m,
    /^When do you want/m,
    /Booked at The Lighthouse: Ada, 2 at 19:30, inside/,
  ],
  'save-session.mjs': [/In Asia\/Tokyo it is/, /the same session/],
  'watch-resource.mjs': [/heard: notifications\/resources\/updated/, /Build a kite\.$/],
  'task.mjs': [/working: Kneading/, /asks: How dark shall the crust be/, /A dark bread\.$/],
  'tell-failures.mjs': [/out of paper/, /rpc -32602/, /It may have run/],
  'official-client.mjs': [/In Asia\/Tokyo it is/],
  'typed-tools.ts': [/^\d{4}-\d\d-\d\d: up to \d+°$/m, /In Asia\/Tokyo it is/],
  'pin-tools.mjs': [/^added 0, removed 0, changed: world_clock$/m],
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
    expect(await page.locator('li').count()).toBe(10)
  })

  test('worker.html calls a slow tool from a worker', async () => {
    const browser = await launchChromium()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    const { port } = site.address() as AddressInfo
    await page.goto(`http://127.0.0.1:${port}/worker.html?server=${encodeURIComponent(demo.mcpUrl)}`)
    await page.getByText('Copied 5 files').waitFor()
    expect(await page.locator('progress').getAttribute('max')).toBe('5')
  })

  test('agent.mjs runs with a model that calls two tools', async () => {
    const llm = await startLlmEndpoint([
      { calls: [{ name: 'forecast', input: { city: 'Oslo' } }] },
      { calls: [{ name: 'world_clock', input: { timeZone: 'Europe/Oslo' } }] },
      { text: 'Bring a coat.' },
    ])
    onTestFinished(() => llm.close())
    const output = await outputOf('agent.mjs', undefined, { OPENAI_BASE_URL: llm.url, OPENAI_API_KEY: 'none' })
    expect(output).toMatch(/^calls Forecast: \{"city":"Oslo"\}$/m)
    expect(output).toMatch(/^Bring a coat\.$/m)
    expect(JSON.stringify(llm.requests.at(-1)?.results)).toContain('In Europe/Oslo it is')
  })

  test('program.mjs runs with a server of this machine', async () => {
    const folder = dirname(
      createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json'),
    )
    const output = await outputOf('program.mjs', [process.execPath, join(folder, 'dist/index.js'), 'stdio'])
    expect(output).toMatch(/everything has \d+ tools\nEcho: Hello$/)
  })

  test('event-webhook.mjs hears of what it did', async () => {
    const server = await new EventServer().start()
    server.pages = [[comment]]
    server.instead['tools/call'] = async () => {
      for (const known of server.known.values()) expect((await server.deliver(known)).status).toBe(204)
      return { content: [] }
    }
    expect(await outputOf('event-webhook.mjs', [server.url])).toBe(
      'It tells of comment.created\nUntil 2099-01-01T00:00:00Z, unless it is refreshed before\ncomment.created: Well done.',
    )
    expect(server.known.size).toBe(0)
  })

  test('oauth-program.mjs signs in with its secret', async () => {
    const as = await new AuthorizationServer().start()
    onTestFinished(() => as.close())
    const server = await startFaultServer({ era: 'both' })
    onTestFinished(() => server.close())
    protect(server, as)
    as.clients.set('robot', { secret: 'a secret' })
    const env = { CLIENT_ID: 'robot', CLIENT_SECRET: 'a secret', ISSUER: as.issuer }
    expect(await outputOf('oauth-program.mjs', [server.url], env)).toBe('echo')
  })

  test('each one is run here; those with a sign-in by the tests in oauth-browser, standalone.html by those in package', () => {
    const pages = ['oauth-callback', 'oauth-page'].flatMap((name) => [`${name}.html`, `${name}.ts`])
    const others = ['page.html', 'oauth-provider.ts', 'oauth-program.mjs', 'agent.mjs', 'program.mjs', ...pages]
    others.push('worker.html', 'worker.mjs', 'standalone.html', 'event-webhook.mjs')
    expect(readdirSync(examples).sort()).toEqual([...Object.keys(prints), ...others].sort())
  })
})

describe('the code in the documentation', () => {
  const pages = readdirSync(join(root, 'packages/mcp/docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `packages/mcp/docs/${name}`)
  const documents = ['README.md', 'packages/mcp/README.md', 'packages/mcp/SPEC.md', 'ARCHITECTURE.md', ...pages]
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
    const showing = new Set(blocks.map(({ document }) => document))
    expect(showing.has('README.md') && showing.has('packages/mcp/README.md')).toBe(true)
  })

  test('every example is shown, or linked, somewhere', () => {
    const texts = documents.map((document) => readFileSync(join(root, document), 'utf8')).join('\n')
    expect(readdirSync(examples).filter((name) => !texts.includes(`examples/${name}`))).toEqual([])
  })

  test.each(documents)('%s: its links lead somewhere', (document) => {
    const headingsOf = (text: string) =>
      [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N}_ -]/gu, '')
          .replaceAll(' ', '-'),
      )
    const text = readFileSync(join(root, document), 'utf8')
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    const broken = links.filter((link) => {
      if (link.startsWith('https:')) return false
      const [path = '', anchor] = link.split('#')
      const file = path ? join(root, dirname(document), path) : join(root, document)
      if (!existsSync(file)) return true
      return anchor !== undefined && !headingsOf(readFileSync(file, 'utf8')).includes(anchor)
    })
    expect(broken).toEqual([])
  })

  const pageOf = (name: string) => readFileSync(join(root, 'packages/mcp/docs', name), 'utf8')
  const missingIn = (page: string, names: string[]) => names.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))

  test('every name that @ai-sdk/mcp exports is on the page about it', () => {
    expect(missingIn(pageOf('migrate-from-ai-sdk.md'), [...Object.keys(aiSdk), ...Object.keys(aiSdkStdio)])).toEqual([])
  })

  test.each([
    [
      '1.x',
      ClientV1,
      ['isToolTask', 'isToolTaskRequired', 'cacheToolMetadata', 'getToolOutputValidator', 'requestTaskStore'],
    ],
    ['2.x', ClientV2, ['buildContext']],
  ])('every call of the official client %s is on the page about it', (_, client, inner) => {
    const calls: string[] = []
    for (let own = client.prototype as object; own !== Object.prototype; own = Object.getPrototypeOf(own) as object)
      calls.push(...Object.getOwnPropertyNames(own))
    const outer = calls.filter((name) => !/^(_|assert|constructor$)/.test(name) && !inner.includes(name))
    expect(outer).toContain('callTool')
    expect(missingIn(pageOf('migrate-from-official-sdk.md'), outer)).toEqual([])
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
