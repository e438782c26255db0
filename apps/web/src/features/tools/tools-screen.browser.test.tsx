import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Route } from 'wouter'
import { Failed } from '#domain/failure.ts'
import type { FoundTool } from '#domain/server.ts'
import type { Task } from '#domain/task.ts'
import { Database } from '#storage/db.ts'
import { serverInput } from '#storage/sample-rows.ts'
import { newServer } from '#storage/servers.ts'
import { setPageDatabase } from '#wiring/page-database.ts'
import { eventually, mountInTest } from '../chat/mount-in-test.tsx'
import { Search } from '../search/search.tsx'
import { TasksScreen } from '../tasks/tasks-screen.tsx'
import { ToolsScreen } from './tools-screen.tsx'

const NAMES = [
  'plain_name',
  'files/read',
  'github:list',
  'a+b',
  '@scope/x,y;z=1&w=$2',
  'what?',
  'issue#7',
  '100%',
  '%2F',
  '%252F',
  '%',
  'with two words',
  '..',
  '~/home',
  '"quoted" \\back\\',
  'line\nend',
  '🛠️ émoji',
  '\u202eright to left \u0627\u0644\u0639',
  'half of \ud83d',
]
/** No number is a part of another. */
const numberOf = (name: string) => `number-${NAMES.indexOf(name)}-`
const tool = (name: string, at: number): FoundTool => ({
  name,
  title: `Tool ${numberOf(name)}`,
  description: '',
  schemaSize: 0,
  fingerprint: `f-${at}`,
  annotations: {},
})
const server = {
  ...newServer(serverInput({ name: 'Names' })),
  found: {
    title: '',
    version: '',
    protocolVersion: '',
    instructions: '',
    tools: NAMES.map(tool),
    resources: 0,
    prompts: 0,
  },
}
const task = (toolName: string, at: number): Task => ({
  id: `t-${at}`,
  serverId: server.id,
  serverName: 'Names',
  conversationId: '',
  toolCallId: `t-${at}`,
  toolName,
  title: `Task ${numberOf(toolName)}`,
  fingerprint: 'f',
  status: 'completed',
  pollMs: 1000,
  createdAt: 1,
  updatedAt: 1,
  completedAt: 2,
})

const db = new Database('switchboard-tools-screen-test')
let mounted: ReturnType<typeof mountInTest>
beforeAll(async () => {
  // On a phone the list is not shown beside the tool.
  await page.viewport(1200, 800)
  await db.open()
  await db.mcpServers.put(server)
  setPageDatabase(Promise.resolve(db))
})
afterEach(() => {
  mounted.unmount()
  location.hash = '#/'
})
afterAll(async () => {
  setPageDatabase()
  await db.delete()
})

/** As in `shell/app`. */
const route = (
  <Route path="/tools/:serverId?/:toolName?">
    {({ serverId, toolName }) => <ToolsScreen serverId={serverId} toolName={toolName} />}
  </Route>
)
const mountTools = () =>
  (mounted = mountInTest(route, {
    toolDefinition: () => {
      throw new Failed('not-found', 'There is no such tool.')
    },
  }))
const rows = () => [...mounted.container.querySelectorAll<HTMLAnchorElement>('nav[aria-label=Tools] a')]
const rowOf = (name: string) =>
  eventually(() => {
    const found = rows().find(({ textContent }) => textContent.includes(numberOf(name)))
    if (!found) throw new Error(`no row of ${name}`)
    return found
  })
/** That this tool, and no other, is opened and marked, and the one that Tab comes to. */
const isOpen = async (name: string) => {
  const row = await rowOf(name)
  await eventually(() => expect(mounted.asked.at(-1)?.input).toEqual({ serverId: server.id, toolName: name }))
  await eventually(() => expect(rows().filter((one) => one.ariaCurrent === 'page')).toEqual([row]))
  expect(rows().filter(({ tabIndex }) => tabIndex === 0)).toEqual([row])
}

test.each(NAMES)('a tool named %j is opened by its row, by its address and by Enter in the search', async (name) => {
  location.hash = '#/tools'
  mountTools()
  const row = await rowOf(name)
  row.focus()
  await userEvent.keyboard('{Enter}')
  await isOpen(name)
  expect(document.activeElement).toBe(row)
  const address = location.hash
  expect(address).toBe(row.getAttribute('href'))
  mounted.unmount()
  // As after a reload.
  mountTools()
  await isOpen(name)
  mounted.unmount()

  location.hash = '#/tools'
  mountTools()
  await rowOf(name)
  await userEvent.fill(mounted.container.querySelector('input')!, numberOf(name))
  await userEvent.keyboard('{Enter}')
  await isOpen(name)
  expect(location.hash).toBe(address)
})

test.each(['%zz', 'gone', '%E0%A4%A', '%25ff'])('an address that names no tool (%s) says so', async (place) => {
  location.hash = `#/tools/${server.id}/${place}`
  mountTools()
  await eventually(() => expect(mounted.container.textContent).toContain('There is no such tool.'))
  expect(rows()).toHaveLength(NAMES.length)
  expect(rows().filter((one) => one.ariaCurrent === 'page')).toHaveLength(0)
})

test('tasks and the search lead to the same address', async () => {
  location.hash = '#/tools'
  mountTools()
  const addresses = new Map<string, string | null>()
  for (const name of NAMES) addresses.set(name, (await rowOf(name)).getAttribute('href'))
  mounted.unmount()

  await db.mcpTasks.bulkPut(NAMES.map(task))
  mounted = mountInTest(<TasksScreen />)
  const links = () => [...mounted.container.querySelectorAll('a')].filter((one) => one.textContent === 'Open the tool')
  await eventually(() => expect(links()).toHaveLength(NAMES.length))
  for (const name of NAMES) {
    const link = links().find((one) => one.closest('li')?.textContent.includes(numberOf(name)))
    expect(link?.getAttribute('href')).toBe(addresses.get(name))
  }
  mounted.unmount()

  mounted = mountInTest(<Search onClose={() => {}} />)
  await eventually(() => expect(document.activeElement?.tagName).toBe('INPUT'))
  for (const name of NAMES) {
    await userEvent.fill(document.activeElement!, numberOf(name))
    await eventually(() => expect(mounted.container.querySelectorAll('[role=option]')).toHaveLength(1))
    await userEvent.keyboard('{Enter}')
    expect(location.hash).toBe(addresses.get(name))
  }
})
