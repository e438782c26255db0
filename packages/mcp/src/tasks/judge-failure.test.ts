import { expect, test } from 'vitest'
import { type FailureDetails, MCPError, type Reason } from '../errors.ts'
import { judgeFailure, type Verdict } from './judge-failure.ts'

const cases: [Verdict, Reason, FailureDetails?][] = [
  ['gone', 'rpc', { code: -32602 }],
  ['gone', 'session-expired'],
  ['passing', 'rpc', { code: -32603 }],
  ['passing', 'rpc', { code: -32000 }],
  ['passing', 'network'],
  ['passing', 'timeout'],
  ['passing', 'http', { statusCode: 408 }],
  ['passing', 'http', { statusCode: 429 }],
  ['passing', 'http', { statusCode: 503 }],
  ['final', 'http', { statusCode: 403 }],
  ['final', 'rpc', { code: -32601 }],
  ['final', 'rpc', { code: -32600 }],
  ['final', 'rpc', { code: -32021 }],
  ['final', 'unauthorized'],
  ['final', 'redirect'],
  ['final', 'protocol'],
  ['final', 'too-large'],
  ['final', 'closed'],
]

test.each(cases)('[K6] what a failed look says of a task: %s, after %s %o', (verdict, reason, details = {}) => {
  expect(judgeFailure(new MCPError('failed', reason, details))).toBe(verdict)
})

test('[K6] what is no failure of the server ends the looks', () => {
  expect(judgeFailure(new TypeError('a mistake'))).toBe('final')
})
