import type { Server } from '#domain/server.ts'

/** A server as it lies in storage, with what a test says of it. */
export const storedServer = (change: Partial<Server>): Server => ({
  id: 'server',
  name: 'Server',
  description: '',
  transport: 'streamable-http',
  url: 'http://127.0.0.1:9/mcp',
  headerNames: [],
  authentication: { type: 'none' },
  timeoutSeconds: 60,
  retries: 0,
  relay: false,
  trusted: false,
  enabled: true,
  createdAt: 1,
  updatedAt: 1,
  ...change,
})
