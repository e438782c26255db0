import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import type { Recording } from '#domain/recording.ts'
import { writeRecordings } from '#domain/recording-file.ts'
import { Database } from './db.ts'
import { recordings } from './live.ts'
import { createRecordings } from './recordings.ts'

const message = (text: string): Omit<Recording, 'id'> => ({
  serverId: 's',
  serverName: 'S',
  at: 1,
  direction: 'sent',
  method: 'tools/call',
  text,
  size: text.length,
})
const texts = async (db: Database) => (await db.recordings.toArray()).map(({ text }) => text)

test('messages are kept in the order in which they came', async () => {
  const db = new Database(crypto.randomUUID())
  const { keep, clear } = createRecordings(db)
  await keep([message('a'), message('b')])
  await keep([message('c')])
  expect(await texts(db)).toEqual(['a', 'b', 'c'])
  await clear()
  expect(await texts(db)).toEqual([])
})

test('the oldest go first when there are too many of them, or too much in them', async () => {
  const many = new Database(crypto.randomUUID())
  await createRecordings(many, 3).keep(['a', 'b', 'c', 'd', 'e'].map(message))
  expect(await texts(many)).toEqual(['c', 'd', 'e'])
  const long = new Database(crypto.randomUUID())
  await createRecordings(long, 100, 10).keep(['aaaa', 'bbbb', 'cccc', 'dddd'].map(message))
  expect(await texts(long)).toEqual(['cccc', 'dddd'])
})

test('those of one server, and those that hold all the words, are found, newest first', async () => {
  const db = new Database(crypto.randomUUID())
  await createRecordings(db).keep([
    message('red apple'),
    { ...message('green apple'), serverId: 't', serverName: 'Trees' },
    message('Green pear'),
  ])
  const found = async (serverId: string, words: string, limit = 10) =>
    (await recordings(db, { serverId, words, limit })).map(({ text }) => text)
  expect(await found('', '')).toEqual(['Green pear', 'green apple', 'red apple'])
  expect(await found('', 'green')).toEqual(['Green pear', 'green apple'])
  expect(await found('', 'APPLE tools/call')).toEqual(['green apple', 'red apple'])
  expect(await found('t', '')).toEqual(['green apple'])
  expect(await found('', 'trees', 1)).toEqual(['green apple'])
})

test('as a file they are lines, oldest first, under a head that says what they are', async () => {
  const { name, text } = writeRecordings([message('a\n"b"'), message('c')], 0)
  expect(name).toBe('messages-1970-01-01T000000.jsonl')
  const [head, ...lines] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(head).toMatchObject({ format: 'switchboard-messages' })
  expect(lines.map((line) => line['text'])).toEqual(['a\n"b"', 'c'])
})

test('a flood stays within the measure, and what lies beyond it for a while is small', async () => {
  const db = new Database(crypto.randomUUID())
  const { keep } = createRecordings(db, 50)
  for (let n = 0; n < 200; n++) await keep([message(String(n)), message(String(n))])
  expect(await db.recordings.count()).toBeLessThanOrEqual(50 + 2 * 20)
  expect((await texts(db)).at(-1)).toBe('199')
})
