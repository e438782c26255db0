import { lazy, Suspense } from 'react'
import type { ToolCall } from '#domain/tool-call.ts'
import { questionsOf } from '#storage/live.ts'
import { useLive } from '#wiring/use-live.ts'
import { useKept } from '#wiring/use-kept.ts'

const Questions = lazy(async () => ({ default: (await import('./questions.tsx')).Questions }))

/** The questions of a call, if there are any: only then is loaded what they are drawn with. */
export function QuestionsBelow({ call }: { call: ToolCall }) {
  const questions = useKept(useLive((db) => questionsOf(db, call.id), [call.id]))
  if (!questions || questions.length === 0) return null
  return (
    <Suspense fallback={<div aria-busy="true" />}>
      <Questions call={call} questions={questions} />
    </Suspense>
  )
}
