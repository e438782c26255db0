// Held by the compiler, never run: our tools are tools of version 6 of the AI SDK, and inputs and outputs are inferred.
import type { CallToolResult, MCPClient, ToolSetOf } from '@switchboard/mcp'
import { ToolLoopAgent, generateText, jsonSchema, stepCountIs, streamText, type ToolSet } from 'ai-6'
import { type Equal, holds } from './equal-types.ts'
import type { dynamic, schemas, Typed } from './schemas.ts'

type Model = Parameters<typeof generateText>[0]['model']
const withJson = { query: { inputSchema: jsonSchema<{ q: string }>({}), outputSchema: jsonSchema<{ r: number }>({}) } }

export const toolSets = {
  dynamic: (tools: typeof dynamic): ToolSet => tools,
  typed: (tools: Typed): ToolSet => tools,
  json: (tools: ToolSetOf<typeof withJson>): ToolSet => tools,
  merged: (tools: typeof dynamic, more: Typed): ToolSet => ({ ...tools, ...more }),
}

export async function uses(client: MCPClient, model: Model): Promise<void> {
  const prompt = 'How warm is it?'
  const all = await client.tools()
  await generateText({ model, tools: all, prompt })
  streamText({ model, tools: { ...all }, prompt, stopWhen: stepCountIs(3) })
  new ToolLoopAgent({ model, tools: all })

  const tools = await client.tools({ schemas: { ...({} as typeof schemas), ...withJson } })
  new ToolLoopAgent({ model, tools })
  const { toolCalls, toolResults } = await generateText({ model, tools, prompt })
  for (const call of toolCalls) {
    if (call.dynamic) continue
    if (call.toolName === 'zod-4') holds<Equal<typeof call.input, { city: string; days?: number | undefined }>>()
    if (call.toolName === 'zod-3') holds<Equal<typeof call.input, { a: string }>>()
    if (call.toolName === 'valibot') holds<Equal<typeof call.input, { n: number }>>()
    if (call.toolName === 'query') holds<Equal<typeof call.input, { q: string }>>()
  }
  for (const result of toolResults) {
    if (result.dynamic) continue
    if (result.toolName === 'zod-4') holds<Equal<typeof result.output, { temperature: number }>>()
    if (result.toolName === 'zod-3') holds<Equal<typeof result.output, { b: boolean }>>()
    if (result.toolName === 'valibot') holds<Equal<typeof result.output, CallToolResult>>()
    if (result.toolName === 'query') holds<Equal<typeof result.output, { r: number }>>()
  }
}
