import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type Companion, startCompanion } from '@switchboard/companion'
import { startFaultServer } from '@switchboard/testkit/fault-server'
import { startGate } from '@switchboard/testkit/gate'
import { realConfigurations } from '@switchboard/testkit/real-configurations'
import { programOf, type RealServers, startRealServers } from '@switchboard/testkit/real-servers'
import { configurations } from '../src/domain/fixtures/configurations.ts'
import { canariesIn, canary } from './canaries.ts'
import { approval, call, expect, lastAnswer, press, say, toldIn } from './chat-fixtures.ts'
import { builtApp } from './fixtures.ts'
import { connectModel, connectServers, keyedServers, openServers, test as base, useKeyed } from './keyed-fixtures.ts'

const test = base.extend<object, { real: RealServers; companionFile: string; companion: Companion }>({
  real: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
    async ({}, use) => {
      const real = await startRealServers(['everything', 'memory'])
      await use(real)
      await real.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  companionFile: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'switchboard-servers-'))
      const file = join(folder, 'servers.json')
      writeFileSync(file, '{}')
      await use(file)
      rmSync(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],
  companion: [
    async ({ companionFile }, use) => {
      const companion = await startCompanion({ port: 0, app: builtApp, config: companionFile })
      await use(companion)
      await companion.close()
    },
    { scope: 'worker' },
  ],
})
// What a server refuses, the browser notes as well.
test.use({ expectedProblems: /Failed to load resource/ })

const PASTE = 'Address, configuration file or command'
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function paste(page: Page, text: string): Promise<void> {
  await openServers(page)
  await page.getByRole('link', { name: 'Add a server' }).click()
  await page.getByLabel(PASTE).fill(text)
}
const line = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name }) })
const found = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'What it offers' }) })
const steps = (page: Page) => page.getByRole('list', { name: 'Steps of the test' })

/** Everything the page or its engine asks of others. */
function watchRequests(page: Page): string[] {
  const own = new URL(page.url()).origin
  const asked: string[] = []
  page.context().on('request', (request) => {
    if (/^https?:/.test(request.url()) && new URL(request.url()).origin !== own) asked.push(request.url())
  })
  return asked
}

test('an address is looked at while it is typed: what it offers and its session are shown, it is saved and listed', async ({
  app,
  real,
}) => {
  await paste(app, real.addresses.everything)
  await expect(steps(app).getByRole('listitem')).toHaveCount(5)
  await expect(steps(app)).not.toContainText('failed')
  await expect(found(app)).toContainText('Revision')
  await expect(found(app)).toContainText('in a session')
  const session = (await found(app).getByRole('definition').nth(1).innerText()).trim()
  expect(session.length).toBeGreaterThan(10)
  await expect(found(app)).toContainText(/15 tools · \d+ resources? · \d+ prompts? · ~[\d,]+ tokens of definitions/)
  // Those that ask the user are among them: a test tells a server that somebody can be asked, as the connection does.
  await expect(found(app).getByRole('listitem').filter({ hasText: 'trigger-elicitation-request' })).toBeVisible()
  await expect(found(app)).toContainText('Its instructions for models')
  await expect(found(app).getByRole('listitem').filter({ hasText: 'get-sum' })).toBeVisible()
  // Nothing is kept before it is saved.
  await app.getByRole('link', { name: 'Cancel' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Servers' })).toBeVisible()
  await expect(
    app
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: app.getByRole('heading', { level: 2 }) }),
  ).toHaveCount(1)

  await paste(app, real.addresses.everything)
  await expect(found(app)).toBeVisible()
  await app.getByText('Details').click()
  await app.getByRole('textbox', { name: 'Name' }).fill('Everything')
  await expect(found(app)).toBeVisible()
  await app.getByRole('button', { name: 'Save' }).click()
  await expect(line(app, 'Everything')).toContainText(/connected · 15 tools · 20\d\d-\d\d-\d\d · session \S+…/)
})

test('a server behind mcp-proxy is added the same way', async ({ app, real }) => {
  await paste(app, real.addresses.memory)
  await expect(found(app).getByRole('listitem').filter({ hasText: 'create_entities' })).toBeVisible()
  await app.getByRole('button', { name: 'Save' }).click()
  const host = new URL(real.addresses.memory).host
  await expect(app.getByRole('listitem').filter({ hasText: host })).toContainText(/connected · 9 tools/)
})

test('icons of a server’s tools are shown, hundreds of tools are found by a word, and nothing is loaded for it', async ({
  app,
}) => {
  const tools = Object.fromEntries(
    Array.from({ length: 600 }, (_, at) => [
      `tool_${at}`,
      { description: `Does the work number ${at}.`, definition: { icons: [{ src: PNG }] } },
    ]),
  )
  const many = await startFaultServer({ era: 'stateless', cors: true, tools })
  const asked = watchRequests(app)
  await paste(app, many.url)
  await expect(found(app)).toContainText('600 tools')
  await expect(found(app).locator('img').first()).toHaveAttribute('src', PNG)
  await found(app).getByLabel('Find a tool').fill('number 599')
  await expect(found(app).getByRole('listitem')).toHaveCount(1)
  await expect(found(app).getByRole('listitem')).toContainText('tool_599')
  expect(asked.filter((url) => url !== many.url)).toEqual([])
  await many.stop()
})

test('the session expires: the refused call is made once in a new one, whose id is shown', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  server.era = 'sessions'
  await openGpt()
  await app.reload()
  await openServers(app)
  const session = line(app, 'Notes').getByTitle(/^Session /)
  await expect(line(app, 'Notes')).toContainText('· connected ·')
  const before = await session.getAttribute('title')
  const [old] = server.sessions
  expect(before).toBe(`Session ${old}`)

  await app.goBack()
  model.follow([{ calls: [call('note', { text: 'milk' })] }, { text: 'It is kept.' }])
  await say(app, 'Keep milk')
  await expect(approval(app)).toContainText('milk')
  server.forgetSessions()
  await press(app, 'Allow once')
  await expect(lastAnswer(app)).toContainText('It is kept.')
  expect(server.ledger.executionsOf('note')).toBe(1)
  // The one that was refused for its session, and the one that ran: never more.
  expect(server.ledger.of('tools/call').length).toBeLessThanOrEqual(2)
  await openServers(app)
  await expect(session).not.toHaveAttribute('title', String(before))
  await expect(session).toHaveAttribute('title', `Session ${[...server.sessions].at(-1)}`)
  await expect(line(app, 'Notes')).toContainText('· connected ·')
})

test('bearer token, API key and password of servers that others wrote: each is tested, saved, connected and used', async ({
  app,
  keyedModel,
  real,
  secrets,
}) => {
  const { everything } = real.addresses
  const basic = Buffer.from(`ann:${secrets.password}`).toString('base64')
  const bearerGate = await startGate(everything, { header: 'authorization', value: `Bearer ${secrets.token}` })
  const basicGate = await startGate(everything, { header: 'authorization', value: `Basic ${basic}` })
  // mcp-proxy asks for its key itself.
  const keyed = await startRealServers(['memory'], { apiKey: secrets.apiKey })
  const addresses = { Bearer: bearerGate.url, Keyed: keyed.addresses.memory, Basic: basicGate.url }
  await connectModel(app, keyedModel.url, secrets.modelKey)
  await connectServers(app, addresses, secrets)
  await expect(line(app, 'Bearer')).toContainText(/connected · 15 tools .* session/)
  await expect(line(app, 'Keyed')).toContainText(/connected · 9 tools/)
  await expect(line(app, 'Basic')).toContainText(/connected · 15 tools .* session/)
  for (const url of Object.values(addresses)) expect((await fetch(url, { method: 'POST' })).status).toBe(401)

  keyedModel.follow([
    {
      calls: [
        { name: 'bearer__get-sum', input: { a: 2, b: 40 } },
        { name: 'keyed__read_graph', input: {} },
        { name: 'basic__echo', input: { message: 'behind a password' } },
      ],
    },
    { text: 'All three have answered.' },
    { calls: [{ name: 'bearer__get-sum', input: { a: 3, b: 50 } }] },
    { text: 'It has answered again.' },
  ])
  await useKeyed(app)
  await say(app, 'Use them')
  await press(app, 'Allow all 3 once')
  await expect(lastAnswer(app)).toContainText('All three have answered.')
  const told = toldIn(keyedModel.requests.at(-1))
  for (const result of ['is 42', 'entities', 'Echo: behind a password']) expect(told).toContain(result)

  // The program behind the address is started anew: it knows no session, and says so in its own way.
  const anew = await startRealServers(['everything'])
  bearerGate.target = anew.addresses.everything
  bearerGate.passed.length = 0
  await say(app, 'Once more')
  await press(app, 'Allow once')
  await expect(lastAnswer(app)).toContainText('It has answered again.')
  expect(toldIn(keyedModel.requests.at(-1))).toContain('is 53')
  expect(bearerGate.passed.filter((method) => method === 'initialize')).toHaveLength(1)
  await openServers(app)
  await expect(line(app, 'Bearer')).toContainText(/connected · 15 tools .* session/)
  await Promise.all([bearerGate.stop(), basicGate.stop(), keyed.stop(), anew.stop()])
})

test('a duplicate has no keys until the user says so', async ({ app, keyedServer, secrets }) => {
  await connectServers(app, keyedServer.url, secrets)
  await app.getByRole('button', { name: 'What to do with Bearer' }).click()
  await app.getByRole('menuitem', { name: /^Duplicate/ }).click()
  await expect(line(app, 'Bearer copy')).toContainText('has no token yet')
  const before = keyedServer.ledger.entries.length
  await app.getByRole('button', { name: 'Copy the keys too' }).click()
  await expect(line(app, 'Bearer copy')).toContainText('· connected ·')
  expect(keyedServer.ledger.entries.length).toBeGreaterThan(before)
})

test('extra headers are sent, stay by name, and their values never come back', async ({ app, server }) => {
  const value = canary('tenant')
  await paste(app, server.url)
  await app.getByText('Details').click()
  await app.getByRole('textbox', { name: 'Name', exact: true }).fill('Tenant')
  await app.getByRole('button', { name: 'Add a header' }).click()
  await app.getByLabel('Name of header 1').fill('X-Tenant')
  await app.getByLabel('Value of header 1').fill(value)
  await app.getByRole('button', { name: 'Save' }).click()
  await expect(line(app, 'Tenant')).toContainText('· connected ·')
  // Before a request the browser may ask whether it may send it, without the header.
  const listed = () => server.ledger.entries.filter(({ method }) => method === 'tools/list')
  await expect.poll(() => listed().at(-1)?.headers['x-tenant']).toBe(value)

  await line(app, 'Tenant').getByRole('link', { name: 'Tenant' }).click()
  await expect(app.getByLabel('Name of header 1')).toHaveValue('x-tenant')
  await expect(app.getByLabel('Value of header 1')).toHaveValue('')
  await app.getByRole('textbox', { name: 'Description' }).fill('Changed')
  await app.getByRole('button', { name: 'Save' }).click()
  await expect(line(app, 'Tenant')).toContainText('Changed')
  const before = listed().length
  await app.reload()
  await expect(line(app, 'Tenant')).toContainText('· connected ·')
  await expect.poll(() => listed().slice(before).at(-1)?.headers['x-tenant']).toBe(value)
})

test('configuration files are understood, what was left out is said, and nobody is asked before they are added', async ({
  app,
}) => {
  const asked = watchRequests(app)
  await paste(app, '')
  for (const { text, format, servers, needs = [], left = [] } of configurations) {
    await app.getByLabel(PASTE).fill(text)
    const main = app.getByRole('main')
    await expect(main).toContainText(format)
    if (servers.length > 1) await expect(app.getByRole('checkbox', { name: servers[0]?.[0] ?? '' })).toBeVisible()
    for (const sentence of [...needs, ...left]) await expect(main).toContainText(sentence)
  }
  expect(asked).toEqual([])
})

test('what makers of servers tell their users to paste is shown to the last word, goes to the companion, and is added', async ({
  app,
  companionFile,
}) => {
  test.slow()
  const asked = watchRequests(app)
  const real = realConfigurations()
  expect(real.length).toBeGreaterThanOrEqual(10)
  await paste(app, '')
  for (const { text, servers } of real) {
    await app.getByLabel(PASTE).fill(text)
    const main = app.getByRole('main')
    const told = app.locator('pre')
    for (const [name, { command, args }] of Object.entries(servers)) {
      await expect(app.getByRole('checkbox', { name, exact: true })).toBeDisabled()
      await expect(main).toContainText(`Command ${[command, ...args].join(' ').slice(0, 120)}`)
    }
    const forFile = (JSON.parse(await told.innerText()) as { mcpServers: object }).mcpServers
    expect(Object.values(forFile)).toEqual(Object.values(servers))
  }
  expect(asked).toEqual([])

  // The last of memory, as a person would put it into the file; its command is what is installed here.
  const memory = real.findLast(({ servers, text }) => servers['memory'] && text.includes('npx'))
  await app.getByLabel(PASTE).fill(memory?.text ?? '')
  await expect(app.getByRole('checkbox', { name: 'memory' })).toBeDisabled()
  const program = programOf('@modelcontextprotocol/server-memory')
  const env = { MEMORY_FILE_PATH: join(tmpdir(), 'never-written.jsonl') }
  writeFileSync(
    companionFile,
    JSON.stringify({ mcpServers: { memory: { command: process.execPath, args: [program], env } } }),
  )
  await expect(app.getByRole('checkbox', { name: 'memory' })).toBeEnabled()
  await app.getByRole('button', { name: 'Add this server' }).click()
  await expect(line(app, 'memory')).toContainText(/connected · 9 tools/)
  writeFileSync(companionFile, '{}')
})

test('of several servers in a paste those that are ticked are added, with their keys in the vault and without trust', async ({
  app,
  keyedServer,
  secrets,
}) => {
  const file = {
    mcpServers: {
      keyed: {
        url: keyedServer.url,
        headers: { Authorization: `Bearer ${secrets.token}` },
        alwaysAllow: ['note'],
        trust: true,
      },
      unwanted: { url: 'https://unwanted.example/mcp' },
      program: { command: 'npx', args: ['-y', 'some-mcp'] },
    },
  }
  const asked = watchRequests(app)
  await paste(app, JSON.stringify(file))
  const entry = (name: string) => app.getByRole('listitem').filter({ has: app.getByRole('checkbox', { name }) })
  await expect(entry('keyed')).toContainText('alwaysAllow: a file gives no permissions')
  await expect(entry('program').getByRole('checkbox')).toBeDisabled()
  await expect(entry('program')).toContainText('A browser starts no programs')
  await entry('unwanted').getByRole('checkbox').uncheck()
  expect(keyedServer.ledger.entries).toEqual([])
  await app.getByRole('button', { name: 'Add this server' }).click()
  await expect(line(app, 'keyed')).toContainText(/connected · 4 tools/)
  expect(asked.filter((url) => url !== keyedServer.url)).toEqual([])
  await expect(app.getByText('unwanted')).toHaveCount(0)

  await line(app, 'keyed').getByRole('link', { name: 'keyed' }).click()
  await expect(app.getByRole('checkbox', { name: 'Trust this server' })).not.toBeChecked()
  await expect(app.getByRole('checkbox', { name: 'Let it ask your model' })).not.toBeChecked()
  const stored = await app.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const opening = indexedDB.open('switchboard')
        opening.onsuccess = () => {
          const reading = opening.result.transaction('mcpServers').objectStore('mcpServers').getAll()
          reading.onsuccess = () => resolve(JSON.stringify(reading.result))
        }
      }),
  )
  expect(canariesIn(stored, secrets)).toEqual([])
})

test('a curl with a key fills the form, and its key is used after a click only', async ({
  app,
  keyedServer,
  secrets,
}) => {
  await paste(app, `curl -X POST '${keyedServer.url}' -H 'X-Api-Key: ${secrets.apiKey}' -d '{}'`)
  await expect(app.getByRole('main')).toContainText('Method POST: MCP has its own')
  await expect(app.getByLabel('Authentication')).toHaveValue('api-key')
  expect(keyedServer.ledger.entries).toEqual([])
  await app.getByRole('button', { name: 'Test connection' }).click()
  await expect(found(app)).toBeVisible()
  await app.getByRole('button', { name: 'Save' }).click()
  await expect(app.getByRole('listitem').filter({ hasText: new URL(keyedServer.url).host })).toContainText(
    '· connected ·',
  )
})

test('a command goes into the companion’s file by hand, and is there by itself then', async ({
  app,
  companionFile,
}) => {
  const program = programOf('@modelcontextprotocol/server-memory')
  await paste(app, `MEMORY_FILE_PATH=${join(tmpdir(), 'never-written.jsonl')} node ${program}`)
  const box = app.getByRole('checkbox')
  await expect(box).toBeDisabled()
  const told = await app.locator('pre').innerText()
  // As a person would put it there; `node` is found by where this test runs.
  const file = JSON.parse(told) as { mcpServers: Record<string, { command: string }> }
  const [[name, entry] = ['', { command: '' }]] = Object.entries(file.mcpServers)
  entry.command = process.execPath
  writeFileSync(companionFile, JSON.stringify(file))
  await expect(box).toBeEnabled()
  await app.getByRole('button', { name: 'Add this server' }).click()
  await expect(line(app, name)).toContainText(/connected · 9 tools/)
  writeFileSync(companionFile, '{}')
})

test('an export holds no secret, in any format, and can be pasted again', async ({ app, keyedServer, secrets }) => {
  await connectServers(app, keyedServer.url, secrets)
  await app.getByRole('button', { name: 'Export all' }).click()
  const dialog = app.getByRole('dialog')
  for (const [format, place, placeholder] of [
    ['mcp.json', '"mcpServers"', '${BEARER_TOKEN}'],
    ['Windsurf', '"serverUrl"', '${env:BEARER_TOKEN}'],
    ['Gemini CLI', '"httpUrl"', '${BEARER_TOKEN}'],
    ['Zed', '"context_servers"', '${BEARER_TOKEN}'],
    ['opencode', '"mcp"', '{env:BEARER_TOKEN}'],
    ['VS Code', '"servers"', '${input:bearer-token}'],
  ] as const) {
    await dialog.getByLabel('Format').selectOption(format)
    await expect(dialog.locator('pre')).toContainText(place)
    await expect(dialog.locator('pre')).toContainText(placeholder)
    const downloading = app.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    const text = readFileSync(await (await downloading).path(), 'utf8')
    expect(canariesIn(text, secrets)).toEqual([])
    for (const name of keyedServers) expect(text).toContain(`"${name}"`)
  }
  const text = await dialog.locator('pre').innerText()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await paste(app, text)
  await expect(app.getByRole('main')).toContainText('Bearer token: ${input:bearer-token}')
})
