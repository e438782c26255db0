import type { OfferedTool } from './needs.ts'
import { describeReadResult } from './read-result.ts'
import { describeSearchResult } from './search-result.ts'

/** What a model needs where it was given a result in part. */
export const offerReading: readonly OfferedTool[] = [describeSearchResult, describeReadResult]
