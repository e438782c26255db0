import type { Question } from '#domain/question.ts'
import type { ReadQuestion } from './read-question.ts'

/** After so many refusals in one call a server has had its answer. */
export const MOST_REFUSALS = 3
/** Answers of a model that one call may have. */
export const MOST_SAMPLES = 5
/** Questions of one call that are kept; what comes after is refused, and leaves no trace. */
export const MOST_KEPT = 20

/** What one server may ask within an hour, in however many calls. */
export const HOUR_MS = 60 * 60_000
export const MOST_AN_HOUR = 60
export const MOST_SAMPLES_AN_HOUR = 20

const MUTED = 'You said no three times during this call, so it was answered with no.'
const TOO_MANY_SAMPLES = `It asked for more than ${MOST_SAMPLES} answers of a model in one call.`

const TOO_OFTEN = `It asked you more than ${MOST_AN_HOUR} times within an hour.`
const TOO_MANY_AN_HOUR = `It asked for more than ${MOST_SAMPLES_AN_HOUR} answers of a model within an hour.`

export interface AskedBefore {
  /** Questions of the same call so far. */
  ofCall: readonly Question[]
  /** Questions of the same server within the last hour, those of this call among them. */
  ofServer: readonly Question[]
}

const samplesIn = (questions: readonly Question[]): number => questions.filter(({ kind }) => kind === 'sampling').length

/** Why a question is not put to the user; undefined where it is. */
export function whyRefused({ kind, refused }: ReadQuestion, { ofCall, ofServer }: AskedBefore): string | undefined {
  if (refused !== undefined) return refused
  const denied = ofCall.filter(
    (question) => question.refused === undefined && (question.state === 'declined' || question.state === 'cancelled'),
  )
  if (denied.length >= MOST_REFUSALS) return MUTED
  if (ofCall.length >= MOST_KEPT) return `It asked more than ${MOST_KEPT} times in one call.`
  if (kind === 'sampling' && samplesIn(ofCall) >= MOST_SAMPLES) return TOO_MANY_SAMPLES
  // What was refused did not disturb anybody, and cost nothing.
  const put = ofServer.filter((question) => question.refused === undefined)
  if (put.length >= MOST_AN_HOUR) return TOO_OFTEN
  if (kind === 'sampling' && samplesIn(put) >= MOST_SAMPLES_AN_HOUR) return TOO_MANY_AN_HOUR
  return undefined
}
