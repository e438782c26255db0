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
  arguments: '{}',
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

test('[A3.8] after text of another server that nobody trusts, what may do harm asks, whatever the policy, trust or grant', () => {
  const foreign = ['Web']
  for (const annotations of [
    {},
    { destructive: true, openWorld: false },
    { readOnly: true },
    { readOnly: true, openWorld: true },
  ])
    for (const policy of approvalPolicies)
      for (const serverTrusted of [true, false]) {
        const call = question({ foreign, annotations, serverTrusted })
        expect(judgeCall(call, policy, [tool], []).verdict).toBe('ask')
        for (const [scope, scopeId] of [
          ['always', ''],
          ['gpt', 'g'],
          ['conversation', 'c'],
        ] as const)
          expect(judgeCall(call, policy, [tool], [grant({ scope, scopeId })]).verdict).toBe('ask')
      }
})

test('[A3.8] that a tool does no harm is believed of servers the user trusts, and of no other', () => {
  const foreign = ['Web']
  const annotations = { readOnly: true, openWorld: false }
  expect(judgeCall(question({ foreign, annotations, serverTrusted: true }), 'auto', [], []).verdict).toBe('run')
  expect(judgeCall(question({ foreign, annotations }), 'auto', [], []).verdict).toBe('ask')
})

test('what was allowed in this chat beside those strangers is not asked again, until another stranger comes', () => {
  const informed = grant({ scope: 'conversation', scopeId: 'c', foreign: ['Web', 'Mail'] })
  const asked = (foreign: string[], given = informed) =>
    judgeCall(question({ foreign }), 'always-ask', [], [given]).verdict
  expect(asked(['Web'])).toBe('run')
  expect(asked(['Mail', 'Web'])).toBe('run')
  expect(asked(['Web', 'Feed'])).toBe('ask')
  // In another chat, or for all of them, nobody can have known what comes.
  expect(asked(['Web'], { ...informed, scope: 'always', scopeId: '' })).toBe('ask')
})

test('[A3.8] a call that would carry a key away asks, whatever was allowed before', () => {
  const carrying = question({ arguments: '{"note":"sk-proj-abcdefghijklmnop1234"}' })
  for (const policy of approvalPolicies)
    expect(judgeCall(carrying, policy, [tool], [grant(), grant({ scope: 'conversation', scopeId: 'c' })])).toEqual({
      verdict: 'ask',
    })
})
