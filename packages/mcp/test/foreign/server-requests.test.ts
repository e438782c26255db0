import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { createMCPClient, HttpTransport } from '@switchboard/mcp'
import { describe, expect, it, onTestFinished } from 'vitest'

/** A server of the official SDK whose tools ask the client on the stream of GET, as they do without a related request. */
async function serveAsking(): Promise<string> {
  const server = new McpServer({ name: 'asking', version: '1.0.0' })
  const text = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] })
  const requestedSchema = { type: 'object' as const, properties: {} }
  server.registerTool('elicitation', {}, async () =>
    text((await server.server.elicitInput({ message: 'Sure?', requestedSchema })).action),
  )
  server.registerTool('sampling', {}, async () =>
    text((await server.server.createMessage({ messages: [], maxTokens: 5 })).model),
  )
  server.registerTool('roots', {}, async () => text((await server.server.listRoots()).roots.length))
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'the-session' })
  await server.connect(transport as any)
  const http = createServer((request, response) => void transport.handleRequest(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
}

const kinds = [
  ['elicitation', '"accept"'],
  ['sampling', '"a model"'],
  ['roots', '1'],
] as const
const roots = [{ uri: 'file:///one' }]
const sample = { model: 'a model', role: 'assistant' as const, content: { type: 'text' as const, text: 'Hi' } }

describe('a request of the server during the first call after connecting', () => {
  it.each(kinds)('[S12] %s is answered by the official 1.x Client over HttpTransport', async (name, answer) => {
    const url = await serveAsking()
    const capabilities = { elicitation: {}, sampling: {}, roots: {} }
    const client = new Client({ name: 'official', version: '1.0.0' }, { capabilities })
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept' as const, content: {} }))
    client.setRequestHandler(CreateMessageRequestSchema, () => sample)
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }))
    await client.connect(new HttpTransport(url))
    try {
      const result = await client.callTool({ name, arguments: {} }, undefined, { timeout: 20_000 })
      expect(result.content).toEqual([{ type: 'text', text: answer }])
    } finally {
      await client.close()
    }
  })

  it.each(kinds)('[S12] %s is answered by our client', async (name, answer) => {
    const client = await createMCPClient({
      transport: { type: 'http', url: await serveAsking() },
      onElicitationRequest: () => ({ action: 'accept', content: {} }),
      onSamplingRequest: () => sample,
      roots,
    })
    try {
      const result = await client.callTool({ name, arguments: {}, options: { timeout: 20_000 } })
      expect(result.content).toEqual([{ type: 'text', text: answer }])
    } finally {
      await client.close()
    }
  })
})
