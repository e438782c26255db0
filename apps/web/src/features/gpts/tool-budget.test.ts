import { expect, test } from 'vitest'
import type { GptTools } from '#domain/gpt.ts'
import type { FoundTool, Server } from '#domain/server.ts'
import { toolBudget } from './tool-budget.ts'

const tool = (name: string, change: Partial<FoundTool> = {}): FoundTool => ({
  name,
  title: '',
  description: '',
  schemaSize: 395,
  fingerprint: '',
  annotations: {},
  ...change,
})
const server = (id: string, tools: FoundTool[], change: Partial<Server> = {}): Server => ({
  id,
  name: id,
  description: '',
  transport: 'streamable-http',
  url: '',
  headerNames: [],
  authentication: { type: 'none' },
  timeoutSeconds: 30,
  retries: 0,
  relay: false,
  trusted: false,
  enabled: true,
  createdAt: 1,
  updatedAt: 1,
  found: { title: '', version: '', protocolVersion: '', instructions: '', tools, resources: 0, prompts: 0 },
  ...change,
})
const wishes = (serverIds: string[], disabledTools: GptTools['disabledTools'] = []): GptTools => ({
  serverIds,
  disabledTools,
  approval: 'always-ask',
  trustedTools: [],
  pollSeconds: 5,
  asyncTasks: false,
})

test('what a model is told of counts: no tool that is off, cannot be used, or is for screens alone', () => {
  const tools = [tool('ab'), tool('cd', { problem: 'bad' }), tool('ef', { modelMayCall: false }), tool('gh')]
  const all = [server('s', tools), server('unticked', tools), server('off', tools, { enabled: false })]
  expect(toolBudget(all, wishes(['s', 'off']))).toEqual({ count: 2, tokens: 200, fits: true })
  expect(toolBudget(all, wishes(['s', 'off'], [{ serverId: 's', toolName: 'gh' }])).count).toBe(1)
})

test('many tools, or few that are large, are more than a message takes', () => {
  const many = Array.from({ length: 65 }, (_, at) => tool(`t${at}`, { schemaSize: 1 }))
  expect(toolBudget([server('s', many)], wishes(['s']))).toMatchObject({ count: 65, fits: false })
  expect(toolBudget([server('s', [tool('a', { schemaSize: 50_000 })])], wishes(['s'])).fits).toBe(false)
})
