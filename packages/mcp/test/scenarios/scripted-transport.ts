import type { JsonObject, JsonRpcMessage, JsonRpcRequest, Transport } from '@switchboard/mcp'

export type Script = Record<string, (params: JsonObject, request: JsonRpcRequest) => unknown>

/** The far side without a network: answers by method, and writes down what it was sent. */
export class ScriptedTransport implements Transport {
  readonly sent: JsonRpcMessage[] = []
  readonly script: Script
  started = 0
  closed = 0
  onmessage?: (message: JsonRpcMessage) => void
  onerror?: (error: Error) => void
  onclose?: () => void
  readonly supportsProtocolVersionDiscovery: boolean
  #heard: (() => void)[] = []

  constructor(script: Script = {}, options: { discovers?: boolean } = {}) {
    this.supportsProtocolVersionDiscovery = options.discovers ?? false
    this.script = { ...handshake, ...script }
  }

  async start(): Promise<void> {
    this.started++
  }

  async send(message: JsonRpcMessage): Promise<void> {
    this.sent.push(message)
    for (const heard of this.#heard.splice(0)) heard()
    if (!('method' in message) || !('id' in message)) return
    const answer = this.script[message.method]
    // A method that is not in the script is one that never gets an answer.
    if (!answer) return
    const { id } = message
    try {
      const result = (await answer(message.params ?? {}, message)) as JsonObject
      this.say({ jsonrpc: '2.0', id, result })
    } catch (error) {
      const { code = -32603, message: text, data } = error as { code?: number; message: string; data?: unknown }
      this.say({ jsonrpc: '2.0', id, error: { code, message: text, ...(data === undefined ? {} : { data }) } })
    }
  }

  async close(): Promise<void> {
    this.closed++
    this.onclose?.()
  }

  /** The server speaks. */
  say(message: JsonRpcMessage): void {
    this.onmessage?.(message)
  }

  notify(method: string, params?: JsonObject): void {
    this.say({ jsonrpc: '2.0', method, ...(params ? { params } : {}) })
  }

  /** The requests and notifications of this method so far. */
  of(method: string): JsonObject[] {
    return this.sent.flatMap((message) =>
      'method' in message && message.method === method ? [message.params ?? {}] : [],
    )
  }

  /** Resolves when the test holds for what was sent. */
  async until(test: () => boolean): Promise<void> {
    while (!test()) await new Promise<void>((resolve) => this.#heard.push(resolve))
  }
}

export const everything = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
}

const handshake: Script = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: everything,
    serverInfo: { name: 'scripted', version: '2.1.0', title: 'Scripted' },
    instructions: 'Be kind.',
  }),
  'server/discover': () => ({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: everything,
    instructions: 'Be kind.',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'scripted', version: '2.1.0', title: 'Scripted' } },
  }),
}

export const META = 'io.modelcontextprotocol/'
export const said = (text: string) => ({ content: [{ type: 'text', text }] })
