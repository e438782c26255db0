import { afterAll, expect, test } from 'vitest'
import type { Change } from '#storage/changes.ts'
import { Database } from '#storage/db.ts'
import { listGpts, shownWindow } from '#storage/live.ts'
import { observe } from '#storage/observe.ts'
import type { EngineState } from './commands.ts'
import { createEngine } from './create-engine.ts'
import type { StartWish } from './engine-protocol.ts'
import { createEngineState } from './engine-state.ts'
import { pageDatabase, setPageDatabase } from './page-database.ts'
import { createPageHalf } from './page-half.ts'

// The whole engine without a database, and the page's half that follows it; only the worker between them is missing.

const WHY = { code: 'storage-denied', message: 'No.' } as const
const names: string[] = []
afterAll(async () => {
  setPageDatabase()
  for (const name of names) await new Database(name).delete()
})

async function begin(name: string, wish: StartWish) {
  names.push(name)
  const half = createPageHalf()
  const told: Change[] = []
  let taken: Promise<void> = Promise.resolve()
  let state: EngineState | undefined
  const engine = await createEngine({
    origin: location.origin,
    companionCode: undefined,
    state: createEngineState((next) => (state = next)),
    startSchemaWorker: () => new Worker(new URL('../mcp/schema-worker.ts', import.meta.url), { type: 'module' }),
    startOpenApiWorker: () =>
      new Worker(new URL('../mcp/custom-tools/openapi-worker.ts', import.meta.url), { type: 'module' }),
    name,
    wish,
    tellChanges(changes) {
      const sent = structuredClone(changes)
      told.push(...sent)
      taken = taken.then(() => half.take(sent))
    },
  })
  await taken
  half.ready(true)
  return { engine, half, told, page: await pageDatabase(), state: () => state }
}

/** Waits until a live query of the page finds this. */
const seen = (query: () => Promise<boolean>) =>
  new Promise<void>((resolve, reject) => {
    const end = observe(query, {
      next: (isIt) => {
        if (!isIt) return
        setTimeout(() => end())
        resolve()
      },
      error: (error) => reject(error as Error),
    })
  })

const isAnswered = (page: Database, conversationId: string) => async () =>
  (await shownWindow(page, conversationId, 9)).messages.some(
    ({ role, status }) => role === 'assistant' && status === 'done',
  )

test('[R-35] a chat without a database is seen by the page, comes home with its keys, and is there afterwards', async () => {
  const name = `memory-${crypto.randomUUID()}`
  const { engine, told, page, state } = await begin(name, { memory: { why: WHY, begin: 'empty' } })
  expect(state()?.storage).toEqual({ state: 'memory', failure: WHY })
  const [gpt] = await listGpts(page)
  const { conversationId } = await engine.startConversation({ gptId: gpt?.id ?? '', text: 'hello' })
  await seen(isAnswered(page, conversationId))
  const { connectionId } = await engine.saveModel({
    model: { kind: 'compatible', name: 'Own', baseUrl: 'https://example.com/v1', api: 'chat' },
    key: 'c4n4ry',
  })
  expect(state()?.storage.state).toBe('memory')
  expect(JSON.stringify(told)).not.toContain('c4n4ry')
  expect(told.some(({ table }) => table === 'secrets')).toBe(false)
  expect(await page.secrets.count()).toBe(0)
  expect(await page.settings.get('vault')).toBeUndefined()
  // Nothing was written anywhere until now.
  expect((await indexedDB.databases()).map((one) => one.name)).not.toContain(name)

  await expect.poll(() => state()?.turns[conversationId]).toBeUndefined()
  expect(await engine.leaveMemory()).toEqual({ withKeys: true })
  const stored = new Database(name)
  expect((await shownWindow(stored, conversationId, 9)).messages).toHaveLength(2)
  expect(await stored.modelConnections.get(connectionId)).toMatchObject({ hasKey: true })
  expect(await stored.secrets.count()).toBe(1)
  stored.close()

  const again = await begin(name, { memory: { why: WHY, begin: 'stored' } })
  expect((await shownWindow(again.page, conversationId, 9)).messages).toHaveLength(2)
  expect(await again.page.secrets.count()).toBe(0)
})

test('[R-35] what the page has is enough to begin with after a crash', async () => {
  const first = await begin(`memory-${crypto.randomUUID()}`, { memory: { why: WHY, begin: 'empty' } })
  const [gpt] = await listGpts(first.page)
  const { conversationId } = await first.engine.startConversation({ gptId: gpt?.id ?? '', text: 'hello' })
  await seen(isAnswered(first.page, conversationId))
  const rows = (await first.half.rows()) ?? {}
  expect(rows).not.toHaveProperty('secrets')

  const second = await begin(`memory-${crypto.randomUUID()}`, { memory: { why: WHY, begin: rows } })
  expect((await shownWindow(second.page, conversationId, 9)).messages).toHaveLength(2)
  expect((await listGpts(second.page)).map(({ id }) => id)).toEqual([gpt?.id])
})
