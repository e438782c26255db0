import { afterEach, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { ModelReport } from '#wiring/commands.ts'
import { eventually, mountInTest } from '../chat/mount-in-test.tsx'
import { ModelForm } from './model-form.tsx'
import { presets } from './model-presets.ts'

let mounted: ReturnType<typeof mountInTest>
afterEach(() => mounted.unmount())

const preset = presets.find(({ kind }) => kind === 'openai')!
const button = (name: string) =>
  eventually(() => {
    const found = [...mounted.container.querySelectorAll('button')].find(({ textContent }) => textContent === name)
    if (!found) throw new Error(`no ${name}`)
    return found
  })
const keyField = () => mounted.container.querySelector<HTMLInputElement>('[type=password]')!

test('a key that was changed while another was tested is not said to work', async () => {
  const reports: ((report: ModelReport) => void)[] = []
  mounted = mountInTest(<ModelForm preset={preset} onDone={() => {}} />, {
    testModel: () => new Promise((resolve) => reports.push(resolve)),
  })
  await button('Test')
  await userEvent.fill(keyField(), 'first-key')
  ;(await button('Test')).click()
  await button('Testing…')
  await userEvent.fill(keyField(), 'second-key')
  reports[0]?.({ models: ['old-model'] })
  ;(await button('Test')).click()
  await eventually(() => expect(reports).toHaveLength(2))
  expect(mounted.container.textContent).not.toContain('It answers')
  reports[1]?.({ models: ['new-model'] })
  await eventually(() => expect(mounted.container.textContent).toContain('new-model'))
  expect(mounted.container.textContent).not.toContain('old-model')
})

test('a form that was closed while it was saved closes no other', async () => {
  let save = () => {}
  const onDone = vi.fn()
  mounted = mountInTest(<ModelForm preset={preset} onDone={onDone} />, {
    saveModel: () => new Promise<void>((resolve) => (save = resolve)),
  })
  await button('Save')
  await userEvent.fill(keyField(), 'a-key')
  ;(await button('Save')).click()
  await eventually(() => expect(mounted.asked.map(({ name }) => name)).toEqual(['saveModel']))
  mounted.render(<p>Another form</p>)
  await eventually(() => expect(mounted.container.textContent).toContain('Another form'))
  save()
  await new Promise(requestAnimationFrame)
  expect(onDone).not.toHaveBeenCalled()
})
