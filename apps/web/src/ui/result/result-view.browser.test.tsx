import { afterEach, beforeAll, expect, test } from 'vitest'
import { eventually, mountInTest } from '../../features/chat/mount-in-test.tsx'
import { ResultView } from './result-view.tsx'

beforeAll(() => import('../markdown/markdown-blocks.tsx'))
let mounted: ReturnType<typeof mountInTest>
afterEach(() => mounted.unmount())

const draw = (block: Record<string, unknown>) => {
  mounted = mountInTest(<ResultView content={[block]} structured={undefined} />)
}
const button = (name: string) =>
  [...mounted.container.querySelectorAll('button')].find(({ textContent }) => textContent === name)

test('a directory listing keeps its lines, and can be drawn as Markdown and back', async () => {
  const listing = '[DIR] src\n[FILE] __init__.py\n[FILE] a*b*c.txt'
  draw({ type: 'text', text: listing })
  await eventually(() => expect(mounted.container.innerText).toContain(listing))
  button('Show as Markdown')?.click()
  await eventually(() => expect(mounted.container.querySelector('p')).not.toBeNull())
  button('Show as text')?.click()
  await eventually(() => expect(mounted.container.innerText).toContain(listing))
})

test('a stack trace stands in letters of one width', async () => {
  draw({ type: 'text', text: 'Error: no\n    at run (a.js:1:2)\n    at main (b.js:3:4)' })
  const text = await eventually(() => {
    const found = mounted.container.querySelector('[class*=aligned]')
    return found ?? expect.fail('not drawn yet')
  })
  expect(getComputedStyle(text).whiteSpaceCollapse).toBe('preserve')
})

test('Markdown is drawn as Markdown, and one plain line has no choice beside it', async () => {
  draw({ type: 'text', text: '# Title\n\n- **one**\n- two' })
  await eventually(() => expect(mounted.container.querySelectorAll('li')).toHaveLength(2))
  mounted.unmount()
  draw({ type: 'text', text: 'Done' })
  await eventually(() => expect(mounted.container.textContent).toBe('Done'))
})

test('a resource of plain text is drawn as text, whatever marks are in it', async () => {
  const text = '# one\n\n**two** and `three`'
  draw({ type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text } })
  await eventually(() => expect(mounted.container.textContent).toContain(text))
})
