import { useState } from 'react'
import type { Server, SignInOffer } from '#domain/server.ts'
import { visibleText } from '#lib/visible-text.ts'
import { signedIn } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { Explained } from '#ui/explained.tsx'
import { Section } from '#ui/page.tsx'
import { SignInCard } from '#ui/sign-in-card.tsx'
import { showToast } from '#ui/toast.tsx'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { useSignIn } from '#wiring/use-sign-in.ts'

/** The way to sign in to a server, as it is saved or while it is tried. */
export function SignIn({
  serverName,
  offer,
  onSignedIn,
  beforeLeaving,
}: {
  serverName: string
  offer: SignInOffer
  onSignedIn?: () => void
  /** Keeps what would be lost with the page. */
  beforeLeaving?: () => void
}) {
  const deed = useSignIn({ serverId: offer.serverId, given: offer, onSignedIn, beforeLeaving })
  return (
    <SignInCard
      serverName={serverName}
      offer={deed.offer}
      phase={deed.phase}
      trouble={deed.failure?.message}
      onSignIn={deed.signIn}
    />
  )
}

/** Whether somebody is signed in to a server, what that allows, and the way out. */
export function SignedIn({ server }: { server: Server }) {
  const engine = useEngine()
  const leaving = useDeed()
  const [now] = useState(Date.now)
  const tokens = useLive((db) => signedIn(db, server.id), [server.id])
  if (!tokens) return null
  const { scope, expiresAt } = tokens
  const signOut = () =>
    void leaving
      .run(() => engine.signOut({ serverId: server.id }))
      .then((done) => {
        if (!done) return
        showToast(
          done.revoked
            ? `Signed out of ${server.name}.`
            : `Signed out of ${server.name} here. It was not told: it has no way for that, or did not answer.`,
        )
      })
  return (
    <Section title="Signed in" hint="The tokens are in the vault, and go to this server only.">
      <p>
        {scope ? <>You allowed: {visibleText(scope)}.</> : 'It did not say what that allows.'}{' '}
        {expiresAt !== undefined &&
          (expiresAt > now
            ? `Good until ${new Date(expiresAt).toLocaleString()}, and renewed by itself where the server allows that.`
            : 'It is renewed by itself where the server allows that.')}
      </p>
      {leaving.failure && <Explained {...explain(leaving.failure)} />}
      <div>
        <Button icon="lock" busy={leaving.isBusy} onClick={signOut}>
          Sign out
        </Button>
      </div>
    </Section>
  )
}
