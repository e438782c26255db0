import { expect, test } from 'vitest'
import type { Gpt } from '#domain/gpt.ts'
import type { Server } from '#domain/server.ts'
import { toolsInWords } from './tools-in-words.ts'

const tool = (name: string, problem?: string) => ({
  name,
  title: '',
  description: '',
  fingerprint: 'f',
  annotations: {},
  ...(problem ? { problem } : {}),
})
const server = (id: string, tools: ReturnType<typeof tool>[], enabled = true) =>
  ({ id, enabled, found: { tools } }) as Server
const gpt = (serverIds: string[], disabledTools: Gpt['tools']['disabledTools'] = []) =>
  ({ tools: { serverIds, disabledTools } }) as unknown as Gpt

test('counted are the tools a GPT can use: of servers that are on and ticked, without those turned off or broken', () => {
  const servers = [
    server('a', [tool('read'), tool('write'), tool('odd', 'no schema')]),
    server('b', [tool('read')]),
    server('off', [tool('x')], false),
    server('not ticked', [tool('y')]),
  ]
  expect(toolsInWords(gpt(['a', 'b', 'off'], [{ serverId: 'a', toolName: 'write' }]), servers)).toBe(
    '2 servers · 2 tools',
  )
  expect(toolsInWords(gpt(['off']), servers)).toBe('no tools')
})
