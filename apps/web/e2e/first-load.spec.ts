import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { builtApp, expect, test } from './fixtures.ts'

test('the first screen is there, and the demo connected, with at most 230 KB of JavaScript in page and engine', async ({
  page,
  companion,
}) => {
  const scripts = new Set<string>()
  page.on('request', (one) => {
    const { pathname } = new URL(one.url())
    if (pathname.endsWith('.js')) scripts.add(pathname)
  })
  await page.goto(companion.url)
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Servers 1 connected' })).toBeVisible()
  // What is fetched in passing is fetched by now.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))

  // Measured in the build that is served, best packed: what the way to the page does to it is not in question.
  const size = (path: string) => gzipSync(readFileSync(join(builtApp, path)), { level: 9 }).length
  const sizes = Object.fromEntries([...scripts].map((path) => [path, size(path)]))
  expect(scripts).toContain('/assets/engine.js')
  const sum = Object.values(sizes).reduce((all, one) => all + one, 0)
  expect(sum, JSON.stringify(sizes, undefined, 2)).toBeLessThanOrEqual(230_000)
})
