import type { Page } from 'playwright'
import type { Driver } from './driver.ts'
import type { RotatingServer } from './rotating-server.ts'

// What the page of driver.ts has.
declare const driver: Driver

/** Stores the tokens of somebody who has just signed in. */
export async function signInWith(page: Page, server: RotatingServer): Promise<void> {
  const { url, issuer } = server
  await page.evaluate(
    async ({ where, tokens }) => {
      const provider = driver.provide(where)
      const context = { issuer: tokens.issuer }
      await provider.saveClientInformation({ client_id: 'tabs', ...context }, context)
      await provider.saveTokens({ ...tokens, obtained_at: performance.timeOrigin + performance.now() })
    },
    {
      where: { serverUrl: url },
      tokens: { ...server.begin(), token_type: 'Bearer', expires_in: 3600, issuer, resource: url },
    },
  )
}
