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

test('words that are nowhere are answered with where was looked', async () => {
  mounted = mountInTest(<Search onClose={() => {}} />)
  await eventually(() => expect(document.activeElement?.tagName).toBe('INPUT'))
  await userEvent.keyboard('xyzzy')
  await eventually(() => expect(mounted.container.textContent).toContain('Nothing has these words'))
})
