// Held by the compiler, never run: StdioTransport is what the clients of others want, made from what theirs are made from.
import type { MCPTransport } from '@ai-sdk/mcp'
import type { StdioMCPTransport as PeerTransport } from '@ai-sdk/mcp/mcp-stdio'
import type * as V2 from '@modelcontextprotocol/client'
import type { StdioServerParameters } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport as V1Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type * as Ours from '@switchboard/mcp'
import {
  Experimental_StdioMCPTransport,
  StdioMCPTransport,
  type StdioOptions,
  StdioTransport,
} from '@switchboard/mcp/stdio'
import type { experimental_MCPClientConfig as Ai5Config } from 'ai-5-mcp'
import type { MCPTransport as Transport1 } from 'ai-sdk-mcp-1'

export const transports = {
  v1: (transport: StdioTransport): V1Transport => transport,
  v2: (transport: StdioTransport): V2.Transport => transport,
  aiSdk2: (transport: StdioTransport): MCPTransport => transport,
  aiSdk1: (transport: StdioTransport): Transport1 => transport,
  ai5: (transport: StdioTransport): Ai5Config['transport'] => transport,
  ours: (transport: StdioTransport): Ours.Transport => transport,
}

export const options = {
  aiSdk: (given: ConstructorParameters<typeof PeerTransport>[0]): StdioOptions => given,
  official: (given: StdioServerParameters): StdioOptions => given,
}

export const names: (typeof StdioTransport)[] = [StdioTransport, StdioMCPTransport, Experimental_StdioMCPTransport]
