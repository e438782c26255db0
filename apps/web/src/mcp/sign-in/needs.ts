import type { OAuthTokens } from '#domain/sealed.ts'
import type { Server, ServerSecretField } from '#domain/server.ts'

/** A server that somebody may have to sign in to; one that is not saved yet has an id already. */
export type SignInServer = Pick<Server, 'id' | 'name' | 'url' | 'authentication'>

/** Reads one of the secrets that the user entered for a server. */
export type OpenSecret = (field: ServerSecretField) => Promise<string | undefined>

/** A server as it is saved, or as it is being tried, with what was entered for it. */
export interface Known {
  server: SignInServer
  open: OpenSecret
}

export interface SignInNeeds {
  /** The vault. Rejects with `Failed` (`vault-locked`). */
  secrets: {
    open(id: string): Promise<string | undefined>
    seal(id: string, text: string): Promise<void>
    remove(id: string): Promise<void>
  }
  /** What may be seen of tokens without the vault: that there are some, what they allow, when they end. */
  signIns: {
    note(row: OAuthTokens): Promise<void>
    forget(serverId: string): Promise<void>
  }
  /** Where people come back to. */
  redirectUrl: string
  fetch: (url: string, init: RequestInit) => Promise<Response>
  now: () => number
}
