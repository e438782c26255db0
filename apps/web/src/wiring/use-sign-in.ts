import { useCallback, useEffect, useRef, useState } from 'react'
import { type Failure, failureOf } from '#domain/failure.ts'
import type { SignInOffer } from '#domain/server.ts'
import { useEngine } from './use-engine.ts'
import { visitSignIn } from './visit-sign-in.ts'

/** `waiting`: a window is open. `finishing`: they are back. `done`: signed in, and nothing newer is offered. */
export type SignInPhase = 'preparing' | 'ready' | 'waiting' | 'finishing' | 'done'

export interface SignInDeed {
  offer: SignInOffer | undefined
  phase: SignInPhase
  /** Why it did not work the last time. */
  failure: Failure | undefined
  /** To be called in the click itself. */
  signIn: () => void
}

/**
 * Signing in to one server: keeps an offer that is good, opens the window, and ends it with what comes back. `given` is the
 * offer that the engine made already, if it did.
 */
export function useSignIn({
  serverId,
  given,
  onSignedIn,
  beforeLeaving,
}: {
  serverId: string
  given?: SignInOffer | undefined
  onSignedIn?: (() => void) | undefined
  /** Keeps what would be lost with the page, where the browser opens no window. */
  beforeLeaving?: (() => void) | undefined
}): SignInDeed {
  const engine = useEngine()
  const [own, setOwn] = useState<SignInOffer>()
  const [phase, setPhase] = useState<SignInPhase>('ready')
  const [failure, setFailure] = useState<Failure>()
  const [doneUntil, setDoneUntil] = useState(-1)
  const offer = own && own.until >= (given?.until ?? 0) ? own : given

  const prepare = useCallback(async () => {
    setPhase('preparing')
    try {
      setOwn(await engine.prepareSignIn({ serverId }))
    } catch (error) {
      setFailure(failureOf(error))
    }
    setPhase('ready')
  }, [engine, serverId])

  const until = offer?.until ?? 0
  // Whoever wanted it hears of it later: until then there is nothing to prepare. A server that refuses again has a newer offer.
  const isDone = until <= doneUntil
  const isIdle = phase === 'ready' && !failure && !isDone
  useEffect(() => {
    if (!isIdle) return undefined
    // An old address would be refused after the person has signed in. A tab that nobody looks at waits until somebody does.
    const look = () => {
      if (Date.now() >= until && !document.hidden) void prepare()
    }
    const timer = setTimeout(look, Math.max(until - Date.now(), 0))
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [until, isIdle, prepare])

  // Of now, not of the click: signing in takes its time, and the screen goes on.
  const now = useRef({ onSignedIn, until })
  useEffect(() => void (now.current = { onSignedIn, until }), [onSignedIn, until])
  const visits = useRef(0)
  const signIn = () => {
    if (!offer || Date.now() > offer.until) return void prepare()
    visits.current += 1
    const visit = visitSignIn(offer.url, beforeLeaving)
    // One who opens the window again comes back once.
    const mine = visits.current
    setFailure(undefined)
    setPhase('waiting')
    void (async () => {
      try {
        const answer = await visit
        if (mine !== visits.current) return
        setPhase('finishing')
        await engine.finishSignIn({ answer })
        setPhase('ready')
        setDoneUntil(now.current.until)
        now.current.onSignedIn?.()
      } catch (error) {
        if (mine !== visits.current) return
        // An attempt is good once: the next one needs an address of its own.
        await prepare()
        setFailure(failureOf(error))
      }
    })()
  }
  return { offer, phase: isDone && phase === 'ready' ? 'done' : phase, failure, signIn }
}
