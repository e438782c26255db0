import { afterEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { eventually, mountInTest } from '../chat/mount-in-test.tsx'
import { BackupSection } from './backup-section.tsx'

let mounted: ReturnType<typeof mountInTest>
afterEach(() => mounted.unmount())

const WHY = { code: 'storage-denied', message: 'The browser lets this page store nothing.' } as const
const NOTHING = { gpts: [], servers: [], grants: [], calls: 0, cancelled: 0, results: 0 }
const SUMMARY = {
  createdAt: '2026-01-01T00:00:00.000Z',
  gpts: 1,
  conversations: 2,
  servers: 3,
  secrets: 0,
  isSealed: true,
  skipped: [],
  models: [],
  reset: NOTHING,
}
const restoreButton = () =>
  [...mounted.container.querySelectorAll('button')].find(({ textContent }) => textContent === 'Restore a backup…')!
const choose = (name: string, text: string) =>
  userEvent.upload(mounted.container.querySelector<HTMLInputElement>('input[type=file]')!, new File([text], name))

test('where nothing is saved no backup is restored into what the reload throws away: it says why, and the next step', async () => {
  mounted = mountInTest(<BackupSection />)
  mounted.setState({ storage: { state: 'memory', failure: WHY } })
  await eventually(() => expect(restoreButton().disabled).toBe(true))
  const why = document.getElementById(restoreButton().getAttribute('aria-describedby') ?? '')
  expect(why?.textContent).toContain('Nothing is saved')
  expect(why?.textContent).toContain('Try again')
  expect(mounted.container.querySelector('input[type=file]')).toBeNull()

  mounted.setState({ storage: { state: 'stored' } })
  await eventually(() => expect(restoreButton().disabled).toBe(false))
  expect(mounted.container.textContent).not.toContain('Nothing is saved')
})

test.each([
  ['a sealed backup', 'x.backup', 'sealed', 'The passphrase of this file'],
  ['what was rescued', 'x.rescue.json', '{}', '1 GPT, 2 conversations'],
])('%s that was chosen before is not offered where nothing is saved by now', async (_, name, text, shown) => {
  mounted = mountInTest(<BackupSection />, { readBackup: () => SUMMARY })
  await eventually(() => expect(restoreButton()).toBeDefined())
  await choose(name, text)
  await eventually(() => expect(mounted.container.querySelector('dialog')?.textContent).toContain(shown))
  mounted.setState({ storage: { state: 'memory', failure: WHY } })
  await eventually(() => expect(mounted.container.querySelector('dialog')).toBeNull())
  expect(restoreButton().disabled).toBe(true)
})

test('says what is reset, and restores trust only after the person ticks the box', async () => {
  const restored: object[] = []
  const reset = {
    gpts: ['Runner'],
    servers: ['Files'],
    grants: ['delete of Files'],
    calls: 2,
    cancelled: 1,
    results: 3,
  }
  mounted = mountInTest(<BackupSection />, {
    readBackup: () => ({ ...SUMMARY, reset }),
    // Without an answer the page does not reload.
    restoreBackup: (input) => {
      restored.push(input)
      return new Promise<never>(() => {})
    },
  })
  await eventually(() => expect(restoreButton()).toBeDefined())
  const dialog = () => mounted.container.querySelector('dialog')!
  const button = (name: string) => [...dialog().querySelectorAll('button')].find((one) => one.textContent === name)!
  await choose('x.backup', 'sealed')
  await eventually(() => expect(dialog()).not.toBeNull())
  await userEvent.fill(dialog().querySelector('input')!, 'correct horse')
  await userEvent.click(button('Open it'))
  await eventually(() => expect(dialog().textContent).toContain('This is reset'))
  for (const text of [
    '“Always ask”: Runner',
    'not trusted: Files',
    'delete of Files',
    'Tool calls that ask you again: 2',
    'had not ended, cancelled: 1',
    'Task results not sent to the model: 3',
  ])
    expect(dialog().textContent).toContain(text)
  const box = dialog().querySelector<HTMLInputElement>('input[type=checkbox]')!
  expect(box.checked).toBe(false)
  await userEvent.click(button('Replace everything with it'))
  await eventually(() => expect(restored).toHaveLength(1))
  expect(restored[0]).toMatchObject({ withTrust: false })
})

test('offers no trust for a file that is not sealed', async () => {
  const reset = { gpts: ['Runner'], servers: [], grants: [], calls: 0, cancelled: 0, results: 0 }
  mounted = mountInTest(<BackupSection />, { readBackup: () => ({ ...SUMMARY, isSealed: false, reset }) })
  await eventually(() => expect(restoreButton()).toBeDefined())
  await choose('x.rescue.json', '{}')
  await eventually(() => expect(mounted.container.textContent).toContain('“Always ask”: Runner'))
  expect(mounted.container.querySelector('input[type=checkbox]')).toBeNull()
})

test('names the model services of the file with their hosts before it is restored', async () => {
  const models = [{ id: 'm', name: 'OpenAI', host: 'models.example:8443' }]
  mounted = mountInTest(<BackupSection />, { readBackup: () => ({ ...SUMMARY, isSealed: false, models }) })
  await eventually(() => expect(restoreButton()).toBeDefined())
  await choose('x.rescue.json', '{}')
  await eventually(() => expect(mounted.container.textContent).toContain('OpenAI: models.example:8443'))
})

const DAMAGED = [
  { table: 'messages', id: 'm1', field: 'parts.0.type' },
  { table: 'messages', id: 'm2', field: 'role' },
  { table: 'gpts', id: 'g1', field: 'name' },
] as const

test('says which damaged rows a backup leaves out, when it is made and before it is restored', async () => {
  mounted = mountInTest(<BackupSection />, {
    makeBackup: () => ({ name: 'x.backup', bytes: new Uint8Array(1), skipped: [...DAMAGED] }),
    readBackup: () => ({ ...SUMMARY, skipped: [...DAMAGED] }),
  })
  const dialog = () => mounted.container.querySelector('dialog')
  const button = (name: string) =>
    [...mounted.container.querySelectorAll('button')].find(({ textContent }) => textContent === name)!
  await eventually(() => expect(restoreButton()).toBeDefined())
  await userEvent.click(button('Make a backup…'))
  await eventually(() => expect(dialog()).not.toBeNull())
  await userEvent.fill(dialog()!.querySelector('input[type=password]')!, 'correct horse')
  await userEvent.click(button('Make the backup'))
  await eventually(() => expect(dialog()?.textContent).toContain('2 messages, 1 GPT'))
  expect(dialog()?.textContent).toContain('message m1: parts.0.type')
  await userEvent.click(button('Close'))

  await choose('x.rescue.json', '{}')
  await eventually(() => expect(dialog()?.textContent).toContain('will be left out'))
  expect(dialog()?.textContent).toContain('2 messages, 1 GPT')
})
