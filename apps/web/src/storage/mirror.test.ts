import 'fake-indexeddb/auto'
import { afterEach, expect, test } from 'vitest'
import { createVault } from '#vault/vault.ts'
import { applyChanges, type Change, readRows } from './changes.ts'
import type { Database } from './db.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { mirror } from './mirror.ts'
import { listConversations, shownWindow } from './live.ts'
import { observe } from './observe.ts'
import { purge, wipe } from './purge.ts'
import { createRecordings } from './recordings.ts'
import { answer, startedConversation } from './sample-rows.ts'
import { createSecrets } from './secrets.ts'
import { seed } from './seed.ts'
import { createSettings } from './settings.ts'
import { createTurnStorage } from './turn-storage.ts'

const open: Database[] = []
afterEach(() => {
  for (const db of open.splice(0)) db.close()
})

/** An engine's database in memory, and a page's that follows it; `told` is all that went from one to the other. */
function halves() {
  const engine = createMemoryDatabase()
  const page = createMemoryDatabase()
  open.push(engine, page)
  const told: Change[] = []
  let applied: Promise<void> = Promise.resolve()
  const touched = mirror(engine, (changes) => {
    // As a message between the two has it.
    const sent = structuredClone(changes)
    told.push(...sent)
    applied = applied.then(() => applyChanges(page, sent))
  })
  const same = async () => {
    await applied
    expect(await readRows(page)).toEqual(await readRows(engine))
  }
  return { engine, page, told, touched, same, settled: () => applied }
}

test('[R-35] the page follows everything the engine does in memory: adds, puts, changes, deletions, ranges', async () => {
  const { engine, page, same } = halves()
  await seed(engine, 'http://localhost:1')
  const { id } = await startedConversation(engine)
  const storage = createTurnStorage(engine)
  const { id: messageId } = await storage.append(answer(id))
  await storage.grow({ messageId, conversationId: id, parts: [{ type: 'text', text: 'So far' }], arriving: [] })
  await same()
  await storage.complete(messageId, { parts: [{ type: 'text', text: 'All of it' }] }, [])
  await same()
  expect((await shownWindow(page, id, 9)).messages.at(-1)?.parts).toEqual([{ type: 'text', text: 'All of it' }])

  const recordings = createRecordings(engine, 3)
  const one = { at: 1, serverId: 's', serverName: 'S', direction: 'sent', method: 'ping', text: '{}', size: 2 } as const
  for (let at = 0; at < 25; at += 1) await recordings.keep([{ ...one, at }, one])
  await same()
  expect(await page.recordings.count()).toBeLessThan(50)

  await engine.conversations.where('id').equals(id).modify({ deletedAt: 1 })
  await purge(engine, Date.now())
  await same()
  expect(await page.messages.count()).toBe(0)
  await wipe(engine)
  await same()
  expect(await page.gpts.count()).toBe(0)
})

test('what is given up is not told, and what is told is seen by live queries', async () => {
  const { engine, page, told, same } = halves()
  const seen: number[] = []
  const isThere = new Promise<void>((resolve, reject) => {
    const end = observe(() => listConversations(page, { limit: 9 }), {
      next: (list) => {
        seen.push(list.length)
        if (list.length !== 1) return
        setTimeout(() => end())
        resolve()
      },
      error: reject,
    })
  })
  await expect(
    engine.transaction('rw', engine.settings, async () => {
      await engine.settings.put({ key: 'theme', value: 'dark' })
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(told).toEqual([])
  await startedConversation(engine)
  await isThere
  expect(seen.at(-1)).toBe(1)
  await same()
})

test('[A8.2] nothing of the vault reaches the page: no record, no key, no secret, sealed or open', async () => {
  const { engine, page, told, touched, settled } = halves()
  const channel = new BroadcastChannel(crypto.randomUUID())
  const vault = await createVault({ store: createSecrets(engine), channel })
  await vault.seal('mcpServers:one:token', 'c4n4ry')
  await createSettings(engine).save('theme', 'dark')
  await vault.remove('mcpServers:one:token')
  await vault.seal('mcpServers:two:token', 'c4n4ry')
  await wipe(engine)
  await settled()
  channel.close()

  expect(told.map(({ table }) => table)).not.toContain('secrets')
  expect(JSON.stringify(told)).not.toMatch(/c4n4ry|vault|revision|slots/)
  expect(told).toContainEqual({ table: 'settings', type: 'put', rows: [{ key: 'theme', value: 'dark' }] })
  expect(await page.secrets.count()).toBe(0)
  expect(await page.settings.get('vault')).toBeUndefined()
  expect(await readRows(engine)).not.toHaveProperty('secrets')
  // The engine itself knows, to bring it home.
  expect([...(touched.get('secrets') ?? [])]).toEqual(['mcpServers:one:token', 'mcpServers:two:token'])
})
