import { afterEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { Gpt } from '#domain/gpt.ts'
import type { FoundTool, Server } from '#domain/server.ts'
import { Database } from '#storage/db.ts'
import { eventually, mountInTest } from '../chat/mount-in-test.tsx'
import { ToolsSection } from './tools-section.tsx'

const db = new Database()
let mounted: ReturnType<typeof mountInTest>
afterEach(async () => {
  mounted.unmount()
  await Promise.all(db.tables.map((table) => table.clear()))
})

const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const tool = (name: string, change: Partial<FoundTool> = {}): FoundTool => ({
  name,
  title: '',
  description: `Does ${name}`,
  schemaSize: 100,
  fingerprint: `f-${name}`,
  annotations: {},
  ...change,
})
const server = (id: string, tools: FoundTool[], icon?: string): Server => ({
  id,
  name: `Server ${id}`,
  description: '',
  transport: 'streamable-http',
  url: 'https://example.com/mcp',
  headerNames: [],
  authentication: { type: 'none' },
  timeoutSeconds: 30,
  retries: 0,
  relay: false,
  trusted: false,
  enabled: true,
  createdAt: 1,
  updatedAt: 1,
  found: {
    title: '',
    version: '',
    protocolVersion: '',
    instructions: '',
    tools,
    resources: 0,
    prompts: 0,
    ...(icon && { icon }),
  },
})
const gpt = (serverIds: string[]): Gpt => ({
  id: 'g',
  name: 'Helper',
  description: '',
  icon: '',
  instructions: '',
  model: { connectionId: 'practice', modelId: 'practice' },
  settings: { maxToolCalls: 25 },
  starters: [],
  tools: {
    serverIds,
    disabledTools: [],
    approval: 'always-ask',
    trustedTools: [],
    pollSeconds: 5,
    asyncTasks: false,
  },
  createdAt: 1,
  updatedAt: 1,
})
const show = (serverIds: string[]) => {
  mounted = mountInTest(<ToolsSection gpt={gpt(serverIds)} change={() => {}} />)
}
const budget = () => mounted.container.querySelector('[role=status]')?.textContent
const lines = () => [...mounted.container.querySelectorAll('details li')]
const unfold = async () => {
  await eventually(() => expect(mounted.container.querySelector('summary')).not.toBeNull())
  mounted.container.querySelector('summary')?.click()
}

test('the tools of a GPT have their icons, else that of their server, their claims, and whether they are new', async () => {
  const tools = [
    tool('a', { icon: PNG, annotations: { destructive: true } }),
    tool('b'),
    tool('c', { modelMayCall: false }),
  ]
  await db.mcpServers.put(server('s', tools, `${PNG}#server`))
  await db.toolLedger.put({
    id: 's b',
    serverId: 's',
    toolName: 'b',
    fingerprint: 'f-b',
    endpoint: '',
    definition: '{}',
    state: 'new',
    isThere: true,
    history: [],
  })
  show(['s'])
  await unfold()
  await eventually(() => expect(lines()).toHaveLength(3))
  expect(lines().map((line) => line.querySelector('img')?.getAttribute('src'))).toEqual([
    PNG,
    `${PNG}#server`,
    `${PNG}#server`,
  ])
  expect(lines()[0]?.textContent).toContain('claims: destructive')
  await eventually(() => expect(lines()[1]?.textContent).toContain('new'))
  expect(lines()[2]?.textContent).toContain('no model uses it')
  expect(lines()[2]?.querySelector('input')?.disabled).toBe(true)
  expect(budget()).toMatch(/^2 tools · about \d+ tokens of definitions with every message$/)
})

test('with more tools than a message takes, the line says that the model searches them', async () => {
  await db.mcpServers.put(
    server(
      's',
      Array.from({ length: 80 }, (_, at) => tool(`t${at}`)),
    ),
  )
  show(['s'])
  await eventually(() => expect(budget()).toMatch(/^80 tools · about [\d,]+ tokens of definitions: more than goes/))
  expect(budget()).toContain('64 tools, 12,000 tokens')
  expect(budget()).not.toContain('with every message')
})

test('many tools are found by words, whichever server has them, and few are drawn before', async () => {
  await db.mcpServers.bulkPut(
    Array.from({ length: 20 }, (_, at) =>
      server(
        `${at}`,
        Array.from({ length: 50 }, (__, n) => tool(`t${at}_${n}`)),
      ),
    ),
  )
  show(Array.from({ length: 20 }, (_, at) => `${at}`))
  await eventually(() => expect(mounted.container.querySelector('input[type=search]')).not.toBeNull())
  expect(lines()).toEqual([])
  await userEvent.fill(mounted.container.querySelector('input[type=search]')!, 'DOES t13_7')
  await eventually(() => expect(lines()).toHaveLength(1))
  expect(lines()[0]?.textContent).toContain('t13_7')
})
