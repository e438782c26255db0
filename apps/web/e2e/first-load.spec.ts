import { gzipSync } from 'node:zlib'
import { expect, test } from './fixtures.ts'

test('the first screen is there, and the demo connected, with at most 200 KB of JavaScript in page and engine', async ({
  page,
  companion,
  request,
}) => {
  const scripts = new Set<string>()
  page.on('request', (one) => {
    if (one.url().endsWith('.js')) scripts.add(one.url())
  })
  await page.goto(companion.url)
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Servers 1 connected' })).toBeVisible()
  // What is fetched in passing is fetched by now.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))

  const read = async (url: string) => gzipSync(await (await request.get(url)).body(), { level: 9 }).length
  const sizes = await Promise.all([...scripts].map(read))
  expect(scripts).toContain(`${companion.origin}/assets/engine.js`)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200_000)
})
