import type { Failure } from './failure.ts'

/** What a tool answered, as its server sent it: data of a stranger. */
export interface ToolOutcome {
  content: Record<string, unknown>[]
  structuredContent?: unknown
  isError: boolean
  size: number
  /** What is wrong with a result that came nevertheless. */
  failure?: Failure
}
