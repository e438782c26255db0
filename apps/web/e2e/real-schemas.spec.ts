import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { type FaultServer, type FaultTool, startFaultServer } from '@switchboard/testkit/fault-server'
import { expect, store, test } from './chat-fixtures.ts'
import { storedServer } from './stored-server.ts'

interface Harvest {
  server: string
  tools: { name: string; schema: unknown }[]
}
const harvest = JSON.parse(
  readFileSync(new URL('../src/ui/schema-form/real-schemas.json', import.meta.url), 'utf8'),
) as Harvest[]

/** The explorer at a tool of the first of these servers. */
async function explore(page: Page, urls: Record<string, string>, tool: string): Promise<void> {
  const all = Object.entries(urls)
  await store(page, { mcpServers: all.map(([id, url]) => storedServer({ id, name: id, url })) })
  await page.goto(`${new URL(page.url()).origin}/#/tools/${all[0]?.[0]}/${tool}`)
  // What was stored past the engine is seen by those who begin anew.
  await page.reload()
}
// The tests of the form run the same lines: noting them here would take longer than drawing.
test.use({ isCovered: false })

const form = (page: Page) => page.getByRole('region', { name: 'Arguments' })

test('the explorer draws each of 236 real tools or more, with at most 2 % of the inputs for JSON, each with a name', async ({
  app,
}) => {
  test.slow()
  // As many servers as they were of: with every tool all of its server are listed anew.
  const servers: Record<string, FaultServer> = {}
  const places: [server: string, tool: string][] = []
  for (const [at, { tools: all }] of harvest.entries()) {
    const tools: Record<string, FaultTool> = {}
    for (const { name, schema } of all) tools[`${at}.${name}`] = { inputSchema: schema }
    servers[`from${at}`] = await startFaultServer({ era: 'stateless', cors: true, tools })
    for (const tool of Object.keys(tools)) places.push([`from${at}`, tool])
  }
  expect(places.length).toBeGreaterThanOrEqual(236)
  const urls = Object.fromEntries(Object.entries(servers).map(([id, { url }]) => [id, url]))
  await explore(app, urls, places[0]?.[1] ?? '')
  await expect(form(app)).toBeVisible()

  const drawn = await app.evaluate(async (all) => {
    const until = async (check: () => boolean) => {
      const end = performance.now() + 20_000
      while (!check() && performance.now() < end) await new Promise(requestAnimationFrame)
      return check()
    }
    const count = { inputs: 0, asJson: 0, nameless: [] as string[], missing: [] as string[] }
    for (const [server, name] of all) {
      location.hash = `#/tools/${server}/${name}`
      const region = () => document.querySelector('section[aria-label="Arguments"]')
      const isThere = await until(() => document.querySelector('main h2')?.textContent === name && region() !== null)
      if (!isThere) count.missing.push(name)
      for (const control of region()?.querySelectorAll<HTMLInputElement>(':is(input, select, textarea)') ?? []) {
        count.inputs++
        if (control.matches('textarea[class*=json]')) count.asJson++
        if (!control.labels?.[0]?.textContent && !control.ariaLabel) count.nameless.push(name)
      }
    }
    return count
  }, places)
  expect(drawn.missing).toEqual([])
  expect(drawn.nameless).toEqual([])
  expect(drawn.inputs).toBeGreaterThan(places.length)
  expect(drawn.asJson).toBeLessThanOrEqual(drawn.inputs * 0.02)
  await Promise.all(Object.values(servers).map((server) => server.stop()))
})

test('hostile schemas are drawn within bounds, hold nothing up and fetch nothing', async ({ app }) => {
  const asked: string[] = []
  const nest = (depth: number): object =>
    depth === 0 ? { type: 'string' } : { type: 'object', properties: { deeper: nest(depth - 1) } }
  const node = { type: 'object', properties: { value: { type: 'string' }, next: { $ref: '#/$defs/node' } } }
  const server = await startFaultServer({
    era: 'stateless',
    cors: true,
    tools: {
      nested: { inputSchema: nest(20) },
      deep: { inputSchema: nest(60) },
      recursive: { inputSchema: { ...node, $defs: { node } } },
      itself: { inputSchema: { type: 'object', properties: { a: { $ref: '#/properties/a' } } } },
      pattern: {
        inputSchema: {
          type: 'object',
          properties: { text: { type: 'string', pattern: '^(a|a)*$' } },
          required: ['text'],
        },
      },
      wide: {
        inputSchema: {
          type: 'object',
          properties: Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`field${at}`, { type: 'string' }])),
        },
      },
    },
    onRequest(exchange) {
      asked.push(exchange.entry.path)
    },
  })
  server.tools.set('network', {
    inputSchema: {
      type: 'object',
      properties: { far: { $ref: `${server.origin}/schema.json` }, near: { type: 'string' } },
    },
  })
  await explore(app, { schemas: server.url }, 'nested')
  const show = async (name: string) => {
    await app.evaluate((tool) => void (location.hash = `#/tools/schemas/${tool}`), name)
    await expect(app.getByRole('heading', { level: 2, name, exact: true })).toBeVisible()
  }
  for (const name of ['nested', 'recursive', 'itself', 'pattern']) {
    await show(name)
    await expect(form(app)).toBeVisible()
    expect(await form(app).getByRole('textbox').count(), name).toBeLessThan(100)
  }
  // What is beyond all bounds is not used at all, and says why.
  for (const [name, why] of [
    ['deep', 'nested deeper than'],
    ['wide', 'parts'],
    ['network', 'refers to another document'],
  ] as const) {
    await show(name)
    await expect(app.getByRole('main')).toContainText(why)
    await expect(form(app)).toHaveCount(0)
  }
  await show('pattern')
  await form(app)
    .getByLabel(/^text/)
    .fill(`${'a'.repeat(60)}!`)
  await form(app).getByRole('button', { name: 'Run', exact: true }).click()
  await expect(form(app)).toContainText('took over 250 ms')
  expect(asked.filter((path) => path.includes('schema.json'))).toEqual([])
  await server.stop()
})
