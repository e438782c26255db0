import { failureOf } from '#domain/failure.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { showToast } from '#ui/toast.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useGoUnlessLeft } from '#wiring/use-go-unless-left.ts'

/** The way to a GPT for who has none. */
export function FirstGpt({ isMaking, setMaking }: { isMaking: boolean; setMaking: (isMaking: boolean) => void }) {
  const engine = useEngine()
  const go = useGoUnlessLeft()
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
