import type { Question } from '#domain/question.ts'
import type { ReadQuestion } from './read-question.ts'

/** After so many refusals in one call a server has had its answer. */
export const MOST_REFUSALS = 3
/** Answers of a model that one call may have. */
export const MOST_SAMPLES = 5
/** Questions of one call that are kept; what comes after is refused, and leaves no trace. */
export const MOST_KEPT = 20

const MUTED = 'You said no three times during this call, so it was answered with no.'
const TOO_MANY_SAMPLES = `It asked for more than ${MOST_SAMPLES} answers of a model in one call.`

/** Why a question is not put to the user; undefined where it is. `before` are the questions of the same call so far. */
export function whyRefused({ kind, refused }: ReadQuestion, before: readonly Question[]): string | undefined {
  if (refused !== undefined) return refused
  const denied = before.filter(
    (question) => question.refused === undefined && (question.state === 'declined' || question.state === 'cancelled'),
  )
  if (denied.length >= MOST_REFUSALS) return MUTED
  if (before.length >= MOST_KEPT) return `It asked more than ${MOST_KEPT} times in one call.`
  if (kind === 'sampling' && before.filter((question) => question.kind === 'sampling').length >= MOST_SAMPLES)
    return TOO_MANY_SAMPLES
  return undefined
}
