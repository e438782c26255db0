import { afterEach, expect, onTestFinished, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { FoundTool, Server } from '#domain/server.ts'
import { Database } from '#storage/db.ts'
import { callInTest } from '#ui/call/call-in-test.ts'
import { setPageDatabase } from '#wiring/page-database.ts'
import { eventually, mountInTest } from '../chat/mount-in-test.tsx'
import { Trial } from './trial.tsx'

let mounted: ReturnType<typeof mountInTest>
afterEach(() => mounted.unmount())

const erase: FoundTool = {
  name: 'erase',
  title: '',
  description: 'Erases a file',
  schemaSize: 100,
  fingerprint: 'f',
  annotations: { destructive: true },
}
const schema = { type: 'object', properties: { path: { type: 'string' } } }
const button = (name: string) =>
  [...mounted.container.querySelectorAll('button')].find(({ textContent }) => textContent === name)

test('who changes the arguments while they are checked is not asked to run the old ones', async () => {
  const checks: ((faults: []) => void)[] = []
  mounted = mountInTest(
    <Trial server={{ id: 's', name: 'Disk' } as Server} found={erase} schema={schema} onReload={() => {}} />,
    { checkArguments: () => new Promise((resolve) => checks.push(resolve)) },
  )
  const field = await eventually(() => {
    const found = mounted.container.querySelector<HTMLElement>('input, textarea')
    if (!found) throw new Error('no field')
    return found
  })
  field.focus()
  await userEvent.keyboard('old{Control>}{Enter}{/Control}')
  await eventually(() => expect(checks).toHaveLength(1))
  await userEvent.keyboard(' and new')
  checks[0]?.([])
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await eventually(() => expect(checks).toHaveLength(2))
  expect(button('Run it')).toBeUndefined()
  checks[1]?.([])
  await eventually(() => expect(document.activeElement).toBe(button('Run it')))
  button('Run it')?.click()
  await eventually(() => expect(mounted.asked.map(({ name }) => name)).toContain('tryTool'))
  expect(mounted.asked.find(({ name }) => name === 'tryTool')?.input).toMatchObject({
    arguments: JSON.stringify({ path: 'old and new' }),
  })
})

test('a double click on Replay runs it once', async () => {
  const db = new Database('switchboard-trial-test')
  onTestFinished(async () => {
    setPageDatabase()
    await db.delete()
  })
  setPageDatabase(Promise.resolve(db))
  await db.mcpToolCalls.put(
    callInTest({
      id: 'past',
      serverId: 's',
      toolName: 'read',
      conversationId: '',
      arguments: '{"path":"a"}',
      status: 'success',
      startedAt: 1,
      completedAt: 2,
    }),
  )
  const checks: ((faults: []) => void)[] = []
  const read = { ...erase, name: 'read', annotations: {} }
  mounted = mountInTest(
    <Trial server={{ id: 's', name: 'Disk' } as Server} found={read} schema={schema} onReload={() => {}} />,
    { checkArguments: () => new Promise((resolve) => checks.push(resolve)) },
  )
  const replay = await eventually(() => {
    const found = button('Replay')
    if (!found) throw new Error('no Replay')
    return found
  })
  await userEvent.dblClick(replay)
  await eventually(() => expect(checks).toHaveLength(1))
  checks[0]?.([])
  await eventually(() => expect(mounted.asked.filter(({ name }) => name === 'tryTool')).toHaveLength(1))
})

test('a JSON-RPC error is shown with its code, message and data', async () => {
  const db = new Database('switchboard-trial-error-test')
  onTestFinished(async () => {
    setPageDatabase()
    await db.delete()
  })
  setPageDatabase(Promise.resolve(db))
  await db.mcpToolCalls.put(
    callInTest({
      id: 'failed',
      serverId: 's',
      toolName: 'read',
      conversationId: '',
      status: 'error',
      isError: true,
      error: {
        code: 'tool-failed',
        message: 'Disk: tools/call read at localhost failed: disk on fire.',
        serverError: { code: -32603, message: 'disk on fire\nat sector 9', data: '{"sector":9}' },
      },
      startedAt: 1,
      completedAt: 2,
    }),
  )
  const read = { ...erase, name: 'read', annotations: {} }
  mounted = mountInTest(
    <Trial server={{ id: 's', name: 'Disk' } as Server} found={read} schema={schema} onReload={() => {}} />,
  )
  const history = await eventually(() => {
    const found = mounted.container.querySelector<HTMLElement>('[aria-label=History] summary')
    if (!found) throw new Error('no past call')
    return found
  })
  history.click()
  await eventually(() => {
    const shown = mounted.container.querySelector('[role=alert]')?.textContent
    expect(shown).toContain('-32603 (internal error)')
    expect(shown).toContain('disk on fire\nat sector 9')
    expect(shown).toContain('"sector": 9')
  })
})
