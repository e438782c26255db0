import { describe, expect, it } from 'vitest'
import { connect, firstEvent, type Surroundings, textOf } from './surroundings.ts'

const GRAPH = 'memory://knowledge-graph'

function describeMemory(
  surroundings: Surroundings,
  id: string,
  version: string,
  protocolVersionDiscovery: boolean,
): void {
  const open = () => connect(surroundings, surroundings.servers().memory, { protocolVersionDiscovery })
  const entity = () => ({
    name: `${id}-${Math.random().toString(36).slice(2)}`,
    entityType: 'test',
    observations: ['was here'],
  })

  it(`[${id}1] the era is the one expected, and the tools and resources are listed`, async () => {
    const client = await open()
    expect(client.getProtocolVersion()).toBe(version)
    expect(client.serverInfo).toMatchObject({ name: 'memory-server' })
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(9)
    expect(tools.every((tool) => tool.outputSchema !== undefined)).toBe(true)
    expect((await client.listResources()).resources).toMatchObject([{ uri: GRAPH, mimeType: 'application/json' }])
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([])
  })

  it(`[${id}2] what a tool wrote is in its structured answer and in the resource`, async () => {
    const client = await open()
    const made = entity()
    const result = await client.call('create_entities', { entities: [made] })
    expect(result).toMatchObject({ data: { entities: [made] }, isError: false })
    const { contents } = await client.readResource({ uri: GRAPH })
    const graph = JSON.parse((contents[0] as { text: string }).text) as { entities: unknown[] }
    expect(graph.entities).toContainEqual(made)
  })

  it(`[${id}3] a subscription tells when the resource changes`, async () => {
    const client = await open()
    const updated = firstEvent<void>()
    const subscription = await client.subscribe(GRAPH, () => updated.listener())
    const [result] = await Promise.all([client.call('create_entities', { entities: [entity()] }), updated.seen])
    expect(result.isError).toBe(false)
    await subscription.close()
  })

  it(`[${id}4] a method that the server lacks is an error, and the client goes on`, async () => {
    const client = await open()
    await expect(client.getPrompt({ name: 'none' })).rejects.toMatchObject({ name: 'MCPError', code: -32601 })
    expect((await client.call('read_graph', {})).isError).toBe(false)
  })

  it(`[${id}5] closing is quiet although the proxy allows no DELETE from a page`, async () => {
    const client = await open()
    await client.openStream()
    await expect(client.close()).resolves.toBeUndefined()
    await expect(client.call('read_graph', {})).rejects.toMatchObject({ reason: 'closed' })
  })
}

export function describeProxied(surroundings: Surroundings): void {
  describe('mcp-proxy in front of server-memory', () => {
    describeMemory(surroundings, 'I-M', '2026-07-28', true)
  })

  describe('mcp-proxy in front of server-memory, in the session era', () => {
    describeMemory(surroundings, 'I-R', '2025-11-25', false)
  })

  describe('mcp-proxy in front of server-filesystem', () => {
    const open = () => connect(surroundings, surroundings.servers().filesystem)

    it('[I-F1] the stateless era is found without being told, and the tools are listed', async () => {
      const client = await open()
      expect(client.getProtocolVersion()).toBe('2026-07-28')
      expect(client.getSessionId()).toBeUndefined()
      const { tools } = await client.listTools()
      expect(tools).toHaveLength(14)
      expect(tools.find((tool) => tool.name === 'write_file')?.annotations).toMatchObject({ readOnlyHint: false })
    })

    it('[I-F2] a file is written and read, as text and as structured content', async () => {
      const client = await open()
      const path = `${surroundings.servers().folder}/${Math.random().toString(36).slice(2)}.txt`
      const content = 'Grüße, 世界\r\nline two\n'
      expect((await client.call('write_file', { path, content })).isError).toBe(false)
      const read = await client.callTool({ name: 'read_text_file', arguments: { path } })
      expect(textOf(read)).toBe(content)
      expect(read.structuredContent).toEqual({ content })
    })

    it('[I-F3] a tool that fails says why, and is no exception', async () => {
      const client = await open()
      const outside = await client.call('read_text_file', { path: '/etc/hostname' })
      expect(outside).toMatchObject({ isError: true, text: expect.stringContaining('Access denied') })
    })

    it('[I-F4] closing is quiet and final', async () => {
      const client = await open()
      await client.openStream()
      await expect(client.close()).resolves.toBeUndefined()
      await expect(client.listTools(true)).rejects.toMatchObject({ reason: 'closed' })
    })
  })
}
