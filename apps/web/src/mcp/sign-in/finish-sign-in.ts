import { auth } from '@switchboard/mcp/oauth'
import { Failed } from '#domain/failure.ts'
import { explainFault } from './explain-fault.ts'
import { challengeId } from './follow.ts'
import type { Known, SignInNeeds } from './needs.ts'
import { PersonProvider } from './person-provider.ts'
import { providerOf } from './provider-of.ts'

/** Changes what a person came back with for tokens; `answer` is the query of the page that they came back to. */
export async function finishSignIn(answer: string, { server, open }: Known, needs: SignInNeeds): Promise<void> {
  try {
    const provider = await providerOf(server, open, needs)
    if (!(provider instanceof PersonProvider))
      throw new Failed('sign-in-needed', `${server.name} is signed in to without a person now.`)
    const callback = new URLSearchParams(answer)
    await provider.resume(callback.get('state') ?? '')
    await auth(provider, { serverUrl: server.url, callback, fetchFn: needs.fetch })
    await needs.secrets.remove(challengeId(server.id))
  } catch (error) {
    throw explainFault(error, server.name)
  }
}
