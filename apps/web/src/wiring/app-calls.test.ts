import { beforeEach, expect, test } from 'vitest'
import { callDigest } from '#domain/call-digest.ts'
import type { Server } from '#domain/server.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { createAppCalls } from './app-calls.ts'

const tool = (name: string, more: object = {}) => ({
  name,
  title: '',
  description: '',
  schemaSize: 0,
  fingerprint: `print of ${name}`,
  annotations: {},
  ...more,
})
const server = {
  id: 'shop',
  name: 'Shop',
  url: 'https://shop.example/mcp',
  transport: 'streamable-http',
  enabled: true,
  found: { tools: [tool('look'), tool('model only', { appMayCall: false }), tool('bad', { problem: 'no' })] },
} as unknown as Server

let started: ToolCall[]
let time: number
let calls: ReturnType<typeof createAppCalls>
beforeEach(() => {
  started = []
  time = 1_000
  let ids = 0
  calls = createAppCalls({
    server: async (id) => (id === 'shop' ? server : undefined),
    start: async (call) => void started.push(call),
    now: () => time,
    newId: () => `id-${++ids}`,
  })
})
const open = () => calls.open({ id: 'the-call', serverId: 'shop', serverName: 'Shop' } as ToolCall)

async function ask(screen: string, args = '{"x":1}') {
  const answer = await calls.request(screen, 'look', args)
  if (answer.outcome !== 'ask') throw new Error(JSON.stringify(answer))
  return answer
}

test('[A6.4] nothing runs before the user said so, and then exactly what they were asked about', async () => {
  const screen = open()
  const { requestId, call } = await ask(screen)
  expect(call).toEqual({ serverName: 'Shop', toolName: 'look', title: '', arguments: '{"x":1}' })
  expect(started).toEqual([])
  expect(await calls.answer(screen, requestId, 'once')).toBe(started[0]?.id)
  expect(started[0]).toMatchObject({ serverId: 'shop', toolName: 'look', arguments: '{"x":1}', app: 'the-call' })
  expect(started[0]?.approval?.digest).toBe(await callDigest(started[0] as ToolCall))
  await expect(calls.answer(screen, requestId, 'once')).rejects.toThrow('Nobody asks')
  expect((await calls.request(screen, 'look', '{}')).outcome).toBe('ask')
})

test('[A6.4] a screen reaches tools of its own server, and of those not the ones that are for the model alone', async () => {
  const screen = open()
  for (const name of ['elsewhere', 'model only', 'bad', '__proto__'])
    expect(await calls.request(screen, name, '{}')).toMatchObject({ outcome: 'refused' })
  await expect(calls.request(screen, 'look', '[]')).rejects.toThrow('not a JSON object')
  await expect(calls.request('nowhere', 'look', '{}')).rejects.toThrow('not open')
})

test('[A6.4] of a thousand calls at once one is asked about, and after three times no nobody is asked', async () => {
  const screen = open()
  let asked = 0
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => calls.request(screen, 'look', '{}')))
    const questions = answers.filter((answer) => answer.outcome === 'ask')
    asked += questions.length
    for (const question of questions) await calls.answer(screen, question.requestId, 'deny')
  }
  expect(asked).toBe(3)
  expect(started).toEqual([])
  // Who closes it and opens it again is not asked all over again.
  calls.close(screen)
  expect(await calls.request(open(), 'look', '{}')).toMatchObject({ outcome: 'refused' })
})

test('a tool that was allowed while the screen is open runs without asking, so often in a minute, and no longer than that', async () => {
  const screen = open()
  await calls.answer(screen, (await ask(screen)).requestId, 'screen')
  for (let at = 0; at < 60; at++) expect((await calls.request(screen, 'look', '{}')).outcome).toBe('started')
  expect((await calls.request(screen, 'look', '{}')).outcome).toBe('refused')
  time += 60_001
  expect((await calls.request(screen, 'look', '{}')).outcome).toBe('started')
  calls.close(screen)
  expect((await calls.request(open(), 'look', '{}')).outcome).toBe('ask')
})
