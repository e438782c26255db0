import type { ModelConnection } from '#domain/model-connection.ts'
import { createModels, type Models } from './models.ts'
import type { Fetch } from './provider-fetch.ts'

// For tests: connections to a service on this machine, one per wire format.

export const KEY = 'sk-canary-0123456789abcdef'

export const WIRES = {
  responses: { kind: 'openai', api: 'responses' },
  chat: { kind: 'openai', api: 'chat' },
  messages: { kind: 'anthropic', api: 'chat' },
  compatible: { kind: 'compatible', api: 'chat' },
} as const
export type Wire = keyof typeof WIRES
export const wires = Object.keys(WIRES) as Wire[]

export const sampleConnection = (
  wire: Wire,
  baseUrl: string,
  change: Partial<ModelConnection> = {},
): ModelConnection => ({
  id: 'connection',
  ...WIRES[wire],
  name: 'Service',
  baseUrl,
  hasKey: true,
  models: [],
  createdAt: 1,
  updatedAt: 1,
  ...change,
})

export function sampleModels(
  connection: ModelConnection | undefined,
  { key = KEY, isOnline = true, ask = fetch as Fetch } = {},
): Models {
  return createModels({
    storage: { modelConnection: async () => connection },
    keys: { keyOf: async () => key },
    fetch: ask,
    now: Date.now,
    isOnline: () => isOnline,
    wordDelayMs: 0,
  })
}
