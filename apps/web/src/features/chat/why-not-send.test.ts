import { expect, test } from 'vitest'
import type { ModelConnection } from '#domain/model-connection.ts'
import { whyNotSend } from './why-not-send.ts'

const connection: ModelConnection = {
  id: 'c',
  kind: 'openai',
  name: 'OpenAI',
  baseUrl: '',
  api: 'responses',
  hasKey: true,
  models: [],
  createdAt: 1,
  updatedAt: 1,
}
const ready = { phase: 'ready', vault: 'open', turn: undefined } as const

test('with a model, an open vault and nothing else going on, a message can be sent', () => {
  expect(whyNotSend(ready, { connection, isAsked: false })).toBeUndefined()
})

test('a model that is gone is named, with the way to connect one', () => {
  expect(whyNotSend(ready, { connection: undefined, isAsked: false })?.action?.to).toBe('/settings/models')
})

test('a locked vault stops a model that has a key, and no other', () => {
  const locked = { ...ready, vault: 'locked' } as const
  expect(whyNotSend(locked, { connection, isAsked: false })).toMatchObject({
    text: expect.stringContaining('OpenAI') as string,
    action: { to: '/settings/vault' },
  })
  expect(whyNotSend(locked, { connection: { ...connection, hasKey: false }, isAsked: false })).toBeUndefined()
})

test('another tab, an open question and the start each say what one waits for', () => {
  expect(whyNotSend({ ...ready, turn: 'elsewhere' }, { connection, isAsked: false })?.text).toMatch(/another tab/)
  expect(whyNotSend(ready, { connection, isAsked: true })?.text).toMatch(/Allow or deny/)
  expect(whyNotSend({ ...ready, phase: 'starting' }, { connection, isAsked: false })?.text).toMatch(/Starting/)
})
