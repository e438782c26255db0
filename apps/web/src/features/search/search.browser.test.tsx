import { afterEach, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { Database } from '#storage/db.ts'
import { eventually, mountInTest } from '../chat/mount-in-test.tsx'
import { Search } from './search.tsx'

const db = new Database()
let mounted: ReturnType<typeof mountInTest>
afterEach(async () => {
  mounted.unmount()
  await Promise.all(db.tables.map((table) => table.clear()))
})

async function storeChat(id: string, title: string, said: string): Promise<void> {
  const branches = [{ id: 'main', parentId: null, from: 0 }]
  await db.conversations.put({
    id,
    gptId: 'g',
    title,
    titledBy: 'app',
    branches,
    branchId: 'main',
    createdAt: 1,
    updatedAt: 1,
  })
  await db.messages.put({
    id: `${id}:0`,
    conversationId: id,
    branchId: 'main',
    order: 0,
    role: 'user',
    parts: [{ type: 'text', text: said }],
    status: 'done',
    createdAt: 1,
  })
}

const optionsNow = () => [...mounted.container.querySelectorAll('[role=option]')].map(({ textContent }) => textContent)

test('a chat is found by what was said in it, and opened by keyboard alone', async () => {
  await storeChat('c-1', 'About the garden', 'Shall we paint the fence green?')
  await storeChat('c-2', 'About taxes', 'Numbers, numbers')
  const onClose = vi.fn()
  mounted = mountInTest(<Search onClose={onClose} />)
  await eventually(() => expect(document.activeElement?.tagName).toBe('INPUT'))
  await userEvent.keyboard('fence')
  await eventually(() => expect(optionsNow()).toEqual(['About the gardenShall we paint the fence green?']))
  await userEvent.keyboard('{Enter}')
  expect(location.hash).toBe('#/chat/c-1')
  expect(onClose).toHaveBeenCalled()
})

test('arrow keys walk through chats and actions, round and round', async () => {
  await storeChat('c-1', 'About the garden', 'words')
  mounted = mountInTest(<Search onClose={() => {}} />)
  await eventually(() => expect(optionsNow()[0]).toBe('About the garden'))
  const chosen = () => mounted.container.querySelector('[aria-selected=true]')?.textContent
  await userEvent.keyboard('{ArrowDown}')
  await eventually(() => expect(chosen()).toBe('New chat'))
  await userEvent.keyboard('{ArrowUp}{ArrowUp}')
  await eventually(() => expect(chosen()).toBe(optionsNow().at(-1)))
})

test('an Enter right after the last letter opens what has these words, not the latest chat', async () => {
  await storeChat('c-1', 'About the garden', 'words')
  mounted = mountInTest(<Search onClose={() => {}} />)
  await eventually(() => expect(optionsNow()[0]).toBe('About the garden'))
  const field = mounted.container.querySelector('input')!
  await userEvent.fill(field, 'vault')
  await userEvent.keyboard('{Enter}')
  expect(location.hash).toBe('#/settings/vault')
})

test('what one has chosen stays chosen when chats are found later', async () => {
  await storeChat('c-1', 'About the garden', 'the key to the vault')
  mounted = mountInTest(<Search onClose={() => {}} />)
  await eventually(() => expect(document.activeElement?.tagName).toBe('INPUT'))
  await userEvent.keyboard('va{ArrowDown}')
  const chosen = () => mounted.container.querySelector('[aria-selected=true]')?.textContent
  const before = chosen()
  await eventually(() => expect(optionsNow()[0]).toContain('the key to the vault'))
  expect(chosen()).toBe(before)
})

test('words that are nowhere are answered with where was looked', async () => {
  mounted = mountInTest(<Search onClose={() => {}} />)
  await eventually(() => expect(document.activeElement?.tagName).toBe('INPUT'))
  await userEvent.keyboard('xyzzy')
  await eventually(() => expect(mounted.container.textContent).toContain('No matches'))
})

test('resources, prompts and messages of a server, custom tools and the screens for them are found', async () => {
  const server = {
    description: '',
    url: 'https://notes.example/mcp',
    headerNames: [],
    authentication: { type: 'none' as const },
    timeoutSeconds: 30,
    retries: 0,
    relay: false,
    trusted: false,
    enabled: true,
    createdAt: 1,
    updatedAt: 1,
  }
  await db.mcpServers.bulkPut([
    { ...server, id: 's-1', name: 'Notes', transport: 'streamable-http' },
    { ...server, id: 's-2', name: 'Shop', transport: 'custom' },
  ])
  await db.customTools.put({
    id: 't-1',
    serverId: 's-2',
    name: 'find_order',
    description: 'Finds',
    inputSchema: {},
    method: 'GET',
    url: 'https://shop.example',
    places: {},
    annotations: {},
    createdAt: 1,
    updatedAt: 1,
  })
  mounted = mountInTest(<Search onClose={() => {}} />)
  await eventually(() => expect(document.activeElement?.tagName).toBe('INPUT'))
  for (const [words, label, place] of [
    ['resources notes', 'Resources of NotesNotes', '#/servers/s-1/resources'],
    ['prompts notes', 'Prompts of NotesNotes', '#/servers/s-1/prompts'],
    ['messages with notes', 'Messages with NotesNotes', '#/messages/s-1'],
    ['find_order', 'find_ordercustom tool of Shop, to be edited', '#/servers/s-2/custom/t-1'],
    ['shop custom tools', 'Shopcustom tools', '#/servers/s-2/custom'],
    ['openapi', 'Custom toolsdescribe one, import an OpenAPI document', '#/servers/custom'],
    ['recordings', 'Messageswhat was said with servers, recordings', '#/messages'],
  ] as const) {
    await userEvent.fill(document.activeElement!, words)
    await eventually(() => expect(optionsNow()).toEqual([label]))
    await userEvent.keyboard('{Enter}')
    expect(location.hash).toBe(place)
  }
})

test('of custom tools there are neither resources nor prompts', async () => {
  await db.mcpServers.put({
    id: 's-2',
    name: 'Shop',
    transport: 'custom',
    description: '',
    url: '',
    headerNames: [],
    authentication: { type: 'none' },
    timeoutSeconds: 30,
    retries: 0,
    relay: false,
    trusted: false,
    enabled: true,
    createdAt: 1,
    updatedAt: 1,
  })
  mounted = mountInTest(<Search onClose={() => {}} />)
  await eventually(() => expect(document.activeElement?.tagName).toBe('INPUT'))
  await userEvent.keyboard('of shop')
  await eventually(() => expect(mounted.container.textContent).toContain('No matches'))
})
