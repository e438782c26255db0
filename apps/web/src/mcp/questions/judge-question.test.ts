import { expect, test } from 'vitest'
import type { Question } from '#domain/question.ts'
import {
  type AskedBefore,
  MOST_AN_HOUR,
  MOST_KEPT,
  MOST_REFUSALS,
  MOST_SAMPLES,
  MOST_SAMPLES_AN_HOUR,
  whyRefused,
} from './judge-question.ts'

const form = { kind: 'form', message: '' } as const
const sampling = { kind: 'sampling', message: '' } as const

const question = (change: Partial<Question>): Question => ({
  id: crypto.randomUUID(),
  toolCallId: 'call',
  conversationId: 'conversation',
  serverId: 'server',
  serverName: 'Server',
  kind: 'form',
  lasts: true,
  state: 'accepted',
  message: '',
  createdAt: 1,
  ...change,
})
const times = (count: number, change: Partial<Question> = {}) => Array.from({ length: count }, () => question(change))
const inCall = (ofCall: Question[]): AskedBefore => ({ ofCall, ofServer: ofCall })
const inOthers = (ofServer: Question[]): AskedBefore => ({ ofCall: [], ofServer })

test.each([
  ['declined', form],
  ['cancelled', form],
  ['declined', sampling],
] as const)('[A5.3] after three that were %s a call asks no more', (state, next) => {
  expect(whyRefused(next, inCall(times(MOST_REFUSALS - 1, { state })))).toBeUndefined()
  expect(whyRefused(next, inCall(times(MOST_REFUSALS, { state })))).toMatch(/said no three times/)
})

test('[A5.3] another call of the same server may ask', () => {
  expect(whyRefused(form, inOthers(times(MOST_REFUSALS, { state: 'declined' })))).toBeUndefined()
})

test('[A5.3] what was refused for the user is not their no', () => {
  const refused = times(MOST_REFUSALS, { state: 'declined', refused: 'It asks for something secret.' })
  expect(whyRefused(form, inCall(refused))).toBeUndefined()
})

test('a call that asks without end is stopped', () => {
  expect(whyRefused(form, inCall(times(MOST_KEPT - 1)))).toBeUndefined()
  expect(whyRefused(form, inCall(times(MOST_KEPT)))).toMatch(/in one call/)
})

test('[A5.4] a call has few answers of a model, and its forms are not counted with them', () => {
  expect(whyRefused(sampling, inCall(times(MOST_SAMPLES)))).toBeUndefined()
  const samples = times(MOST_SAMPLES, { kind: 'sampling' })
  expect(whyRefused(sampling, inCall(samples))).toMatch(/answers of a model in one call/)
  expect(whyRefused(form, inCall(samples))).toBeUndefined()
})

test('[A5.4] a server has few answers of a model within an hour, in however many calls', () => {
  const samples = times(MOST_SAMPLES_AN_HOUR, { kind: 'sampling' })
  expect(whyRefused(sampling, inOthers(samples.slice(1)))).toBeUndefined()
  expect(whyRefused(sampling, inOthers(samples))).toMatch(/answers of a model within an hour/)
  expect(whyRefused(form, inOthers(samples))).toBeUndefined()
})

test('a server that asks all the time, in however many calls, is answered for the user', () => {
  expect(whyRefused(form, inOthers(times(MOST_AN_HOUR - 1)))).toBeUndefined()
  expect(whyRefused(form, inOthers(times(MOST_AN_HOUR)))).toMatch(/within an hour/)
  expect(whyRefused(form, inOthers(times(MOST_AN_HOUR, { refused: 'Muted.' })))).toBeUndefined()
})
