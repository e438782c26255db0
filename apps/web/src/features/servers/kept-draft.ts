import { sessionNote } from '#lib/session-note.ts'
import type { ServerDraft } from './server-draft.ts'

const KEY = 'switchboard-server-draft'

/** A form as it was when the page was left to sign in: the id it is tried under, and all but its secrets, which the engine keeps. */
export interface KeptDraft {
  draftId: string
  draft: Omit<ServerDraft, 'secrets'>
}

export function keepDraft(draftId: string, { secrets: _, headers, ...rest }: ServerDraft): void {
  const draft = { ...rest, headers: headers.map((row) => ({ ...row, value: '' })) }
  sessionStorage.setItem(KEY, JSON.stringify({ draftId, draft } satisfies KeptDraft))
}

/** What was kept. It stays until `forgetDraft`: a screen may be drawn more than once before it is there. */
export function keptDraft(): KeptDraft | undefined {
  const kept = sessionNote(KEY)
  return kept === null ? undefined : (JSON.parse(kept) as KeptDraft)
}

/** Who comes back later begins anew. */
export const forgetDraft = (): void => sessionStorage.removeItem(KEY)
