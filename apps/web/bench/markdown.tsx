// Runs in a page: bench/app-markdown.mjs.
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { Markdown, preloadMarkdown } from '#ui/markdown/markdown.tsx'

const PART = `## What was found

Some words with **weight**, \`code\` and a [link](https://example.com/), which go on for about as long as a line of an
answer usually does, and a little longer.

- one thing
- another thing, with *emphasis*
  - and one below it

\`\`\`ts
const total = items.reduce((sum, { price }) => sum + price, 0)
\`\`\`

| name | amount |
|---|---:|
| apples | 12 |
| pears | 3 |

`

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
const rest = async () => {
  for (let at = 0; at < 20; at += 1) await frame()
}

type Root = ReturnType<typeof createRoot>

async function measure(work: (root: Root, box: HTMLElement) => Promise<void>): Promise<number> {
  const box = document.createElement('div')
  box.style.cssText = 'height: 800px; width: 700px; overflow-y: auto'
  const place = document.createElement('div')
  box.append(place)
  document.body.append(box)
  const root = createRoot(place)
  await rest()
  performance.mark('bench began')
  await work(root, box)
  await rest()
  const elements = box.querySelectorAll('*').length
  root.unmount()
  box.remove()
  return elements
}

async function stream(text: string, root: Root, box: HTMLElement): Promise<void> {
  for (let end = 400; end < text.length + 400; end += 400) {
    flushSync(() => root.render(<Markdown text={text.slice(0, end)} isGrowing={end < text.length} />))
    box.scrollTop = box.scrollHeight
    await frame()
  }
}

const text = PART.repeat(Math.ceil(100_000 / PART.length))
const huge = PART.repeat(Math.ceil(9_000_000 / PART.length))

const benches: { what: string; limit: number; work: (root: Root, box: HTMLElement) => Promise<void> }[] = [
  // Compiles what the others measure.
  { what: 'warm up', limit: 1000, work: (root, box) => stream(text.slice(0, 30_000), root, box) },
  { what: '100 KB stream in', limit: 50, work: (root, box) => stream(text, root, box) },
  {
    what: '100 KB stream in, with a definition',
    limit: 50,
    work: (root, box) => stream(`[home]: https://example.com/\n\n${text}`, root, box),
  },
  {
    what: '9 MB at once, and a look at 40 places',
    limit: 200,
    async work(root, box) {
      root.render(<Markdown text={huge} />)
      await rest()
      for (let at = 0; at < 40; at += 1) {
        box.scrollTop = (box.scrollHeight / 40) * at
        await frame()
        await frame()
      }
    },
  },
  {
    what: '9 MB, of which the last 1 MB streams in',
    limit: 200,
    async work(root, box) {
      for (let end = 8_000_000; end < huge.length; end += 4_000) {
        root.render(<Markdown text={huge.slice(0, end)} isGrowing />)
        box.scrollTop = box.scrollHeight
        await frame()
      }
    },
  },
]

preloadMarkdown()
const benchMarkdown = {
  list: benches.map(({ what, limit }) => ({ what, limit })),
  run: (what: string) => measure(benches.find((bench) => bench.what === what)!.work),
}
Object.assign(globalThis, { benchMarkdown, isBenchReady: true })
