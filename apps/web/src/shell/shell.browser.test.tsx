import { expect, test, vi } from 'vitest'
import { Failed } from '#domain/failure.ts'
import { eventually, mountInTest } from '../features/chat/mount-in-test.tsx'
import { App } from './app.tsx'
import { Boundary } from './boundary.tsx'
import { StorageNotice } from './storage-notice.tsx'
import { sayUnheard } from './use-unheard-failures.ts'

const REFUSED = { code: 'storage', message: 'The database refused.' } as const

test('[R-33] what could not be stored is said on every screen, with a way to make room, until it is tried again', async () => {
  const { container, setState, unmount } = mountInTest(<StorageNotice />)
  setState({ storage: { state: 'failing', failure: REFUSED, what: 'an answer' } })
  await eventually(() => expect(container.querySelector('[role=alert]')?.textContent).toContain(REFUSED.message))
  expect(container.querySelector('a')?.getAttribute('href')).toBe('#/settings/data')
  setState({ storage: { state: 'stored' } })
  await eventually(() => expect(container.querySelector('[role=alert]')).toBeNull())
  unmount()
})

test('a command that was refused and that no screen looks after is told in passing; what is no refusal is left alone', async () => {
  const { container, unmount } = mountInTest(null)
  const preventDefault = vi.fn()
  sayUnheard({ reason: new TypeError('of somebody else'), preventDefault })
  expect(preventDefault).not.toHaveBeenCalled()
  sayUnheard({ reason: new Failed('vault-locked', 'Unlock it first.'), preventDefault })
  await eventually(() => expect(container.textContent).toContain('Unlock it first.'))
  expect(preventDefault).toHaveBeenCalledOnce()
  expect(container.textContent).not.toContain('of somebody else')
  unmount()
})

test('a screen whose file does not come offers to reload: to show it again would fail again', async () => {
  const silent = vi.spyOn(console, 'error').mockImplementation(() => {})
  const NotLoaded = () => {
    throw new TypeError('Failed to fetch dynamically imported module: http://localhost/assets/x.js')
  }
  const { container, unmount } = mountInTest(
    <Boundary>
      <NotLoaded />
    </Boundary>,
  )
  await eventually(() => expect(container.textContent).toContain('did not load'))
  expect(container.textContent).toContain('Reload the page')
  expect(container.textContent).not.toContain('Show it again')
  unmount()
  silent.mockRestore()
})

test('a screen that broke does not stand in the way of the next', async () => {
  const silent = vi.spyOn(console, 'error').mockImplementation(() => {})
  const Broken = () => {
    throw new Error('no such luck')
  }
  const { container, render, unmount } = mountInTest(
    <Boundary at="/a">
      <Broken />
    </Boundary>,
  )
  await eventually(() => expect(container.textContent).toContain('no such luck'))
  render(<Boundary at="/b">the next</Boundary>)
  await eventually(() => expect(container.textContent).toContain('the next'))
  expect(container.textContent).not.toContain('no such luck')
  unmount()
  silent.mockRestore()
})

test('an unknown address says that there is nothing, and leads back', async () => {
  location.hash = '#/no/such/place'
  const { container, unmount } = mountInTest(<App />)
  await eventually(() => expect(container.textContent).toContain('Page not found'))
  expect(container.textContent).toContain('/no/such/place')
  expect(location.hash).toBe('#/no/such/place')
  unmount()
  location.hash = ''
})
