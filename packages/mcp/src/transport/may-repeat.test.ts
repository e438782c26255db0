import { expect, it } from 'vitest'
import { mayRepeat } from './may-repeat.ts'

it('allows the repetition of reads and of writes that lead to the same state', () => {
  for (const method of ['tools/list', 'resources/read', 'logging/setLevel', 'tasks/cancel', 'server/discover', 'ping'])
    expect(mayRepeat(method), method).toBe(true)
})

it('refuses the repetition of every method that it does not know', () => {
  for (const method of [
    'tools/call',
    'tools/launch',
    'resources/delete',
    'prompts/run',
    'tasks/start',
    'server/restart',
    'initializeAll',
    'pingback',
    '__proto__',
    '',
  ])
    expect(mayRepeat(method), method).toBe(false)
})
