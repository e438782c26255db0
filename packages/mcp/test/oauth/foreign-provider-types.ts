// Held by the compiler, never run: a line breaks the type-check when a provider of others no longer fits.
import type * as AiSdk from '@ai-sdk/mcp'
import type * as V2 from '@modelcontextprotocol/client'
import type * as V1 from '@modelcontextprotocol/sdk/client/auth.js'
import type * as Ours from '@switchboard/mcp/oauth'

/** A provider written for any of them is one for us. */
export const theirsToOurs = {
  aiSdk: (provider: AiSdk.OAuthClientProvider): Ours.OAuthClientProvider => provider,
  v1: (provider: V1.OAuthClientProvider): Ours.OAuthClientProvider => provider,
  v2: (provider: V2.OAuthClientProvider): Ours.OAuthClientProvider => provider,
}

/** `auth` is called as theirs are. */
export const auth = {
  aiSdk: (
    options: Parameters<typeof AiSdk.auth>[1],
  ): Pick<Ours.AuthOptions, Exclude<keyof typeof options, 'fetchFn'>> => options,
  v1: (options: Parameters<typeof V1.auth>[1]): Pick<Ours.AuthOptions, 'serverUrl' | 'authorizationCode' | 'scope'> =>
    options,
  result: (result: Ours.AuthResult): V1.AuthResult => result,
}
