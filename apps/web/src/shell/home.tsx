import { lazy, Suspense, useState } from 'react'
import { Redirect } from 'wouter'
import { isSeeded, listGpts, setting } from '#storage/live.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'

const FirstGpt = lazy(() => import('./first-gpt.tsx').then((m) => ({ default: m.FirstGpt })))

/** A new chat with the GPT that was last used; without any GPT, the way to the first. */
export function Home() {
  const engine = useEngine()
  const [isMaking, setMaking] = useState(false)
  const found = useLive(
    async (db) => ({
      gpts: await listGpts(db),
      preferred: await setting(db, 'defaultGptId'),
      isSeeded: await isSeeded(db),
    }),
    [],
  )
  if (!found) return null
  const gpts = found.gpts.filter(({ archivedAt }) => archivedAt === undefined)
  const gpt = gpts.find(({ id }) => id === found.preferred) ?? gpts[0]
  // The one that is being made is seen before or after its answer, which leads to its editor.
  if (gpt && !isMaking) return <Redirect to={`/gpt/${gpt.id}/new`} replace />
  // On the very first start the engine is just putting the demo in place, or has and it is not seen yet.
  if (engine.state.phase === 'starting' || (engine.state.isNew && !found.isSeeded)) return null
  return (
    <Suspense>
      <FirstGpt isMaking={isMaking} setMaking={setMaking} />
    </Suspense>
  )
}
