import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Companion, startCompanion } from '@switchboard/companion'
import { programOf } from '@switchboard/testkit/real-servers'
import { approval, expect, lastAnswer, press, say, test as base, toldIn } from './chat-fixtures.ts'
import { builtApp } from './fixtures.ts'
import { openServers } from './keyed-fixtures.ts'

/** What the memory server has written down. */
let memory = ''

const test = base.extend<object, { companion: Companion }>({
  companion: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'switchboard-companion-'))
      const config = join(folder, 'servers.json')
      memory = join(folder, 'memory.jsonl')
      const program = programOf('@modelcontextprotocol/server-memory')
      const env = { MEMORY_FILE_PATH: memory }
      writeFileSync(
        config,
        JSON.stringify({ mcpServers: { memory: { command: process.execPath, args: [program], env } } }),
      )
      const companion = await startCompanion({ port: 0, app: builtApp, config })
      await use(companion)
      await companion.close()
      rmSync(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],
})
// A request to a program that was killed fails.
test.use({ expectedProblems: /Failed to load resource/ })

/** The processes of the program, as the companion tells its own app. */
async function processes({ origin, token }: Companion): Promise<number[]> {
  const response = await fetch(`${origin}/api/servers`, { headers: { 'x-switchboard-token': token } })
  const { servers } = (await response.json()) as { servers: { pid?: number }[] }
  return servers.flatMap(({ pid }) => pid ?? [])
}

const remember = (name: string) => ({
  calls: [
    { name: 'memory__create_entities', input: { entities: [{ name, entityType: 'city', observations: ['rain'] }] } },
  ],
})

test('a program of the companion is used from its file to a call in a chat; killed, it is shown and runs again', async ({
  app,
  companion,
  model,
  openGpt,
}) => {
  await openGpt()
  await openServers(app)
  const line = app.getByRole('listitem').filter({ has: app.getByRole('heading', { name: /^memory/, level: 3 }) })
  await expect(line).toContainText('stopped')
  // It starts by itself when it is used, so there is nothing to restart.
  await expect(line.getByRole('button', { name: 'Restart' })).toHaveCount(0)
  await line.getByRole('button', { name: 'Use it' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'memory' })).toBeVisible()
  await expect(app.getByRole('listitem').filter({ hasText: 'create_entities' })).toBeVisible()
  // The revision of the program, which is older than the one that the app and the companion speak.
  await expect(app.getByRole('definition').filter({ hasText: '2025-11-25' })).toBeVisible()

  await app.reload()
  await app.getByRole('link', { name: 'Keeper' }).click()
  await app.getByRole('main').getByRole('link', { name: 'Keeper' }).click()
  await app.getByRole('checkbox', { name: 'memory' }).check()
  await expect(app.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await app.getByRole('link', { name: 'Try it' }).click()
  model.follow([remember('Lisbon'), { text: 'I will remember Lisbon.' }, remember('Oslo'), { text: 'And Oslo.' }])
  await say(app, 'Remember Lisbon')
  await expect(approval(app)).toContainText('create_entities of memory')
  await press(app, 'Allow once')
  await expect(lastAnswer(app)).toContainText('I will remember Lisbon.')
  expect(readFileSync(memory, 'utf8')).toContain('Lisbon')
  expect(toldIn(model.requests.at(-1))).toContain('Lisbon')
  const chat = app.url()

  const before = await processes(companion)
  expect(before.length).toBeGreaterThan(0)
  for (const pid of before) process.kill(pid, 'SIGKILL')
  await openServers(app)
  await expect(line).toContainText('It was started again. Before that:')
  await expect(line).toContainText('ended by SIGKILL')
  await expect(line.getByText('running', { exact: true })).toBeVisible()

  await app.goto(chat)
  await say(app, 'Remember Oslo')
  await expect(approval(app)).toContainText('"Oslo"')
  await press(app, 'Allow once')
  await expect(lastAnswer(app)).toContainText('And Oslo.')
  expect(readFileSync(memory, 'utf8')).toContain('Oslo')
  const after = await processes(companion)
  expect(after.length).toBeGreaterThan(0)
  expect(after.filter((pid) => before.includes(pid))).toEqual([])

  // By hand too.
  await openServers(app)
  await line.getByRole('button', { name: 'Restart' }).click()
  await expect.poll(async () => (await processes(companion)).filter((pid) => after.includes(pid))).toEqual([])
})
