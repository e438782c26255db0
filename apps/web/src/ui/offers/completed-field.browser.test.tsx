import { useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { CompletedField } from './completed-field.tsx'

const sent = vi.fn()
let root: Root
let container: HTMLElement
/** What the server was asked, and how it is answered. */
let asked: { value: string; answer: (...values: string[]) => void }[]

function Form() {
  const [value, setValue] = useState('')
  const complete = (typed: string) =>
    new Promise<{ values: string[]; hasMore: boolean }>((resolve) => {
      asked.push({ value: typed, answer: (...values) => resolve({ values, hasMore: false }) })
    })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        sent(value)
      }}
    >
      <CompletedField label="City" value={value} isRequired complete={complete} onChange={setValue} />
      <button type="submit">Send</button>
    </form>
  )
}

beforeEach(() => {
  asked = []
  sent.mockClear()
  container = document.createElement('div')
  document.body.append(container)
  root = createRoot(container)
  root.render(<Form />)
})
afterEach(() => {
  root.unmount()
  container.remove()
})

const LONG = { timeout: 60_000 }
const field = () => vi.waitUntil(() => container.querySelector('input'), LONG)
const options = () => [...container.querySelectorAll('[role=option]')].map(({ textContent }) => textContent)
const shows = (...cities: string[]) => vi.waitFor(() => expect(options()).toEqual(cities), LONG)
const selected = () => container.querySelector('[aria-selected=true]')?.textContent
/** The server has been asked about this. */
const about = (value: string) => vi.waitUntil(() => asked.find((one) => one.value === value), LONG)

test('arrow keys walk the suggestions round and round, and Enter takes one and sends nothing', async () => {
  const input = await field()
  input.focus()
  ;(await about('')).answer('Lisbon', 'Oslo', 'Rome')
  await shows('Lisbon', 'Oslo', 'Rome')
  const walked: unknown[] = []
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowDown']) {
    await userEvent.keyboard(`{${key}}`)
    walked.push(selected())
  }
  expect(walked).toEqual(['Rome', 'Oslo', 'Rome', 'Lisbon', 'Oslo'])
  await userEvent.keyboard('{Enter}')
  expect(input.value).toBe('Oslo')
  expect(sent).not.toHaveBeenCalled()
  await userEvent.keyboard('{Enter}')
  expect(sent).toHaveBeenCalledWith('Oslo')
})

test('what one has chosen stays chosen when a late answer brings it again, at another place', async () => {
  const input = await field()
  input.focus()
  ;(await about('')).answer('Lisbon', 'Oslo')
  await shows('Lisbon', 'Oslo')
  await userEvent.keyboard('l')
  const late = await about('l')
  await userEvent.keyboard('{ArrowDown}')
  expect(selected()).toBe('Lisbon')
  late.answer('Lima', 'Lisbon')
  await shows('Lima', 'Lisbon')
  expect(selected()).toBe('Lisbon')
  await userEvent.keyboard('{Enter}')
  expect(input.value).toBe('Lisbon')
  expect(sent).not.toHaveBeenCalled()
})

test('who types on has chosen nothing: Enter sends what stands there', async () => {
  const input = await field()
  input.focus()
  ;(await about('')).answer('Lisbon')
  await shows('Lisbon')
  await userEvent.keyboard('{ArrowDown}Li{Enter}')
  expect(sent).toHaveBeenCalledWith('Li')
})

test('suggestions that come after the field was left, or closed, stay away; an arrow asks for them again', async () => {
  const input = await field()
  input.focus()
  const left = await about('')
  container.querySelector('button')?.focus()
  left.answer('Lisbon')
  input.focus()
  await vi.waitUntil(() => asked.length === 2, LONG)
  expect(options()).toEqual([])
  asked[1]?.answer('Oslo')
  await shows('Oslo')
  await userEvent.keyboard('{ArrowDown}')
  expect(selected()).toBe('Oslo')
  await userEvent.keyboard('{Escape}')
  await shows()
  await userEvent.keyboard('{ArrowDown}')
  await vi.waitUntil(() => asked.length === 3, LONG)
  asked[2]?.answer('Oslo', 'Rome')
  await shows('Oslo', 'Rome')
  // What was chosen before it was closed is not chosen any more.
  expect(selected()).toBeUndefined()
})
