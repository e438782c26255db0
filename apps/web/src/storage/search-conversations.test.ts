import 'fake-indexeddb/auto'
import { Dexie } from 'dexie'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { browserLocks } from '#wiring/locks-in-test.ts'
import { addConversation } from './add-conversation.ts'
import { checkEverything, readEverything, replaceEverything } from './backup.ts'
import { buildSearchIndex, isSearchIndexBuilt } from './build-search-index.ts'
import { createConversations } from './conversations.ts'
import { Database } from './db.ts'
import { createMessages } from './messages.ts'
import { migrate } from './migrations.ts'
import { purge, UNDO_MS, wipe } from './purge.ts'
import { answer, callOf, startedConversation } from './sample-rows.ts'
import { searchConversations } from './search-conversations.ts'
import { createToolCalls } from './tool-calls.ts'

const build = (db: Database) => buildSearchIndex(db, browserLocks().tab())

const open = (name: string = crypto.randomUUID()): Database => {
  const db = new Database(name)
  onTestFinished(() => db.close())
  return db
}

const titlesIn = async (db: Database, text: string, limit = 9, common?: number): Promise<string[]> =>
  (await searchConversations(db, text, limit, common)).map(({ conversation }) => conversation.title)

describe.each([
  ['with an index', true],
  ['before there is an index', false],
])('search %s', (_, isIndexed) => {
  let db: Database
  const titles = (text: string, limit?: number) => titlesIn(db, text, limit)

  async function begin(...chats: { title: string; text: string }[]) {
    const { gptId } = await startedConversation(db, 'nothing of interest')
    for (const [at, chat] of chats.entries()) {
      const { id } = await createConversations(db).start({ gptId, ...chat })
      await db.conversations.update(id, { updatedAt: Date.now() + 1_000 + at })
    }
  }
  const idOf = async (title: string): Promise<string> =>
    (await db.conversations.filter((one) => one.title === title).first())?.id ?? ''

  beforeEach(async () => {
    db = new Database(crypto.randomUUID())
    if (isIndexed) await build(db)
    return () => db.close()
  })

  test('finds titles and messages in any case, the last used first', async () => {
    await begin(
      { title: 'Bread', text: 'How long does it bake?' },
      { title: 'Other', text: 'I like BREAD a lot' },
      { title: 'Third', text: 'x' },
    )
    expect(await titles('bread')).toEqual(['Other', 'Bread'])
    expect(await titles('bread', 1)).toEqual(['Other'])
    expect(await titles('like brea')).toEqual(['Other'])
    expect(await titles('bread zebra')).toEqual([])
    expect(await titles('  ')).toEqual([])
  })

  test('shows the words around a match in a message', async () => {
    await begin({ title: 'Long', text: `${'a '.repeat(100)}Needle${' b'.repeat(100)}` })
    const [found] = await searchConversations(db, 'needle', 9)
    expect(found?.snippet).toMatchObject({ match: 'Needle' })
    expect(found?.snippet?.before).toMatch(/^… ?a .{50,}$/)
    expect(found?.snippet?.after).toMatch(/^ b.{50,}…$/)
  })

  test('shows the newest of several messages', async () => {
    await begin({ title: 'Chat', text: 'first needle' })
    const last = await createMessages(db).append(
      answer(await idOf('Chat'), { status: 'done', parts: [{ type: 'text', text: 'last needle' }] }),
    )
    await db.messages.update(last.id, { createdAt: Date.now() + 1_000 })
    const [found] = await searchConversations(db, 'needle', 9)
    expect(found?.snippet).toEqual({ messageId: last.id, before: 'last ', match: 'needle', after: '' })
  })

  test('finds the results of tools, also those that come later', async () => {
    await begin({ title: 'Orders', text: 'Where is it?' })
    const message = await createMessages(db).append(answer(await idOf('Orders'), { status: 'done' }))
    const call = callOf(message, { status: 'running', arguments: '{"order":"A-1720"}' })
    const calls = createToolCalls(db)
    await calls.addCalls([call])
    expect(await titles('a-1720')).toEqual(['Orders'])
    expect(await titles('Rotterdam')).toEqual([])
    const content = [{ type: 'text', text: 'It lies in Rotterdam.' }]
    await calls.changeCall(call.id, ['running'], { status: 'success', content })
    const [found] = await searchConversations(db, 'rotterdam', 9)
    expect(found?.snippet).toMatchObject({ messageId: message.id, before: 'It lies in ', match: 'Rotterdam' })
    await calls.changeCall(call.id, ['success'], { content: [], structuredContent: { port: 'Antwerp' } })
    expect(await titles('rotterdam')).toEqual([])
    expect(await titles('antwerp')).toEqual(['Orders'])
  })

  test('finds a conversation by its new title only', async () => {
    await begin({ title: 'Old name', text: 'x' })
    await createConversations(db).renameConversation(await idOf('Old name'), 'New words', 'user')
    expect(await titles('old')).toEqual([])
    expect(await titles('words')).toEqual(['New words'])
  })

  test('does not find a deleted conversation, and forgets its words with it', async () => {
    await begin({ title: 'Gone', text: 'Secret harbour' }, { title: 'Kept', text: 'Secret too' })
    await createConversations(db).remove(await idOf('Gone'))
    expect(await titles('secret')).toEqual(['Kept'])
    await purge(db, Date.now() + UNDO_MS + 60_000)
    expect(await db.searchWords.where('words').equals('harbour').count()).toBe(0)
    expect(await db.searchWords.where('words').equals('secret').count()).toBe(1)
  })

  test('finds what was imported from a file', async () => {
    const { gptId } = await startedConversation(db, 'x')
    const message = { ...answer('other'), status: 'done' as const, branchId: 'b', order: 0, createdAt: 5 }
    const parts = [
      { type: 'text' as const, text: 'Imported words' },
      { type: 'tool' as const, toolCallId: 'call', providerCallId: 'p', modelName: 'tool' },
    ]
    const call = callOf(message, {
      id: 'call',
      status: 'success',
      content: [{ type: 'text', text: 'imported result' }],
    })
    await addConversation(db, gptId, {
      title: 'From a file',
      gptName: undefined,
      createdAt: 1,
      updatedAt: 2,
      messages: [{ ...message, parts }],
      calls: [call],
    })
    expect(await titles('imported words')).toEqual(['From a file'])
    expect(await titles('imported result')).toEqual(['From a file'])
  })

  test('finds what a restored backup brought, and nothing that it replaced', async () => {
    await begin({ title: 'Backed up', text: 'harbour' })
    const { rows } = checkEverything(JSON.parse(JSON.stringify(await readEverything(db))))
    const other = open()
    if (isIndexed) await build(other)
    const { gptId } = await startedConversation(other, 'x')
    await createConversations(other).start({ gptId, title: 'Replaced', text: 'harbour' })
    await replaceEverything(other, rows, () => Promise.resolve(true))
    expect(await titlesIn(other, 'harbour')).toEqual(['Backed up'])
    await wipe(other)
    expect(await other.searchWords.count()).toBe(0)
  })
})

describe('the search index', () => {
  test('is built from what an older version stored, by one of several tabs', async () => {
    const name = crypto.randomUUID()
    const old = new Dexie(name)
    migrate(old)
    await old.open()
    const message = (id: string, conversationId: string, text: string) => ({
      ...answer(conversationId, { status: 'done' }),
      id,
      parts: [{ type: 'text', text }],
      branchId: 'b',
      order: 0,
      createdAt: 5,
    })
    const chats = Array.from({ length: 120 }, (_, at) => `c${String(at).padStart(3, '0')}`)
    await old
      .table('conversations')
      .bulkAdd(chats.map((id, at) => ({ id, gptId: 'g', title: `Chat ${at}`, updatedAt: at })))
    await old.table('messages').bulkAdd(chats.map((id, at) => message(`m-${id}`, id, `harbour ${at}`)))
    await old
      .table('mcpToolCalls')
      .add(callOf(message('m', 'c007', ''), { content: [{ type: 'text', text: 'berth' }] }))
    old.close()

    const locks = browserLocks()
    const [one, other] = [open(name), open(name)]
    expect(await isSearchIndexBuilt(one)).toBe(false)
    expect(await titlesIn(one, 'berth')).toEqual(['Chat 7'])
    let written = 0
    for (const db of [one, other])
      db.searchWords.hook('creating', () => {
        written += 1
      })
    await Promise.all([buildSearchIndex(one, locks.tab()), buildSearchIndex(other, locks.tab())])
    expect(await isSearchIndexBuilt(other)).toBe(true)
    // 120 titles, 120 messages, a call and the state.
    expect(written).toBe(242)
    expect(await titlesIn(other, 'harbour 77')).toEqual(['Chat 77'])
    expect(await titlesIn(one, 'berth')).toEqual(['Chat 7'])
  })

  test('reads only the messages and tool calls that it shows', async () => {
    const db = open()
    await build(db)
    const { gptId } = await startedConversation(db, 'x')
    for (let at = 0; at < 60; at += 1)
      await createConversations(db).start({
        gptId,
        title: `Chat ${at}`,
        text: at % 20 === 0 ? 'a rare word' : 'common',
      })
    const read: string[] = []
    for (const table of [db.messages, db.mcpToolCalls, db.conversations])
      table.hook('reading', (row: { id: string }) => {
        read.push(row.id)
        return row
      })
    expect(await titlesIn(db, 'rare')).toHaveLength(3)
    // Three conversations, and a message of each.
    expect(read).toHaveLength(6)
  })

  test('finds common words, alone and together with others', async () => {
    const db = open()
    await build(db)
    const { gptId } = await startedConversation(db, 'x')
    const say = async (title: string, text: string) => {
      const { id } = await createConversations(db).start({ gptId, title, text })
      await db.conversations.update(id, { updatedAt: Date.now() + (await db.conversations.count()) })
    }
    for (let at = 0; at < 10; at += 1) await say(`A${at}`, at === 2 ? 'apples and pears' : 'apples')
    for (let at = 0; at < 10; at += 1) await say(`B${at}`, at === 4 ? 'pears and one quince' : 'pears')
    expect(await titlesIn(db, 'apples', 2, 5)).toEqual(['A9', 'A8'])
    expect(await titlesIn(db, 'apples pears', 9, 5)).toEqual(['A2'])
    expect(await titlesIn(db, 'pears quince', 9, 5)).toEqual(['B4'])
    expect(await titlesIn(db, 'app pear', 9, 5)).toEqual(['A2'])
  })
})
