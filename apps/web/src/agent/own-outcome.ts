import { bytesOf } from '#lib/in-words.ts'
import type { ToolOutcome } from './needs.ts'

/** What a tool of the app itself says. */
export const said = (text: string): ToolOutcome => ({
  content: [{ type: 'text', text }],
  isError: false,
  size: bytesOf(text),
})

/** Why a tool of the app itself did nothing, and what would help. */
export const failed = (text: string): ToolOutcome => ({ ...said(text), isError: true })
