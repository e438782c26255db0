import { createMCPClient as createAiSdk2 } from '@ai-sdk/mcp'
import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import type { HttpTransport } from '@switchboard/mcp'
import type { StdioTransport } from '@switchboard/mcp/stdio'
import { experimental_createMCPClient as createAi5 } from 'ai-5-mcp'
import { createMCPClient as createAiSdk1 } from 'ai-sdk-mcp-1'

export type OurTransport = HttpTransport | StdioTransport
export type ForeignEra = 'sessions' | 'stateless'

/** What can be done with a client of others, in one shape. */
export interface ForeignClient {
  list(): Promise<string[]>
  call(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<object>
  /** Asks the server to tell of changes; absent where the client knows no way in this era. */
  listen?(what: { tools?: true; resource?: string }): Promise<unknown>
  /** Absent where the client takes no notifications: then the bus of the transport has them. */
  onNotification?(listener: (method: string) => void): void
  close(): Promise<void>
}

export interface ForeignKind {
  /** As people know it. */
  name: string
  package: string
  /** How the row of the table is found among those of the same package. */
  setting?: string
  /** What it speaks where the server leaves it the choice. */
  era: ForeignEra
  /** Whether an abort ends the call at once, or only when its answer comes. */
  abortsAtOnce: boolean
  /** Whether the server hears of an abort. */
  tellsOfAbort: boolean
  connect(transport: OurTransport): Promise<ForeignClient>
}

const me = { name: 'foreign', version: '1.0.0' }
const ignore = { onUncaughtError: () => {} }

interface AiTool {
  execute(input: never, options: never): unknown
}
/** Clients that show tools as objects of the AI SDK only. */
function byTools(client: { tools(): Promise<object>; close(): Promise<void> }): ForeignClient {
  const tools = async () => (await client.tools()) as Record<string, AiTool>
  return {
    list: async () => Object.keys(await tools()),
    async call(name, args, abortSignal) {
      const options = { toolCallId: 'call', messages: [], abortSignal }
      return (await (await tools())[name]?.execute(args as never, options as never)) as object
    },
    close: () => client.close(),
  }
}

async function connectAiSdk2(transport: OurTransport, protocolVersionDiscovery: boolean): Promise<ForeignClient> {
  const client = await createAiSdk2({ transport, protocolVersionDiscovery, ...ignore })
  return {
    list: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: (name, args, signal) => client.callTool({ name, arguments: args, ...(signal && { options: { signal } }) }),
    close: () => client.close(),
  }
}

async function connectV2(transport: OurTransport, mode: 'legacy' | 'auto'): Promise<ForeignClient> {
  const client = new ClientV2(me, { versionNegotiation: { mode } })
  await client.connect(transport)
  const stateless = client.getProtocolEra() === 'modern'
  return {
    list: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: (name, args, signal) => client.callTool({ name, arguments: args }, signal && { signal }),
    async listen({ tools, resource }) {
      if (stateless) {
        return client.listen({
          ...(tools && { toolsListChanged: true }),
          ...(resource && { resourceSubscriptions: [resource] }),
        })
      }
      return resource && client.subscribeResource({ uri: resource })
    },
    onNotification(listener) {
      client.fallbackNotificationHandler = async ({ method }) => listener(method)
    },
    close: () => client.close(),
  }
}

/** Every client of others that our transports are made for. */
export const foreignKinds: ForeignKind[] = [
  {
    name: '`experimental_createMCPClient` of `ai` 5',
    package: 'ai-5-mcp',
    era: 'sessions',
    abortsAtOnce: false,
    tellsOfAbort: false,
    connect: async (transport) => byTools(await createAi5({ transport, ...ignore })),
  },
  {
    name: '`createMCPClient` of `@ai-sdk/mcp` 1.x',
    package: 'ai-sdk-mcp-1',
    era: 'sessions',
    abortsAtOnce: true,
    tellsOfAbort: false,
    connect: async (transport) => byTools(await createAiSdk1({ transport, ...ignore })),
  },
  {
    name: '`createMCPClient` of `@ai-sdk/mcp` 2.x',
    package: '@ai-sdk/mcp',
    setting: '`protocolVersionDiscovery: false`',
    era: 'sessions',
    abortsAtOnce: true,
    tellsOfAbort: false,
    connect: (transport) => connectAiSdk2(transport, false),
  },
  {
    name: '`createMCPClient` of `@ai-sdk/mcp` 2.x',
    package: '@ai-sdk/mcp',
    era: 'stateless',
    abortsAtOnce: true,
    tellsOfAbort: true,
    connect: (transport) => connectAiSdk2(transport, true),
  },
  {
    name: '`Client` of `@modelcontextprotocol/sdk` 1.x',
    package: '@modelcontextprotocol/sdk',
    era: 'sessions',
    abortsAtOnce: true,
    tellsOfAbort: true,
    async connect(transport) {
      const client = new ClientV1(me)
      await client.connect(transport)
      return {
        list: async () => (await client.listTools()).tools.map((tool) => tool.name),
        call: (name, args, signal) => client.callTool({ name, arguments: args }, undefined, signal && { signal }),
        listen: async ({ resource }) => resource && client.subscribeResource({ uri: resource }),
        onNotification(listener) {
          client.fallbackNotificationHandler = async ({ method }) => listener(method)
        },
        close: () => client.close(),
      }
    },
  },
  {
    name: '`Client` of `@modelcontextprotocol/client` 2.x',
    package: '@modelcontextprotocol/client',
    setting: "`mode: 'legacy'`",
    era: 'sessions',
    abortsAtOnce: true,
    tellsOfAbort: true,
    connect: (transport) => connectV2(transport, 'legacy'),
  },
  {
    name: '`Client` of `@modelcontextprotocol/client` 2.x',
    package: '@modelcontextprotocol/client',
    setting: "`mode: 'auto'`",
    era: 'stateless',
    abortsAtOnce: true,
    tellsOfAbort: true,
    connect: (transport) => connectV2(transport, 'auto'),
  },
]

/** For titles. */
export const titleOf = ({ name, setting }: ForeignKind): string =>
  `${name}${setting ? `, ${setting}` : ''}`.replaceAll('`', '')
