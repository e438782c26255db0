import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { failureOf } from '#domain/failure.ts'
import { SIGN_IN_ANSWER } from '#lib/sign-in-names.ts'
import { Notice } from '#ui/notice.tsx'
import { showToast } from '#ui/toast.tsx'
import { explain } from '#wiring/explain.ts'
import { tellSignedIn } from '#wiring/signed-in-news.ts'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'

/** Ends a sign-in for which the page was left. A vault that is locked by now is opened first; until then nothing is lost. */
export function FinishSignIn() {
  const engine = useEngine()
  const isReady = useEngineState(({ phase, vault }) => phase === 'ready' && vault.state === 'open')
  const isLocked = useEngineState(({ phase, vault }) => phase === 'ready' && vault.state === 'locked')
  const [trouble, setTrouble] = useState<string>()
  const isBegun = useRef(false)
  useEffect(() => {
    const answer = sessionStorage.getItem(SIGN_IN_ANSWER)
    if (!isReady || isBegun.current || answer === null) return
    isBegun.current = true
    // Good once: a reload in the middle must not try it a second time.
    sessionStorage.removeItem(SIGN_IN_ANSWER)
    engine.finishSignIn({ answer }).then(
      ({ serverId }) => {
        tellSignedIn(serverId)
        showToast('You are signed in.')
      },
      (error: unknown) => setTrouble(explain(failureOf(error)).text),
    )
  }, [engine, isReady])
  if (trouble)
    return (
      <Notice tone="bad" title="You are not signed in">
        {trouble}
      </Notice>
    )
  if (!isLocked || isBegun.current) return null
  return (
    <Notice
      tone="warn"
      title="Unlock the vault to finish signing in"
      actions={<Link href="/settings/vault">Unlock</Link>}
    >
      You are back from signing in, and what you came back with belongs into the vault. It is kept until then.
    </Notice>
  )
}
