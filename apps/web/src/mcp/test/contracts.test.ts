import { expectTypeOf, test } from 'vitest'
import type { ToolSource } from '#agent/needs.ts'
import type { Commands } from '#wiring/commands.ts'
import type { createMcp } from '../create-mcp.ts'

type Mcp = ReturnType<typeof createMcp>

// This folder knows neither of them: what it gives must be what they want.
test('the agent gets the tools that it needs', () => {
  expectTypeOf<Mcp['tools']>().toExtend<ToolSource>()
})

test('the page gets the answers that its commands promise', () => {
  type Answer<Name extends keyof Commands> = ReturnType<Commands[Name]>
  type Input<Name extends keyof Commands> = Parameters<Commands[Name]>[0]
  expectTypeOf<Awaited<ReturnType<Mcp['testServer']>>>().toExtend<Answer<'testServer'>>()
  expectTypeOf<Input<'testServer'>>().toExtend<Parameters<Mcp['testServer']>[0]>()
  expectTypeOf<Awaited<ReturnType<Mcp['companion']['servers']>>>().toExtend<Answer<'companionServers'>>()
  expectTypeOf<ReturnType<Mcp['rawMessages']>>().toExtend<Answer<'rawMessages'>>()
})
