import { MCPClient } from '@switchboard/mcp'
import type { Server } from '#domain/server.ts'
import type { CustomTools } from '../needs.ts'
import type { Collection } from './run-tool.ts'
import { type CollectionTransport, createCollectionTransport } from './transport.ts'

/** The request has a limit of its own, which knows whether it may have run; this one is for what goes wrong beside it. */
const GRACE_MS = 5000

/** A client for the tools of a collection, not yet connected. */
export function openCollection(
  server: Server,
  collection: Collection,
  tools: CustomTools,
): { client: MCPClient; transport: CollectionTransport } {
  const transport = createCollectionTransport(server, collection, tools)
  const client = new MCPClient({
    transport,
    clientName: 'switchboard',
    requestOptions: { timeout: server.timeoutSeconds * 1000 + GRACE_MS },
    onUncaughtError: () => {},
  })
  return { client, transport }
}
