import { expect, test } from 'vitest'
import { offered, thousand } from './many-tools-in-test.ts'
import { searchTools } from './search-tools.ts'

const namesFor = (query: string, tools = thousand, most = 5) =>
  searchTools(query, tools, most).found.map(({ modelName }) => modelName)

test('of a thousand, the one that is described comes first', () => {
  expect(namesFor('archive a contract in office 13')[0]).toBe('office_13__archive_contract')
  expect(namesFor('please share the song with everyone', thousand, 1)).toEqual(['office_0__share_song'])
})

test('whoever says the very name of a tool gets it first, whatever else fits', () => {
  const tools = [
    offered('mail', { description: 'send_mail send mail: sends mail by mail' }),
    offered('send_mail_to_all', { title: 'Send mail' }),
    offered('send_mail'),
  ]
  expect(namesFor('send_mail', tools)[0]).toBe('office__send_mail')
  expect(namesFor('OFFICE__SEND_MAIL', tools)[0]).toBe('office__send_mail')
})

test('words that people use for the same thing find it too, after the word itself', () => {
  const tools = [offered('forecast'), offered('weather'), offered('invoice')]
  expect(namesFor('weather', tools)).toEqual(['office__weather', 'office__forecast'])
})

test('a beginning of a word finds it, and one of two letters does not', () => {
  const tools = [offered('translate_text'), offered('invoice')]
  expect(namesFor('transl', tools)).toEqual(['office__translate_text'])
  expect(namesFor('tr', tools)).toEqual([])
})

test('a description that names everything is worth less than a tool that is about it', () => {
  const everything = offered('helper', {
    description: Array.from({ length: 300 }, (_, at) => `word${at} invoice`).join(' '),
  })
  expect(namesFor('invoice', [everything, offered('bill', { description: 'Makes an invoice' })])[0]).toBe(
    'office__bill',
  )
})

test('words in any script, in any spelling of names, are understood', () => {
  const tools = [offered('createCalendarEvent'), offered('wetter', { description: '天気を調べる' })]
  expect(namesFor('calendar event', tools)).toEqual(['office__createCalendarEvent'])
  expect(namesFor('天気', tools)).toEqual(['office__wetter'])
})

test('how many fit at all is told, and no more than wanted are given', () => {
  const { found, total } = searchTools('invoice', thousand, 7)
  expect(found).toHaveLength(7)
  expect(total).toBe(100)
  expect(searchTools('xyzzy', thousand, 7)).toEqual({ found: [], total: 0 })
})

test('the same words find the same, in whatever order the tools come', () => {
  const reversed = thousand.toReversed()
  for (const query of ['create', 'room', 'find parcel', 'office 3'])
    expect(namesFor(query, reversed)).toEqual(namesFor(query))
})

test('a query without end, and schemas that are no schemas, are borne', () => {
  const odd = [
    offered('odd', { inputSchema: { properties: null } }),
    offered('odder', { inputSchema: { properties: 7 } }),
  ]
  expect(namesFor(`odd ${'word '.repeat(100_000)}`, odd)).toContain('office__odd')
})
