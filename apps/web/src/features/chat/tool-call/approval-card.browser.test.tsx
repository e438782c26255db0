import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { Failed } from '#domain/failure.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { COMPOSER_ID } from '../composer-id.ts'
import { eventually, mountInTest } from '../mount-in-test.tsx'
import { ApprovalCard } from './approval-card.tsx'
import { callInTest } from '#ui/call/call-in-test.ts'
import { goToNextDecision } from '#ui/decision.tsx'

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

/** Moves the focus with the keyboard, as a person does. */
const tabTo = async (target: HTMLElement) => {
  for (let presses = 0; presses < 30 && document.activeElement !== target; presses++) await userEvent.keyboard('{Tab}')
  expect(document.activeElement).toBe(target)
}
const composer = () => document.getElementById(COMPOSER_ID) as HTMLTextAreaElement

test('[A3.5] typing into an empty composer never answers a card that appears', async () => {
  const field = <textarea key="field" id={COMPOSER_ID} />
  mounted = mountInTest([field])
  await eventually(() => expect(document.getElementById(COMPOSER_ID)).not.toBeNull())
  composer().focus()
  mounted.render([field, <ApprovalCard key="card" calls={[callInTest()]} conversationId="chat-1" />])
  await armed()
  await userEvent.keyboard('no wait, stop')
  await userEvent.keyboard(' {Enter}')
  expect(composer().value).toBe('no wait, stop \n')
  expect(mounted.asked).toEqual([])
})

test('[A3.5] a card takes the focus from nowhere: keys pressed on the page answer nothing', async () => {
  show([callInTest()])
  await armed()
  expect(document.activeElement).toBe(document.body)
  await userEvent.keyboard(' {Enter} ')
  expect(mounted.asked).toEqual([])
})

/** Stops the clock that the guard reads, so that no half second passes on a slow machine. */
const stopClock = () => {
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  return { pass: (ms: number) => (now += ms), restore: () => clock.mockRestore() }
}

test('[A3.5] Space and Enter do not count on a button that a script focused', async () => {
  show([callInTest()])
  const allow = await armed()
  const clock = stopClock()
  allow.focus()
  await userEvent.keyboard(' {Enter}')
  expect(mounted.asked).toEqual([])
  clock.restore()
  // The same button counts once the person has moved the focus to it.
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}{Tab}')
  expect(document.activeElement).toBe(allow)
  await userEvent.keyboard('{Enter}')
  await eventually(() => expect(mounted.asked).toHaveLength(1))
})

test.each(['Allow once', 'Deny'])(
  '[A3.5] Enter counts on %s once it had the focus for half a second without typing',
  async (name) => {
    show([callInTest()])
    const button = await armed(name)
    await armed()
    const clock = stopClock()
    // As when Tab leaves a frame of another site: no Tab key is seen here.
    button.focus()
    clock.pass(300)
    await userEvent.keyboard('{Enter}')
    clock.pass(499)
    await userEvent.keyboard('{Enter}')
    expect(mounted.asked).toEqual([])
    clock.pass(500)
    await userEvent.keyboard('{Enter}')
    clock.restore()
    await eventually(() => expect(mounted.asked).toHaveLength(1))
  },
)

test('[A3.5] a held key never counts, however long its button has had the focus', async () => {
  show([callInTest()])
  const allow = await armed()
  const clock = stopClock()
  allow.focus()
  clock.pass(1_000)
  const init = { key: ' ', code: 'Space', repeat: true, bubbles: true, cancelable: true }
  expect(allow.dispatchEvent(new KeyboardEvent('keydown', init))).toBe(false)
  clock.pass(1_000)
  expect(allow.dispatchEvent(new KeyboardEvent('keyup', { ...init, repeat: false }))).toBe(false)
  clock.restore()
})

test('F6 leads to the card and back to the composer, and Enter on the card itself answers nothing', async () => {
  show([callInTest()])
  await armed()
  composer().focus()
  expect(goToNextDecision(composer(), false)).toBe(true)
  const card = document.activeElement
  expect(card?.tagName).toBe('SECTION')
  await userEvent.keyboard(' {Enter}')
  expect(mounted.asked).toEqual([])
  goToNextDecision(composer(), false)
  expect(document.activeElement).toBe(composer())
  goToNextDecision(composer(), true)
  expect(document.activeElement).toBe(card)
})

test('F6 belongs to the browser while no card waits', async () => {
  mounted = mountInTest(<textarea id={COMPOSER_ID} />)
  await eventually(() => expect(document.getElementById(COMPOSER_ID)).not.toBeNull())
  expect(goToNextDecision(composer(), false)).toBe(false)
})

test('with Tab and Enter a call is allowed once, and the composer gets the focus back', async () => {
  show([callInTest()])
  const allow = await armed()
  await tabTo(allow)
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

test('an answer that is taken late leaves the focus on the next card', async () => {
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
  await tabTo(allow)
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

test('[A3.5] a card that moved or changed its size acts again only after half a second at rest', async () => {
  const above = (height: number) => <div key="above" style={{ height }} />
  const card = <ApprovalCard key="card" calls={[callInTest()]} conversationId="chat-1" />
  mounted = mountInTest([above(20), card])
  const allow = await armed()
  for (const height of [90, 20]) {
    const before = allow.getBoundingClientRect().top
    mounted.render([above(height), card])
    await eventually(() => expect(allow.getBoundingClientRect().top).not.toBe(before))
    // In the very frame in which it moved, before anything could be drawn.
    allow.click()
    await eventually(() => expect(allow.ariaDisabled).toBe('true'))
    allow.click()
    expect(mounted.asked).toEqual([])
    await armed()
  }
  const area = allow.parentElement as HTMLElement
  area.style.paddingTop = '30px'
  allow.click()
  expect(mounted.asked).toEqual([])
  await eventually(() => expect(allow.ariaDisabled).toBe('true'))
  ;(await armed()).click()
  await eventually(() => expect(mounted.asked).toHaveLength(1))
})

test('[A3.5] a card that keeps moving never acts', async () => {
  const box = document.createElement('div')
  mounted = mountInTest(<ApprovalCard calls={[callInTest()]} conversationId="chat-1" />)
  const allow = await armed()
  mounted.container.prepend(box)
  let clicks = 0
  await new Promise<void>((resolve) => {
    const move = () => {
      // As an MCP App does that changes its height: 538 px, 608 px, 538 px …
      box.style.height = clicks % 2 ? '0' : '70px'
      allow.click()
      if (++clicks < 60) requestAnimationFrame(move)
      else resolve()
    }
    move()
  })
  expect(mounted.asked).toEqual([])
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

test('a card that is out of sight does not arm', async () => {
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
  expect(seen.ariaDisabled).toBe('false')
  unseen?.scrollIntoView()
  await eventually(() => expect(unseen?.ariaDisabled).toBe('false'))
})

test('buttons act where their area is taller than the visible part of the page', async () => {
  mounted = mountInTest(
    <div style={{ width: '110px', height: '90px', overflow: 'auto' }}>
      <ApprovalCard calls={[callInTest()]} conversationId="chat-1" />
    </div>,
  )
  const allow = await buttonNamed('Allow once')
  const deny = await buttonNamed('Deny')
  const area = allow.parentElement as HTMLElement
  expect(area.getBoundingClientRect().height).toBeGreaterThan(100)
  deny.scrollIntoView()
  await eventually(() => expect(deny.ariaDisabled).toBe('false'))
  allow.scrollIntoView()
  ;(await armed()).click()
  await eventually(() => expect(answersOf()).toEqual([[expect.objectContaining({ decision: 'allow' })]]))
})

test('[A3.5] a button out of sight does not act while another one of its card is in sight', async () => {
  mounted = mountInTest(
    <>
      <ApprovalCard calls={[callInTest({ id: 'seen' })]} conversationId="chat-1" />
      <div style={{ width: '110px', height: '60px', overflow: 'auto' }}>
        <ApprovalCard calls={[callInTest()]} conversationId="chat-1" />
      </div>
    </>,
  )
  const [, deny] = await eventually(() => {
    const found = [...mounted.container.querySelectorAll('button')].filter(({ textContent }) => textContent === 'Deny')
    expect(found).toHaveLength(2)
    return found
  })
  deny?.scrollIntoView({ block: 'end' })
  // When the card above it is armed, this one would be too.
  await armed()
  const [, allow] = [...mounted.container.querySelectorAll('button')].filter(
    ({ textContent }) => textContent === 'Allow once',
  )
  allow?.click()
  expect(allow?.ariaDisabled).toBe('true')
  expect(mounted.asked).toEqual([])
})

test('a card that keeps moving can be denied', async () => {
  const box = document.createElement('div')
  mounted = mountInTest(<ApprovalCard calls={[callInTest()]} conversationId="chat-1" />)
  const deny = await buttonNamed('Deny')
  mounted.container.prepend(box)
  box.style.height = '70px'
  expect(deny.ariaDisabled).toBe('false')
  deny.click()
  await eventually(() => expect(answersOf()).toEqual([[expect.objectContaining({ decision: 'deny' })]]))
})

test('it is announced', async () => {
  show([callInTest()])
  await eventually(() =>
    expect(mounted.container.querySelector('[role=alert]')?.textContent).toBe(
      'Create an issue asks for your permission. Press F6 to go there.',
    ),
  )
})

test('without a keyboard to press F6 on, F6 is not announced', async () => {
  const media = vi.spyOn(globalThis, 'matchMedia').mockReturnValue({ matches: false } as MediaQueryList)
  show([callInTest()])
  await eventually(() =>
    expect(mounted.container.querySelector('[role=alert]')?.textContent).toBe(
      'Create an issue asks for your permission.',
    ),
  )
  media.mockRestore()
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
  expect(textContent).toContain('contains content from web.example')
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
  // The arguments have pushed the buttons out of sight.
  allow?.scrollIntoView()
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
  await tabTo(await buttonNamed('Allow for longer'))
  await userEvent.keyboard('{Enter}')
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
  const again = await armed()
  // The notice has moved the button, which it may not have noticed yet.
  await eventually(() => {
    if (mounted.asked.length < 2) again.click()
    expect(mounted.asked).toHaveLength(2)
  })
})
