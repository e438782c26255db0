import { expect, test } from 'vitest'
import { type ApprovalRules, type CallInQuestion, judgeCall as judge } from './approval-policy.ts'
import { type ApprovalPolicy, approvalPolicies, type TrustedTool } from './gpt.ts'
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

const judgeCall = (
  call: CallInQuestion,
  approval: ApprovalPolicy,
  trustedTools: TrustedTool[],
  grants: Grant[],
  rules: Partial<ApprovalRules> = {},
) => judge(call, { approval, trustedTools, ...rules }, grants)

test('auto runs, always-ask asks, trusted-only runs what the GPT trusts', () => {
  expect(judgeCall(question(), 'auto', [], [])).toEqual({ verdict: 'run', by: 'policy' })
  expect(judgeCall(question(), 'always-ask', [tool], [])).toEqual({ verdict: 'ask', why: 'always-ask' })
  expect(judgeCall(question(), 'trusted-only', [], [])).toEqual({ verdict: 'ask', why: 'not-trusted' })
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
      why: 'secret',
    })
})

const scopes = [
  ['always', ''],
  ['gpt', 'g'],
] as const

test('[A3.8] with the switch off, auto runs everything and a grant holds, whatever is in the chat', () => {
  const off = { askOnUntrustedContent: false }
  const call = question({ foreign: ['Web'], annotations: { destructive: true, openWorld: true } })
  const carrying = { ...call, arguments: '{"note":"sk-proj-abcdefghijklmnop1234"}' }
  for (const one of [call, carrying]) {
    expect(judgeCall(one, 'auto', [], [], off)).toEqual({ verdict: 'run', by: 'policy' })
    expect(judgeCall(one, 'trusted-only', [tool], [], off)).toEqual({ verdict: 'run', by: 'policy' })
    expect(judgeCall(one, 'trusted-only', [], [], off)).toEqual({ verdict: 'ask', why: 'not-trusted' })
    expect(judgeCall(one, 'always-ask', [tool], [], off)).toEqual({ verdict: 'ask', why: 'always-ask' })
    for (const policy of approvalPolicies)
      for (const [scope, scopeId] of scopes)
        expect(judgeCall(one, policy, [], [grant({ scope, scopeId })], off)).toEqual({
          verdict: 'run',
          by: 'grant',
          scope,
        })
  }
})

test('[A3.8] says that a call asks because of untrusted content only where it would run otherwise', () => {
  const call = question({ foreign: ['Web'] })
  // Undefined as in records that are older than the switch: it is on.
  for (const rules of [{}, { askOnUntrustedContent: true }]) {
    expect(judgeCall(call, 'auto', [], [], rules)).toEqual({ verdict: 'ask', why: 'untrusted-content' })
    expect(judgeCall(call, 'trusted-only', [tool], [], rules)).toEqual({ verdict: 'ask', why: 'untrusted-content' })
    expect(judgeCall(call, 'trusted-only', [], [], rules)).toEqual({ verdict: 'ask', why: 'not-trusted' })
    expect(judgeCall(call, 'always-ask', [], [], rules)).toEqual({ verdict: 'ask', why: 'always-ask' })
    expect(judgeCall(call, 'always-ask', [], [grant()], rules)).toEqual({ verdict: 'ask', why: 'untrusted-content' })
  }
})
