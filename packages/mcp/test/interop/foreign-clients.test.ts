import { createMCPClient as createAiSdkClient } from '@ai-sdk/mcp'
import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { HttpTransport } from '@switchboard/mcp'
import { type RealServers, startRealServers } from '@switchboard/testkit/real-servers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { foreignKinds, titleOf } from '../foreign/clients.ts'
import { firstEvent, textOf } from './surroundings.ts'

const me = { name: 'foreign', version: '1.0.0' }

describe('HttpTransport inside the clients of others', () => {
  let running: RealServers
  beforeAll(async () => {
    running = await startRealServers(['everything', 'everythingSse', 'twoEras'])
  })
  afterAll(() => running.stop())

  it.each(foreignKinds.map((kind) => [titleOf(kind), kind] as const))(
    '[I-X2] %s: server-everything answers over HTTP+SSE',
    async (_, kind) => {
      const client = await kind.connect(new HttpTransport(running.addresses.everythingSse))
      onTestFinished(() => client.close())
      expect(await client.list()).toContain('echo')
      expect(textOf(await client.call('echo', { message: 'old' }))).toBe('Echo: old')
    },
  )

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
