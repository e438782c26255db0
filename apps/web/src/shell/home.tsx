import { Redirect, useLocation } from 'wouter'
import { listGpts, setting } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'

/** A new chat with the GPT that was last used; without any GPT, the way to the first. */
export function Home() {
  const engine = useEngine()
  const [, go] = useLocation()
  const found = useLive(async (db) => ({ gpts: await listGpts(db), preferred: await setting(db, 'defaultGptId') }), [])
  if (!found) return null
  const gpts = found.gpts.filter(({ archivedAt }) => archivedAt === undefined)
  const gpt = gpts.find(({ id }) => id === found.preferred) ?? gpts[0]
  if (gpt) return <Redirect to={`/gpt/${gpt.id}/new`} replace />
  // On the very first start the engine is just putting the demo in place.
  if (engine.state.phase === 'starting') return null
  return (
    <EmptyState
      icon="sparkle"
      title="Make your first GPT"
      action={
        <Button
          look="primary"
          icon="plus"
          onClick={() => void engine.createGpt({}).then(({ gptId }) => go(`/gpts/${gptId}`))}
        >
          New GPT
        </Button>
      }
    >
      <p>A GPT is an assistant of your own: instructions, a model, and the tools of the servers you connect.</p>
    </EmptyState>
  )
}
