import { expect, test } from 'vitest'
import { eventually, mountInTest } from '../features/chat/mount-in-test.tsx'
import { SignInCard } from './sign-in-card.tsx'

const offer = {
  serverId: 'a',
  url: 'https://login.example/authorize',
  host: 'login.example',
  scopes: [],
  added: [],
  doubts: [{ kind: 'foreign-metadata' as const, server: 'mcp.example', metadata: 'settings.other.example' }],
  until: Number.MAX_SAFE_INTEGER,
}

test.each([
  ['politely outside chats', false, 'section > [role=status][aria-live=polite]'],
  ['at once where an answer waits for it', true, 'section > [role=alert][aria-live=assertive]'],
])('a sign-in card is announced %s', async (_, isUrgent, selector) => {
  const { container, unmount } = mountInTest(
    <SignInCard serverName="Notes" offer={offer} phase="ready" isUrgent={isUrgent} onSignIn={() => {}} />,
  )
  await eventually(() =>
    expect([...container.querySelectorAll('section [aria-live]')].map((live) => live.textContent)).toEqual([
      'Notes wants you to sign in. Press F6 to go there.',
    ]),
  )
  expect(container.querySelector(selector)).not.toBeNull()
  unmount()
})

test('a sign-in card names both hosts when the settings come from another one', async () => {
  const { container, unmount } = mountInTest(
    <SignInCard serverName="Notes" offer={offer} phase="ready" onSignIn={() => {}} />,
  )
  await eventually(() => {
    const [doubt] = [...container.querySelectorAll('li')].map((item) => item.textContent)
    expect(doubt).toContain('mcp.example')
    expect(doubt).toContain('settings.other.example')
    expect(container.querySelector('button')?.textContent).toContain('Sign in anyway')
  })
  unmount()
})
