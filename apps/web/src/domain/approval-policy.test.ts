import { expect, test } from 'vitest'
import { type CallInQuestion, judgeCall } from './approval-policy.ts'
import { approvalPolicies } from './gpt.ts'
import type { Grant } from './grant.ts'

const tool = { serverId: 's', toolName: 'write', fingerprint: 'f1', endpoint: 'https://a.example/mcp' }
const question = (change: Partial<CallInQuestion> = {}): CallInQuestion => ({
  ...tool,
  annotations: {},
  serverTrusted: false,
  conversationId: 'c',
  gptId: 'g',
  foreign: [],
  ...change,
})
const grant = (change: Partial<Grant> = {}): Grant => ({
  id: 'grant',
  scope: 'always',
  scopeId: '',
  serverName: 'S',
  createdAt: 0,
  ...tool,
  ...change,
})

test('auto runs, always-ask asks, trusted-only runs what the GPT trusts', () => {
  expect(judgeCall(question(), 'auto', [], [])).toEqual({ verdict: 'run', by: 'policy' })
  expect(judgeCall(question(), 'always-ask', [tool], [])).toEqual({ verdict: 'ask' })
  expect(judgeCall(question(), 'trusted-only', [], [])).toEqual({ verdict: 'ask' })
  expect(judgeCall(question(), 'trusted-only', [tool], [])).toEqual({ verdict: 'run', by: 'policy' })
})

test('a grant holds under every policy, in its scope alone', () => {
  for (const policy of approvalPolicies) {
    for (const [scope, scopeId] of [
      ['always', ''],
      ['gpt', 'g'],
      ['conversation', 'c'],
    ] as const)
      expect(judgeCall(question(), policy, [], [grant({ scope, scopeId })])).toEqual({
        verdict: 'run',
        by: 'grant',
        scope,
      })
  }
  for (const [scope, scopeId] of [
    ['gpt', 'c'],
    ['gpt', 'other'],
    ['conversation', 'g'],
    ['conversation', 'other'],
  ] as const)
    expect(judgeCall(question(), 'always-ask', [], [grant({ scope, scopeId })]).verdict).toBe('ask')
})

test('[A3.2] a changed definition, endpoint, name or server is another tool: neither grant nor trust covers it', () => {
  for (const change of [
    { fingerprint: 'f2' },
    { endpoint: 'https://a.example/mcp2' },
    { toolName: 'Write' },
    { serverId: 't' },
  ]) {
    expect(judgeCall(question(change), 'always-ask', [], [grant()]).verdict).toBe('ask')
    expect(judgeCall(question(change), 'trusted-only', [tool], []).verdict).toBe('ask')
  }
})

test('[A3.7] that a tool calls itself read-only counts only where the user trusts its server', () => {
  const annotations = { readOnly: true }
  expect(judgeCall(question({ annotations }), 'trusted-only', [], []).verdict).toBe('ask')
  expect(judgeCall(question({ annotations, serverTrusted: true }), 'trusted-only', [], []).verdict).toBe('run')
  expect(judgeCall(question({ annotations, serverTrusted: true }), 'always-ask', [], []).verdict).toBe('ask')
})

test('[A3.8] after text of another server that nobody trusts, what may do harm asks under every policy', () => {
  const foreign = ['Web']
  for (const annotations of [
    {},
    { destructive: true, openWorld: false },
    { readOnly: true },
    { readOnly: true, openWorld: true },
  ])
    for (const policy of approvalPolicies)
      expect(judgeCall(question({ foreign, annotations }), policy, [], []).verdict).toBe('ask')
  const harmless = { readOnly: true, openWorld: false }
  expect(judgeCall(question({ foreign, annotations: harmless }), 'auto', [], []).verdict).toBe('run')
  expect(judgeCall(question({ foreign }), 'auto', [], [grant()]).verdict).toBe('run')
})
