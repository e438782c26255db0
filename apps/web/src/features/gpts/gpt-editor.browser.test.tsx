import { afterEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { Database } from '#storage/db.ts'
import { createGpts } from '#storage/gpts.ts'
import { newModelConnection } from '#storage/model-connections.ts'
import { eventually, mountInTest } from '../chat/mount-in-test.tsx'
import { GptEditor } from './gpt-editor.tsx'

const db = new Database()
let mounted: ReturnType<typeof mountInTest> | undefined
afterEach(async () => {
  mounted?.unmount()
  await Promise.all(db.tables.map((table) => table.clear()))
})

const show = (gptId: string, updateGpt: (input: never) => unknown = () => {}) => {
  mounted = mountInTest(<GptEditor gptId={gptId} />, { updateGpt })
  return mounted
}
const field = (words: string) =>
  eventually(() => {
    const label = [...document.querySelectorAll('label')].find(({ textContent }) => textContent.startsWith(words))
    const found = label?.control ?? label?.parentElement?.querySelector('input')
    if (!found) throw new Error(`no field ${words}`)
    return found as HTMLInputElement
  })
const saved = () => mounted?.asked.filter(({ name }) => name === 'updateGpt').map(({ input }) => input)

test('what is ticked is all that is saved: nothing that another tab has changed is given back', async () => {
  const gpts = createGpts(db)
  const { id } = await gpts.create({})
  show(id)
  ;(await field('Long work as tasks')).click()
  ;(await field('Run by itself')).click()
  // Both at once, where they are quick enough.
  await eventually(() => expect(Object.assign({}, ...toolsOf())).toEqual({ asyncTasks: false, approval: 'auto' }))
  await gpts.update(id, { tools: { pollSeconds: 9 } })
  const before = saved()?.length
  ;(await field('Long work as tasks')).click()
  await eventually(() => expect(saved()).toHaveLength((before ?? 0) + 1))
  expect(toolsOf().at(-1)).toEqual({ asyncTasks: true })
  await eventually(async () => expect((await field('Ask every')).value).toBe('9'))
})
const toolsOf = () => (saved() as { change: { tools: object } }[]).map(({ change }) => change.tools)

test('a setting that was emptied as the page went is emptied by the next one, and the others stay', async () => {
  const gpts = createGpts(db)
  const model = { connectionId: 'far', modelId: 'm' }
  const { id } = await gpts.create({ model, settings: { maxToolCalls: 25, temperature: 1 } })
  const first = show(id, () => new Promise(() => {}))
  await userEvent.clear(await field('Temperature'))
  dispatchEvent(new PageTransitionEvent('pagehide'))
  first.unmount()
  show(id)
  await eventually(() => expect(saved()).toEqual([{ gptId: id, change: { settings: { temperature: undefined } } }]))
  expect(Object.keys((saved() as { change: { settings: object } }[])[0]?.change.settings ?? {})).toEqual([
    'temperature',
  ])
  expect((await field('Temperature')).value).toBe('')
  expect((await field('Tool calls per turn')).value).toBe('25')
})

test('what a model accepts is set in the GPT, until another model is chosen', async () => {
  const compatible = { kind: 'compatible', name: 'Ollama', baseUrl: 'http://localhost:11434/v1', api: 'chat' } as const
  await db.modelConnections.put(newModelConnection(compatible, 'ollama'))
  const model = { connectionId: 'ollama', modelId: 'small' }
  const { id } = await createGpts(db).create({ model })
  show(id)
  expect((await field('Accepts pictures')).checked).toBe(true)
  expect((await field('Accepts audio')).checked).toBe(false)
  const last = () => (saved() as { change: { model: object } }[]).at(-1)?.change.model
  ;(await field('Accepts pictures')).click()
  await eventually(() => expect(last()).toEqual({ ...model, acceptsPictures: false }))
  ;(await field('Accepts audio')).click()
  await eventually(() => expect(last()).toEqual({ ...model, acceptsPictures: false, acceptsAudio: true }))
  await userEvent.fill(await field('Model'), 'large')
  await eventually(() => expect(last()).toEqual({ connectionId: 'ollama', modelId: 'large' }))
  expect((await field('Accepts pictures')).checked).toBe(true)
})
