import { afterEach, beforeEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { Failed } from '#domain/failure.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { COMPOSER_ID } from '../composer-id.ts'
import { eventually, mountInTest } from '../mount-in-test.tsx'
import { ApprovalCard } from './approval-card.tsx'
import { callInTest } from '#ui/call/call-in-test.ts'

let mounted: ReturnType<typeof mountInTest>
afterEach(() => mounted.unmount())
beforeEach(() => (document.activeElement as HTMLElement | null)?.blur())

function show(calls: ToolCall[], answers: Parameters<typeof mountInTest>[1] = {}) {
  mounted = mountInTest(
    <>
      <textarea id={COMPOSER_ID} aria-label="Message" />
      <ApprovalCard calls={calls} conversationId="chat-1" />
    </>,
    answers,
  )
  return mounted
}

const buttonNamed = (name: string | RegExp) =>
  eventually(() => {
    const found = [...mounted.container.querySelectorAll<HTMLElement>('button, [role=menuitem]')].find(
      ({ textContent, ariaLabel }) =>
        typeof name === 'string' ? textContent === name || ariaLabel === name : name.test(textContent),
    )
    if (!found) throw new Error(`no button ${name}`)
    return found
  })
const armed = async (name: string | RegExp = 'Allow once') => {
  const button = await buttonNamed(name)
  await eventually(() => expect(button.ariaDisabled).toBe('false'))
  return button
}
const answersOf = () => mounted.asked.map(({ input }) => (input as { answers: unknown }).answers)

test('by keyboard alone: the question takes the focus, Enter allows once, the composer gets the focus back', async () => {
  show([callInTest()])
  const allow = await armed()
  expect(document.activeElement).toBe(allow)
  await userEvent.keyboard('{Enter}')
  await eventually(() => expect(mounted.asked).toHaveLength(1))
  expect(mounted.asked[0]).toEqual({
    name: 'answerApproval',
    input: {
      conversationId: 'chat-1',
      answers: [{ toolCallId: 'call-1', decision: 'allow', scope: 'once', arguments: '{"title":"Crash on start"}' }],
    },
  })
  await eventually(() => expect(document.activeElement?.id).toBe(COMPOSER_ID))
})

test('an answer that is taken late leaves the focus to who is at the next question already', async () => {
  let take = () => {}
  const taken = new Promise<void>((resolve) => {
    take = resolve
  })
  show([callInTest()], { answerApproval: () => taken })
  const first = await armed()
  first.click()
  await eventually(() => expect(mounted.asked).toHaveLength(1))
  mounted.render([
    <textarea key="field" id={COMPOSER_ID} aria-label="Message" />,
    <ApprovalCard key="next" calls={[callInTest({ id: 'call-2' })]} conversationId="chat-1" />,
  ])
  await eventually(() => expect(first.isConnected).toBe(false))
  const allow = await armed()
  expect(document.activeElement).toBe(allow)
  take()
  await taken
  await new Promise(requestAnimationFrame)
  expect(document.activeElement).toBe(allow)
})

test('an answer that was taken is not asked for again, however late its call is seen to go on', async () => {
  show([callInTest()])
  const allow = await armed()
  allow.click()
  await eventually(() => expect(document.activeElement?.id).toBe(COMPOSER_ID))
  await new Promise(requestAnimationFrame)
  for (const name of ['Allow once', 'Allow for longer', 'Deny'])
    expect((await buttonNamed(name)).matches(':disabled')).toBe(true)
})

test('an Enter that was on its way does nothing: the button arms half a second after it is seen', async () => {
  show([callInTest()])
  const allow = await buttonNamed('Allow once')
  allow.click()
  expect(allow.ariaDisabled).toBe('true')
  expect(mounted.asked).toEqual([])
  ;(await armed()).click()
  await eventually(() => expect(mounted.asked).toHaveLength(1))
})

test('the menu of wider grants opens once it is armed: nothing that was chosen in it is lost', async () => {
  show([callInTest()])
  const menu = await buttonNamed('Allow for longer')
  const isOpen = () => mounted.container.querySelector('[role=menu]')?.matches(':popover-open')
  expect(menu.ariaDisabled).toBe('true')
  menu.click()
  expect(isOpen()).toBe(false)
  await armed()
  menu.click()
  expect(isOpen()).toBe(true)
  // At once, so that a key that follows quickly is not for the button.
  expect(document.activeElement?.textContent).toContain('Allow in this chat')
})

test('a card that is out of sight does not arm and takes no focus', async () => {
  mounted = mountInTest(
    <>
      <ApprovalCard calls={[callInTest({ id: 'seen' })]} conversationId="chat-1" />
      <div style={{ height: '100px', overflow: 'auto' }}>
        <div style={{ height: '3000px' }} />
        <ApprovalCard calls={[callInTest({ id: 'unseen' })]} conversationId="chat-1" />
      </div>
    </>,
  )
  const seen = await armed()
  const [, unseen] = [...mounted.container.querySelectorAll('button')].filter(
    ({ textContent }) => textContent === 'Allow once',
  )
  expect(unseen?.ariaDisabled).toBe('true')
  expect(document.activeElement).toBe(seen)
  unseen?.scrollIntoView()
  await eventually(() => expect(unseen?.ariaDisabled).toBe('false'))
})

test('who has reached another of its buttons before it was seen keeps that', async () => {
  mounted = mountInTest(
    <div style={{ height: '100px', overflow: 'auto' }}>
      <div style={{ height: '3000px' }} />
      <ApprovalCard calls={[callInTest()]} conversationId="chat-1" />
    </div>,
  )
  const deny = await buttonNamed('Deny')
  deny.focus({ preventScroll: true })
  const allow = await buttonNamed('Allow once')
  allow.scrollIntoView()
  await armed()
  expect(document.activeElement).toBe(deny)
})

test.each([
  ['who is typing keeps typing', 'half a sent', 'TEXTAREA'],
  ['an empty field gives the focus to the question', '', 'BUTTON'],
])('%s', async (_, words, holder) => {
  const field = <textarea key="field" id={COMPOSER_ID} defaultValue={words} />
  mounted = mountInTest([field])
  await eventually(() => expect(document.getElementById(COMPOSER_ID)).not.toBeNull())
  document.getElementById(COMPOSER_ID)?.focus()
  mounted.render([field, <ApprovalCard key="card" calls={[callInTest()]} conversationId="chat-1" />])
  await armed()
  expect(document.activeElement?.tagName).toBe(holder)
})

test('it is announced', async () => {
  show([callInTest()])
  await eventually(() =>
    expect(mounted.container.querySelector('[role=alert]')?.textContent).toBe(
      'Create an issue asks for your permission',
    ),
  )
})

test('it says who asks, and what the server claims is called a claim', async () => {
  show([
    callInTest({
      annotations: { destructive: true, openWorld: true, idempotent: false },
      headerArguments: ['title'],
      approval: { state: 'requested', at: 1, foreign: ['web.example'] },
    }),
  ])
  await buttonNamed('Allow once')
  const { textContent } = mounted.container
  expect(textContent).toContain('create_issue of Example Tools')
  expect(textContent).toContain(
    'claims: destructive · talks to the outside world · doing it twice is not the same as once',
  )
  expect(textContent).toContain('may log it: title')
  expect(textContent).toContain('contains text from web.example')
})

test('arguments are shown as they are sent: no Markdown, no HTML, nothing hidden, and they are sent byte for byte', async () => {
  const text =
    '{ "body":"**bold** <img src=x onerror=alert(1)> ![x](https://evil.example)\u202e\u200b", "to":"a","to":"b", "n":1.0 }'
  show([callInTest({ arguments: text })])
  ;(await armed()).click()
  const rows = [...mounted.container.querySelectorAll('dd')].map(({ textContent }) => textContent)
  expect(rows).toEqual([
    '"**bold** <img src=x onerror=alert(1)> ![x](https://evil.example)⟨U+202E⟩⟨U+200B⟩"',
    '"a"',
    '"b"',
    '1.0',
  ])
  expect(mounted.container.querySelector('img, strong > strong, a')).toBeNull()
  await eventually(() =>
    expect(answersOf()).toEqual([[{ toolCallId: 'call-1', decision: 'allow', scope: 'once', arguments: text }]]),
  )
})

test('arguments over 4 KiB must be opened before they can be allowed', async () => {
  const text = JSON.stringify({ body: `start ${'x'.repeat(5_000)} the end` })
  mounted = mountInTest([
    <ApprovalCard key="short" calls={[callInTest({ id: 'short' })]} conversationId="chat-1" />,
    <ApprovalCard key="long" calls={[callInTest({ arguments: text })]} conversationId="chat-1" />,
  ])
  // When the card beside it is armed, this one would be too.
  await armed()
  const [, allow] = [...mounted.container.querySelectorAll('button')].filter(
    ({ textContent }) => textContent === 'Allow once',
  )
  allow?.click()
  expect(mounted.asked).toEqual([])
  expect(mounted.container.textContent).toContain('Look at all of the arguments first.')
  const shown = () => mounted.container.querySelectorAll('dd')[1]?.textContent
  expect(shown()).toMatch(/not shown/)
  ;(await buttonNamed(/^Show all 5,0\d\d bytes$/)).click()
  await eventually(() => expect(shown()).toBe(JSON.stringify(`start ${'x'.repeat(5_000)} the end`)))
  await eventually(() => expect(allow?.ariaDisabled).toBe('false'))
  allow?.click()
  await eventually(() => expect(answersOf()).toEqual([[expect.objectContaining({ arguments: text })]]))
})

test('edited arguments are sent as they were typed, and only when they are a JSON object', async () => {
  show([callInTest()])
  const allow = await armed()
  ;(await buttonNamed('Edit')).click()
  const editor = await eventually(() => {
    const found = mounted.container.querySelector<HTMLTextAreaElement>('section textarea')
    if (!found) throw new Error('no editor')
    return found
  })
  expect(editor.value).toBe('{"title":"Crash on start"}')
  await userEvent.fill(editor, '{"title": ')
  await eventually(() => expect(allow.ariaDisabled).toBe('true'))
  allow.click()
  expect(mounted.asked).toEqual([])
  expect(mounted.container.textContent).toContain('not a JSON object yet')
  await userEvent.fill(editor, '{"title":"a\u202Eb"}')
  await eventually(() => expect(mounted.container.textContent).toContain('a⟨U+202E⟩b'))
  const edited = '{\n  "title": "Other"\n}'
  await userEvent.fill(editor, edited)
  ;(await armed()).click()
  await eventually(() => expect(answersOf()).toEqual([[expect.objectContaining({ arguments: edited })]]))
})

test.each([
  ['Allow in this chat', 'conversation'],
  ['Allow for this GPT', 'gpt'],
  ['Always allow', 'always'],
])('a wider grant needs the menu: %s', async (label, scope) => {
  show([callInTest()])
  await armed()
  await userEvent.keyboard('{Tab}{Enter}')
  const item = await buttonNamed(new RegExp(`^${label}`))
  await userEvent.click(item)
  await eventually(() => expect(answersOf()).toEqual([[expect.objectContaining({ decision: 'allow', scope })]]))
})

test('a denial can have a reason', async () => {
  show([callInTest()])
  await armed()
  ;(await buttonNamed('Deny with a reason')).click()
  await eventually(() => expect(document.activeElement?.tagName).toBe('INPUT'))
  await userEvent.keyboard('Wrong project{Enter}')
  await eventually(() =>
    expect(answersOf()).toEqual([[{ toolCallId: 'call-1', decision: 'deny', reason: 'Wrong project' }]]),
  )
})

test('several calls are one card with a row each and one submit', async () => {
  show([callInTest({ id: 'a', toolName: 'read' }), callInTest({ id: 'b', toolName: 'write', arguments: '{"x":1}' })])
  await armed('Allow all 2 once')
  const [first, second] = mounted.container.querySelectorAll('select')
  if (!first || !second) throw new Error('no rows')
  await userEvent.selectOptions(first, 'conversation')
  await userEvent.selectOptions(second, 'deny')
  const reason = await eventually(() => {
    const found = mounted.container.querySelector<HTMLInputElement>('section input')
    if (!found) throw new Error('no reason')
    return found
  })
  await userEvent.fill(reason, 'not that one')
  ;(await armed('Allow 1, deny 1')).click()
  await eventually(() =>
    expect(answersOf()).toEqual([
      [
        { toolCallId: 'a', decision: 'allow', scope: 'conversation', arguments: '{"title":"Crash on start"}' },
        { toolCallId: 'b', decision: 'deny', reason: 'not that one' },
      ],
    ]),
  )
})

test('an answer that was refused says why, and can be given again', async () => {
  show([callInTest()], {
    answerApproval: () => {
      throw new Failed('not-found', 'This call is not waiting any more.')
    },
  })
  ;(await armed()).click()
  await eventually(() => expect(mounted.container.textContent).toContain('This call is not waiting any more.'))
  ;(await armed()).click()
  await eventually(() => expect(mounted.asked).toHaveLength(2))
})
