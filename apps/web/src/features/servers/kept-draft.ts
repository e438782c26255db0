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

/** Once: who comes back later begins anew. */
export function takeDraft(): KeptDraft | undefined {
  const kept = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return kept === null ? undefined : (JSON.parse(kept) as KeptDraft)
}
