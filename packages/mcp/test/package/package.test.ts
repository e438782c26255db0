import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { filesIn, isThere, type Packed, packLibrary, readJson, root, run } from './pack-library.ts'

let packed: Packed
beforeAll(async () => {
  packed = await packLibrary()
})
afterAll(() => packed?.remove())

const entries = ['', '/oauth', '/stdio', '/standalone'].map((path) => `@switchboard/mcp${path}`)

/** What a program prints that runs where only the package is installed. */
async function printedBy(code: string): Promise<string> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: packed.project })
  return stdout.trim()
}

describe('the files of the package', () => {
  test('are the build, the sources of its maps, and what people read', () => {
    const files = filesIn(packed.installed)
    for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md', 'SPEC.md', 'docs/api.md', 'dist/index.js'])
      expect(files).toContain(name)
    const known =
      /^(package\.json|LICENSE|(README|CHANGELOG|SPEC)\.md|docs\/[\w-]+\.md|examples\/[\w-]+\.(html|mjs|ts)|src\/.+\.ts|dist\/[\w-]+\.js(\.map)?|dist\/.+\.d\.ts)$/
    expect(files.filter((name) => !known.test(name) || name.endsWith('.test.ts'))).toEqual([])
  })

  test('hold every source that a source map names', () => {
    const maps = filesIn(packed.installed).filter((name) => name.endsWith('.map'))
    expect(maps.length).toBeGreaterThan(3)
    const sources = maps.flatMap((map) =>
      (readJson(join(packed.installed, map)).sources as string[]).map((source) =>
        resolve(packed.installed, dirname(map), source),
      ),
    )
    expect(sources.filter((file) => !isThere(file))).toEqual([])
  })

  test('hold every source map that a module names', () => {
    const modules = filesIn(join(packed.installed, 'dist')).filter((name) => name.endsWith('.js'))
    const missing = modules.filter((name) => {
      const file = join(packed.installed, 'dist', name)
      const map = /\/\/# sourceMappingURL=(\S+)/.exec(readFileSync(file, 'utf8'))?.[1]
      return map !== undefined && !isThere(join(dirname(file), map))
    })
    expect(missing).toEqual([])
  })

  test('hold whatever their pages link to, but for pages of the repository', () => {
    const pages = filesIn(packed.installed).filter((name) => name.endsWith('.md'))
    const targets = pages.flatMap((page) => {
      const text = readFileSync(join(packed.installed, page), 'utf8')
      const links = [...text.matchAll(/\]\((?!https:|#)([^)#\s]+)(?:#[^)\s]*)?\)/g)].map(([, link = '']) => link)
      return links.map((link) => resolve(packed.installed, dirname(page), link))
    })
    const own = targets.filter((target) => target.startsWith(packed.installed))
    expect(own.length).toBeGreaterThan(10)
    expect(own.filter((target) => !isThere(target))).toEqual([])
  })

  test('say nothing of the machine they were built on', () => {
    const built = filesIn(packed.installed).filter((name) => name.startsWith('dist/'))
    const telling = built.filter((name) => readFileSync(join(packed.installed, name), 'utf8').includes(root))
    expect(telling).toEqual([])
  })
})

describe('installed in an empty project', () => {
  test.each(entries)('%s is imported', async (entry) => {
    const names = await printedBy(`console.log(Object.keys(await import('${entry}')).join())`)
    expect(names.split(',')).toContain(entry.endsWith('/stdio') ? 'StdioTransport' : 'createMCPClient')
  })

  test('the single file has every name of the main entry', async () => {
    const [main, , , single] = await Promise.all(
      entries.map((entry) => printedBy(`console.log(Object.keys(await import('${entry}')).sort().join())`)),
    )
    expect(single).toBe(main)
  })

  test('CommonJS can require it where Node can require modules at all', async () => {
    const code = `console.log(typeof require('@switchboard/mcp').createMCPClient)`
    const flag = process.features && 'require_module' in process.features ? [] : ['--experimental-require-module']
    const { stdout } = await run(process.execPath, [...flag, '--input-type=commonjs', '-e', code], {
      cwd: packed.project,
    })
    expect(stdout.trim()).toBe('function')
  })

  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('its types hold with module %s and resolution %s', async (module, moduleResolution) => {
    const program = `
import { createMCPClient, type CallToolResult, HttpTransport, isMCPError, type MCPClient } from '@switchboard/mcp'
import { BrowserOAuthProvider, createMCPClient as createSignedIn } from '@switchboard/mcp/oauth'
import { MCPClient as Single } from '@switchboard/mcp/standalone'
import { StdioTransport } from '@switchboard/mcp/stdio'

const client: MCPClient = await createMCPClient({ transport: { type: 'http', url: 'https://example.com/mcp' } })
const result: CallToolResult = await client.callTool({ name: 'add', arguments: { a: 1 } })
const single: MCPClient = new Single('https://example.com/mcp')
const authProvider = new BrowserOAuthProvider({ serverUrl: 'https://example.com/mcp', redirectUrl: '/back.html' })
await createSignedIn({ transport: { type: 'http', url: 'https://example.com/mcp', authProvider } })
await createMCPClient({ transport: new StdioTransport({ command: 'server' }) })
new HttpTransport('https://example.com/mcp').on('retry', ({ waitMs }) => waitMs.toFixed())
// @ts-expect-error: a tool's name is text.
await single.callTool({ name: 1 })
export const failed = (error: unknown) => (isMCPError(error) ? error.reason : result.isError)
`
    writeFileSync(join(packed.project, 'program.ts'), program)
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2022',
      lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      typeRoots: [join(root, 'node_modules/@types')],
      types: ['node'],
    }
    const config = join(packed.project, `tsconfig.${moduleResolution}.json`)
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ['program.ts'] }))
    const compiled = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config])
    await expect(compiled).resolves.toMatchObject({ stdout: '' })
  })

  test('what another copy of it made fits', async () => {
    cpSync(packed.installed, join(packed.project, 'copy'), { recursive: true })
    writeFileSync(
      join(packed.project, 'copies.ts'),
      `import type * as Core from '@switchboard/mcp'
import type * as SignedIn from '@switchboard/mcp/oauth'
import type * as Copy from './copy/dist/index.js'
import type * as SignedInCopy from './copy/dist/oauth/index.js'
export const clients = {
  core: (client: Copy.MCPClient): Core.MCPClient => client,
  signedIn: (client: Copy.MCPClient): SignedIn.MCPClient => client,
  back: (client: SignedIn.MCPClient): Copy.MCPClient => client,
  transport: (transport: Copy.HttpTransport): Core.HttpTransport => transport,
  signedInTransport: (transport: SignedInCopy.HttpTransport): SignedIn.HttpTransport => transport,
  error: (error: Copy.MCPError): Core.MCPError => error,
}
`,
    )
    const compilerOptions = { module: 'nodenext', lib: ['ES2023', 'ESNext.Disposable', 'DOM'], strict: true, types: [] }
    const config = join(packed.project, 'tsconfig.copies.json')
    writeFileSync(
      config,
      JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true }, files: ['copies.ts'] }),
    )
    const compiled = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config])
    await expect(compiled).resolves.toMatchObject({ stdout: '' })
  })

  test('the main entry needs no types of Node', async () => {
    writeFileSync(
      join(packed.project, 'page.ts'),
      `import { MCPClient } from '@switchboard/mcp'\nexport const client = new MCPClient('https://example.com/mcp')\n`,
    )
    const compilerOptions = { module: 'nodenext', lib: ['ES2023', 'ESNext.Disposable', 'DOM'], strict: true, types: [] }
    const config = join(packed.project, 'tsconfig.page.json')
    writeFileSync(config, JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true }, files: ['page.ts'] }))
    const compiled = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config])
    await expect(compiled).resolves.toMatchObject({ stdout: '' })
  })

  const everyEntry = `
import { isMCPError, MCPClient } from '@switchboard/mcp'
import { createDPoP, createMCPClient, PrivateKeyJwtProvider } from '@switchboard/mcp/oauth'
import { MCPUtils } from '@switchboard/mcp/standalone'
import { StdioTransport } from '@switchboard/mcp/stdio'
export const used = [isMCPError, MCPClient, createDPoP, createMCPClient, PrivateKeyJwtProvider, MCPUtils, StdioTransport]
// @ts-expect-error: with types that were not found, this would be any.
new MCPClient(1)
`
  // The newest compiler has no "node10" any more; the one that are-the-types-wrong brings has.
  const olderCompiler = join(root, 'node_modules/@arethetypeswrong/core/node_modules/typescript/bin/tsc')
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const DOM = ['DOM', 'DOM.Iterable']

  test.each([
    ['every entry is found with moduleResolution node10', olderCompiler, 'esnext', 'node10', DOM],
    [
      'every entry, /oauth too, needs the types of Node only, not the DOM library',
      compiler,
      'nodenext',
      'nodenext',
      [],
    ],
  ])('%s', async (_, tsc, module, moduleResolution, lib) => {
    const file = `entries-${moduleResolution}`
    writeFileSync(join(packed.project, `${file}.ts`), everyEntry)
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2022',
      lib: ['ES2023', 'ESNext.Disposable', ...lib],
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      typeRoots: [join(root, 'node_modules/@types')],
      types: ['node'],
    }
    const config = join(packed.project, `tsconfig.${file}.json`)
    writeFileSync(config, JSON.stringify({ compilerOptions, files: [`${file}.ts`] }))
    const { stdout } = await run(process.execPath, [tsc, '-p', config]).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  })

  test('the single file has a source map that leads to the sources', () => {
    const file = join(packed.installed, 'dist/switchboard-mcp.js')
    expect(readFileSync(file, 'utf8')).toContain('//# sourceMappingURL=switchboard-mcp.js.map')
    const { sources } = readJson(`${file}.map`) as { sources: string[] }
    expect(sources).toContain('../src/client/mcp-client.ts')
  })

  test('every member of MCPClient has hover documentation', () => {
    const types = readFileSync(join(packed.installed, 'dist/client/mcp-client.d.ts'), 'utf8')
    const [, body = ''] = /export declare class MCPClient \{\n([^]*?)\n\}/.exec(types) ?? []
    const members = [...body.matchAll(/^ {4}(?:get )?(\w+|\[Symbol\.\w+\])(?:<.*)?\(.*$/gm)]
    expect(members.length).toBeGreaterThan(30)
    const bare = members.filter(({ index }) => !body.slice(0, index).trimEnd().endsWith('*/'))
    expect(bare.map(([line]) => line.trim())).toEqual([])
  })

  test('publint has nothing to say', async () => {
    const { messages } = await publint({ pkgDir: packed.installed, pack: false, strict: true })
    expect(messages).toEqual([])
  })

  test('are-the-types-wrong has nothing to say', async () => {
    const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    const args = [attw, packed.tarball, '--profile', 'esm-only', '--no-definitely-typed', '--format', 'json']
    const { stdout } = await run(process.execPath, args, { maxBuffer: 64 * 2 ** 20 })
    // It ends with an error where something is wrong; what only CommonJS would meet is left out by the profile.
    const { analysis } = JSON.parse(stdout)
    expect(Object.keys(analysis.entrypoints)).toEqual(
      expect.arrayContaining(['.', './oauth', './stdio', './standalone']),
    )
  })
})

test('isMCPError alone is small in a bundle that is not split', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { isMCPError } from '@switchboard/mcp'\nconsole.log(isMCPError(1))`,
      resolveDir: packed.project,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
  expect(outputFiles[0]?.text.length).toBeLessThan(3000)
})

describe('sideEffects: false', () => {
  test.each(entries)('an import of nothing from %s is nothing in a bundle', async (entry) => {
    const { outputFiles } = await build({
      stdin: { contents: `import {} from '${entry}'\nimport '${entry}'`, resolveDir: packed.project },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'node',
      write: false,
      logLevel: 'silent',
    })
    expect(outputFiles.map(({ text }) => text.trim())).toEqual([''])
  })

  test.each(entries)('%s does nothing when it is loaded', async (entry) => {
    const state = `JSON.stringify([Object.getOwnPropertyNames(globalThis), process.eventNames()])`
    const code = `const before = ${state}; await import('${entry}'); console.log(${state} === before)`
    expect(await printedBy(code)).toBe('true')
  })
})
