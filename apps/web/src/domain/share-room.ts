import { RESULT_BUDGET } from './result-for-model.ts'

/**
 * Characters that all results of one request have together. In English they are 24,000 tokens; in a script of which every
 * character is a token, such as Chinese, 96,000: beside the definitions of tools (12,000) also those leave the
 * conversation itself 20,000 of the 128,000 that a model remembers.
 */
export const RESULTS_BUDGET = 4 * RESULT_BUDGET
/** Of these, what older results have when newer ones have taken the rest. */
const FOR_OLDER = RESULT_BUDGET
/** What is left of an older one: enough to know what it was, and whether to look into it again. */
const LITTLE = 1_000
/** What is no longer than a note that it was left out is not left out. */
const AS_SHORT_AS_A_NOTE = 200

/**
 * How much each of these results is given, by their lengths, oldest first: the newest all that one may have, older ones
 * little, the oldest nothing but a note. What has shrunk once does not grow again: a prompt that changes in its middle
 * costs its readers what they remember of it.
 */
export function shareRoom(lengths: readonly number[]): number[] {
  let left = RESULTS_BUDGET - FOR_OLDER
  let leftForOlder = FOR_OLDER
  const share = (length: number): number => {
    const most = Math.min(length, RESULT_BUDGET)
    left -= most
    if (left >= 0) return most
    const little = Math.min(length, LITTLE)
    leftForOlder -= little
    if (leftForOlder >= 0) return little
    return length <= AS_SHORT_AS_A_NOTE ? length : 0
  }
  return lengths.toReversed().map(share).toReversed()
}
