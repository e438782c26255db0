import { createMCPClient as createCoreClient, type WithAdapter } from '../client/create-client.ts'
import type { MCPClientConfig } from '../client/connection.ts'
import type { ManagedMCPClient } from '../client/events-later.ts'
import { MCPClient as CoreClient } from '../client/mcp-client.ts'
import { HttpTransport as CoreTransport, type HttpTransportOptions } from '../transport/http.ts'
import { auth } from './auth.ts'
import type { OAuthClientProvider } from './provider.ts'
import { OAuthTokenSource } from './token-source.ts'

/** The `HttpTransportOptions` of the main entry, with `authProvider`. */
export type OAuthTransportOptions = Omit<HttpTransportOptions, 'authProvider'> & { authProvider?: OAuthClientProvider }
type Addressed = Extract<MCPClientConfig['transport'], { type: string }>
type Target = string | URL | OAuthClientConfig
/** The `MCPClientConfig` of the main entry, with `authProvider` in its transport. */
export type OAuthClientConfig = Omit<MCPClientConfig, 'transport'> & {
  transport:
    | Exclude<MCPClientConfig['transport'], Addressed>
    | (Omit<Addressed, 'authProvider'> & { authProvider?: OAuthClientProvider })
}

/** Puts tokens of the provider in the place of the provider, which the core does not know. */
function withTokens<T extends { url?: string | URL; authProvider?: OAuthClientProvider; fetch?: unknown }>(
  options: T,
): Omit<T, 'authProvider'> {
  const { authProvider, ...rest } = options
  if (!authProvider || !rest.url) return rest
  const fetch = rest.fetch as HttpTransportOptions['fetch']
  return {
    ...rest,
    tokenSource: new OAuthTokenSource(authProvider, new URL(rest.url, globalThis.location?.href), fetch),
  }
}

const isAddress = (target: unknown): target is string | URL => typeof target === 'string' || target instanceof URL

function configure(target: Target): MCPClientConfig {
  if (isAddress(target)) return { transport: target }
  const transport = target?.transport
  // What is no configuration is refused by the core, with a hint.
  if (!transport || typeof transport !== 'object' || isAddress(transport) || 'send' in transport)
    return target as MCPClientConfig
  return { ...target, transport: withTokens(transport) } as MCPClientConfig
}

/** The `HttpTransport` of the main entry, with `authProvider`. */
export class HttpTransport extends CoreTransport {
  readonly #authProvider: OAuthClientProvider | undefined

  constructor(target: string | URL | OAuthTransportOptions, options?: Omit<OAuthTransportOptions, 'url'>) {
    const given = isAddress(target) && options ? { ...options, url: target } : target
    super(isAddress(given) ? given : withTokens(given), given === target ? options : undefined)
    if (typeof given === 'object' && 'authProvider' in given) this.#authProvider = given.authProvider
  }

  /**
   * Ends a sign-in with what the person brought back: the query of the page they came to, or its code alone. Then
   * connect again.
   */
  async finishAuth(answer: URLSearchParams | string, issuer?: string): Promise<void> {
    if (!this.#authProvider) throw new TypeError('finishAuth needs the authProvider option')
    const { url, fetch } = this.options
    await auth(this.#authProvider, {
      serverUrl: url,
      fetchFn: fetch,
      ...(typeof answer === 'string' ? { authorizationCode: answer, callbackIssuer: issuer } : { callback: answer }),
    })
  }
}

/** The `MCPClient` of the main entry, with `authProvider` in its transport. */
export class MCPClient extends CoreClient {
  constructor(target: Target) {
    super(configure(target))
  }
}

/** The `createMCPClient` of the main entry, with `authProvider` in its transport. */
export function createMCPClient(config: WithAdapter<OAuthClientConfig>): Promise<ManagedMCPClient>
export function createMCPClient(url: string | URL): Promise<CoreClient>
export function createMCPClient(config: OAuthClientConfig): Promise<CoreClient>
export function createMCPClient(target: Target): Promise<CoreClient | ManagedMCPClient> {
  return createCoreClient(configure(target))
}
