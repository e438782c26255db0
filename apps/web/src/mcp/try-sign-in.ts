import { Failed } from '#domain/failure.ts'
import type { Server, ServerSecrets, SignInOffer } from '#domain/server.ts'
import { checkAddress } from './check-address.ts'
import { followSignIn, followsSignIn, passing, signInNeeds } from './follow-sign-in.ts'
import type { McpNeeds } from './needs.ts'
import type { Following } from './sign-in/follow-later.ts'
import type { OpenSecret } from './sign-in/needs.ts'
import { draftId as draftRow } from './sign-ins.ts'

interface Tried {
  server: Pick<Server, 'name' | 'transport' | 'url' | 'authentication'>
  secrets: ServerSecrets
  serverId?: string
  draftId?: string
}

export interface Trial {
  following?: Following
  /** Where to sign in, once the server has wanted it. */
  offer(): Promise<SignInOffer | undefined>
}

/**
 * How a test signs in: as the server does where it is tried as it is saved, in a name that it will be saved with where it is
 * new, and otherwise for the test alone.
 */
export async function trySignIn(
  { server, secrets, serverId, draftId }: Tried,
  open: OpenSecret,
  needs: McpNeeds,
  onToken: (token: string) => void,
): Promise<Trial> {
  if (!followsSignIn(server)) return { offer: async () => undefined }
  const { name, authentication } = server
  const url = checkAddress(server.url)
  const saved = serverId === undefined ? undefined : await needs.servers.server(serverId)
  const id = saved ? idAsSaved(saved, url, authentication, secrets) : draftId
  const own = signInNeeds(needs)
  const tried = { id: id ?? 'test', name, url, authentication }
  const following = followSignIn(
    { ...tried, transport: server.transport },
    open,
    id === undefined ? passing(own) : own,
    onToken,
  )
  return {
    ...(following && { following }),
    async offer() {
      const offer = following?.offer()
      if (!offer) return undefined
      if (id === undefined)
        throw new Failed('sign-in-needed', `${name} wants you to sign in. Save it as it is now, and sign in then.`)
      if (!saved) await needs.secrets.seal(draftRow(id), JSON.stringify({ server: tried, secrets }))
      return offer
    },
  }
}

/** A sign-in belongs to the server as it was when somebody signed in. */
function idAsSaved(
  saved: Server,
  url: string,
  authentication: Server['authentication'],
  secrets: ServerSecrets,
): string | undefined {
  const isSame = saved.url === url && JSON.stringify(saved.authentication) === JSON.stringify(authentication)
  return isSame && !secrets.clientSecret && !secrets.privateKey ? saved.id : undefined
}
