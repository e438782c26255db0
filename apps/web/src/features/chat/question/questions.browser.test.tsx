import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { Failed } from '#domain/failure.ts'
import type { Question } from '#domain/question.ts'
import type { SignInOffer } from '#domain/server.ts'
import { SIGN_IN_CHANNEL } from '#lib/sign-in-names.ts'
import { Database } from '#storage/db.ts'
import { callInTest } from '#ui/call/call-in-test.ts'
import { goToNextDecision } from '#ui/decision.tsx'
import { showToast } from '#ui/toast.tsx'
import { eventually, mountInTest } from '../mount-in-test.tsx'
import { Questions } from './questions.tsx'

const db = new Database()
let mounted: ReturnType<typeof mountInTest>
// The page makes none.
beforeAll(() => db.open())
afterEach(async () => {
  mounted.unmount()
  await Promise.all(db.tables.map((table) => table.clear()))
})

const questionOf = (change: Partial<Question>): Question => ({
  id: 'q',
  toolCallId: 'call-1',
  conversationId: 'chat-1',
  serverId: 's',
  serverName: 'Asker',
  kind: 'form',
  lasts: true,
  state: 'open',
  message: 'Which word?',
  createdAt: 1,
  ...change,
})
const show = (change: Partial<Question>, answers: Parameters<typeof mountInTest>[1] = {}) => {
  mounted = mountInTest(<Questions call={callInTest()} questions={[questionOf(change)]} />, answers)
}
const button = (name: string) =>
  eventually(() => {
    const found = [...mounted.container.querySelectorAll('button')].find(({ textContent }) => textContent === name)
    if (!found) throw new Error(`no button ${name}`)
    return found
  })
const enabled = async (name: string) => {
  const found = await button(name)
  await eventually(() => expect(found.disabled || found.ariaDisabled === 'true').toBe(false))
  return found
}
const asked = (name: string) => mounted.asked.filter((one) => one.name === name).map(({ input }) => input)

const sampling = { messages: [{ role: 'user' as const, text: 'Summarise.' }], maxTokens: 20 }
const kinds: [string, Partial<Question>, string][] = [
  ['an elicitation form', {}, 'Submit'],
  ['an elicitation by link', { kind: 'url', url: 'https://who.example/' }, 'Open who.example'],
  ['a sampling request', { kind: 'sampling', sampling }, 'Let the model answer'],
  [
    'a sampling answer',
    { kind: 'sampling', sampling: { ...sampling, answer: { text: 'A', model: 'M' } } },
    'Send to Asker',
  ],
]
test.each(kinds)('[A3.5] %s takes no focus and ignores a click that lands as it appears', async (_, change, name) => {
  const opens = vi.spyOn(window, 'open').mockReturnValue(null)
  ;(document.activeElement as HTMLElement | null)?.blur()
  show(change)
  const acts = await button(name)
  acts.click()
  expect(document.activeElement).toBe(document.body)
  await enabled(name)
  // No half second passes between the focus and the keys, however slow the machine is.
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now)
  acts.focus()
  await userEvent.keyboard(' {Enter}')
  clock.mockRestore()
  expect(mounted.asked.filter(({ name: command }) => /answerQuestion|draftSample/.test(command))).toEqual([])
  expect(opens).not.toHaveBeenCalled()
  expect(goToNextDecision(null, false)).toBe(true)
  expect(document.activeElement).toBe(acts.closest('section'))
  opens.mockRestore()
})

test.each(['Decline', 'Cancel'])('%s acts on a card that has just appeared', async (name) => {
  show({}, { answerQuestion: () => ({ faults: [] }) })
  ;(await button(name)).click()
  await eventually(() => expect(asked('answerQuestion')).toMatchObject([{ action: name.toLowerCase() }]))
})

test('[A3.5] a toast with an action takes no focus', async () => {
  const undo = vi.fn()
  mounted = mountInTest(<textarea id="typing" />)
  const field = await eventually(() => {
    const found = mounted.container.querySelector('textarea')
    if (!found) throw new Error('no field')
    return found
  })
  field.focus()
  showToast('Deleted.', { label: 'Undo', run: undo })
  await button('Undo')
  await userEvent.keyboard('no {Enter}')
  expect(document.activeElement).toBe(field)
  expect(undo).not.toHaveBeenCalled()
})

test('an answer that was taken is not asked for again, however late the question is seen to be settled', async () => {
  show({}, { answerQuestion: () => ({ faults: [] }) })
  ;(await enabled('Submit')).click()
  // The last that is done about it.
  await eventually(() => expect(asked('saveDraft')).toHaveLength(1))
  await new Promise(requestAnimationFrame)
  for (const name of ['Submit', 'Decline', 'Cancel']) expect((await button(name)).disabled).toBe(true)
})

test('an answer that was not taken, or has faults, can be given again', async () => {
  let times = 0
  const answerQuestion = () => {
    times += 1
    if (times === 1) throw new Failed('storage', 'It could not be written.')
    return { faults: [{ path: '/word', message: 'is missing' }] }
  }
  show({}, { answerQuestion })
  ;(await enabled('Submit')).click()
  await eventually(() => expect(mounted.container.textContent).toContain('It could not be written.'))
  ;(await enabled('Submit')).click()
  await eventually(() => expect(mounted.container.textContent).toContain('Nothing was sent'))
  await enabled('Submit')
})

test('[A5.4] what is done about an answer of the model says which one was on the screen', async () => {
  const answer = { text: 'First', model: 'Model' }
  show(
    { kind: 'sampling', sampling: { messages: [{ role: 'user', text: 'Summarise.' }], maxTokens: 20, answer } },
    { answerQuestion: () => ({ faults: [] }) },
  )
  ;(await enabled('Answer anew')).click()
  await eventually(() => expect(asked('draftSample')).toEqual([{ questionId: 'q', seen: 'First' }]))
  ;(await enabled('Send to Asker')).click()
  await eventually(() => expect(asked('answerQuestion')).toMatchObject([{ action: 'accept', seen: 'First' }]))
})

test('who has signed in is not asked to again while the call has yet to hear of it, but is by a server that refuses again', async () => {
  const offer: SignInOffer = {
    serverId: 's',
    url: 'https://who.example/auth?state=first',
    host: 'who.example',
    scopes: [],
    added: [],
    until: Date.now() + 600_000,
  }
  const refused = (signIn: SignInOffer) =>
    mounted.setState({
      servers: { s: { state: 'error', failure: { code: 'sign-in-needed', message: 'Sign in.' }, signIn } },
    })
  const opened = { opener: null, closed: false, location: { replace: () => {} } } as unknown as Window
  const opens = vi.spyOn(window, 'open').mockReturnValue(opened)
  const answer = new BroadcastChannel(SIGN_IN_CHANNEL)
  show(
    { kind: 'sign-in' },
    {
      prepareSignIn: () => offer,
      finishSignIn: () => ({ serverId: 's' }),
    },
  )
  ;(await enabled('Sign in')).click()
  answer.postMessage({ state: 'first', query: '?state=first&code=1' })
  expect((await button('Signed in')).disabled).toBe(true)
  mounted.setState({ servers: {} })
  await new Promise(requestAnimationFrame)
  expect((await button('Signed in')).disabled).toBe(true)
  expect(asked('prepareSignIn')).toHaveLength(1)
  refused({ ...offer, until: offer.until + 1 })
  await enabled('Sign in')
  answer.close()
  opens.mockRestore()
})
