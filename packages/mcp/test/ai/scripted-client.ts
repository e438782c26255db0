import { createMCPClient, type JsonObject, type MCPClient, type MCPClientConfig } from '@switchboard/mcp'
import { onTestFinished } from 'vitest'
import { ScriptedTransport } from '../scenarios/scripted-transport.ts'

interface Scripted {
  client: MCPClient
  transport: ScriptedTransport
  /** What was told to `onUncaughtError`. */
  warnings: Error[]
}

/** A client of a server that lists these tools, as it would send them, and answers each call as told. */
export async function scripted(
  tools: unknown[],
  answer: (params: JsonObject) => unknown = () => ({ content: [] }),
  config: Partial<MCPClientConfig> = {},
): Promise<Scripted> {
  const wire = JSON.stringify({ tools })
  const transport = new ScriptedTransport({
    'tools/list': () => JSON.parse(wire) as unknown,
    'tools/call': async (params) => JSON.parse(JSON.stringify(await answer(params))) as unknown,
  })
  const warnings: Error[] = []
  const onUncaughtError = (error: unknown): void => void warnings.push(error as Error)
  const client = await createMCPClient({ transport, onUncaughtError, ...config })
  onTestFinished(() => client.close())
  return { client, transport, warnings }
}

export const tool = (name: string, more: object = {}): object => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  ...more,
})
