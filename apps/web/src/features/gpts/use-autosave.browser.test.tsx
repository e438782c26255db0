import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { useAutosave } from './use-autosave.ts'

test('“Saved” is said when all of it is, not before: neither of what waits nor of what came meanwhile', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const saves: { change: object; done: () => void }[] = []
  const save = (change: object) => new Promise<void>((done) => saves.push({ change, done }))
  let edit!: (change: object) => void
  let leave!: () => void
  function Editor() {
    const { state, change, flush } = useAutosave('one', save, (all) => all)
    edit = change
    leave = flush
    return <p>{state.state}</p>
  }
  const container = document.createElement('div')
  const root = createRoot(container)
  await act(async () => root.render(<Editor />))
  expect(container.textContent).toBe('saved')
  await act(async () => edit({ name: 'A' }))
  expect(container.textContent).toBe('saving')
  await act(async () => leave())
  await act(async () => edit({ icon: 'B' }))
  await act(async () => saves[0]!.done())
  expect(container.textContent).toBe('saving')
  expect(saves.map(({ change }) => change)).toEqual([{ name: 'A' }, { icon: 'B' }])
  await act(async () => saves[1]!.done())
  expect(container.textContent).toBe('saved')
  await act(async () => root.unmount())
  vi.unstubAllGlobals()
})
