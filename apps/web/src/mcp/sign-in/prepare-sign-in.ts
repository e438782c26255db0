import type { SignInOffer } from '#domain/server.ts'
import { challengeId, follow } from './follow.ts'
import type { Known, SignInNeeds } from './needs.ts'

/** Offers the sign-in again that a server wanted last, with a fresh address; undefined where it wanted none. */
export async function prepareSignIn({ server, open }: Known, needs: SignInNeeds): Promise<SignInOffer | undefined> {
  const kept = await needs.secrets.open(challengeId(server.id))
  if (kept === undefined) return undefined
  const { status, wwwAuthenticate } = JSON.parse(kept) as { status: number; wwwAuthenticate: string }
  const following = await follow(server, open, needs)
  const token = await following.token()
  try {
    await following.challenge({ status, wwwAuthenticate: wwwAuthenticate || undefined, token })
  } catch (error) {
    const offer = following.offer()
    if (offer) return offer
    throw error
  }
  // Tokens came without a person, by a refresh or from another tab.
  await needs.secrets.remove(challengeId(server.id))
  return undefined
}
