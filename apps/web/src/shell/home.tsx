import { useState } from 'react'
import { Redirect } from 'wouter'
import { failureOf } from '#domain/failure.ts'
import { isSeeded, listGpts, setting } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { showToast } from '#ui/toast.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useGoUnlessLeft } from '#wiring/use-go-unless-left.ts'
import { useLive } from '#wiring/use-live.ts'

/** A new chat with the GPT that was last used; without any GPT, the way to the first. */
export function Home() {
  const engine = useEngine()
  const go = useGoUnlessLeft()
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
  const make = () => {
    setMaking(true)
    engine.createGpt({}).then(
      ({ gptId }) => go(`/gpts/${gptId}`),
      (error: unknown) => {
        setMaking(false)
        showToast(failureOf(error).message)
      },
    )
  }
  return (
    <EmptyState
      icon="sparkle"
      title="Make your first GPT"
      action={
        <Button look="primary" icon="plus" busy={isMaking} onClick={make}>
          New GPT
        </Button>
      }
    >
      <p>A GPT is an assistant of your own: instructions, a model, and the tools of the servers you connect.</p>
    </EmptyState>
  )
}
