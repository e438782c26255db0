import axe from 'axe-core'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import '#ui/base.css'
import { initialValue } from '#lib/json-schema/initial-value.ts'
import type { Fault } from './form-context.ts'
import harvest from './real-schemas.json'
import { SchemaForm } from './schema-form.tsx'

type Value = Record<string, unknown>
let clear = () => {}
afterEach(() => clear())

/** A form on the page with the value that a person would send now. */
function draw(schema: unknown, start: Value = initialValue(schema), faults: readonly Fault[] = []) {
  const container = document.createElement('main')
  document.body.append(container)
  const root = createRoot(container)
  const drawn = { value: start, problem: undefined as string | undefined, container, set: (_: Value) => {} }
  function Holder() {
    const [value, setValue] = useState(start)
    drawn.value = value
    drawn.set = setValue
    return (
      <SchemaForm
        label="Arguments"
        schema={schema}
        value={value}
        onChange={setValue}
        faults={faults}
        onProblem={(problem) => {
          drawn.problem = problem
        }}
      />
    )
  }
  flushSync(() => root.render(<Holder />))
  clear = () => {
    root.unmount()
    container.remove()
  }
  return drawn
}

const eventually = <T,>(check: () => T): Promise<T> => vi.waitFor(check, { timeout: 60_000 })

/** The input of a label, or of a group and a label in it. */
async function input<Kind extends HTMLElement = HTMLInputElement>(container: Element, label: string): Promise<Kind> {
  return eventually(() => {
    const found = [...container.querySelectorAll('label')].find((one) => one.textContent?.startsWith(label))
    const control = found?.control
    expect(control, label).toBeTruthy()
    return control as HTMLElement as Kind
  })
}

async function press(container: Element, label: string): Promise<void> {
  const button = await eventually(() => {
    const found = [...container.querySelectorAll('button')].find(
      (one) => one.textContent === label || one.ariaLabel === label,
    )
    expect(found, label).toBeTruthy()
    return found as HTMLButtonElement
  })
  await userEvent.click(button)
}

const groupOf = (container: Element, label: string): Element => {
  const found = [...container.querySelectorAll('fieldset')].find((one) =>
    document.getElementById(one.getAttribute('aria-labelledby') ?? '')?.textContent?.startsWith(label),
  )
  if (!found) throw new Error(`no group ${label}`)
  return found
}

test('what was not touched is not sent, and what was emptied is gone again', async () => {
  const form = draw({ properties: { city: { type: 'string' }, days: { type: 'integer' }, loud: { type: 'boolean' } } })
  const city = await input(form.container, 'city')
  expect(form.value).toEqual({})
  await userEvent.fill(city, 'Oslo')
  await userEvent.click(await input(groupOf(form.container, 'loud'), 'No'))
  expect(form.value).toEqual({ city: 'Oslo', loud: false })
  await userEvent.fill(city, '')
  await userEvent.click(await input(groupOf(form.container, 'loud'), 'Not set'))
  expect(form.value).toEqual({})
})

test('a title and a name are two words of one accessible name', async () => {
  const form = draw({ properties: { name: { type: 'string', title: 'String' } } })
  await eventually(() => expect(form.container.querySelector('label')?.textContent).toBe('String name'))
})

test('a required yes or no offers no third answer, and none is chosen at first', async () => {
  const form = draw({ properties: { agree: { type: 'boolean' } }, required: ['agree'] })
  const group = await eventually(() => groupOf(form.container, 'agree'))
  expect([...group.querySelectorAll('label')].map((label) => label.textContent)).toEqual(['Yes', 'No'])
  expect(group.querySelector(':checked')).toBeNull()
})

test.each([{ type: 'object' }, { type: 'object', properties: {} }])('%j takes no arguments', async (schema) => {
  const form = draw(schema)
  await eventually(() => expect(form.container.textContent).toContain('It takes no arguments.'))
  expect(form.container.querySelector('input')).toBeNull()
})

test('a number is left as it is typed, and what is none is kept and said', async () => {
  const form = draw({ properties: { days: { type: 'number' } } })
  const days = await input(form.container, 'days')
  await userEvent.click(days)
  await userEvent.keyboard('1.')
  expect(form.value).toEqual({ days: 1 })
  expect(days.value).toBe('1.')
  await userEvent.keyboard('50')
  expect(form.value).toEqual({ days: 1.5 })
  expect(days.value).toBe('1.50')
  await userEvent.keyboard('x')
  expect(form.value).toEqual({ days: '1.50x' })
  const said = document.getElementById(days.getAttribute('aria-describedby')?.split(' ')[0] ?? '')
  expect(said?.textContent).toContain('no number')
  form.set({ days: 7 })
  await eventually(() => expect(days.value).toBe('7'))
})

test('items of a list are added, moved and taken away, each with what was typed in it', async () => {
  const form = draw({ properties: { tags: { type: 'array', items: { type: 'string' } } } })
  await press(form.container, 'Add')
  expect(form.value).toEqual({ tags: [] })
  for (const [index, tag] of ['a', 'b', 'c'].entries()) {
    await press(form.container, 'Add one')
    await userEvent.fill(await input(form.container, String(index + 1)), tag)
  }
  await press(form.container, 'Move 3 up')
  expect(form.value).toEqual({ tags: ['a', 'c', 'b'] })
  await press(form.container, 'Remove 1')
  expect(form.value).toEqual({ tags: ['c', 'b'] })
  expect((await input(form.container, '1')).value).toBe('c')
  await press(form.container, 'Remove tags')
  expect(form.value).toEqual({})
})

test('first which of several it is, then that: a new choice begins anew', async () => {
  const form = draw({
    properties: {
      by: {
        oneOf: [
          {
            title: 'Name',
            properties: { kind: { const: 'name' }, name: { type: 'string' } },
            required: ['kind', 'name'],
          },
          { title: 'Number', type: 'number' },
        ],
      },
    },
  })
  const by = await input<HTMLSelectElement>(form.container, 'by')
  await userEvent.selectOptions(by, 'Name')
  await userEvent.fill(await input(form.container, 'name'), 'Ada')
  expect(form.value).toEqual({ by: { kind: 'name', name: 'Ada' } })
  await userEvent.selectOptions(by, 'Number')
  expect(form.value).toEqual({})
  await userEvent.fill(await input(form.container, 'Number'), '5')
  expect(form.value).toEqual({ by: 5 })
  form.set({ by: { kind: 'name', name: 'Bob' } })
  await eventually(() => expect(by.selectedOptions[0]?.textContent).toBe('Name'))
})

test('a map takes new names, also those that every object has', async () => {
  const form = draw({ properties: { headers: { type: 'object', additionalProperties: { type: 'string' } } } })
  await press(form.container, 'Add')
  const name = await input(form.container, 'Another name')
  await userEvent.fill(name, '__proto__')
  await userEvent.keyboard('{Enter}')
  await userEvent.fill(await input(form.container, '__proto__'), 'x')
  expect(JSON.stringify(form.value)).toBe('{"headers":{"__proto__":"x"}}')
  await press(form.container, 'Remove __proto__')
  expect(form.value).toEqual({ headers: {} })
})

test('the whole can be written as JSON; what is none yet is kept, said, and not the value', async () => {
  const form = draw({ properties: { city: { type: 'string' } } })
  await userEvent.fill(await input(form.container, 'city'), 'Oslo')
  await press(form.container, 'JSON')
  const text = await input<HTMLTextAreaElement>(form.container, 'As JSON')
  expect(JSON.parse(text.value)).toEqual({ city: 'Oslo' })
  await userEvent.fill(text, '{"city":"Bergen","more":[1')
  expect(form.value).toEqual({ city: 'Oslo' })
  await eventually(() => expect(form.problem).toContain('no JSON yet'))
  await userEvent.fill(text, '{"city":"Bergen","more":[1]}')
  expect(form.value).toEqual({ city: 'Bergen', more: [1] })
  await eventually(() => expect(form.problem).toBeUndefined())
  await press(form.container, 'JSON')
  expect((await input(form.container, 'city')).value).toBe('Bergen')
  expect((await input(form.container, 'more')).value).toBeDefined()
  expect(form.value).toEqual({ city: 'Bergen', more: [1] })
})

test('a value that an input could not show as it is stays as it is', async () => {
  const start = { when: '2026-01-31T14:30:00+02:00', day: 'next Tuesday', lines: 'one\ntwo', size: 'huge' }
  const form = draw(
    {
      properties: {
        when: { type: 'string', format: 'date-time' },
        day: { type: 'string', format: 'date' },
        lines: { type: 'string' },
        size: { enum: ['small', 'large'] },
      },
    },
    start,
  )
  expect((await input(form.container, 'when')).value).toBe(start.when)
  expect((await input(form.container, 'day')).value).toBe(start.day)
  expect((await input(form.container, 'lines')).value).toBe(start.lines)
  expect((await input<HTMLSelectElement>(form.container, 'size')).selectedOptions[0]?.textContent).toContain('huge')
  expect(form.value).toBe(start)
})

test('a fault stands at its field, or at the nearest one above that is drawn', async () => {
  const faults = [
    { path: '/city', message: 'No such city.' },
    { path: '/where/street/1', message: 'Too far.' },
  ]
  const form = draw({ properties: { city: { type: 'string' }, where: { type: 'object' } } }, { where: {} }, faults)
  const city = await input(form.container, 'city')
  expect(city.ariaInvalid).toBe('true')
  expect(document.getElementById(city.getAttribute('aria-describedby') ?? '')?.textContent).toBe('No such city.')
  expect(groupOf(form.container, 'where').textContent).toContain('/where/street/1: Too far.')
})

test('ten thousand properties, a circle and a thousand levels are drawn at once, and nothing is fetched for them', async () => {
  const fetched = performance.getEntriesByType('resource').length
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`p${at}`, { type: 'string' }]))
  let deep: unknown = { type: 'string' }
  for (let at = 0; at < 1_000; at++) deep = { type: 'object', required: ['d'], properties: { d: deep } }
  const form = draw({
    properties: {
      circle: { $ref: '#' },
      deep,
      far: { $ref: 'https://schemas.example/x.json' },
      slow: { type: 'string', pattern: '^(a+)+$' },
      huge: { enum: Array.from({ length: 10_000 }, (_, at) => `c${at}`) },
      ...many,
    },
  })
  await userEvent.fill(await input(form.container, 'slow'), `${'a'.repeat(40)}!`)
  expect(form.container.querySelectorAll('input').length).toBeLessThan(100)
  expect((await input(form.container, 'far')).tagName).toBe('TEXTAREA')
  await press(groupOf(form.container, 'circle'), 'Add')
  await eventually(() => expect(groupOf(form.container, 'circle').querySelectorAll('input').length).toBeGreaterThan(10))
  await press(groupOf(form.container, 'deep'), 'Add')
  await eventually(() => expect(JSON.stringify(form.value).length).toBeLessThan(1_000))
  await press(form.container, 'Show 50 more of 10005')
  expect(performance.getEntriesByType('resource').length).toBe(fetched)
})

test('every one of the real schemas is drawn, with at most 2 % of its inputs for JSON, and each input has a name', async () => {
  const failed = vi.spyOn(console, 'error')
  let inputs = 0
  let asJson = 0
  let drawn = 0
  const nameless: string[] = []
  for (const { server, tools } of harvest as { server: string; tools: { name: string; schema: unknown }[] }[])
    for (const { name, schema } of tools) {
      const { container } = draw(schema)
      for (const control of container.querySelectorAll<HTMLInputElement>('input, select, textarea')) {
        inputs++
        if (control.matches('textarea[class*=json]')) asJson++
        if (!control.labels?.[0]?.textContent) nameless.push(`${server} ${name}`)
      }
      drawn++
      clear()
    }
  console.info(`${drawn} schemas, ${inputs} inputs, ${asJson} of them for JSON`)
  expect(failed).not.toHaveBeenCalled()
  expect(drawn).toBeGreaterThanOrEqual(236)
  expect(nameless).toEqual([])
  expect(asJson / inputs).toBeLessThanOrEqual(0.02)
})

test('axe finds nothing on a form with a bit of everything', async () => {
  const { container } = draw(
    {
      required: ['city', 'agree'],
      properties: {
        city: { type: 'string', title: 'The city', description: 'Where it rains', maxLength: 50 },
        agree: { type: 'boolean', description: 'Really' },
        size: { enum: ['small', 'large'], default: 'small' },
        tags: { type: 'array', items: { enum: ['a', 'b'] } },
        list: { type: 'array', items: { type: 'number' } },
        map: { type: 'object', additionalProperties: true },
        either: { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'string' } } }] },
        far: { $ref: 'x' },
        when: { type: 'string', format: 'date-time' },
      },
    },
    { list: [1, 2], map: { one: 'x' }, either: { a: '1' } },
    [{ path: '/city', message: 'It is missing.' }],
  )
  await input(container, 'The city')
  const { violations } = await axe.run(container)
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`),
  ).toEqual([])
})
