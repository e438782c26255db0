// Runs in a page: bench/app-search.mjs.
import type { Conversation } from '#domain/conversation.ts'
import type { Message } from '#domain/message.ts'
import { buildSearchIndex } from '#storage/build-search-index.ts'
import { Database } from '#storage/db.ts'
import { callOf } from '#storage/sample-rows.ts'
import { searchConversations } from '#storage/search-conversations.ts'

const WORDS = 20_000
const WORDS_OF_MESSAGE = 60

/** The same numbers on every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const draw = numbers(7)
const SYLLABLES = ['ba', 'ke', 'lo', 'mi', 'nu', 'ra', 'se', 'ti', 'vo', 'wu', 'pa', 'de', 'fo', 'gi', 'hu']
const word = (rank: number): string =>
  SYLLABLES[rank % 15]! + SYLLABLES[Math.floor(rank / 15) % 15]! + (rank < 225 ? '' : rank.toString(36))
/** A word of rank n about n times as rare as the first, as in a language. */
const text = (words: number): string => Array.from({ length: words }, () => word(Math.floor(WORDS ** draw()))).join(' ')

function chat(at: number) {
  const id = `c-${at}`
  const time = 1_700_000_000_000 + at * 60_000
  const rare = at % 2_500 === 17 ? ' lighthouse' : ''
  const conversation = {
    id,
    gptId: 'g',
    title: text(4),
    titledBy: 'app',
    branchId: 'b',
    createdAt: time,
    updatedAt: time,
  }
  const messages = Array.from({ length: 4 }, (_, order) => ({
    id: `${id}-${order}`,
    conversationId: id,
    branchId: 'b',
    order,
    role: order % 2 ? 'assistant' : 'user',
    parts: [{ type: 'text', text: text(WORDS_OF_MESSAGE) + (order === 2 ? rare : '') }],
    status: 'done',
    createdAt: time + order,
  }))
  const [message] = messages
  const answer = text(200) + (at % 2_500 === 20 ? ' breakwater' : '')
  const calls =
    at % 5 === 0
      ? [callOf(message as Message, { id: `t-${at}`, content: [{ type: 'text', text: answer }], createdAt: time })]
      : []
  return {
    conversation: { ...conversation, branches: [] } as unknown as Conversation,
    messages: messages as Message[],
    calls,
  }
}

async function benchSearch(chats: number) {
  const db = new Database('bench')
  const began = performance.now()
  // As an older version stored them: without an index.
  for (let from = 0; from < chats; from += 500) {
    const some = Array.from({ length: Math.min(500, chats - from) }, (_, at) => chat(from + at))
    await new Promise<void>((resolve, reject) => {
      const opened = db.isOpen() ? Promise.resolve() : db.open()
      void opened.then(() => {
        const writing = db.backendDB().transaction(['conversations', 'messages', 'mcpToolCalls'], 'readwrite')
        for (const { conversation, messages, calls } of some) {
          writing.objectStore('conversations').put(conversation)
          for (const message of messages) writing.objectStore('messages').put(message)
          for (const call of calls) writing.objectStore('mcpToolCalls').put(call)
        }
        writing.oncomplete = () => resolve()
        writing.onerror = () => reject(new Error('not stored'))
      }, reject)
    })
  }
  const stored = performance.now()
  await buildSearchIndex(db, navigator.locks)
  const built = performance.now()
  const rows = []
  for (const [what, query] of [
    ['a word in 4 messages', 'lighthouse'],
    ['a word in 4 tool results', 'breakwater'],
    ['a word that is nowhere', 'zeppelin'],
    ['the most common word', word(1)],
    ['one letter', 'b'],
    ['two common words', `${word(1)} ${word(2)}`],
    ['two rarer words', `${word(300)} ${word(500)}`],
    ['a common and a rare word', `${word(1)} lighthouse`],
    ['three words that are never together', `lighthouse breakwater ${word(9)}`],
  ] as const) {
    const times: number[] = []
    let found = 0
    for (let round = 0; round < 7; round += 1) {
      const start = performance.now()
      found = (await searchConversations(db, query, 12)).length
      times.push(performance.now() - start)
    }
    rows.push({ what, found, ms: Math.round(times.sort((a, b) => a - b)[3] ?? 0) })
  }
  return { stored: Math.round((stored - began) / 1000), build: Math.round((built - stored) / 1000), rows }
}

Object.assign(globalThis, { benchSearch, isBenchReady: true })
