import { createMCPClient, type JsonObject, MCPClient } from '@switchboard/mcp'
import { createMCPClient as createSignedIn } from '@switchboard/mcp/oauth'
import { describe, expect, it } from 'vitest'
import { closing, eras, serve, serveAndConnect } from '../faults/scenario.ts'
import { META, said, ScriptedTransport } from './scripted-transport.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01'

describe('the address of a server', () => {
  it.each<[string, (url: string) => Promise<MCPClient>]>([
    ['createMCPClient(url)', (url) => createMCPClient(url)],
    ['createMCPClient(new URL(url))', (url) => createMCPClient(new URL(url))],
    ['createMCPClient({ transport: url })', (url) => createMCPClient({ transport: url })],
    ['createMCPClient({ transport: new URL(url) })', (url) => createMCPClient({ transport: new URL(url) })],
    ['new MCPClient({ transport: url })', async (url) => new MCPClient({ transport: url })],
    ['createMCPClient(url) of the entry with OAuth', (url) => createSignedIn(url)],
    ['createMCPClient({ transport: url }) of the entry with OAuth', (url) => createSignedIn({ transport: url })],
  ])('[C28] is all that %s needs', async (_name, make) => {
    const server = await serve({ era: 'both' })
    const client = closing(await make(server.url))
    expect(await client.callTool({ name: 'echo', arguments: { mark: 'x' } })).toMatchObject({
      content: [{ text: 'x' }],
    })
  })
})

describe('_meta of a request', () => {
  it.each(eras)('[C29] goes to the server beside what the client says (%s)', async (era) => {
    const { server, client } = await serveAndConnect({ era })
    const progress: unknown[] = []
    const options = {
      _meta: { traceparent, 'example.com/tenant': { id: 7 } },
      onProgress: (update: unknown) => progress.push(update),
    }
    await client.callTool({ name: 'echo', arguments: { mark: 'x' }, options })
    await client.listTools({ options })
    const [call, list] = [server.ledger.of('tools/call')[0]!, server.ledger.of('tools/list').at(-1)!]
    for (const { meta } of [call, list]) {
      expect(meta).toMatchObject({ traceparent, 'example.com/tenant': { id: 7 } })
      expect(meta['progressToken']).toBeTypeOf('number')
      expect(meta[`${META}protocolVersion`]).toBe(era === 'stateless' ? '2026-07-28' : undefined)
    }
    expect(call.meta['switchboard/callId']).toBeTypeOf('string')
  })

  it.each([
    ['sessions', false],
    ['stateless', true],
  ])('[C29] is an option of every request, connecting included (%s)', async (_era, discovers) => {
    const sent: JsonObject = {}
    const note =
      (result: unknown) =>
      (params: JsonObject, { method }: { method: string }) => {
        sent[method] = (params['_meta'] as JsonObject | undefined)?.['traceparent']
        return result
      }
    const script = {
      'tools/call': note(said('x')),
      'resources/list': note({ resources: [] }),
      'resources/templates/list': note({ resourceTemplates: [] }),
      'resources/read': note({ contents: [] }),
      'prompts/list': note({ prompts: [] }),
      'prompts/get': note({ messages: [] }),
      'completion/complete': note({ completion: { values: [] } }),
      ping: note({}),
    }
    const transport = new ScriptedTransport(script, { discovers })
    const initializationOptions = { _meta: { traceparent } }
    const client = await createMCPClient({ transport, initializationOptions })
    const options = { _meta: { traceparent } }
    await client.callTool({ name: 'x', options })
    await client.listResources({ options })
    await client.listResourceTemplates({ options })
    await client.readResource({ uri: 'x:y', options })
    await client.listPrompts({ options })
    await client.getPrompt({ name: 'x', options })
    await client.complete({ ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' }, options })
    await client.ping(options)
    const asked = Object.keys(script).filter((method) => !(discovers && method === 'ping'))
    expect(sent).toEqual(Object.fromEntries(asked.map((method) => [method, traceparent])))
    for (const params of transport.of(discovers ? 'server/discover' : 'initialize'))
      expect(params['_meta']).toMatchObject({ traceparent })
    await client.close()
  })

  it('[C29] can be given once for every call, also for those of tools()', async () => {
    const transport = new ScriptedTransport({
      'tools/list': () => ({ tools: [{ name: 'x', inputSchema: { type: 'object' } }] }),
      'tools/call': () => said('x'),
    })
    const client = await createMCPClient({ transport, requestOptions: { _meta: { 'example.com/tenant': 7 } } })
    const tools = await client.tools()
    await tools['x']!.execute({}, { toolCallId: '1', messages: [] })
    await client.callTool({ name: 'x', options: { _meta: { traceparent } } })
    const metas = transport.of('tools/call').map(({ _meta }) => _meta as JsonObject)
    expect(metas[0]).toMatchObject({ 'example.com/tenant': 7 })
    expect(metas[1]).toMatchObject({ traceparent, 'example.com/tenant': 7 })
    await client.close()
  })
})
