import { expect, test } from 'vitest'
import { eventually, mountInTest } from '../../features/chat/mount-in-test.tsx'
import { JsonView } from './json-view.tsx'

const HUGE = 'x'.repeat(1_000_000)

test.each([
  ['a field', { text: HUGE }],
  ['a list of like objects', [{ text: HUGE }, { text: 'short' }]],
  ['no structure at all', HUGE],
])('a text of a megabyte in %s is drawn in part, and whole only when somebody asks', async (_, value) => {
  const { container, unmount } = mountInTest(<JsonView value={value} />)
  const more = await eventually(() => {
    const found = [...container.querySelectorAll('button')].find((button) => button.textContent?.startsWith('Show all'))
    return found ?? expect.fail('there is no button for the rest')
  })
  expect(container.textContent?.length).toBeLessThan(10_000)
  more.click()
  await eventually(() => expect(container.textContent?.length).toBeGreaterThan(1_000_000))
  unmount()
})
