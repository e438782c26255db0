import { expect, it } from 'vitest'
import { mayRepeat } from './may-repeat.ts'

it.each(['tools/list', 'resources/read', 'logging/setLevel', 'tasks/cancel', 'server/discover', 'ping'])(
  '%s may be repeated',
  (method) => {
    expect(mayRepeat(method)).toBe(true)
  },
)

it.each(['tools/call', 'tools/launch', 'resources/delete', 'tasks/start', 'server/restart', 'pingback', '__proto__'])(
  '%s may have run, so it is never repeated',
  (method) => {
    expect(mayRepeat(method)).toBe(false)
  },
)
