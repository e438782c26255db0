import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CustomTool } from '#domain/custom-tool.ts'
import type { Task } from '#domain/task.ts'
import { Database } from '#storage/db.ts'
import { newGpt } from '#storage/gpts.ts'
import { newModelConnection } from '#storage/model-connections.ts'
import { serverInput } from '#storage/sample-rows.ts'
import { newServer } from '#storage/servers.ts'
import { callInTest } from '#ui/call/call-in-test.ts'
import { setPageDatabase } from '#wiring/page-database.ts'
import { Home } from '../shell/home.tsx'
import { eventually, mountInTest } from './chat/mount-in-test.tsx'
import { ConversationMenu } from './chat/conversation-menu.tsx'
import { CustomToolsScreen } from './custom-tools/custom-tools-screen.tsx'
import { UseInChat } from './resources/use-in-chat.tsx'
import { AppearanceSection } from './settings/appearance-section.tsx'
import { ModelsSection } from './settings/models-section.tsx'
import { TasksScreen } from './tasks/tasks-screen.tsx'

// What the engine answers and what the page sees of its database come in either order. Here one of them waits for the test.

const db = new Database('switchboard-late-news-test')
let mounted: ReturnType<typeof mountInTest>
beforeAll(() => db.open().then(() => undefined))
beforeEach(() => {
  setPageDatabase(Promise.resolve(db))
  location.hash = '#/'
})
afterEach(async () => {
  mounted.unmount()
  await Promise.all(db.tables.map((table) => table.clear()))
})
afterAll(async () => {
  setPageDatabase()
  await db.delete()
})

/** Stores a row of which no live query hears. */
async function storeUnheard(table: string, row: object): Promise<void> {
  const storing = db.backendDB().transaction(table, 'readwrite')
  storing.objectStore(table).put(row)
  await new Promise((resolve) => (storing.oncomplete = resolve))
}
const words = () => mounted.container.textContent ?? ''
const shows = (text: string) => eventually(() => expect(words()).toContain(text))
const button = (name: string) =>
  eventually(() => {
    const found = [...mounted.container.querySelectorAll('button')].find(({ textContent }) => textContent === name)
    if (!found) throw new Error(`no ${name}`)
    return found
  })
const askedFor = (wanted: string) => mounted.asked.filter(({ name }) => name === wanted)
const frame = () => new Promise(requestAnimationFrame)

const collection = newServer(serverInput({ name: 'Orders', transport: 'custom', url: '' }))
const tool = (id: string, description: string): CustomTool => ({
  id,
  serverId: collection.id,
  name: id,
  description,
  method: 'GET',
  url: 'https://a.example',
  inputSchema: { type: 'object', properties: {} },
  places: {},
  annotations: {},
  createdAt: 1,
  updatedAt: 1,
})
const collectionAt = (place?: string) => <CustomToolsScreen serverId={collection.id} place={place} />

test('a tool that was just saved is there, as it was saved, wherever one goes in its collection', async () => {
  await db.mcpServers.put(collection)
  mounted = mountInTest(collectionAt('new'))
  await shows('New custom tool')
  await storeUnheard('customTools', tool('find', 'first'))
  mounted.render(collectionAt())
  await shows('1 tool')
  await storeUnheard('customTools', tool('find', 'second'))
  mounted.render(collectionAt('find'))
  await eventually(() => expect(mounted.container.querySelector('textarea')?.value).toBe('second'))
  await storeUnheard('customTools', tool('find_copy', 'copy'))
  mounted.render(collectionAt('find_copy'))
  await eventually(() => expect(mounted.container.querySelector('textarea')?.value).toBe('copy'))
})

test('who edits a model begins with what is stored, not with what the list knows', async () => {
  const row = newModelConnection({ kind: 'openai', name: 'Old name', baseUrl: 'https://a.example', api: 'chat' }, 'm')
  await db.modelConnections.put(row)
  mounted = mountInTest(<ModelsSection />)
  await shows('Old name')
  await storeUnheard('modelConnections', { ...row, name: 'New name' })
  ;(await button('Edit')).click()
  const field = await eventually(() => {
    const found = mounted.container.querySelector<HTMLInputElement>('dialog input')
    if (!found) throw new Error('no field')
    return found
  })
  expect(field.value).toBe('New name')
  expect(document.activeElement).toBe(field)
})

test('what is put into a chat is put there once, however often it is chosen', async () => {
  const gpt = newGpt({ name: 'Helper' })
  await db.gpts.put({ ...gpt, tools: { ...gpt.tools, serverIds: ['s'] } })
  let save = () => {}
  mounted = mountInTest(<UseInChat serverId="s" label="Use in a chat" text="Words" attachments={[]} />, {
    saveAttachments: () => new Promise<void>((resolve) => (save = resolve)),
  })
  ;(await button('Use in a chat')).click()
  ;(await button('With Helper')).click()
  await eventually(() => expect(askedFor('saveAttachments')).toHaveLength(1))
  ;(await button('Use in a chat')).click()
  expect(mounted.container.querySelector(':popover-open')).toBeNull()
  save()
  await eventually(() => expect(location.hash).toBe(`#/gpt/${gpt.id}/new`))
  expect(askedFor('saveDraft')).toHaveLength(1)
})

test('at home one GPT is made at a time, and its editor opens though it is seen before the answer', async () => {
  let answer = (_: { gptId: string }) => {}
  mounted = mountInTest(<Home />, { createGpt: () => new Promise((resolve) => (answer = resolve)) })
  ;(await button('New GPT')).click()
  await eventually(() => expect(askedFor('createGpt')).toHaveLength(1))
  await frame()
  ;(await button('New GPT')).click()
  const gpt = newGpt({})
  await db.gpts.put(gpt)
  await frame()
  expect(location.hash).toBe('#/')
  answer({ gptId: gpt.id })
  await eventually(() => expect(location.hash).toBe(`#/gpts/${gpt.id}`))
  expect(askedFor('createGpt')).toHaveLength(1)
})

test('at the very first start nobody is told to make a GPT before the demo is seen', async () => {
  mounted = mountInTest(<p>Not yet</p>)
  mounted.setState({ isNew: true })
  mounted.render(<Home />)
  await eventually(() => expect(words()).not.toContain('Not yet'))
  // Long enough for the query to have run.
  await db.gpts.toArray()
  await frame()
  await frame()
  expect(words()).not.toContain('first GPT')
  await db.settings.put({ key: 'seeded', value: true })
  await shows('Make your first GPT')
})

test('a setting stays as it was chosen until it is stored, then it is what is stored', async () => {
  const answers: (() => void)[] = []
  mounted = mountInTest(<AppearanceSection />, {
    saveSetting: () => new Promise<void>((resolve) => answers.push(resolve)),
  })
  const radio = (value: string) =>
    eventually(() => {
      const found = mounted.container.querySelector<HTMLInputElement>(`[id$=-${value}]`)
      if (!found) throw new Error(`no ${value}`)
      return found
    })
  ;(await radio('dark')).click()
  await eventually(() => expect(answers).toHaveLength(1))
  await frame()
  expect((await radio('dark')).checked).toBe(true)
  await storeUnheard('settings', { key: 'theme', value: 'dark' })
  answers[0]?.()
  await frame()
  expect((await radio('dark')).checked).toBe(true)
  // Another tab.
  await db.settings.put({ key: 'theme', value: 'light' })
  await eventually(async () => expect((await radio('light')).checked).toBe(true))
})

test('who deletes a chat is not told that it is not here', async () => {
  location.hash = '#/chat/c'
  mounted = mountInTest(<ConversationMenu conversation={{ id: 'c', title: 'A chat' } as never} />, {
    deleteConversation: () => new Promise(() => {}),
  })
  ;(await button('Delete')).click()
  await eventually(() => expect(askedFor('deleteConversation')).toHaveLength(1))
  expect(location.hash).toBe('#/')
})

const task = (change: Partial<Task>): Task => ({
  id: 't',
  serverId: 's',
  serverName: 'Bakery',
  conversationId: 'c',
  toolCallId: 't',
  toolName: 'bake',
  title: '',
  fingerprint: '',
  status: 'working',
  pollMs: 1_000,
  createdAt: 1,
  updatedAt: 1,
  ...change,
})

test('who has cancelled a task is not asked again; where that did not work, they can', async () => {
  await db.mcpTasks.put(task({}))
  let isRefused = true
  mounted = mountInTest(<TasksScreen />, {
    cancelCall: () => (isRefused ? Promise.reject(new Error('No.')) : undefined),
  })
  ;(await button('Cancel')).click()
  await eventually(() => expect(askedFor('cancelCall')).toHaveLength(1))
  await eventually(async () => expect((await button('Cancel')).disabled).toBe(false))
  isRefused = false
  ;(await button('Cancel')).click()
  await eventually(() => expect(askedFor('cancelCall')).toHaveLength(2))
  await frame()
  await frame()
  expect((await button('Cancel')).disabled).toBe(true)
  await db.mcpTasks.update('t', { cancelRequestedAt: 2 })
  await shows('Cancel requested…')
})

test('a task that ended is cleared when its chat was told, and says so until then', async () => {
  await db.mcpTasks.put(task({ status: 'completed', completedAt: 2 }))
  mounted = mountInTest(<TasksScreen />)
  await shows('its chat is not told yet')
  expect((await button('Clear the finished')).disabled).toBe(true)
  await db.mcpTasks.update('t', { deliveredAt: 3 })
  await eventually(async () => expect((await button('Clear the finished')).disabled).toBe(false))
  expect(words()).not.toContain('not told yet')
})

test('nobody says that a call is not kept before they have looked', async () => {
  await db.mcpTasks.put(task({ status: 'completed', completedAt: 2, deliveredAt: 3 }))
  await db.mcpToolCalls.put(
    callInTest({ id: 't', status: 'success', content: [{ type: 'text', text: 'A dark bread' }] }),
  )
  mounted = mountInTest(<TasksScreen />)
  await shows('What came of it')
  const said: string[] = []
  new MutationObserver(() => said.push(words())).observe(mounted.container, { childList: true, subtree: true })
  mounted.container.querySelector('summary')?.click()
  await shows('A dark bread')
  expect(said.filter((text) => text.includes('not kept'))).toEqual([])
})
