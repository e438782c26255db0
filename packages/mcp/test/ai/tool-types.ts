// Held by the compiler, never run: what is inferred from schemas, and the names of the types.
import type {
  AITool,
  CallToolResult,
  ElicitationHandler,
  InferSchema,
  McpProviderMetadata,
  MCPAppResourceCSP,
  MCPClient,
  MCPClientConfig,
  RequestOptions,
  ToolSetOf,
} from '@switchboard/mcp'
import type { OAuthClientConfig } from '@switchboard/mcp/oauth'
import type { z } from 'zod'
import type { MCPAppResourceCSP as PeerCSP } from '@ai-sdk/mcp'
import { type Equal, holds } from './equal-types.ts'
import type { schemas, Typed } from './schemas.ts'

export async function infers(typed: Typed, client: MCPClient): Promise<void> {
  const out = await typed['zod-4'].execute({ city: 'Oslo' }, { messages: [], toolCallId: '1' })
  holds<Equal<typeof out, { temperature: number }>>()
  const raw = await typed.empty.execute({})
  holds<Equal<typeof raw, CallToolResult>>()
  await typed['zod-3'].execute({ a: 'x' }, { abortSignal: undefined })
  await typed.valibot.execute({ n: 1 })
  await typed.json.execute({ whatever: true })
  // @ts-expect-error the days are a number
  await typed['zod-4'].execute({ city: 'Oslo', days: 'two' })
  // @ts-expect-error the city is needed
  await typed['zod-4'].execute({})
  // @ts-expect-error it is a number
  await typed.valibot.execute({ n: '1' })
  // @ts-expect-error nobody asked for such a tool
  await typed.other.execute({})

  holds<Equal<InferSchema<() => z.ZodObject<{ a: z.ZodString }>>, { a: string }>>()
  holds<Equal<InferSchema<{ _output: 7 }>, 7>>()
  holds<Equal<InferSchema<{ type: 'object' }>, unknown>>()

  const all = await client.tools({ schemas: 'automatic' })
  holds<Equal<typeof all, ToolSetOf>>()
  const some = client.toolsFromDefinitions(await client.listTools(), { schemas: {} as typeof schemas })
  holds<Equal<typeof some, Typed>>()
  const kept: Awaited<ReturnType<MCPClient['tools']>> = all
  const one: AITool | undefined = kept['echo']
  const metadata = one?.metadata as McpProviderMetadata | undefined
  holds<Equal<NonNullable<McpProviderMetadata['annotations']>['readOnlyHint'], boolean | undefined>>()
  holds<Equal<typeof metadata, McpProviderMetadata | undefined>>()

  client.onElicitationRequest(async ({ params }) => ({ action: 'accept', content: { about: params.message } }))
  client.onElicitationRequest({}, async ({ params }) => ({ action: params.url ? 'decline' : 'cancel' }))
  // @ts-expect-error no such answer
  client.onElicitationRequest(() => ({ action: 'maybe' }))
  holds<Equal<Parameters<ElicitationHandler>[0]['params']['message'], string>>()
}

/** A session that may not be there is handed over as it is, whatever the strictness of the compiler. */
export const configured = (saved: ReturnType<MCPClient['saveSession']>): MCPClientConfig & OAuthClientConfig => ({
  transport: {
    type: 'http',
    url: 'https://example.com/mcp',
    initialSessionId: saved?.sessionId,
    initialProtocolVersion: saved?.initializeResult.protocolVersion,
  },
  initialInitializeResult: saved?.initializeResult,
})

export function hasTheTypesOfThePeer(): void {
  holds<Equal<MCPAppResourceCSP['baseUriDomains'], PeerCSP['baseUriDomains']>>()
  holds<Equal<RequestOptions['_meta'], Record<string, unknown> | undefined>>()
}
