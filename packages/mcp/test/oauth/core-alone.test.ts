import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

/** The sources in a page that imports this entry, also those it loads on demand. */
async function sourcesOf(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL(`../../src/${entry}`, import.meta.url))],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    outdir: '/',
    write: false,
    metafile: true,
    logLevel: 'error',
  })
  return Object.keys(metafile.inputs)
}

it('[O1] a page without the entry for OAuth has nothing of OAuth in it', async () => {
  const isOAuth = (source: string): boolean => /src\/oauth\/|oauth4webapi/.test(source)
  const core = await sourcesOf('index.ts')
  expect(core.length).toBeGreaterThan(10)
  expect(core.filter(isOAuth)).toEqual([])
  expect((await sourcesOf('oauth/index.ts')).some(isOAuth)).toBe(true)
})
