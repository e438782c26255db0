import * as parser from 'mdast-util-from-markdown'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { eventually, mountInTest } from '../../features/chat/mount-in-test.tsx'
import { hostileMarkdown } from './hostile-markdown-in-test.ts'
import { Markdown } from './markdown.tsx'

// Not replaced: its calls are counted.
vi.mock('mdast-util-from-markdown', { spy: true })

// Both are loaded when they are first needed; a test waits for what they draw, not for the network.
beforeAll(() => Promise.all([import('./markdown-blocks.tsx'), import('./highlight.ts')]))

let mounted: ReturnType<typeof mountInTest> | undefined
afterEach(() => mounted?.unmount())

async function draw(text: string, isGrowing = false): Promise<HTMLElement> {
  mounted ??= mountInTest(null)
  mounted.unmount()
  mounted = mountInTest(<Markdown text={text} isGrowing={isGrowing} />)
  return eventually(() => {
    const drawn = mounted?.container.querySelector<HTMLElement>('[class*=markdown]')
    if (!drawn) throw new Error('not drawn yet')
    return drawn
  })
}

const pwned = vi.fn()
beforeEach(() => {
  pwned.mockReset()
  Object.assign(window, { pwned })
})

const ELEMENTS = new Set(
  'ARTICLE DIV P SPAN H3 H4 H5 H6 UL OL LI EM STRONG DEL CODE PRE FIGURE FIGCAPTION BLOCKQUOTE A IMG TABLE THEAD TBODY TR TH TD HR BR SUP BUTTON svg path'.split(
    ' ',
  ),
)

test('no Markdown of a stranger runs anything, loads anything, or makes an element that could', async () => {
  expect(hostileMarkdown.length).toBeGreaterThanOrEqual(200)
  mounted = mountInTest(
    hostileMarkdown.map((text, index) => (
      <article key={index} data-text={text}>
        <Markdown text={text} />
      </article>
    )),
  )
  const { container } = mounted
  const all = () => [...container.querySelectorAll<HTMLElement>('article')]
  const isDrawn = (article: HTMLElement) => article.querySelector('[class*=markdown]') !== null
  await eventually(() => expect(all().filter(isDrawn)).toHaveLength(hostileMarkdown.length))
  for (const element of container.querySelectorAll('*')) {
    const from = element.closest('article')?.dataset['text'] ?? ''
    expect(ELEMENTS.has(element.tagName), `${element.tagName} from ${from}`).toBe(true)
    for (const { name, value } of element.attributes) {
      expect(name.startsWith('on') || name === 'style' || name === 'srcset', `${name} from ${from}`).toBe(false)
      if (name === 'href') expect(value, from).toMatch(/^(?:https?|mailto):/)
      if (name === 'src') expect(value, from).toMatch(/^data:image\/(?:png|jpeg|gif|webp);base64,/)
    }
  }
  for (const element of container.querySelectorAll<HTMLElement>('a, button, [tabindex]')) element.focus()
  // What would have been fetched, would have been by now: pictures are asked for as soon as they are in the page.
  await new Promise(requestAnimationFrame)
  expect(performance.getEntriesByType('resource').filter(({ name }) => name.includes('collector-of-leaks'))).toEqual([])
  expect(pwned).not.toHaveBeenCalled()
})

test('what such Markdown says is still there to read', async () => {
  const drawn = await draw(
    'before <img src=x onerror=pwned()> after\n\n<script>pwned()</script>\n\n[x](javascript:pwned())',
  )
  expect(drawn.textContent).toContain('before <img src=x onerror=pwned()> after')
  expect(drawn.textContent).toContain('<script>pwned()</script>')
  expect(drawn.textContent).toContain('[x](javascript:pwned())')
})

test('a link says its host, and opens without telling where one comes from', async () => {
  const drawn = await draw('[your bank](https://evil.example/login) and https://example.com/a')
  const [first, second] = drawn.querySelectorAll('a')
  expect(drawn.textContent).toBe('your bank (evil.example) and https://example.com/a')
  expect(first?.rel).toBe('noopener noreferrer')
  expect(first?.target).toBe('_blank')
  expect(second?.href).toBe('https://example.com/a')
})

test.each([
  ['[google.com](http://evil.example/login)', 'google.com', 'http://evil.example/login'],
  ['https://google.com@evil.example/', 'https://google.com@evil.example/', 'https://google.com@evil.example/'],
  ['![google.com](https://evil.example/a.png)', 'google.com: picture at evil.example', 'https://evil.example/a.png'],
])('a link that looks like another, %s, is followed only after its host was shown', async (text, says, href) => {
  const drawn = await draw(text)
  expect(drawn.querySelector('a')).toBeNull()
  const link = drawn.querySelector('button')
  expect(link?.textContent.trim()).toBe(says)
  link?.click()
  const dialog = await eventually(() => {
    const found = document.querySelector('dialog:modal')
    if (!found) throw new Error('no dialog')
    return found
  })
  expect(dialog.querySelector('h2')?.textContent).toBe('This link leads to evil.example')
  const open = dialog.querySelector('a')
  expect(open?.textContent).toBe('Open evil.example')
  expect(open?.href).toBe(href)
  expect(open?.rel).toBe('noopener noreferrer')
})

test('a picture elsewhere is a link with its host; one in the text itself is shown', async () => {
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const drawn = await draw(`![chart](https://evil.example/p.png?chat=1)\n\n![dot](data:image/png;base64,${dot})`)
  expect(drawn.querySelector('a')?.textContent).toContain('chart: picture at evil.example')
  expect(drawn.querySelector('img')?.src).toBe(`data:image/png;base64,${dot}`)
  expect(drawn.querySelectorAll('img')).toHaveLength(1)
})

test('hidden characters are shown', async () => {
  const drawn = await draw('safe\u202Etxt.exe `a\u200Bb` \u{E0041}\u{E0042}')
  expect(drawn.textContent).toContain('⟨U+202E⟩')
  expect(drawn.textContent).toContain('⟨U+200B⟩')
  expect(drawn.textContent).toContain('⟨U+E0041⟩')
})

test('headings, lists, tables, quotes and code are what they are', async () => {
  const drawn = await draw(
    '# Title\n\n- [x] done\n- plain\n\n1. one\n\n> said\n\n| a | b |\n|:-|-:|\n| 1 | 2 |\n\n```ts\nconst a = 1 // one\n```\n\n~~gone~~ **bold** *soft*\n\n---\n\nsee[^1]\n\n[^1]: a note',
  )
  expect(drawn.querySelector('h3')?.textContent).toBe('Title')
  expect(drawn.querySelector('ul')?.textContent).toBe('☑ doneplain')
  expect(drawn.querySelector('blockquote p')?.textContent).toBe('said')
  expect(drawn.querySelectorAll('td')).toHaveLength(2)
  expect(drawn.querySelector('figcaption')?.textContent).toContain('ts')
  expect(drawn.querySelector('hr')).not.toBeNull()
  expect(drawn.textContent).toContain('[1] a note')
  await eventually(() => expect(drawn.querySelector('code [class*=keyword]')?.textContent).toBe('const'))
  expect(drawn.querySelector('code')?.textContent).toBe('const a = 1 // one')
})

test('code can be copied to the last character', async () => {
  const code = '<b>\u200b</b>\n\tif (a < b) { "x" }'
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const drawn = await draw(`\`\`\`html\n${code}\n\`\`\``)
  drawn.querySelector('button')?.click()
  expect(write).toHaveBeenCalledWith(code)
  await eventually(() => expect(drawn.textContent).toContain('Copied'))
  write.mockRestore()
})

test('long code in several sections has one button, and it copies all of it', async () => {
  const code = Array.from({ length: 6_000 }, (_, at) => `const line${at} = ${at}`).join('\n')
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const text = `Before\n\n\`\`\`js\n${code}\n\`\`\`\n\nAfter`
  // It streams in: what the button copies must not be what was there when it was drawn.
  const drawn = await draw(text.slice(0, 50_000), true)
  mounted?.render(<Markdown text={text} />)
  await eventually(() => expect(drawn.textContent).toContain('After'))
  expect(drawn.querySelectorAll('pre').length).toBeGreaterThan(2)
  expect([...drawn.querySelectorAll('code')].map((part) => part.textContent).join('\n')).toBe(code)
  const buttons = drawn.querySelectorAll('button')
  expect(buttons).toHaveLength(1)
  buttons[0]?.click()
  expect(write).toHaveBeenCalledWith(code)
  write.mockRestore()
})

test('short code before and after long code copies only itself', async () => {
  const long = 'const a = 1\n'.repeat(4_000)
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const drawn = await draw(`~~~\nfirst\n~~~\n\n~~~\n${long}~~~\n\n~~~\nlast\n~~~`)
  for (const button of drawn.querySelectorAll('button')) button.click()
  expect(write.mock.calls.map(([text]) => text)).toEqual(['first', long.trimEnd(), 'last'])
  write.mockRestore()
})

test('a table in several sections is a table with its header in each', async () => {
  const rows = Array.from({ length: 800 }, (_, at) => `| row ${at} ${'x'.repeat(80)} | ${at} |\n`).join('')
  const drawn = await draw(`| Name | Size |\n|---|--:|\n${rows}\nAfter`)
  await eventually(() => expect(drawn.textContent).toContain('After'))
  const tables = drawn.querySelectorAll('table')
  expect(tables.length).toBeGreaterThan(2)
  for (const table of tables) expect(table.querySelector('thead')?.textContent).toBe('NameSize')
  expect(drawn.querySelectorAll('tbody tr')).toHaveLength(800)
  expect(drawn.textContent).not.toContain('|')
})

test('while 20 KB stream in, what was there stays untouched, and at the end all is there', async () => {
  const text =
    '## Part\n\nSome words with **weight** and `code`, and a [link](https://example.com/).\n\n- one\n- two\n\n```js\nconst a = 1\n```\n\n'.repeat(
      180,
    )
  expect(text.length).toBeGreaterThan(20_000)
  const drawn = await draw(text.slice(0, 4_000), true)
  const blocksNow = () => [...drawn.children].flatMap((section) => [...section.children])
  const early = blocksNow().slice(0, -3)
  const changed: Node[] = []
  const observer = new MutationObserver((records) => changed.push(...records.map(({ target }) => target)))
  observer.observe(drawn, { childList: true, characterData: true, attributes: true, subtree: true })
  for (let end = 4_000; end <= text.length + 700; end += 700) {
    mounted?.render(<Markdown text={text.slice(0, end)} isGrowing={end < text.length} />)
    await new Promise(requestAnimationFrame)
  }
  await eventually(() => expect(drawn.querySelectorAll('h4')).toHaveLength(180))
  observer.disconnect()
  expect(drawn.isConnected).toBe(true)
  const blocks = blocksNow()
  expect(early.every((block, index) => block === blocks[index])).toBe(true)
  // Colours arrive in code that is whole; nothing else of the early blocks may change.
  const isColour = (node: Node) => node.parentElement?.closest('pre') ?? (node as Element).closest?.('pre')
  expect(changed.filter((node) => early.some((block) => block.contains(node)) && !isColour(node))).toEqual([])
})

test('a formula keeps its backslashes, and other escapes are still escapes', async () => {
  const cases: [string, string][] = [
    [String.raw`The sum $a\,b$ is 5\% of \*all\*`, String.raw`The sum $a\,b$ is 5% of *all*`],
    [String.raw`\[ \int x \, dx \]`, String.raw`\[ \int x \, dx \]`],
    [String.raw`- $$\frac{1}{2}\;\{x\}$$`, String.raw`$$\frac{1}{2}\;\{x\}$$`],
    [String.raw`a\_b`, 'a_b'],
  ]
  for (const [source, drawn] of cases) expect((await draw(source)).textContent).toBe(drawn)
})

const PART =
  '## Part\n\nSome words with **weight** and `code`, and a [link][home].\n\n- one\n- two\n\n```js\nconst a = 1\n```\n\n'
const parsedCharacters = () =>
  vi.mocked(parser.fromMarkdown).mock.calls.reduce((sum, [source]) => sum + String(source).length, 0)

test.each([
  ['without definitions', ''],
  ['with a link that is defined at its beginning', '[home]: https://example.com/\n\n'],
])('100 KB %s are parsed a few times at most while they stream in', async (_, beginning) => {
  const text = beginning + PART.repeat(960)
  expect(text.length).toBeGreaterThan(100_000)
  const drawn = await draw(text.slice(0, 500), true)
  vi.mocked(parser.fromMarkdown).mockClear()
  for (let end = 500; end < text.length + 500; end += 500) {
    mounted?.render(<Markdown text={text.slice(0, end)} isGrowing={end < text.length} />)
    await new Promise((resolve) => setTimeout(resolve))
  }
  await eventually(() => expect(drawn.querySelectorAll('h4')).toHaveLength(960))
  expect(drawn.querySelectorAll('a')).toHaveLength(beginning === '' ? 0 : 960)
  // Without sections a definition had all of it parsed with each of the 200 pieces: 10 MB.
  expect(parsedCharacters()).toBeLessThan(15 * text.length)
  const [first] = drawn.children
  expect(getComputedStyle(first!).contentVisibility).toBe('auto')
})

test('of 2 MB only what is near the screen is parsed, and the rest when one scrolls there', async () => {
  const text = `${PART.repeat(18_000)}## The end\n`
  vi.mocked(parser.fromMarkdown).mockClear()
  const drawn = await draw(text)
  const last = () => [...drawn.querySelectorAll('h4')].at(-1)?.textContent
  expect(last()).toBe('The end')
  await eventually(() => expect(drawn.querySelectorAll('h4').length).toBeGreaterThan(60))
  expect(parsedCharacters()).toBeLessThan(text.length / 10)
  const middle = drawn.children[Math.floor(drawn.children.length / 2)]!
  expect(middle.childElementCount).toBe(0)
  middle.scrollIntoView()
  await eventually(() => expect(middle.querySelector('h4')?.textContent).toBe('Part'))
})
