import { createMCPClient as createAiSdkClient } from '@ai-sdk/mcp'
import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { HttpTransport } from '@switchboard/mcp'
import { type RealServers, startRealServers } from '@switchboard/testkit/real-servers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { firstEvent, statusOfSession, textOf } from './surroundings.ts'

/** What the clients of others have in common, in one shape. */
interface ForeignClient {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

interface Case {
  client: string
  /** The era it finds at a server that has both. */
  newest: string
  connect(transport: WatchedTransport): Promise<ForeignClient>
}

const me = { name: 'foreign', version: '1.0.0' }

/** The first of these clients tells the revision to nobody but its transport. */
class WatchedTransport extends HttpTransport {
  version: string | undefined
  override setProtocolVersion(version: string): void {
    this.version = version
    super.setProtocolVersion(version)
  }
}

const cases: Case[] = [
  {
    client: '@modelcontextprotocol/sdk 1.x Client',
    newest: '2025-11-25',
    async connect(transport) {
      const client = new ClientV1(me)
      await client.connect(transport)
      return client
    },
  },
  {
    client: '@modelcontextprotocol/client 2.x Client',
    newest: '2025-11-25',
    async connect(transport) {
      const client = new ClientV2(me)
      await client.connect(transport)
      return client
    },
  },
  {
    client: '@modelcontextprotocol/client 2.x Client that finds the era itself',
    newest: '2026-07-28',
    async connect(transport) {
      const client = new ClientV2(me, { versionNegotiation: { mode: 'auto' } })
      await client.connect(transport)
      return client
    },
  },
  {
    client: '@ai-sdk/mcp createMCPClient',
    newest: '2026-07-28',
    connect: (transport) => createAiSdkClient({ transport }),
  },
]

describe('HttpTransport inside the clients of others', () => {
  let running: RealServers
  beforeAll(async () => {
    running = await startRealServers(['everything', 'everythingSse', 'memory', 'twoEras'])
  }, 120_000)
  afterAll(() => running.stop())

  async function open(given: Case, url: string) {
    const transport = new WatchedTransport(url)
    const client = await given.connect(transport)
    onTestFinished(() => client.close())
    return { transport, client }
  }
  const call = async (client: ForeignClient, name: string, args: Record<string, unknown>) =>
    textOf((await client.callTool({ name, arguments: args })) as { content?: unknown })

  it.each(cases)('[I-X1] $client: server-everything answers, and close ends the session', async (given) => {
    const url = running.addresses.everything
    const { transport, client } = await open(given, url)
    expect(transport.version).toBe('2025-11-25')
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('echo')
    expect(await call(client, 'echo', { message: 'héllo' })).toBe('Echo: héllo')
    const session = transport.sessionId ?? ''
    expect(await statusOfSession(url, session)).toBe(200)
    await client.close()
    expect(await statusOfSession(url, session)).toBe(400)
  })

  it.each(cases)('[I-X2] $client: server-everything answers over HTTP+SSE', async (given) => {
    const { transport, client } = await open(given, running.addresses.everythingSse)
    expect(transport.version).toBe('2025-11-25')
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('echo')
    expect(await call(client, 'echo', { message: 'old' })).toBe('Echo: old')
  })

  it.each(cases)('[I-X3] $client: mcp-proxy answers in the newest era the client knows', async (given) => {
    const { transport, client } = await open(given, running.addresses.memory)
    expect(transport.version).toBe(given.newest)
    expect((await client.listTools()).tools).toHaveLength(9)
    expect(await call(client, 'read_graph', {})).toContain('"entities"')
  })

  it.each(cases)('[I-X4] $client: many calls at once each get their own answer', async (given) => {
    const { client } = await open(given, running.addresses.twoEras)
    await client.listTools()
    const numbers = Array.from({ length: 12 }, (_, index) => index)
    const sums = await Promise.all(numbers.map((a) => call(client, 'add', { a, b: 1000 })))
    expect(sums).toEqual(numbers.map((a) => JSON.stringify({ sum: a + 1000 })))
  })

  it('[I-X5] progress reaches the official 1.x client although it comes together with the answer', async () => {
    const client = new ClientV1(me)
    onTestFinished(() => client.close())
    await client.connect(new HttpTransport(running.addresses.twoEras))
    const steps: number[] = []
    const onprogress = ({ progress }: { progress: number }) => void steps.push(progress)
    await client.callTool({ name: 'count', arguments: { to: 3 } }, undefined, { onprogress })
    expect(steps).toEqual([1, 2, 3])
  })

  it('[I-X6] progress reaches the official 2.x client although it comes together with the answer', async () => {
    const client = new ClientV2(me, { versionNegotiation: { mode: 'auto' } })
    onTestFinished(() => client.close())
    await client.connect(new HttpTransport(running.addresses.twoEras))
    const steps: number[] = []
    const onprogress = ({ progress }: { progress: number }) => void steps.push(progress)
    await client.callTool({ name: 'count', arguments: { to: 3 } }, { onprogress })
    expect(steps).toEqual([1, 2, 3])
  })

  it('[I-X7] what such a client cannot take is on the bus of the transport', async () => {
    const transport = new HttpTransport(running.addresses.everything)
    const message = firstEvent<unknown>()
    transport.on('notification', ({ method, params }) => {
      if (method === 'notifications/message') message.listener(params)
    })
    const client = await createAiSdkClient({ transport, onUncaughtError: () => {} })
    onTestFinished(() => client.close())
    await transport.openStream()
    await client.callTool({ name: 'toggle-simulated-logging' })
    expect(await message.seen).toMatchObject({ level: expect.any(String), data: expect.any(String) })
  })
})
