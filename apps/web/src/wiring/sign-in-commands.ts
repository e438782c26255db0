import type { Carried, EngineParts } from './engine-parts.ts'

type Names = 'prepareSignIn' | 'finishSignIn' | 'signOut'

/** What the engines of all tabs tell each other: whose sign-in it was, and never what it brought. */
interface SignInNews {
  serverId: string
  isSignedIn: boolean
}

export function signInCommands({ mcp, turns }: EngineParts, channel: BroadcastChannel): Carried<Names> {
  const { connections, signIns } = mcp
  const tell = (news: SignInNews) => channel.postMessage(news)
  channel.addEventListener('message', ({ data }: MessageEvent<SignInNews>) => {
    connections.close(data.serverId)
    // What comes of it is told by the state of the server.
    if (data.isSignedIn) void connections.connect(data.serverId).catch(() => {})
  })
  return {
    prepareSignIn: ({ serverId }) => signIns.prepare(serverId),
    async finishSignIn({ answer }) {
      const { serverId } = await signIns.finish(answer)
      tell({ serverId, isSignedIn: true })
      // The calls that were interrupted for it are made now, each once; in whichever tab they were.
      void turns.resumeSignedIn(serverId).catch(() => {})
      return { serverId }
    },
    async signOut({ serverId }) {
      const { revoked } = await signIns.signOut(serverId)
      tell({ serverId, isSignedIn: false })
      return { revoked }
    },
  }
}
