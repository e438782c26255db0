import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import type { Task } from '#domain/task.ts'
import { Database } from './db.ts'
import { prunable, prune } from './prune.ts'
import { callOf } from './sample-rows.ts'

const byHand = { id: '', conversationId: '' }
const inChat = { id: 'message', conversationId: 'chat' }
const recording = {
  serverId: 's',
  serverName: 'S',
  at: 1,
  direction: 'sent',
  method: 'ping',
  text: 'x'.repeat(500),
  size: 500,
} as const
const task = (id: string, change: Partial<Task>) =>
  ({ id, status: 'completed', conversationId: 'chat', ...change }) as Task

test('[R-33] only what is over and told can go, with its numbers; nothing of a chat is among it', async () => {
  const db = new Database(crypto.randomUUID())
  await db.recordings.bulkAdd([recording, recording])
  await db.mcpTasks.bulkAdd([
    task('told', { deliveredAt: 1 }),
    task('not told', {}),
    task('working', { status: 'working' }),
    task('by hand', { conversationId: '' }),
  ])
  await db.mcpToolCalls.bulkAdd([
    callOf(byHand, { id: 'over', status: 'success' }),
    callOf(byHand, { id: 'running', status: 'running' }),
    callOf(inChat, { id: 'of a chat', status: 'success' }),
  ])
  const found = await prunable(db)
  expect(found).toMatchObject({ recordings: { count: 2 }, tasks: { count: 2 }, callsByHand: { count: 1 } })
  expect(found.recordings.characters).toBeGreaterThan(1000)

  await prune(db, ['recordings'])
  expect(await prunable(db)).toMatchObject({ recordings: { count: 0 }, tasks: { count: 2 }, callsByHand: { count: 1 } })
  await prune(db, ['tasks', 'callsByHand'])
  expect((await db.mcpTasks.toArray()).map(({ id }) => id).sort()).toEqual(['not told', 'working'])
  expect((await db.mcpToolCalls.toArray()).map(({ id }) => id).sort()).toEqual(['of a chat', 'running'])
  db.close()
})
