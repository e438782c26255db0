import type { createMCPClient, MCPClient } from '@switchboard/mcp'
import type { RealServerAddresses } from '@switchboard/testkit/real-servers'
import { onTestFinished } from 'vitest'

export type ClientConfig = Parameters<typeof createMCPClient>[0]

/** What differs between Node and a page: how to reach the servers, and which build of the library is under test. */
export interface Surroundings {
  /** Known only when the servers run: ask for it inside a test. */
  servers(): RealServerAddresses
  createClient(config: ClientConfig): Promise<MCPClient>
}

/** A connected client that is closed when its test has ended. */
export async function connect(
  { createClient }: Surroundings,
  url: string,
  config: Omit<ClientConfig, 'transport'> = {},
): Promise<MCPClient> {
  const client = await createClient({ ...config, transport: { type: 'http', url } })
  onTestFinished(() => client.close())
  return client
}

/** All text parts of a result, joined. */
export function textOf(result: { content?: unknown }): string {
  const parts = (result.content ?? []) as { type: string; text?: string }[]
  return parts.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('\n')
}

/** The first value a listener was given; awaiting it is bounded by the time of the test. */
export function firstEvent<T>(): { listener: (value: T) => void; seen: Promise<T> } {
  const { promise, resolve } = withResolvers<T>()
  return { listener: resolve, seen: promise }
}

export function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** What a server says to a session id, asked past our library. */
export async function statusOfSession(url: string, sessionId: string): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-11-25',
      'mcp-session-id': sessionId,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'asked-from-outside', method: 'ping' }),
  })
  await response.body?.cancel()
  return response.status
}
