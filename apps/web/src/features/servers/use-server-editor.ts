import { useEffect, useEffectEvent, useState } from 'react'
import type { Failure } from '#domain/failure.ts'
import type { Authentication, Server, ServerSecrets, SignInOffer } from '#domain/server.ts'
import { FRESH_AUTHENTICATION } from '#ui/fresh-authentication.ts'
import { onSignedIn } from '#wiring/signed-in-news.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'
import { useGoUnlessLeft } from '#wiring/use-go-unless-left.ts'
import { forgetDraft, keepDraft, keptDraft } from './kept-draft.ts'
import { freshServer, inputOf, requestOf, type ServerDraft } from './server-draft.ts'
import { type KnownServer, type ServerTest, useServerTest } from './use-server-test.ts'

export interface ServerEditor {
  draft: ServerDraft
  /** What was found counts no more where it was of something else. */
  change: (next: Partial<ServerDraft>) => void
  replace: (draft: ServerDraft) => void
  testing: ServerTest
  test: () => void
  /** Takes over a change and tests with it at once. */
  testWith: (next: Partial<ServerDraft>) => void
  /** Looks in passing, without being asked. */
  look: () => void
  save: () => void
  isSaving: boolean
  saveFailure: Failure | undefined
  signIn: SignInOffer | undefined
  /** Before the page is left to sign in. */
  keep: () => void
  /** It was left to sign in, and found again. */
  isFoundAgain: boolean
  identity: Identity
}

/** How the server is told who asks, as the form shows it. */
export interface Identity {
  /** The server refused a request for want of it: its fields must be in sight. */
  isWanted: boolean
  authentication: Authentication
  change: (next: { authentication?: Authentication; secrets?: ServerSecrets }) => void
}

/** What a test does not depend on: who only gives a name keeps what was found. */
const UNTESTED = new Set(['name', 'description', 'trusted', 'enabled'])
/** Who signs in, and where. */
const SIGNING_IN = new Set(['url', 'authentication', 'secrets'])

/** What stands in the form of a server, and what is done with it. */
export function useServerEditor(server: Server | undefined): ServerEditor {
  const engine = useEngine()
  const go = useGoUnlessLeft()
  // A form that was left to sign in is found as it was.
  const [kept] = useState(() => (server ? undefined : keptDraft()))
  useEffect(() => (kept ? forgetDraft() : undefined), [kept])
  const [draftId, setDraftId] = useState(() => kept?.draftId ?? crypto.randomUUID())
  const [draft, setDraft] = useState<ServerDraft>(() =>
    server ? inputOf(server) : { ...freshServer(), ...kept?.draft },
  )
  const known: KnownServer = server ? { serverId: server.id } : { draftId }
  const testing = useServerTest()
  const saving = useDeed()
  const state = useEngineState((all) => (server ? all.servers[server.id] : undefined))

  /** What the server wanted when it last refused a request, for the address that it was sent to. */
  const [refusal, setRefusal] = useState<{ url: string; wants: Failure['wants'] }>()
  const stateWants = server && state?.state === 'error' ? state.failure.wants : undefined
  const isRefused = refusal?.url === draft.url
  const wants = isRefused ? refusal.wants : refusal ? undefined : stateWants
  const isUndecided = draft.authentication.type === 'auto' || draft.authentication.type === 'none'
  const authentication = wants && isUndecided ? FRESH_AUTHENTICATION[wants] : draft.authentication
  const identity: Identity = {
    isWanted: isRefused || stateWants !== undefined,
    authentication,
    change: (next) => {
      // A choice of the person's own stands, whatever the server asks for.
      if (next.authentication) setRefusal({ url: draft.url, wants: undefined })
      change({ authentication, ...next })
    },
  }

  /** A client that was registered while somebody still filled in the form must not be used for what the form says now. */
  const renewDraft = (): KnownServer => {
    if (server) return known
    const fresh = crypto.randomUUID()
    setDraftId(fresh)
    return { draftId: fresh }
  }
  const replace = (next: ServerDraft) => {
    setDraft(next)
    renewDraft()
    testing.forget()
    saving.forget()
  }
  const change = (next: Partial<ServerDraft>): KnownServer => {
    const fields = Object.keys(next)
    setDraft((before) => ({ ...before, ...next }))
    saving.forget()
    if (fields.some((field) => !UNTESTED.has(field))) testing.forget()
    return fields.some((field) => SIGNING_IN.has(field)) ? renewDraft() : known
  }
  const tryIt = (isAsked: boolean, tried = draft, as = known) =>
    void testing.run(tried, isAsked, as).then((report) => {
      // What it calls itself is a good first name; the user may have a better one.
      const title = report?.found?.title.slice(0, 100)
      const told = report?.failure?.code === 'sign-in-needed' && !report.signIn ? report.failure : undefined
      if (told) setRefusal({ url: draft.url, wants: told.wants })
      if (title) setDraft((before) => (before.name.trim() === '' ? { ...before, name: title } : before))
    })
  const test = () => tryIt(true)
  const testWith = (next: Partial<ServerDraft>) => {
    tryIt(true, { ...draft, ...next }, change(next))
  }
  const testAgain = useEffectEvent(test)
  useEffect(() => onSignedIn(draftId, testAgain), [draftId])
  const save = () =>
    void saving
      .run(() => engine.saveServer({ ...requestOf(draft), ...known }))
      .then((saved) => {
        if (saved) go('/servers')
      })
  const { report } = testing
  return {
    draft,
    change,
    replace,
    testing,
    test,
    testWith,
    look: () => tryIt(false),
    save,
    isSaving: saving.isBusy,
    saveFailure: saving.failure,
    signIn: report ? report.signIn : state?.state === 'error' ? state.signIn : undefined,
    keep: () => keepDraft(draftId, draft),
    isFoundAgain: kept !== undefined,
    identity,
  }
}
