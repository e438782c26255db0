import { failureOf } from '#domain/failure.ts'
import { showToast } from '#ui/toast.tsx'
import { explain } from '#wiring/explain.ts'

/** Says in passing that a deed without a place of its own on the screen did not work. */
export function sayFailure(error: unknown): void {
  const { title, text } = explain(failureOf(error))
  showToast(`${title}. ${text}`)
}
