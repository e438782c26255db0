import type { OAuthTokens } from './provider.ts'

/** What guards the tokens of one server: whoever changes them holds it. */
export const lockOf = ({ issuer, resource }: OAuthTokens): string => `mcp-oauth ${issuer} ${resource}`

const waiting = new Map<string, Promise<unknown>>()

/** One at a time: over all tabs of this origin where there are Web Locks, else within this program. */
export async function withLock<T>(name: string, deed: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks as LockManager | undefined
  if (locks) return (await locks.request(name, deed)) as T
  const before = waiting.get(name)
  const mine = (async () => {
    await before?.catch(() => {})
    return deed()
  })()
  waiting.set(name, mine)
  try {
    return await mine
  } finally {
    if (waiting.get(name) === mine) waiting.delete(name)
  }
}
