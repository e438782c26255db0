import type {
  Experimental_MCPEventStore as MCPEventStore,
  Experimental_MCPEventSubscription as MCPEventSubscription,
} from '@switchboard/mcp'

/** A store as an application would write it, that tells what was done to it. */
export class MemoryStore implements MCPEventStore {
  readonly all = new Map<string, MCPEventSubscription>()
  readonly log: string[] = []

  /** The one subscription that there is. */
  get only(): MCPEventSubscription {
    const [first, ...more] = this.all.values()
    if (!first || more.length > 0) throw new Error(`The store has ${this.all.size} subscriptions`)
    return first
  }
  async get(key: string): Promise<MCPEventSubscription | undefined> {
    this.log.push(`get ${key}`)
    return structuredClone(this.all.get(key))
  }
  async getById(id: string): Promise<MCPEventSubscription | undefined> {
    return structuredClone([...this.all.values()].find((one) => one.id === id))
  }
  async set(subscription: MCPEventSubscription): Promise<void> {
    this.all.set(subscription.key, structuredClone(subscription))
  }
  async update(key: string, patch: Partial<MCPEventSubscription>): Promise<void> {
    const old = this.all.get(key)
    this.log.push(`update ${Object.keys(patch).join()}`)
    if (old) this.all.set(key, { ...old, ...structuredClone(patch) })
  }
  async delete(key: string): Promise<void> {
    this.all.delete(key)
  }
}
