// Held by the compiler, never run: code that was written with the types of @ai-sdk/mcp compiles with ours.
import type * as Peer from '@ai-sdk/mcp'
import type * as Core from '@switchboard/mcp'
import type * as SignedIn from '@switchboard/mcp/oauth'

/** A transport of its users, with all that the interface knows. */
export class OwnTransport implements Core.MCPTransport {
  supportsProtocolVersionDiscovery = true
  waitsForProtocolVersionDiscovery = false
  supportsMcpToolParameterHeaders = true
  protocolVersion = ''
  onmessage?: (message: Core.JSONRPCMessage) => void
  onerror?: (error: Error) => void
  onclose?: () => void
  async start(): Promise<void> {}
  async send(_message: Core.JSONRPCMessage, _options?: Core.MCPTransportSendOptions): Promise<void> {}
  async close(_options?: Core.MCPTransportCloseOptions): Promise<void> {}
  setProtocolVersion(version: string): void {
    this.protocolVersion = version
  }
}

export const transports = {
  own: (transport: OwnTransport): Peer.MCPTransport => transport,
  theirs: (transport: Peer.MCPTransport): Core.MCPTransport => transport,
  given: (transport: Peer.MCPTransport): Core.MCPClientConfig => ({ transport }),
  members: (name: keyof Peer.MCPTransport): keyof Core.MCPTransport => name,
}

/** The two entries are one library: a client of either is one of the other. */
export const entries = {
  core: (client: SignedIn.MCPClient): Core.MCPClient => client,
  signedIn: (client: Core.MCPClient): SignedIn.MCPClient => client,
  experimental: (client: Core.experimental_MCPClient): SignedIn.experimental_MCPClient => client,
  transport: (transport: SignedIn.HttpTransport): Core.HttpTransport => transport,
}

/** A configuration of the entry that signs in names a provider, under either name. */
export const configurations = (authProvider: Peer.OAuthClientProvider) => {
  const config: SignedIn.MCPClientConfig = { transport: { type: 'http', url: 'https://a.example/mcp', authProvider } }
  const same: SignedIn.experimental_MCPClientConfig = config
  const options: SignedIn.HttpTransportOptions = { url: 'https://a.example/mcp', authProvider }
  // @ts-expect-error: the main entry does not sign in.
  const without: Core.MCPClientConfig = { transport: { type: 'http', url: 'https://a.example/mcp', authProvider } }
  return { config, same, options, without }
}

export const providers = {
  place: (given: Peer.OAuthAuthorizationServerInformation): SignedIn.OAuthAuthorizationServerInformation => given,
  back: (given: SignedIn.OAuthAuthorizationServerInformation): Peer.OAuthAuthorizationServerInformation => given,
  members: (name: keyof Peer.OAuthClientProvider): keyof SignedIn.OAuthClientProvider => name,
}
