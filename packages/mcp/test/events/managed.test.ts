import {
  createMCPClient,
  type Experimental_ManagedSubscription as ManagedSubscription,
  type Experimental_MCPEventOperations as MCPEventOperations,
} from '@switchboard/mcp'
import { createMCPClient as createSignedInClient } from '@switchboard/mcp/oauth'
import { describe, expect, it } from 'vitest'
import { ScriptedTransport } from '../scenarios/scripted-transport.ts'
import { EventServer, polled } from './event-server.ts'

const subscription: ManagedSubscription = {
  id: 'watch_1',
  name: polled.name,
  arguments: {},
  status: 'active',
  expiresAt: null,
}

/** A backend that notes what it was asked. */
class Backend implements MCPEventOperations {
  readonly asked: unknown[] = []
  async subscribe(input: unknown): Promise<ManagedSubscription> {
    this.asked.push(['subscribe', input])
    return subscription
  }
  async getSubscription(input: unknown): Promise<ManagedSubscription> {
    this.asked.push(['get', input])
    return subscription
  }
  async listSubscriptions(input?: unknown): Promise<{ subscriptions: ManagedSubscription[] }> {
    this.asked.push(['list', input])
    return { subscriptions: [subscription] }
  }
  async unsubscribe(input: unknown): Promise<ManagedSubscription> {
    this.asked.push(['unsubscribe', input])
    return subscription
  }
}

describe('an adapter', () => {
  it.each([createMCPClient, createSignedInClient])(
    '[V7] is asked once, before anything is sent, and told where the server is and no more',
    async (create) => {
      const server = await new EventServer().start()
      const backend = new Backend()
      const contexts: unknown[] = []
      const adapter = {
        createAdapter(context: unknown) {
          contexts.push([context, server.asked.length])
          return backend
        },
      }
      const transport = { type: 'http' as const, url: server.url, headers: { authorization: 'Bearer hidden' } }
      const client = await create({ transport, experimental_events: { adapter } })
      const events = client.experimental_events
      expect((await events.list()).events).toEqual([polled])
      const input = { name: polled.name, arguments: {}, idempotencyKey: 'k', ttlMs: null }
      expect(await events.subscribe(input)).toBe(subscription)
      expect(await events.getSubscription({ id: 'watch_1' })).toBe(subscription)
      expect((await events.listSubscriptions()).subscriptions).toEqual([subscription])
      expect(await client.experimental_events.unsubscribe({ id: 'watch_1' })).toBe(subscription)
      const one = { id: 'watch_1' }
      expect(backend.asked).toEqual([
        ['subscribe', input],
        ['get', one],
        ['list', undefined],
        ['unsubscribe', one],
      ])
      expect(contexts).toEqual([[{ transport: { type: 'http', url: server.url } }, 0]])
      expect(server.of('events/subscribe')).toEqual([])
      await client.close()
    },
  )

  it('[V7] is told of a transport of your own only that it is one', async () => {
    const transport = new ScriptedTransport()
    let told: unknown
    const adapter = {
      createAdapter(context: unknown) {
        told = [context, transport.started]
        return new Backend()
      },
    }
    await (await createMCPClient({ transport, experimental_events: { adapter } })).close()
    expect(told).toEqual([{ transport: { type: 'custom' } }, 0])
  })

  it.each([
    ['nothing', () => undefined],
    ['half of it', () => ({ subscribe() {}, unsubscribe() {} })],
    ['what only looks like operations', () => Object.assign(new Backend(), { then() {} })],
    ['a promise', async () => new Backend()],
    ['a promise that fails', () => Promise.reject(new Error('Too late'))],
  ])('[V7] that returns %s is a mistake, told before anything is sent', async (_what, createAdapter) => {
    const transport = new ScriptedTransport()
    const config = { transport, experimental_events: { adapter: { createAdapter } } }
    await expect(createMCPClient(config as never)).rejects.toThrow(TypeError)
    expect([transport.started, transport.sent]).toEqual([0, []])
  })

  it('[V7] that throws is not hidden', async () => {
    const failure = new Error('No account')
    const adapter = {
      createAdapter(): never {
        throw failure
      },
    }
    const client = createMCPClient({ transport: new ScriptedTransport(), experimental_events: { adapter } })
    await expect(client).rejects.toBe(failure)
  })
})
