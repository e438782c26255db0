import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { Conversation } from '#domain/conversation.ts'
import { Failed } from '#domain/failure.ts'
import type { Message, Part } from '#domain/message.ts'
import { PRACTICE } from '#domain/model-connection.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { Database } from '#storage/db.ts'
import { createDrafts } from '#storage/drafts.ts'
import { newModelConnection } from '#storage/model-connections.ts'
import { ChatScreen } from './chat-screen.tsx'
import { COMPOSER_ID } from './composer-id.ts'
import { eventually, mountInTest } from './mount-in-test.tsx'
import { NewChatScreen } from './new-chat-screen.tsx'
import { callInTest } from '#ui/call/call-in-test.ts'
import { showToast } from '#ui/toast.tsx'
import { leaveBehind } from '#wiring/use-left-behind.ts'

const db = new Database()
beforeAll(() => import('#ui/markdown/markdown-blocks.tsx'))
beforeEach(async () => {
  await db.modelConnections.put({
    id: PRACTICE.connectionId,
    kind: 'practice',
    name: 'Practice model',
    baseUrl: '',
    api: 'chat',
    hasKey: false,
    models: [],
    createdAt: 1,
    updatedAt: 1,
  })
})

let mounted: ReturnType<typeof mountInTest>
afterEach(async () => {
  mounted.unmount()
  await Promise.all(db.tables.map((table) => table.clear()))
})

const text = (words: string): Part => ({ type: 'text', text: words })
const toolPart = (toolCallId: string): Part => ({
  type: 'tool',
  toolCallId,
  providerCallId: toolCallId,
  modelName: 'tool',
})

async function storeGpt(): Promise<string> {
  const id = crypto.randomUUID()
  await db.gpts.put({
    id,
    name: 'Research helper',
    description: 'Finds things',
    icon: '🔎',
    instructions: '',
    model: { ...PRACTICE },
    settings: { maxToolCalls: 25 },
    starters: ['What is the weather in Lisbon?'],
    tools: {
      serverIds: [],
      disabledTools: [],
      approval: 'always-ask',
      trustedTools: [],
      pollSeconds: 5,
      asyncTasks: true,
    },
    createdAt: 1,
    updatedAt: 1,
  })
  return id
}

/** Stores a conversation: a string is what the user said, parts are what the GPT did. */
async function storeChat(
  contributions: (string | Part[] | (Partial<Message> & { parts: Part[] }))[],
  calls: ToolCall[] = [],
): Promise<Conversation> {
  const conversation: Conversation = {
    id: crypto.randomUUID(),
    gptId: await storeGpt(),
    title: 'A chat',
    titledBy: 'app',
    branches: [{ id: 'main', parentId: null, from: 0 }],
    branchId: 'main',
    createdAt: 1,
    updatedAt: 1,
  }
  const messages = contributions.map((one, order): Message => {
    const shared = {
      id: `${conversation.id}:${order}`,
      conversationId: conversation.id,
      branchId: 'main',
      order,
      createdAt: order,
      status: 'done' as const,
    }
    if (typeof one === 'string') return { ...shared, role: 'user', parts: [text(one)] }
    return { ...shared, role: 'assistant', ...(Array.isArray(one) ? { parts: one } : one) }
  })
  await db.conversations.put(conversation)
  await db.messages.bulkPut(messages)
  await db.mcpToolCalls.bulkPut(calls.map((call) => ({ ...call, conversationId: conversation.id })))
  return conversation
}

const open = ({ id }: Conversation, answers: Parameters<typeof mountInTest>[1] = {}) => {
  mounted = mountInTest(
    <div style={{ display: 'flex', flexDirection: 'column', height: '100vh' }}>
      <ChatScreen conversationId={id} />
    </div>,
    answers,
  )
}
const shows = (words: string) => eventually(() => expect(mounted.container.textContent).toContain(words))
const hides = (words: string) => eventually(() => expect(mounted.container.textContent).not.toContain(words))
const find = <E extends HTMLElement>(selector: string) =>
  eventually(() => {
    const found = mounted.container.querySelector<E>(selector)
    if (!found) throw new Error(`no ${selector}`)
    return found
  })
const press = async (label: string) => {
  const named = () =>
    [...mounted.container.querySelectorAll<HTMLElement>('button, summary, [role=menuitem]')].findLast(
      (one) => one.ariaLabel === label || one.textContent === label,
    )
  await eventually(() => expect(named(), label).toBeDefined())
  named()?.click()
}
const askedFor = (name: string) => mounted.asked.filter((one) => one.name === name).map(({ input }) => input)
const scroller = () => find<HTMLElement>('[role=log]')
const distanceFromEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight

test('a chat shows who one talks to, what was said, and what was made of it', async () => {
  open(await storeChat(['Hello', [text('A **good** day')]]))
  await shows('Research helper')
  await shows('Practice model')
  await shows('no tools')
  await eventually(() => expect(mounted.container.querySelector('article strong')?.textContent).toBe('good'))
})

test('the tab is not named after the chat, unless the user wants that', async () => {
  const chat = await storeChat(['Hello', [text('A good day')]])
  open(chat)
  await shows('A good day')
  expect(document.title).toBe('Switchboard')
  await db.settings.put({ key: 'titlesInTab', value: true })
  await eventually(() => expect(document.title).toBe('A chat · Switchboard'))
  await db.settings.put({ key: 'titlesInTab', value: false })
  await eventually(() => expect(document.title).toBe('Switchboard'))
})

test('of 2,000 messages the last 60 are drawn, the end is in sight, and earlier ones come on request without a jump', async () => {
  open(
    await storeChat(
      Array.from({ length: 2_000 }, (_, index) => (index % 2 ? [text(`answer ${index}`)] : `question ${index}`)),
    ),
  )
  await shows('answer 1999')
  expect(mounted.container.querySelectorAll('article')).toHaveLength(60)
  const area = await scroller()
  await eventually(() => expect(distanceFromEnd(area)).toBeLessThan(2))
  area.scrollTop = 0
  await shows('To the end')
  const first = await find('article')
  const before = first.getBoundingClientRect().top
  await press('Earlier messages')
  await shows('question 1880')
  await new Promise(requestAnimationFrame)
  expect(Math.abs(first.getBoundingClientRect().top - before)).toBeLessThan(80)
  await press('To the end')
  await eventually(() => expect(distanceFromEnd(area)).toBeLessThan(2))
})

test('who scrolls up in the very moment a chat is drawn is not brought back to its end', async () => {
  open(await storeChat(Array.from({ length: 60 }, (_, index) => (index % 2 ? [text('an answer')] : 'a question'))))
  const area = await scroller()
  await new Promise<void>((resolve) => {
    const observer = new ResizeObserver(() => {
      if (area.scrollTop < 100 || distanceFromEnd(area) > 2) return
      observer.disconnect()
      resolve()
    })
    for (const part of [area, ...area.children]) observer.observe(part)
  })
  area.scrollTop = 0
  await shows('To the end')
  expect(area.scrollTop).toBe(0)
})

test('an answer that streams shows as it arrives, and no more of it is drawn anew when it is complete', async () => {
  const chat = await storeChat(['Hello', { parts: [], status: 'streaming' }])
  const messageId = `${chat.id}:1`
  open(chat)
  await find('[role=status] i')
  const stream = { messageId, conversationId: chat.id, arriving: [], updatedAt: 1 }
  await db.streams.put({ ...stream, parts: [text('First paragraph.\n\nSecond')] })
  await shows('Second')
  const paragraph = await find('article p')
  await db.streams.put({
    ...stream,
    parts: [text('First paragraph.\n\nSecond is whole.')],
    arriving: [{ modelName: 'create_issue', characters: 12 }],
  })
  await shows('Preparing create_issue… 12 characters')
  await db.transaction('rw', db.messages, db.streams, async () => {
    await db.messages.update(messageId, {
      status: 'done',
      parts: [text('First paragraph.\n\nSecond is whole.')],
      completedAt: 5,
    })
    await db.streams.delete(messageId)
  })
  await find('[aria-label="Answer again"]')
  expect(mounted.container.textContent).toContain('Second is whole.')
  expect(paragraph.isConnected).toBe(true)
})

test('a reader at the end stays there while an answer grows; one who scrolled up is left alone', async () => {
  const long = Array.from({ length: 60 }, (_, index) => `Paragraph ${index}.`).join('\n\n')
  const chat = await storeChat(['Hello', [text(long)], 'More', { parts: [], status: 'streaming' }])
  const stream = { messageId: `${chat.id}:3`, conversationId: chat.id, arriving: [], updatedAt: 1 }
  open(chat)
  const area = await scroller()
  await db.streams.put({ ...stream, parts: [text(long)] })
  await eventually(() => expect(mounted.container.querySelectorAll('article p').length).toBeGreaterThan(100))
  await eventually(() => expect(distanceFromEnd(area)).toBeLessThan(2))
  area.scrollTop -= 600
  await shows('To the end')
  const at = area.scrollTop
  await db.streams.put({ ...stream, parts: [text(`${long}\n\n${long}\n\nthe very end`)] })
  await shows('the very end')
  await new Promise(requestAnimationFrame)
  expect(Math.abs(area.scrollTop - at)).toBeLessThan(2)
})

test('Enter sends, Shift+Enter does not, and an Enter that ends a composition does not either', async () => {
  open(await storeChat(['Hello', [text('Hi')]]))
  const field = await find<HTMLTextAreaElement>(`#${COMPOSER_ID}`)
  field.focus()
  await userEvent.keyboard('one{Shift>}{Enter}{/Shift}two')
  expect(field.value).toBe('one\ntwo')
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, isComposing: true }))
  expect(askedFor('sendMessage')).toEqual([])
  await userEvent.keyboard('{Enter}')
  await eventually(() => expect(askedFor('sendMessage')).toEqual([expect.objectContaining({ text: 'one\ntwo' })]))
  expect(field.value).toBe('')
})

test('an Enter that comes while the engine starts is kept, and sent when it is there; who types on takes it back', async () => {
  open(await storeChat(['Hello', [text('Hi')]]))
  const field = await find<HTMLTextAreaElement>(`#${COMPOSER_ID}`)
  mounted.setState({ phase: 'starting' })
  field.focus()
  await userEvent.keyboard('one{Enter}')
  await shows('Starting…')
  await userEvent.keyboard(' and two')
  await hides('Starting…')
  mounted.setState({ phase: 'ready' })
  await new Promise(requestAnimationFrame)
  expect(askedFor('sendMessage')).toEqual([])
  expect(field.value).toBe('one and two')

  mounted.setState({ phase: 'starting' })
  await userEvent.keyboard('{Enter}')
  await shows('Starting…')
  expect(askedFor('sendMessage')).toEqual([])
  mounted.setState({ phase: 'ready' })
  await eventually(() => expect(askedFor('sendMessage')).toEqual([expect.objectContaining({ text: 'one and two' })]))
  expect(field.value).toBe('')
})

test('words that could not be sent come back, with the reason', async () => {
  open(await storeChat(['Hello', [text('Hi')]]), {
    sendMessage: () => {
      throw new Failed('storage', 'The disk is full.')
    },
  })
  const field = await find<HTMLTextAreaElement>(`#${COMPOSER_ID}`)
  await userEvent.fill(field, 'precious words')
  await press('Send')
  await shows('The disk is full.')
  await eventually(() => expect(field.value).toBe('precious words'))
})

test('what was typed since stays below words that could not be sent, and what waited behind them waits no more', async () => {
  let refuse = (_: Error) => {}
  open(await storeChat(['Hello', [text('Hi')]]), {
    sendMessage: () => new Promise((_, reject) => (refuse = reject)),
  })
  const field = await find<HTMLTextAreaElement>(`#${COMPOSER_ID}`)
  field.focus()
  await userEvent.keyboard('one{Enter}two{Enter}')
  refuse(new Failed('storage', 'The disk is full.'))
  await shows('The disk is full.')
  await eventually(() => expect(field.value).toBe('one\n\ntwo'))
  await new Promise(requestAnimationFrame)
  expect(askedFor('sendMessage')).toHaveLength(1)
})

test('a second Enter while the first message is on its way is kept: it is sent after the answer to the first', async () => {
  let take = () => {}
  const chat = await storeChat(['Hello', [text('Hi')]])
  open(chat, { sendMessage: () => new Promise<void>((resolve) => (take = resolve)) })
  const field = await find<HTMLTextAreaElement>(`#${COMPOSER_ID}`)
  field.focus()
  await userEvent.keyboard('one{Enter}two{Enter}')
  mounted.setState({ turns: { [chat.id]: 'running' } })
  take()
  await shows('Your message is sent when this is done')
  expect(askedFor('sendMessage')).toHaveLength(1)
  mounted.setState({ turns: {} })
  await eventually(() =>
    expect(askedFor('sendMessage')).toEqual([
      expect.objectContaining({ text: 'one' }),
      expect.objectContaining({ text: 'two', after: chat.branchId }),
    ]),
  )
  expect(field.value).toBe('')
})

/** React draws what an event changed before the next event, but not in the middle of a script. */
const isDrawn = () => Promise.resolve()
const pasteFile = (field: HTMLElement, name: string, words: string) => {
  const clipboardData = new DataTransfer()
  clipboardData.items.add(new File([words], name, { type: 'text/plain' }))
  field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}

test('words about a file that does not go along are not sent without it', async () => {
  open(await storeChat(['Hello', [text('Hi')]]))
  const field = await find<HTMLTextAreaElement>(`#${COMPOSER_ID}`)
  await userEvent.fill(field, 'Look')
  pasteFile(field, 'empty.txt', '')
  await isDrawn()
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  await shows('empty.txt')
  await new Promise(requestAnimationFrame)
  expect(askedFor('sendMessage')).toEqual([])
  expect(field.value).toBe('Look')
})

test('files that are pasted one after the other all stay, and an Enter waits for them', async () => {
  open(await storeChat(['Hello', [text('Hi')]]))
  const field = await find<HTMLTextAreaElement>(`#${COMPOSER_ID}`)
  await userEvent.fill(field, 'Look')
  pasteFile(field, 'a.txt', 'words of a.txt')
  pasteFile(field, 'b.txt', 'words of b.txt')
  await isDrawn()
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  expect(askedFor('sendMessage')).toEqual([])
  await eventually(() =>
    expect(askedFor('sendMessage')).toEqual([
      expect.objectContaining({
        text: 'Look',
        attachments: [expect.objectContaining({ name: 'a.txt' }), expect.objectContaining({ name: 'b.txt' })],
      }),
    ]),
  )
  await new Promise(requestAnimationFrame)
  expect(mounted.container.textContent).not.toContain('a.txt')
})

test('a draft is saved while one types, and is there again', async () => {
  const chat = await storeChat(['Hello', [text('Hi')]])
  await db.drafts.put({ id: chat.id, text: 'half a thought', updatedAt: 1 })
  open(chat)
  const field = await find<HTMLTextAreaElement>(`#${COMPOSER_ID}`)
  await eventually(() => expect(field.value).toBe('half a thought'))
  await userEvent.fill(field, 'half a thought, and more')
  await eventually(() =>
    expect(askedFor('saveDraft')).toContainEqual({ id: chat.id, text: 'half a thought, and more' }),
  )
})

test('while a turn runs there is Stop; in another tab there is a word about it', async () => {
  const chat = await storeChat(['Hello'])
  open(chat)
  await find(`#${COMPOSER_ID}`)
  mounted.setState({ turns: { [chat.id]: 'running' } })
  await press('Stop')
  expect(askedFor('stop')).toEqual([{ conversationId: chat.id }])
  mounted.setState({ turns: { [chat.id]: 'elsewhere' } })
  await shows('busy in another tab')
})

test('an Enter that comes while an answer is made is kept, and sent when that is done', async () => {
  const chat = await storeChat(['Hello'])
  open(chat)
  const field = await find<HTMLTextAreaElement>(`#${COMPOSER_ID}`)
  for (const state of ['running', 'elsewhere'] as const) {
    mounted.setState({ turns: { [chat.id]: state } })
    field.focus()
    await userEvent.keyboard(`after ${state}{Enter}`)
    await shows('Your message is sent when this is done')
    expect(askedFor('sendMessage')).not.toContainEqual(expect.objectContaining({ text: `after ${state}` }))
    mounted.setState({ turns: {} })
    await eventually(() =>
      expect(askedFor('sendMessage')).toContainEqual(
        expect.objectContaining({ text: `after ${state}`, after: chat.branchId }),
      ),
    )
    expect(field.value).toBe('')
  }
})

test('who stops an answer keeps the message that waited for its end, unsent', async () => {
  const chat = await storeChat(['Hello'])
  open(chat)
  const field = await find<HTMLTextAreaElement>(`#${COMPOSER_ID}`)
  mounted.setState({ turns: { [chat.id]: 'running' } })
  field.focus()
  await userEvent.keyboard('not yet{Enter}')
  await shows('Your message is sent when this is done')
  await press('Stop')
  mounted.setState({ turns: {} })
  await hides('Your message is sent when this is done')
  await new Promise(requestAnimationFrame)
  expect(askedFor('sendMessage')).toEqual([])
  expect(field.value).toBe('not yet')
})

test('what is sent right after a stop goes when that is done, and waits for no answer', async () => {
  const chat = await storeChat(['Hello'])
  let end = () => {}
  open(chat, { stop: () => new Promise<void>((resolve) => (end = resolve)) })
  const field = await find<HTMLTextAreaElement>(`#${COMPOSER_ID}`)
  mounted.setState({ turns: { [chat.id]: 'running' } })
  await press('Stop')
  field.focus()
  await userEvent.keyboard('something else{Enter}')
  await shows('Your message is sent when this is done')
  mounted.setState({ turns: {} })
  end()
  await eventually(() => expect(askedFor('sendMessage')).toHaveLength(1))
  const [sent] = askedFor('sendMessage')
  expect(sent).toMatchObject({ text: 'something else' })
  expect(sent).not.toHaveProperty('after')
})

test('what is sent while another answer is made in place of a stopped one waits for that', async () => {
  const chat = await storeChat(['Hello'])
  open(chat)
  const field = await find<HTMLTextAreaElement>(`#${COMPOSER_ID}`)
  mounted.setState({ turns: { [chat.id]: 'running' } })
  // The one that was stopped has ended at once; that of a task, say, has begun in its place.
  await press('Stop')
  field.focus()
  await userEvent.keyboard('something else{Enter}')
  await shows('Your message is sent when this is done')
  mounted.setState({ turns: {} })
  await eventually(() =>
    expect(askedFor('sendMessage')).toEqual([
      expect.objectContaining({ text: 'something else', after: chat.branchId }),
    ]),
  )
})

test('what is typed when the page goes is there in the next, within a minute; what was on its way is not forgotten', async () => {
  const chat = await storeChat(['Hello', [text('Hi')]])
  const key = `switchboard-left:${chat.id}`
  open(chat, { sendMessage: () => new Promise(() => {}), saveDraft: () => new Promise(() => {}) })
  const field = await find<HTMLTextAreaElement>(`#${COMPOSER_ID}`)
  await userEvent.fill(field, 'half a thought')
  dispatchEvent(new PageTransitionEvent('pagehide'))
  expect(sessionStorage.getItem(key)).toMatch(/^\d+ half a thought$/)

  mounted.unmount()
  open(chat)
  const next = await find<HTMLTextAreaElement>(`#${COMPOSER_ID}`)
  expect(next.value).toBe('half a thought')
  await eventually(() => expect(askedFor('saveDraft')).toContainEqual({ id: chat.id, text: 'half a thought' }))
  expect(sessionStorage.getItem(key)).toBeNull()

  mounted.unmount()
  sessionStorage.setItem(key, `${Date.now() - 120_000} long ago`)
  open(chat, { sendMessage: () => new Promise(() => {}) })
  const later = await find<HTMLTextAreaElement>(`#${COMPOSER_ID}`)
  expect(later.value).toBe('')
  await userEvent.fill(later, 'on its way')
  await userEvent.keyboard('{Enter}')
  await eventually(() => expect(askedFor('sendMessage')).toHaveLength(1))
  // Whether it arrives nobody knows: what was stored of it is not to be emptied by the next page.
  dispatchEvent(new PageTransitionEvent('pagehide'))
  expect(sessionStorage.getItem(key)).toBeNull()
})

test('an edited message begins a new version, and versions can be walked', async () => {
  const chat = await storeChat(['Hello', [text('Hi')]])
  await db.conversations.update(chat.id, { branches: [...chat.branches, { id: 'other', parentId: null, from: 0 }] })
  open(chat)
  await press('Edit')
  const editor = await find<HTMLTextAreaElement>('textarea[aria-label="Edit your message"]')
  await userEvent.fill(editor, 'Hello there')
  await userEvent.keyboard('{Enter}')
  await eventually(() =>
    expect(askedFor('editMessage')).toEqual([
      { conversationId: chat.id, messageId: `${chat.id}:0`, text: 'Hello there', attachments: [] },
    ]),
  )
  await shows('1/2')
  await press('Later version')
  await eventually(() => expect(askedFor('switchBranch')).toEqual([{ conversationId: chat.id, branchId: 'other' }]))
})

test('an answer can be made again, from where it began', async () => {
  const chat = await storeChat(['Hello', [toolPart('a')], [text('Done')]], [callInTest({ id: 'a', status: 'success' })])
  open(chat)
  await press('Answer again')
  expect(askedFor('regenerate')).toEqual([{ conversationId: chat.id, messageId: `${chat.id}:1` }])
})

test('a failure says what happened and offers to try again; a stopped answer can be continued', async () => {
  const failed = await storeChat([
    'Hello',
    {
      parts: [text('Half')],
      status: 'failed',
      failure: { code: 'wrong-key', message: 'OpenAI refused the key (401).' },
    },
  ])
  open(failed)
  await shows('OpenAI refused the key (401).')
  await shows('Check the key')
  await press('Try again')
  expect(askedFor('continueTurn')).toEqual([{ conversationId: failed.id }])
  mounted.unmount()
  const stopped = await storeChat(['Hello', { parts: [text('Half')], status: 'stopped' }])
  open(stopped)
  await press('Continue')
  expect(askedFor('continueTurn')).toEqual([{ conversationId: stopped.id }])
})

test('tokens are shown where the provider tells them, thoughts are folded', async () => {
  open(
    await storeChat([
      'Hello',
      {
        parts: [{ type: 'reasoning', text: 'deep thoughts' }, text('Hi')],
        usage: { inputTokens: 1_200, outputTokens: 34 },
      },
    ]),
  )
  await shows('1,234 tokens')
  expect((await find('details')).hasAttribute('open')).toBe(false)
})

test('a call that waits keeps the composer from sending, and says so', async () => {
  open(await storeChat(['Hello', [toolPart('a')]], [callInTest({ id: 'a' })]))
  await shows('asks for your permission')
  await shows('Allow or deny the call above first.')
})

test('a call that runs shows how far it is, and can be cancelled', async () => {
  const call = callInTest({
    id: 'a',
    status: 'running',
    startedAt: Date.now(),
    progress: { progress: 3, total: 8, message: 'Copied file 3 of 8' },
  })
  open(await storeChat(['Hello', [toolPart('a')]], [call]))
  await shows('Copied file 3 of 8')
  const bar = await find<HTMLProgressElement>('progress')
  expect([bar.value, bar.max]).toEqual([3, 8])
  await press('Cancel')
  expect(askedFor('cancelCall')).toEqual([{ toolCallId: 'a' }])
})

test('an unknown outcome is a state of its own: run again, or go on without it', async () => {
  const call = callInTest({
    id: 'a',
    status: 'unknown',
    approval: { state: 'approved', by: 'user', at: 1 },
    error: { code: 'outcome-unknown', message: 'The connection broke after the call was sent.' },
  })
  const chat = await storeChat(['Hello', [toolPart('a')]], [call])
  open(chat)
  await shows('outcome unknown')
  await shows('It may have run')
  await press('Run again')
  expect(askedFor('runAgain')).toEqual([{ toolCallId: 'a' }])
  await press('Go on without it')
  expect(askedFor('continueTurn')).toEqual([{ conversationId: chat.id }])
})

test('a call that was never allowed here offers no way to run it again', async () => {
  const { approval: _, ...call } = callInTest({
    id: 'a',
    status: 'unknown',
    error: { code: 'outcome-unknown', message: 'The connection broke after the call was sent.' },
  })
  open(await storeChat(['Hello', [toolPart('a')]], [call]))
  await shows('It may have run')
  await shows('Go on without it')
  expect(document.body.textContent).not.toContain('Run again')
})

test('a failed call shows its reason without being opened', async () => {
  const reported = callInTest({
    id: 'a',
    status: 'error',
    isError: true,
    content: [{ type: 'text', text: 'The shelf is full: 12 of 12.' }],
    error: { code: 'tool-failed', message: 'Example Tools reports that Create an issue failed.' },
  })
  const refused = callInTest({
    id: 'b',
    status: 'error',
    isError: true,
    error: {
      code: 'bad-arguments',
      message: 'Example Tools: tools/call failed: title: too short.',
      serverError: { code: -32602, message: 'title: too short', data: '{"least":3}' },
    },
  })
  open(await storeChat(['Hello', [toolPart('a'), toolPart('b')]], [reported, refused]))
  await shows('The shelf is full: 12 of 12.')
  await shows('-32602 (invalid params)')
  await shows('"least": 3')
  expect(mounted.container.textContent).not.toContain('told why')
})

test('a finished call is a line that opens to arguments, result and raw messages', async () => {
  const call = callInTest({
    id: 'a',
    status: 'success',
    startedAt: 1_000,
    completedAt: 1_800,
    size: 2_100,
    approval: { state: 'approved', by: 'user', scope: 'once', at: 1 },
    content: [
      { type: 'text', text: 'Made **issue** 7' },
      { type: 'resource_link', uri: 'javascript:alert(1)', name: 'bad' },
    ],
    structuredContent: { number: 7, labels: [{ name: 'bug', votes: 2 }] },
  })
  open(await storeChat(['Hello', [toolPart('a')], [text('Done')]], [call]), {
    rawMessages: () => [{ at: 1, direction: 'sent', text: '{"method":"tools/call"}' }],
  })
  await shows('Create an issue · 0.8 s · 2.1 KB · allowed once')
  ;(await find('summary')).click()
  await shows('Crash on start')
  await eventually(() => expect(mounted.container.querySelector('details strong')?.textContent).toBe('issue'))
  expect(mounted.container.querySelector('details td')?.textContent).toBe('bug')
  expect(mounted.container.querySelector('details a')).toBeNull()
  await press('Raw messages')
  await shows('{"method":"tools/call"}')
})

test('a picture of a tool is in sight without opening anything; one that is none is not drawn', async () => {
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const svg = btoa('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
  const content = [
    { type: 'image', data: dot, mimeType: 'text/html' },
    { type: 'image', data: svg, mimeType: 'image/png' },
  ]
  open(await storeChat(['Hello', [toolPart('a')]], [callInTest({ id: 'a', status: 'success', content })]))
  await eventually(() =>
    expect(mounted.container.querySelector<HTMLImageElement>('img[alt="Made by the tool"]')?.src).toBe(
      `data:image/png;base64,${dot}`,
    ),
  )
  await shows('A picture that is not shown')
  expect(mounted.container.querySelectorAll('img')).toHaveLength(1)
})

test('calls that went well in a row are one line', async () => {
  const calls = ['a', 'b', 'c'].map((id, index) =>
    callInTest({ id, status: 'success', startedAt: index * 1_000, completedAt: index * 1_000 + 1_200 }),
  )
  open(await storeChat(['Hello', [toolPart('a'), toolPart('b')], [toolPart('c')], [text('Done')]], calls))
  await shows('3 tools · 3.2 s')
})

test('after the first call that somebody allowed, a hint says once where servers are', async () => {
  const call = callInTest({
    id: 'a',
    status: 'success',
    approval: { state: 'approved', by: 'user', scope: 'once', at: 1 },
  })
  open(await storeChat(['Hello', [toolPart('a')], [text('Done')]], [call]))
  await press('Got it')
  expect(askedFor('saveSetting')).toEqual([
    { key: 'serversHintSeen', value: 'a' },
    { key: 'serversHintSeen', value: true },
  ])
  await db.settings.put({ key: 'serversHintSeen', value: true })
  await hides('That was a tool of a server')
})

test('a chat is renamed, exported and deleted from its menu, and deleting can be undone', async () => {
  const chat = await storeChat(['Hello', [text('Hi')]])
  open(chat, { exportConversation: () => ({ name: 'a-chat.md', text: '# A chat' }) })
  const saved: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  await press('Export as Markdown')
  await eventually(() => expect(saved).toEqual(['a-chat.md']))
  click.mockRestore()
  await press('Rename')
  await userEvent.fill(await find<HTMLInputElement>('dialog input'), 'Another name')
  await userEvent.keyboard('{Enter}')
  await eventually(() =>
    expect(askedFor('renameConversation')).toEqual([{ conversationId: chat.id, title: 'Another name' }]),
  )
  await press('Delete')
  await shows('was deleted')
  await press('Undo')
  await eventually(() => expect(askedFor('restoreConversation')).toEqual([{ conversationId: chat.id }]))
})

test('a chat that is not there says so', async () => {
  mounted = mountInTest(<ChatScreen conversationId="nowhere" />)
  await shows('This chat is not here')
})

test('a new chat shows the face, the starters and the practice model, and a starter begins it', async () => {
  const gptId = await storeGpt()
  mounted = mountInTest(<NewChatScreen gptId={gptId} />, { startConversation: () => ({ conversationId: 'c-1' }) })
  await shows('Finds things')
  await press('What is the weather in Lisbon?')
  await eventually(() => expect(location.hash).toBe('#/chat/c-1'))
  const text = 'What is the weather in Lisbon?'
  expect(askedFor('startConversation')).toEqual([{ gptId, text, attachments: [], takesDraft: true }])
})

/** A new chat, with the focus in its field, that is begun when the test says so. */
async function openNewChat() {
  let begun = (_: { conversationId: string }) => {}
  const gptId = await storeGpt()
  mounted = mountInTest(<NewChatScreen gptId={gptId} />, {
    startConversation: () => new Promise<{ conversationId: string }>((resolve) => (begun = resolve)),
  })
  const field = await find<HTMLTextAreaElement>(`#${COMPOSER_ID}`)
  field.focus()
  return { field, gptId, begin: (conversationId: string) => begun({ conversationId }) }
}

/** The field of the next screen, in the moment in which it is there. */
const firstField = () =>
  new Promise<HTMLTextAreaElement>((resolve) => {
    const before = document.getElementById(COMPOSER_ID)
    const watch = new MutationObserver(() => {
      const field = document.getElementById(COMPOSER_ID)
      if (!field || field === before) return
      watch.disconnect()
      resolve(field as HTMLTextAreaElement)
    })
    watch.observe(document.body, { childList: true, subtree: true })
  })

test('what is typed while a chat begins is found in it', async () => {
  const { field, begin } = await openNewChat()
  await userEvent.keyboard('one{Enter}and two')
  begin('c-2')
  await eventually(() => expect(location.hash).toBe('#/chat/c-2'))
  expect(askedFor('saveDraft')).toContainEqual({ id: 'c-2', text: 'and two' })
  expect(field.value).toBe('')
})

test('what was typed while a chat began stands in its field before a key can come, saved or not', async () => {
  const chat = await storeChat(['one'])
  const { begin } = await openNewChat()
  await userEvent.keyboard('one{Enter}and two')
  begin(chat.id)
  await eventually(() => expect(location.hash).toBe(`#/chat/${chat.id}`))
  const seen = firstField()
  mounted.render(<ChatScreen conversationId={chat.id} />)
  expect((await seen).value).toBe('and two')
})

/** Presses a key on the page itself, and tells whether anything took it. */
const isTaken = (key: string): boolean =>
  !document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))

/** Begins a chat whose screen has not been drawn, and types on. */
async function typeForNextScreen(chatId: string): Promise<void> {
  const { field, begin } = await openNewChat()
  await userEvent.keyboard('one{Enter}and two')
  begin(chatId)
  await eventually(() => expect(location.hash).toBe(`#/chat/${chatId}`))
  await eventually(() => expect(field.value).toBe(''))
  mounted.render(<p>Not drawn yet</p>)
  await eventually(() => expect(field.isConnected).toBe(false))
  for (const key of ', ok') expect(isTaken(key)).toBe(true)
}

test('keys typed for a chat that is left before its field is there are saved, and later keys are free', async () => {
  const chat = await storeChat(['one'])
  await typeForNextScreen(chat.id)
  location.hash = '#/settings'
  await eventually(() => expect(askedFor('saveDraft')).toContainEqual({ id: chat.id, text: 'and two, ok' }))
  expect(isTaken('x')).toBe(false)
  // They stand in the field when the user comes back.
  const seen = firstField()
  mounted.render(<ChatScreen conversationId={chat.id} />)
  expect((await seen).value).toBe('and two, ok')
})

test('keys typed for a chat that is gone are left to the page', async () => {
  await typeForNextScreen('deleted')
  mounted.render(<ChatScreen conversationId="deleted" />)
  await eventually(() => expect(mounted.container.textContent).toContain('This chat is not here'))
  expect(isTaken('x')).toBe(false)
})

test('what is typed before it is known what stood there comes below it', async () => {
  const chat = await storeChat(['one'])
  await db.drafts.put({ id: chat.id, text: 'Before', updatedAt: 1 })
  const seen = firstField()
  open(chat)
  const field = await seen
  field.focus()
  document.execCommand('insertText', false, 'b')
  await eventually(() => expect(field.value).toBe('Before\n\nb'))
  await eventually(() => expect(askedFor('saveDraft')).toContainEqual({ id: chat.id, text: 'Before\n\nb' }))
})

test('a starter that is pressed twice begins one chat', async () => {
  mounted = mountInTest(<NewChatScreen gptId={await storeGpt()} />, { startConversation: () => new Promise(() => {}) })
  await press('What is the weather in Lisbon?')
  await press('What is the weather in Lisbon?')
  expect(askedFor('startConversation')).toHaveLength(1)
})

test('what stands in the field when a starter begins a chat is found in it, and an Enter begins no second one', async () => {
  const { field, begin } = await openNewChat()
  await userEvent.keyboard('mine')
  await press('What is the weather in Lisbon?')
  field.focus()
  await userEvent.keyboard(' too{Enter}')
  await isDrawn()
  begin('c-4')
  await eventually(() => expect(location.hash).toBe('#/chat/c-4'))
  expect(askedFor('saveDraft')).toContainEqual({ id: 'c-4', text: 'mine too' })
  expect(askedFor('startConversation')).toHaveLength(1)
})

test('what stands in the field of who went elsewhere while a chat began stays there, and is taken from no other', async () => {
  const { field, gptId, begin } = await openNewChat()
  await userEvent.keyboard('mine')
  await press('What is the weather in Lisbon?')
  location.hash = '#/settings'
  begin('c-5')
  await eventually(() => expect(askedFor('saveDraft')).toContainEqual({ id: `new:${gptId}`, text: 'mine' }))
  expect(location.hash).toBe('#/settings')
  expect(field.value).toBe('mine')
  expect(askedFor('saveDraft')).toHaveLength(1)
})

test('what is attached while a chat begins is found in it', async () => {
  const chat = await storeChat(['one'])
  const { field, begin } = await openNewChat()
  await userEvent.keyboard('one{Enter}')
  await eventually(() => expect(askedFor('startConversation')).toHaveLength(1))
  pasteFile(field, 'late.txt', 'words')
  await shows('late.txt')
  begin(chat.id)
  await eventually(() => expect(location.hash).toBe(`#/chat/${chat.id}`))
  const late = expect.objectContaining({ name: 'late.txt' })
  expect(askedFor('saveAttachments')).toContainEqual({ id: chat.id, attachments: [late] })

  // Stored or not: what is added there is added to it.
  const seen = firstField()
  mounted.render(<ChatScreen conversationId={chat.id} />)
  pasteFile(await seen, 'more.txt', 'words')
  const more = expect.objectContaining({ name: 'more.txt' })
  await eventually(() => expect(askedFor('saveAttachments')).toContainEqual({ id: chat.id, attachments: [late, more] }))
})

test('[R-37] a question whose answer was never begun can be answered', async () => {
  const conversation = await storeChat(['Hello?'])
  open(conversation)
  await shows('This was not answered.')
  const button = [...mounted.container.querySelectorAll('button')].find((one) => one.textContent === 'Answer it')
  button?.click()
  await eventually(() =>
    expect(mounted.asked).toContainEqual({ name: 'continueTurn', input: { conversationId: conversation.id } }),
  )
  mounted.setState({ turns: { [conversation.id]: 'running' } })
  await eventually(() => expect(mounted.container.textContent).not.toContain('This was not answered.'))
})

test('a call that cannot be cancelled says why', async () => {
  const call = callInTest({ id: 'slow', status: 'running', startedAt: 1 })
  open(await storeChat(['go', [toolPart('slow')]], [call]), {
    cancelCall: () => Promise.reject(new Failed('busy-elsewhere', 'It runs in another tab.')),
  })
  await shows('Cancel')
  const cancel = [...mounted.container.querySelectorAll('button')].find((one) => one.textContent === 'Cancel')
  cancel?.click()
  await shows('It runs in another tab.')
})

test('the hint on servers does not come back beside another call', async () => {
  const approval = { state: 'approved', by: 'user', scope: 'once', at: 1 } as const
  const calls = ['a', 'b'].map((id) => callInTest({ id, status: 'success', approval }))
  await db.settings.put({ key: 'serversHintSeen', value: 'a' })
  open(await storeChat(['Hello', [toolPart('a')], [text('Done')], 'And now?', [toolPart('b')], [text('Again')]], calls))
  await shows('Again')
  expect(mounted.container.textContent).not.toContain('That was a tool of a server')
})

test('what could not be attached is not said any more once the message is sent', async () => {
  open(await storeChat(['Hello', [text('Hi')]]))
  const field = await find<HTMLTextAreaElement>(`#${COMPOSER_ID}`)
  const files = new DataTransfer()
  files.items.add(new File([new Uint8Array(9_000_000)], 'big.bin'))
  field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: files, bubbles: true, cancelable: true }))
  await shows('big.bin')
  await userEvent.fill(field, 'Never mind')
  await userEvent.keyboard('{Enter}')
  await eventually(() => expect(askedFor('sendMessage')).toHaveLength(1))
  await hides('big.bin')
})

test('a toast does not cover the composer', async () => {
  open(await storeChat(['Hello', [text('Hi')]]))
  await find(`#${COMPOSER_ID}`)
  showToast('The chat was deleted.')
  // Toasts of other tests may stand above it.
  const toast = () => [...mounted.container.querySelectorAll('[role=status] > [class*=toast]')].at(-1)
  const box = mounted.container.querySelector('[class*=box]:has(textarea)') as HTMLElement
  await eventually(() => {
    expect(toast()?.textContent).toContain('The chat was deleted.')
    expect(toast()?.getBoundingClientRect().bottom).toBeLessThanOrEqual(box.getBoundingClientRect().top)
  })
})

test('the focus ring of a message that is edited stands inside of its box', async () => {
  open(await storeChat(['Hello', [text('Hi')]]))
  await press('Edit')
  const field = await find<HTMLTextAreaElement>('textarea[aria-label="Edit your message"]')
  field.focus()
  expect(Number.parseFloat(getComputedStyle(field).outlineOffset)).toBeLessThan(0)
})

test('what is typed on into the field of the new chat stands behind what came along', async () => {
  const chat = await storeChat(['ab', [text('Hi')]])
  leaveBehind(chat.id, 'a')
  open(chat)
  await find(`#${COMPOSER_ID}`)
  await eventually(() => expect(document.activeElement?.id).toBe(COMPOSER_ID))
  await userEvent.keyboard('b c d e')
  expect((document.activeElement as HTMLTextAreaElement).value).toBe('ab c d e')
})

test('says before sending that the model will not get an attached picture or sound', async () => {
  const gptId = await storeGpt()
  const compatible = { kind: 'compatible', name: 'Ollama', baseUrl: 'http://localhost:11434/v1', api: 'chat' } as const
  await db.modelConnections.put(newModelConnection(compatible, 'ollama'))
  await db.gpts.update(gptId, { model: { connectionId: 'ollama', modelId: 'small' } })
  const file = { type: 'attachment' as const, serverId: '', serverName: '', uri: '', size: 9, data: 'AAAA' }
  await createDrafts(db).attach(`new:${gptId}`, [
    { ...file, name: 'cat.png', mimeType: 'image/png' },
    { ...file, name: 'purr.wav', mimeType: 'audio/wav' },
  ])
  mounted = mountInTest(<NewChatScreen gptId={gptId} />)
  const notices = () => [...mounted.container.querySelectorAll('[role=status] p')].map((one) => one.textContent)
  const audio =
    "small doesn't accept audio, so it won't get purr.wav. Choose another model, or turn on “Accepts audio” if this one does. Model settings"
  // Nothing is known of this model: it is sent pictures.
  await eventually(() => expect(notices()).toEqual([audio]))
  expect(mounted.container.querySelector<HTMLAnchorElement>('[role=status] a')?.hash).toBe(`#/gpts/${gptId}`)
  await db.gpts.update(gptId, { model: { connectionId: 'ollama', modelId: 'small', acceptsAudio: true } })
  await eventually(() => expect(notices()).toEqual([]))
  await db.modelConnections.update('ollama', { acceptedMedia: { small: { pictures: false, audio: false } } })
  await eventually(() => expect(notices()[0]).toContain("small doesn't accept pictures, so it won't get cat.png"))
  await db.gpts.update(gptId, { model: { ...PRACTICE } })
  await eventually(() => expect(notices()[0]).toContain("The practice model doesn't accept pictures"))
})
