import { type OAuthTokens, oauthTokensSchema } from '#domain/sealed.ts'
import { checked } from './checked.ts'
import type { Database } from './db.ts'
import { writing } from './in-transaction.ts'

/** What may be seen of tokens without the vault: that there are some, what they allow, when they end. */
export function createSignInNotes(db: Database) {
  return {
    note: (row: OAuthTokens): Promise<void> =>
      writing(db, [db.mcpOAuthTokens], async () => {
        await db.mcpOAuthTokens.put(checked(oauthTokensSchema, row, 'sign-in'))
      }),

    forget: (serverId: string): Promise<void> =>
      writing(db, [db.mcpOAuthTokens], async () => {
        await db.mcpOAuthTokens.delete(serverId)
      }),
  }
}
